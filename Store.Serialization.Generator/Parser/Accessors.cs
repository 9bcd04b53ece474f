// How generated code reaches members and constructors that it cannot name: by [UnsafeAccessor], resolved by the run time once, without reflection.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class Accessors
{
    /// <summary>The accessor of a member, or null when generated code can do all it needs by name.</summary>
    public static AccessorModel? Member(ParsedMember member)
    {
        bool get = !member.IsReadable;
        bool set = member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor || member.LooksForSetter;
        if (!get && !set) return null;
        bool usesField = member is { IsBacked: true, Set: MemberSet.Accessor or MemberSet.ConstructorAndAccessor };
        // The run time looks at one type only: an override may leave the getter or setter to the class it overrides.
        ISymbol symbol = usesField ? member.Symbol : Declared(member);
        ISymbol original = symbol.OriginalDefinition;
        INamedTypeSymbol declaring = original.ContainingType;
        ITypeSymbol memberType = original is IFieldSymbol field ? field.Type : ((IPropertySymbol)original).Type;
        return new AccessorModel(
            original is IFieldSymbol ? AccessorKind.Field : AccessorKind.Property,
            Holder(symbol.ContainingType),
            Inside(declaring, declaring),
            Inside(memberType, declaring),
            original.Name,
            get,
            set && (!usesField || member.LooksForSetter),
            declaring.IsValueType,
            usesField ? CompilerFields.OfProperty(original.Name) : null);
    }

    public static ConstructorAccessor Constructor(IMethodSymbol constructor)
    {
        IMethodSymbol original = constructor.OriginalDefinition;
        return new ConstructorAccessor(
            Holder(constructor.ContainingType),
            Inside(original.ContainingType, original.ContainingType),
            original.MethodKind == MethodKind.Constructor ? null : original.Name,
            new EquatableArray<string>(original.Parameters.Select(parameter => (parameter.RefKind == RefKind.In ? "in " : parameter.RefKind == RefKind.RefReadOnlyParameter ? "ref readonly " : "") + Inside(parameter.Type, original.ContainingType))));
    }

    /// <summary>The accessor of the constructor without parameters, seen or not.</summary>
    public static ConstructorAccessor Constructor(INamedTypeSymbol type) => new(Holder(type), Inside(type.OriginalDefinition, type.OriginalDefinition), null, new EquatableArray<string>([]));

    /// <summary>A name as source spells it.</summary>
    public static string Escape(string name) =>
        SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>The class or struct by which the accessor of a member is found.</summary>
    public static INamedTypeSymbol DeclaringType(ParsedMember member) => (member.IsBacked ? member.Symbol : Declared(member)).ContainingType;

    private static ISymbol Declared(ParsedMember member) =>
        member.Symbol is IPropertySymbol overriding ? Declaring(overriding, member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor) : member.Symbol;

    private static IPropertySymbol Declaring(IPropertySymbol property, bool set)
    {
        while ((set ? property.SetMethod : property.GetMethod) is null && property.OverriddenProperty is { } overridden) property = overridden;
        return property;
    }

    /// <summary>A type as it is named inside the holder of what a type declares.</summary>
    public static string Inside(ITypeSymbol type, INamedTypeSymbol declaring) => TypeNames.Source(type, Names(declaring));

    public static AccessorHolder Holder(INamedTypeSymbol type)
    {
        List<ITypeParameterSymbol> parameters = Parameters(type);
        List<ITypeSymbol> arguments = [];
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType) arguments.InsertRange(0, level.TypeArguments);
        Dictionary<ITypeParameterSymbol, string> names = Names(type);

        return parameters.Count == 0
            ? new AccessorHolder("", "", "")
            : new AccessorHolder(
                "<" + string.Join(", ", parameters.Select(parameter => names[parameter])) + ">",
                string.Concat(parameters.Select(parameter => Constraint(parameter, names))),
                "<" + string.Join(", ", arguments.Select(TypeNames.Source)) + ">");
    }

    /// <summary>What the type parameters are constrained to that the holder of what a type declares has.</summary>
    public static IEnumerable<ITypeSymbol> Constraints(INamedTypeSymbol type) => Parameters(type).SelectMany(static parameter => parameter.ConstraintTypes);

    private static List<ITypeParameterSymbol> Parameters(INamedTypeSymbol type)
    {
        List<ITypeParameterSymbol> parameters = [];
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType) parameters.InsertRange(0, level.OriginalDefinition.TypeParameters);
        return parameters;
    }

    /// <summary>What the type parameters are called in a holder, which has those of all levels: a nested type may call one as the type around it calls another.</summary>
    private static Dictionary<ITypeParameterSymbol, string> Names(INamedTypeSymbol type)
    {
        Dictionary<ITypeParameterSymbol, string> names = new(SymbolEqualityComparer.Default);
        HashSet<string> taken = [.. Parameters(type).Select(static parameter => parameter.Name)];
        HashSet<string> used = [];
        foreach (ITypeParameterSymbol parameter in Parameters(type))
        {
            string name = MayBeOfHolder(parameter.Name) ? "T" : parameter.Name, start = name;
            for (int i = 2; (start != parameter.Name && taken.Contains(name)) || !used.Add(name); i++)
            {
                if (!taken.Contains(start + i)) name = start + i;
            }

            names.Add(parameter, Escape(name));
        }

        return names;
    }

    /// <summary>The holder, or an accessor in it, may have that name.</summary>
    private static bool MayBeOfHolder(string name) => name.IndexOf('_') > 0 || name is "Create" or "CreateInPlace" || name.StartsWith("Accessors", System.StringComparison.Ordinal);

    private static string Constraint(ITypeParameterSymbol parameter, Dictionary<ITypeParameterSymbol, string> names)
    {
        List<string> parts = [];
        if (parameter.HasUnmanagedTypeConstraint) parts.Add("unmanaged");
        else if (parameter.HasValueTypeConstraint) parts.Add("struct");
        else if (parameter.HasReferenceTypeConstraint) parts.Add("class");
        else if (parameter.HasNotNullConstraint) parts.Add("notnull");
        parts.AddRange(parameter.ConstraintTypes.Select(type => TypeNames.Source(type, names)));
        if (parameter.HasConstructorConstraint && !parameter.HasValueTypeConstraint && !parameter.HasUnmanagedTypeConstraint) parts.Add("new()");
        return parts.Count == 0 ? "" : $" where {names[parameter]} : {string.Join(", ", parts)}";
    }
}
