// What the methods that a setter calls set of the object itself: `Touch()` behind each change. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>The methods of one type, each looked at once.</summary>
/// <param name="type">The type.</param>
/// <param name="isStored">A member of that name is stored.</param>
internal sealed class CalledMethods(INamedTypeSymbol type, Predicate<string> isStored)
{
    private static readonly Effects s_none = new([], []);

    private readonly Dictionary<IMethodSymbol, Effects> _known = new(SymbolEqualityComparer.Default);

    /// <summary>What the methods that some code calls set, and the collections that they change.</summary>
    /// <param name="Sets">Names of members that are set.</param>
    /// <param name="Changes">Names of collections that are added to or taken from.</param>
    internal sealed record Effects(HashSet<string> Sets, HashSet<string> Changes);

    /// <summary>Of the setter of a property.</summary>
    public Effects Of(IPropertySymbol property)
    {
        Effects all = new([], []);
        foreach (SyntaxNode setter in AccessorCode.Setters(property)) Add(setter, all);
        return all;
    }

    private void Add(SyntaxNode body, Effects all)
    {
        // Of something that a program may do while the object is made, nothing is known: if (_loading) return;
        if (SetterFlow.Switches(body).Any(name => !isStored(name))) return;
        foreach (ExpressionSyntax mention in AccessorCode.Mentions(body).Where(IsRun))
        {
            if (mention.Parent is not InvocationExpressionSyntax call || call.Expression != mention) continue;
            foreach (IMethodSymbol method in Called(AccessorCode.NameOf(mention), call.ArgumentList.Arguments.Count, AccessorCode.IsOfBase(mention)))
            {
                Effects found = Of(method);
                all.Sets.UnionWith(found.Sets);
                all.Changes.UnionWith(found.Changes);
            }
        }
    }

    private Effects Of(IMethodSymbol method)
    {
        if (_known.TryGetValue(method, out Effects? known)) return known;
        // One that calls itself, in a circle or not, is met again.
        _known[method] = s_none;
        Effects all = new([], []);
        foreach (SyntaxNode body in AccessorCode.Bodies(method, onlyGetter: false))
        {
            if (SetterFlow.Switches(body).Any(name => !isStored(name))) continue;
            foreach (ExpressionSyntax mention in AccessorCode.Mentions(body).Where(IsRun))
            {
                if (AccessorCode.IsSet(mention)) all.Sets.Add(AccessorCode.NameOf(mention));
                if (AccessorCode.ChangesElements(mention)) all.Changes.Add(AccessorCode.NameOf(mention));
            }

            Add(body, all);
        }

        return _known[method] = all;
    }

    /// <summary>Those of the class that is derived furthest; of a base where it says so, all that its bases have.</summary>
    private IEnumerable<IMethodSymbol> Called(string name, int arguments, bool isOfBase)
    {
        foreach (INamedTypeSymbol level in LostState.Levels(type).Skip(isOfBase ? 1 : 0))
        {
            List<IMethodSymbol> methods = [.. level.OriginalDefinition.GetMembers(name).OfType<IMethodSymbol>().Where(method => method is { IsStatic: false, MethodKind: MethodKind.Ordinary, IsAbstract: false } && Takes(method, arguments))];
            foreach (IMethodSymbol method in methods) yield return method.PartialImplementationPart ?? method;
            if (methods.Count > 0 && !isOfBase) yield break;
        }
    }

    // What a lambda or local function does is done when somebody calls it.
    private static bool IsRun(ExpressionSyntax mention) => !mention.Ancestors().TakeWhile(static around => around is not MemberDeclarationSyntax).Any(static around => around is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax);

    private static bool Takes(IMethodSymbol method, int arguments) =>
        (arguments <= method.Parameters.Length || method.Parameters.Any(static parameter => parameter.IsParams)) && method.Parameters.Count(static parameter => !parameter.IsOptional && !parameter.IsParams) <= arguments;
}
