// Which parameters of a type and its bases may be given something else by reading than the object was made with: what a constructor passes on is made of a member that was set since, or of a default value. No semantic model: this
// runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class HeadArguments
{
    /// <summary>The parameters in the heads of bases that the constructor passes what may have changed: those that the compiler may keep in a field, which nothing sets again.</summary>
    /// <param name="type">The type.</param>
    /// <param name="constructor">The one that reading calls.</param>
    /// <param name="matches">What reading passes it.</param>
    /// <param name="left">Parameters that no member gives: their default values are passed.</param>
    public static IEnumerable<IParameterSymbol> Changed(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, IReadOnlyCollection<IParameterSymbol> left) =>
        ChangedAnywhere(type, constructor, matches, left).Where(static parameter => ConstructorParser.IsPrimary((IMethodSymbol)parameter.ContainingSymbol));

    /// <summary>As <see cref="Changed"/>, of the first class of another assembly: its constructors that may be called, whatever is in its head.</summary>
    public static IEnumerable<IParameterSymbol> ChangedElsewhere(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, IReadOnlyCollection<IParameterSymbol> left) =>
        ChangedAnywhere(type, constructor, matches, left).Where(static parameter => parameter.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty);

    private static IEnumerable<IParameterSymbol> ChangedAnywhere(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, IReadOnlyCollection<IParameterSymbol> left)
    {
        if (constructor is not { MethodKind: MethodKind.Constructor } || CallOf(constructor) is null) yield break;
        Queue<(IMethodSymbol Constructor, HashSet<string> Changed)> calls = new([(constructor, [.. Given(type, matches).Concat(left).Select(static parameter => parameter.Name)])]);
        Dictionary<IMethodSymbol, HashSet<string>> seen = new(SymbolEqualityComparer.Default);
        while (calls.Count > 0)
        {
            (IMethodSymbol called, HashSet<string> changed) = calls.Dequeue();
            // One that is called in two ways passes on what either may have changed.
            if (seen.TryGetValue(called, out HashSet<string>? before))
            {
                if (changed.IsSubsetOf(before)) continue;
                changed.UnionWith(before);
            }

            seen[called] = changed;
            if (changed.Count == 0) continue;
            if (!SymbolEqualityComparer.Default.Equals(called.ContainingType, type.Symbol))
            {
                foreach (IParameterSymbol parameter in called.Parameters.Where(parameter => changed.Contains(parameter.Name))) yield return parameter;
            }

            if (CallOf(called) is not var (arguments, level) || level is null) continue;
            // Which one is called is not known without their types: any that could take as many arguments.
            foreach (IMethodSymbol next in level.InstanceConstructors.Where(next => Fits(next, arguments)))
                calls.Enqueue((next, [.. next.Parameters.Where(parameter => Arguments(arguments, parameter).Any(argument => Names(argument).Any(changed.Contains))).Select(static parameter => parameter.Name)]));
        }
    }

    /// <summary>Parameters in the head that reading calls, of members that can be set: it passes what they hold then, and not what the object was made with.</summary>
    public static IEnumerable<IParameterSymbol> SetSince(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches) =>
        constructor is not null && ConstructorParser.IsPrimary(constructor) ? Given(type, matches) : [];

    /// <summary>The constructor that reading calls passes a parameter of a base what it makes of parameters that stored members give, which nothing has set since.</summary>
    public static bool IsRestored(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, IParameterSymbol parameter)
    {
        if (constructor is null || CallOf(constructor) is not var (arguments, level) || !SymbolEqualityComparer.Default.Equals(level, parameter.ContainingType)) return false;
        HashSet<string> given = [.. matches.Where(match => type.Members.Contains(match.Key)).Select(static match => match.Value).Except(Given(type, matches), SymbolEqualityComparer.Default).Select(static one => one!.Name)];
        List<string> named = [.. Arguments(arguments, parameter).SelectMany(Names).Where(name => constructor.Parameters.Any(one => one.Name == name))];
        return named.Count > 0 && named.TrueForAll(given.Contains);
    }

    /// <summary>All constructors of the type that is derived from that of a parameter pass it the same constant: what kind of base it is, as <c>base("user")</c>.</summary>
    public static bool IsAlwaysOneConstant(INamedTypeSymbol type, IParameterSymbol parameter)
    {
        if (LostState.Levels(type).FirstOrDefault(level => SymbolEqualityComparer.Default.Equals(level.BaseType?.OriginalDefinition, parameter.ContainingType.OriginalDefinition)) is not { } derived) return false;
        List<string?> passed = [];
        HashSet<string> ofConstructors = [.. derived.InstanceConstructors.SelectMany(static one => one.Parameters).Select(static one => one.Name)];
        foreach (SyntaxNode part in derived.DeclaringSyntaxReferences.Select(static reference => reference.Read()))
        {
            foreach (ConstructorInitializerSyntax call in part.ChildNodes().OfType<ConstructorDeclarationSyntax>().Select(static constructor => constructor.Initializer).OfType<ConstructorInitializerSyntax>())
            {
                if (call.ThisOrBaseKeyword.IsKind(SyntaxKind.BaseKeyword)) passed.Add(ConstantOf(call.ArgumentList.Arguments, parameter, ofConstructors));
            }

            if (part is TypeDeclarationSyntax { BaseList: { } bases } && bases.Types.OfType<PrimaryConstructorBaseTypeSyntax>().FirstOrDefault() is { } head) passed.Add(ConstantOf(head.ArgumentList.Arguments, parameter, ofConstructors));
        }

        return passed.Count > 0 && passed[0] is not null && passed.TrueForAll(one => one == passed[0]);
    }

    private static string? ConstantOf(SeparatedSyntaxList<ArgumentSyntax> arguments, IParameterSymbol parameter, HashSet<string> ofConstructor)
    {
        if (Arguments(arguments, parameter).FirstOrDefault() is not { } argument) return parameter.IsOptional ? "" : null;
        bool isConstant = argument.Expression switch
        {
            LiteralExpressionSyntax or TypeOfExpressionSyntax or DefaultExpressionSyntax => true,
            PrefixUnaryExpressionSyntax { Operand: LiteralExpressionSyntax } => true,
            InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "nameof" } } => true,
            // A constant, or one member of an enum.
            MemberAccessExpressionSyntax { Expression: NameSyntax or MemberAccessExpressionSyntax or PredefinedTypeSyntax } => (parameter.Type.TypeKind == TypeKind.Enum || parameter.Type.SpecialType == SpecialType.System_String) && !Names(argument).Any(ofConstructor.Contains),
            _ => false,
        };
        return isConstant ? argument.Expression.ToString() : null;
    }

    /// <summary>The parameters that members give which may have been set since the object was made.</summary>
    private static IEnumerable<IParameterSymbol> Given(ParsedType type, Dictionary<ParsedMember, IParameterSymbol> matches)
    {
        HashSet<string>? set = null;
        foreach (KeyValuePair<ParsedMember, IParameterSymbol> match in matches)
        {
            if (type.Members.Contains(match.Key) && MayBeSet(match.Key.Symbol, () => set ??= SetByCode(type.Symbol))) yield return match.Value;
        }
    }

    private static bool MayBeSet(ISymbol member, Func<HashSet<string>> setByCode)
    {
        if (member is IFieldSymbol field) return !field.IsReadOnly;
        if (member is not IPropertySymbol property) return true;
        if (Declarations.Accessor(property, static one => one.SetMethod) is not null) return true;
        // One that can only be got shows itself, a readonly field, or what code of the type may set.
        List<SyntaxNode> getters = [.. AccessorCode.Bodies(property, onlyGetter: true)];
        return getters.Exists(body => AccessorCode.Mentions(body).Select(AccessorCode.NameOf).Any(setByCode().Contains));
    }

    /// <summary>What methods and accessors of the type and its bases set; what constructors do is done again.</summary>
    private static HashSet<string> SetByCode(INamedTypeSymbol type) =>
        [.. LostState.Levels(type).SelectMany(static level => level.GetMembers()).Where(static one => one is IMethodSymbol or IPropertySymbol).SelectMany(static one => AccessorCode.Bodies(one, onlyGetter: false))
            .SelectMany(static body => AccessorCode.Mentions(body)).Where(AccessorCode.IsSet).Select(AccessorCode.NameOf)];

    /// <summary>What a constructor passes on, and the type with the constructors that it may pass it to.</summary>
    public static (SeparatedSyntaxList<ArgumentSyntax> Arguments, INamedTypeSymbol? Level)? CallOf(IMethodSymbol constructor)
    {
        foreach (SyntaxNode declared in constructor.DeclaringSyntaxReferences.Select(static reference => reference.Read()))
        {
            if (declared is ConstructorDeclarationSyntax { Initializer: { } call })
                return (call.ArgumentList.Arguments, call.ThisOrBaseKeyword.IsKind(SyntaxKind.ThisKeyword) ? constructor.ContainingType : constructor.ContainingType.BaseType);
            if (declared is TypeDeclarationSyntax { BaseList: { } bases } && bases.Types.OfType<PrimaryConstructorBaseTypeSyntax>().FirstOrDefault() is { } head)
                return (head.ArgumentList.Arguments, constructor.ContainingType.BaseType);
        }

        return null;
    }

    /// <summary>A constructor could take some arguments.</summary>
    public static bool Fits(IMethodSymbol constructor, SeparatedSyntaxList<ArgumentSyntax> arguments) =>
        !ConstructorParser.IsCopyConstructor(constructor)
        && (arguments.Count <= constructor.Parameters.Length || constructor.Parameters.Any(static parameter => parameter.IsParams))
        && constructor.Parameters.All(parameter => parameter.IsOptional || parameter.IsParams || Arguments(arguments, parameter).Any());

    /// <summary>Those that a parameter is given.</summary>
    public static IEnumerable<ArgumentSyntax> Arguments(SeparatedSyntaxList<ArgumentSyntax> arguments, IParameterSymbol parameter) =>
        arguments.Where((argument, i) => argument.NameColon is { } name ? name.Name.Identifier.ValueText == parameter.Name : parameter.IsParams ? i >= parameter.Ordinal : i == parameter.Ordinal);

    private static IEnumerable<string> Names(ArgumentSyntax argument) =>
        argument.Expression.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Select(static identifier => identifier.Identifier.ValueText);
}
