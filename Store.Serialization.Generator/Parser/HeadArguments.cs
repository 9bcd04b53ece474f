// Which parameters in the heads of bases may be given something else by reading than the object was made with: what a constructor passes on is made of a member that was set since, or of a default value. No semantic model:
// this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class HeadArguments
{
    /// <summary>The parameters in the heads of bases that the constructor passes what may have changed: those that the compiler may keep in a field, which nothing sets again.</summary>
    /// <param name="type">The type.</param>
    /// <param name="constructor">The one that reading calls.</param>
    /// <param name="matches">What reading passes it.</param>
    /// <param name="left">Parameters that no member gives: their default values are passed.</param>
    public static IEnumerable<IParameterSymbol> Changed(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, IReadOnlyCollection<IParameterSymbol> left)
    {
        if (constructor is not { MethodKind: MethodKind.Constructor }) yield break;
        Queue<(IMethodSymbol Constructor, List<string> Changed)> calls = new([(constructor, [.. Given(type, matches).Concat(left).Select(static parameter => parameter.Name)])]);
        HashSet<IMethodSymbol> seen = new(SymbolEqualityComparer.Default);
        while (calls.Count > 0)
        {
            (IMethodSymbol called, List<string> changed) = calls.Dequeue();
            if (changed.Count == 0 || !seen.Add(called)) continue;
            if (ConstructorParser.IsPrimary(called) && !SymbolEqualityComparer.Default.Equals(called.ContainingType, type.Symbol))
            {
                foreach (IParameterSymbol parameter in called.Parameters.Where(parameter => changed.Contains(parameter.Name))) yield return parameter;
            }

            if (CallOf(called) is not var (arguments, level) || level is null) continue;
            // Which one is called is not known without their types: any that could take as many arguments.
            foreach (IMethodSymbol next in level.InstanceConstructors.Where(next => Fits(next, arguments)))
                calls.Enqueue((next, [.. next.Parameters.Where(parameter => Arguments(arguments, parameter).Any(argument => Names(argument, changed))).Select(static parameter => parameter.Name)]));
        }
    }

    /// <summary>The parameters that members give which may have been set since the object was made.</summary>
    private static IEnumerable<IParameterSymbol> Given(ParsedType type, Dictionary<ParsedMember, IParameterSymbol> matches) =>
        from match in matches where type.Members.Contains(match.Key) && MayBeSet(match.Key.Symbol, match.Value, type.Symbol) select match.Value;

    private static bool MayBeSet(ISymbol member, IParameterSymbol parameter, INamedTypeSymbol type)
    {
        if (member is IFieldSymbol field) return !field.IsReadOnly;
        if (member is not IPropertySymbol property || Declarations.Accessor(property, static one => one.SetMethod) is not null) return true;
        // One that can only be got shows itself, a readonly field, or what code of the type may set.
        HashSet<string> shown = [.. AccessorCode.Bodies(property, onlyGetter: true).SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf)];
        return shown.Count > 0 && LostState.Levels(type).SelectMany(static level => level.GetMembers()).Where(static one => one is IMethodSymbol or IPropertySymbol)
            .SelectMany(static one => AccessorCode.Bodies(one, onlyGetter: false)).SelectMany(static body => AccessorCode.Mentions(body)).Any(mention => AccessorCode.IsSet(mention) && shown.Contains(AccessorCode.NameOf(mention)));
    }

    /// <summary>What a constructor passes on, and the type with the constructors that it may pass it to.</summary>
    private static (SeparatedSyntaxList<ArgumentSyntax> Arguments, INamedTypeSymbol? Level)? CallOf(IMethodSymbol constructor)
    {
        foreach (SyntaxNode declared in constructor.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax()))
        {
            if (declared is ConstructorDeclarationSyntax { Initializer: { } call })
                return (call.ArgumentList.Arguments, call.ThisOrBaseKeyword.Text == "this" ? constructor.ContainingType : constructor.ContainingType.BaseType);
            if (declared is TypeDeclarationSyntax { BaseList: { } bases } && bases.Types.OfType<PrimaryConstructorBaseTypeSyntax>().FirstOrDefault() is { } head)
                return (head.ArgumentList.Arguments, constructor.ContainingType.BaseType);
        }

        return null;
    }

    private static bool Fits(IMethodSymbol constructor, SeparatedSyntaxList<ArgumentSyntax> arguments) =>
        !ConstructorParser.IsCopyConstructor(constructor)
        && (arguments.Count <= constructor.Parameters.Length || constructor.Parameters.Any(static parameter => parameter.IsParams))
        && constructor.Parameters.All(parameter => parameter.IsOptional || parameter.IsParams || Arguments(arguments, parameter).Any());

    private static IEnumerable<ArgumentSyntax> Arguments(SeparatedSyntaxList<ArgumentSyntax> arguments, IParameterSymbol parameter) =>
        arguments.Where((argument, i) => argument.NameColon is { } name ? name.Name.Identifier.ValueText == parameter.Name : parameter.IsParams ? i >= parameter.Ordinal : i == parameter.Ordinal);

    private static bool Names(ArgumentSyntax argument, List<string> names) =>
        argument.Expression.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(identifier => names.Contains(identifier.Identifier.ValueText));
}
