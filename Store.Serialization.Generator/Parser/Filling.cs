// Members without a setter whose collection is filled when reading: which types can be, and whether the getter gives the object's own collection. From source that
// has to show; of another assembly's code nothing is seen, so generated code asks the getter twice.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class Filling
{
    // By metadata name; of these, any construction.
    private static readonly Dictionary<string, FillKind> s_framework = new()
    {
        ["System.Collections.Generic.List`1"] = FillKind.Elements,
        ["System.Collections.Generic.LinkedList`1"] = FillKind.Elements,
        ["System.Collections.Generic.HashSet`1"] = FillKind.Elements,
        ["System.Collections.Generic.SortedSet`1"] = FillKind.Elements,
        ["System.Collections.ObjectModel.Collection`1"] = FillKind.Elements,
        ["System.Collections.ObjectModel.ObservableCollection`1"] = FillKind.Elements,
        ["System.Collections.Generic.ICollection`1"] = FillKind.Elements,
        ["System.Collections.Generic.IList`1"] = FillKind.Elements,
        ["System.Collections.Generic.ISet`1"] = FillKind.Elements,
        ["System.Collections.Generic.Dictionary`2"] = FillKind.Pairs,
        ["System.Collections.Generic.SortedDictionary`2"] = FillKind.Pairs,
        ["System.Collections.Generic.SortedList`2"] = FillKind.Pairs,
        ["System.Collections.Generic.OrderedDictionary`2"] = FillKind.Pairs,
        ["System.Collections.Concurrent.ConcurrentDictionary`2"] = FillKind.Pairs,
        ["System.Collections.Generic.IDictionary`2"] = FillKind.Pairs,
        ["System.Collections.Generic.Queue`1"] = FillKind.Other,
        ["System.Collections.Generic.Stack`1"] = FillKind.Other,
        ["System.Collections.Generic.PriorityQueue`2"] = FillKind.Other,
        ["System.Collections.Concurrent.ConcurrentQueue`1"] = FillKind.Other,
        ["System.Collections.Concurrent.ConcurrentStack`1"] = FillKind.Other,
        ["System.Collections.Concurrent.ConcurrentBag`1"] = FillKind.Other,
        ["System.Collections.Concurrent.BlockingCollection`1"] = FillKind.Other,
    };

    /// <summary>Names of the framework's types that can be filled.</summary>
    public static IEnumerable<string> FrameworkTypes => s_framework.Keys;

    /// <summary>Sets <see cref="ParsedMember.Fill"/>, or says why not.</summary>
    public static string? TryFind(ParsedType type, ParsedMember member, IMethodSymbol? constructor, List<ParsedMember> candidates)
    {
        if (KindOf(member.Type, out IReadOnlyList<ITypeSymbol> arguments, out string? reason) is not { } kind) return reason;
        bool isUnseen = false, isLazy = false;
        ISymbol state = member.Symbol.OriginalDefinition;
        if (member.Symbol is IPropertySymbol property && !PlainMemory.IsStored(property))
        {
            if (state.DeclaringSyntaxReferences.IsEmpty) isUnseen = true;
            else if (Shown(property, out isLazy) is { } shown) state = shown;
            else return "its getter may make a new collection each time it is called, because it is no auto-property and does more than return a field";
            if (candidates.Exists(other => other != member && SymbolEqualityComparer.Default.Equals(other.Symbol.OriginalDefinition, state))) return $"it shows '{state.Name}', which is stored itself";
        }

        if (kind == FillKind.Elements && arguments[0] is INamedTypeSymbol { Arity: 2 } entry && TypeNames.Metadata(entry.OriginalDefinition) == "System.Collections.Generic.KeyValuePair`2") (kind, arguments) = (FillKind.Entries, entry.TypeArguments);
        if (!isLazy && (type.Bare == BareModel.Always || !IsMade(state, constructor))) return "no constructor or initializer makes it, so it is null in every object that is read";
        member.Fill = new FillModel(kind, kind == FillKind.Loose ? LooseMethod((INamedTypeSymbol)member.Type) : string.Join(", ", arguments.Select(TypeNames.Source)), TypeNames.Message(type.Symbol) + "." + member.Name, isUnseen);
        return null;
    }

    /// <summary>Why the collection of a property without a setter cannot be filled, and which state behind it can be stored instead.</summary>
    /// <param name="property">The property.</param>
    /// <param name="type">The type that is stored.</param>
    /// <param name="whyNot">Why not, where that is known.</param>
    /// <param name="mark">What stores a member that is not public.</param>
    public static string Why(IPropertySymbol property, INamedTypeSymbol type, string? whyNot, string mark)
    {
        whyNot ??= property.Type is INamedTypeSymbol { Arity: 0 } named && Framework.Has(named) && named.AllInterfaces.Any(static one => one.Name == "IList" && one.Arity == 0) ? "it is a collection of the framework without type arguments"
            : property.Type is INamedTypeSymbol { Arity: 1 } shared && Framework.Has(shared) && TypeNames.Metadata(shared.OriginalDefinition) == "System.Collections.Concurrent.IProducerConsumerCollection`1" ? "its interface does not say how it is emptied"
            : "its type cannot be changed once it is made";
        if (PlainMemory.IsStored(property) || GetterReads.Of(property, type).Hidden is not { Count: > 0 } hidden) return whyNot;
        return $"{whyNot}, but {string.Join(" and ", hidden.Select(static name => $"'{name}'"))}, which it shows, can be stored instead with {mark}";
    }

    private static string LooseMethod(INamedTypeSymbol type) => OwnCollections.Of(type) is { Base: { } kept } ? kept.Name : OwnCollections.Of(type)!.Form == CollectionForm.Pairs ? "Map" : "List";

    private static FillKind? KindOf(ITypeSymbol type, out IReadOnlyList<ITypeSymbol> arguments, out string? reason)
    {
        arguments = [];
        reason = null;
        if (type is not INamedTypeSymbol named) return null;
        if (s_framework.TryGetValue(TypeNames.Metadata(named.OriginalDefinition), out FillKind kind) && Framework.Has(named))
        {
            arguments = named.TypeArguments;
            return kind;
        }

        if (Framework.Has(named)) return null;
        OwnCollection? own = OwnCollections.Of(named);
        if (own is null && !MemberParser.IsCollection(named)) return null;
        reason = NinoAttributes.IsNinoType(named) ? "its type has [NinoType] and is stored as its members, not as elements"
            : named.IsValueType ? "a getter gives a copy of a struct"
            : null;
        if (reason is not null || own is null) return null;
        reason = own.Problem;
        if (reason is not null) return null;
        arguments = own.Arguments;
        return own.IsLoose ? FillKind.Loose : own.Base is not null ? FillKind.Other : own.Form == CollectionForm.Pairs ? FillKind.Pairs : FillKind.Elements;
    }

    /// <summary>The field or auto-property that a getter returns, and does nothing else but make it first; null where source does not show that.</summary>
    public static ISymbol? Shown(IPropertySymbol property, out bool isLazy)
    {
        if (Returned(property.OriginalDefinition, out isLazy) is not { } returned) return null;
        string name = returned switch
        {
            IdentifierNameSyntax identifier => identifier.Identifier.ValueText,
            MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax or BaseExpressionSyntax, Name: IdentifierNameSyntax identifier } => identifier.Identifier.ValueText,
            // The field keyword.
            _ => returned.ToString(),
        };
        for (INamedTypeSymbol? level = property.OriginalDefinition.ContainingType; level is not null; level = level.BaseType?.OriginalDefinition)
        {
            foreach (ISymbol member in level.GetMembers())
            {
                if (name == "field" && member is IFieldSymbol { AssociatedSymbol: IPropertySymbol owner } && SymbolEqualityComparer.Default.Equals(owner.PartialDefinitionPart ?? owner, property.OriginalDefinition)) return member;
                if (member.Name != name || member.IsStatic) continue;
                return member is IFieldSymbol || (member is IPropertySymbol other && PlainMemory.IsStored(other)) ? member : null;
            }
        }

        return null;
    }

    /// <summary>False where the source shows that nobody gives a new object the collection: it has no initializer, and the constructor does not name it, nor, where it can be tried (it takes no member), calls anybody who may.</summary>
    private static bool IsMade(ISymbol state, IMethodSymbol? constructor)
    {
        if (constructor is not { MethodKind: MethodKind.Constructor } || state.DeclaringSyntaxReferences.IsEmpty) return true;
        constructor = constructor.OriginalDefinition;
        // Only the constructors of its own class can set what is readonly.
        while (!SymbolEqualityComparer.Default.Equals(state.ContainingType, constructor.ContainingType))
        {
            if (state is not (IFieldSymbol { IsReadOnly: true } or IPropertySymbol { SetMethod: null }) || BaseConstructor(constructor) is not { } called) return true;
            constructor = called;
        }

        if (Initializers(state is IFieldSymbol { AssociatedSymbol: { } owner } ? owner : state).Any(static initializer => initializer.ToString() is not ("null" or "null!" or "default" or "default!"))) return true;
        return Declarations(constructor).OfType<ConstructorDeclarationSyntax>().Any(declaration =>
            declaration.Initializer is { ThisOrBaseKeyword.ValueText: "this" }
            || (constructor.Parameters.IsEmpty && declaration.DescendantNodes().OfType<InvocationExpressionSyntax>().Any())
            || Named(declaration, state.Name).Any());
    }

    private static IEnumerable<IdentifierNameSyntax> Named(SyntaxNode source, string name) => source.DescendantNodes().OfType<IdentifierNameSyntax>().Where(one => one.Identifier.ValueText == name);

    /// <summary>The constructor of the base that one calls without arguments; null where it passes some.</summary>
    private static IMethodSymbol? BaseConstructor(IMethodSymbol constructor)
    {
        bool passesNone = Declarations(constructor).All(static declaration => declaration is ConstructorDeclarationSyntax { Initializer: null or { ThisOrBaseKeyword.ValueText: "base", ArgumentList.Arguments.Count: 0 } });
        return passesNone ? constructor.ContainingType.BaseType?.OriginalDefinition.InstanceConstructors.FirstOrDefault(static one => one.Parameters.IsEmpty) : null;
    }

    /// <summary>What the declaration of a field or property makes it.</summary>
    public static IEnumerable<ExpressionSyntax> Initializers(ISymbol state) => Declarations(state).Select(static declared => declared switch
    {
        PropertyDeclarationSyntax property => property.Initializer?.Value,
        VariableDeclaratorSyntax variable => variable.Initializer?.Value,
        _ => null,
    }).OfType<ExpressionSyntax>();

    private static ExpressionSyntax? Returned(IPropertySymbol property, out bool isLazy)
    {
        isLazy = false;
        foreach (PropertyDeclarationSyntax declaration in Declarations(property).OfType<PropertyDeclarationSyntax>())
        {
            AccessorDeclarationSyntax? getter = declaration.AccessorList?.Accessors.FirstOrDefault(static accessor => accessor.Keyword.ValueText == "get");
            ExpressionSyntax? expression = declaration.ExpressionBody?.Expression ?? getter?.ExpressionBody?.Expression
                ?? (getter?.Body is { Statements: { Count: 1 } statements } && statements[0] is ReturnStatementSyntax { Expression: { } returned } ? returned : null);
            // Made when it is first asked for.
            if (expression is AssignmentExpressionSyntax { OperatorToken.ValueText: "??=", Right: BaseObjectCreationExpressionSyntax or CollectionExpressionSyntax } lazily)
            {
                isLazy = true;
                return lazily.Left;
            }

            if (expression is IdentifierNameSyntax or MemberAccessExpressionSyntax || expression?.ToString() == "field") return expression;
        }

        return null;
    }

    /// <summary>Where a member is declared: a partial one at both of its parts, of which either may have the initializer, or the body.</summary>
    private static IEnumerable<SyntaxNode> Declarations(ISymbol member)
    {
        ISymbol?[] parts = member switch
        {
            IPropertySymbol property => [property, property.PartialDefinitionPart, property.PartialImplementationPart],
            IMethodSymbol method => [method, method.PartialDefinitionPart, method.PartialImplementationPart],
            _ => [member],
        };
        return parts.OfType<ISymbol>().SelectMany(static part => part.DeclaringSyntaxReferences).Distinct().Select(static reference => reference.Read());
    }
}
