// What the methods that a setter calls set of the object itself: `Touch()` behind each change. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>The methods of one type, each looked at once.</summary>
/// <param name="type">The type.</param>
/// <param name="isStored">A member of that name is stored.</param>
internal sealed class CalledMethods(INamedTypeSymbol type, Predicate<string> isStored)
{
    private readonly Dictionary<IMethodSymbol, (Effects Own, HashSet<IMethodSymbol> Called)> _known = new(SymbolEqualityComparer.Default);

    /// <summary>What the methods that some code calls set, and the collections that they change.</summary>
    /// <param name="Sets">Names of members that are set.</param>
    /// <param name="Changes">Names of collections that are added to or taken from.</param>
    internal sealed record Effects(HashSet<string> Sets, HashSet<string> Changes);

    /// <summary>Of the setter of a property.</summary>
    public Effects Of(IPropertySymbol property)
    {
        Effects all = new([], []);
        HashSet<IMethodSymbol> met = new(SymbolEqualityComparer.Default);
        var run = new RunCode();
        Queue<IMethodSymbol> left = new(AccessorCode.Setters(property).Where(IsAlwaysRun).SelectMany(static setter => AccessorCode.Mentions(setter)).SelectMany(mention => Called(mention, run)));
        while (left.Count > 0)
        {
            IMethodSymbol method = left.Dequeue();
            // One that calls itself, in a circle or not, is met again.
            if (!met.Add(method)) continue;
            (Effects own, HashSet<IMethodSymbol> called) = Of(method);
            all.Sets.UnionWith(own.Sets);
            all.Changes.UnionWith(own.Changes);
            foreach (IMethodSymbol next in called) left.Enqueue(next);
        }

        return all;
    }

    private (Effects Own, HashSet<IMethodSymbol> Called) Of(IMethodSymbol method)
    {
        if (_known.TryGetValue(method, out (Effects, HashSet<IMethodSymbol>) known)) return known;
        (Effects Own, HashSet<IMethodSymbol> Called) found = (new([], []), new(SymbolEqualityComparer.Default));
        var run = new RunCode();
        foreach (ExpressionSyntax mention in AccessorCode.Bodies(method, onlyGetter: false).Where(IsAlwaysRun).SelectMany(static body => AccessorCode.Mentions(body)))
        {
            if (AccessorCode.IsSet(mention) && run.Has(mention)) found.Own.Sets.Add(AccessorCode.NameOf(mention));
            if (AccessorCode.ChangesElements(mention) && run.Has(mention)) found.Own.Changes.Add(AccessorCode.NameOf(mention));
            found.Called.UnionWith(Called(mention, run));
        }

        return _known[method] = found;
    }

    // Of something that a program may do while the object is made, nothing is known: if (_loading) return;
    private bool IsAlwaysRun(SyntaxNode body) => SetterFlow.Switches(body).All(name => isStored(name));

    private IEnumerable<IMethodSymbol> Called(ExpressionSyntax mention, RunCode run) =>
        mention.Parent is InvocationExpressionSyntax call && call.Expression == mention && run.Has(mention) ? Called(AccessorCode.NameOf(mention), call.ArgumentList.Arguments.Count, AccessorCode.IsOfBase(mention)) : [];

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

    private static bool Takes(IMethodSymbol method, int arguments) =>
        (arguments <= method.Parameters.Length || method.Parameters.Any(static parameter => parameter.IsParams)) && method.Parameters.Count(static parameter => !parameter.IsOptional && !parameter.IsParams) <= arguments;
}
