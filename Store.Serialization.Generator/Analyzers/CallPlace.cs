using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Analyzers;

internal static class CallPlace
{
    /// <summary>Where a diagnostic about a call points: the name of the method or property.</summary>
    public static Location Of(SyntaxNode call) => ((call as InvocationExpressionSyntax)?.Expression ?? call) switch
    {
        MemberAccessExpressionSyntax access => access.Name.GetLocation(),
        MemberBindingExpressionSyntax binding => binding.Name.GetLocation(),
        _ => call.GetLocation(),
    };
}
