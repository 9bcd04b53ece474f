// May a new object have members that are not zero? Only then is it worth code: what older records lack is zero anyway.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class DefaultValues
{
    /// <summary>True when the source shows a value, or the source is not there to look at.</summary>
    public static bool MayDiffer(ParsedType type)
    {
        if (type.Symbol.IsTupleType || type.Symbol.IsAbstract || type.Case is not null) return false;

        // A method of the user's that makes objects is called with what was stored, never with arguments made up here: it may refuse them.
        if (type.Construction is { Factory: not null } or { Accessor.Factory: not null }) return false;
        if (type.Symbol.DeclaringSyntaxReferences.IsEmpty) return type.Symbol.IsReferenceType && type.Construction!.Arguments.Count == 0;
        return type.Members.Exists(HasInitializer)
            || type.Symbol.InstanceConstructors.Any(static constructor => constructor.Parameters.Any(static parameter => parameter is { HasExplicitDefaultValue: true, ExplicitDefaultValue: not null }))
            || type.Symbol.InstanceConstructors.Any(static constructor => constructor.DeclaringSyntaxReferences.Any(static reference => reference.GetSyntax() is ConstructorDeclarationSyntax { ParameterList.Parameters.Count: 0 }));
    }

    private static bool HasInitializer(ParsedMember member) => member.Symbol.DeclaringSyntaxReferences.Any(static reference => reference.GetSyntax() is
        PropertyDeclarationSyntax { Initializer: not null } or VariableDeclaratorSyntax { Initializer: not null });
}
