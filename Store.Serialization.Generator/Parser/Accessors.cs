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
        bool set = member.Set == MemberSet.Accessor;
        if (!get && !set) return null;
        // The run time looks at one type only: an override may leave the getter or setter to the class it overrides.
        ISymbol symbol = member.Symbol is IPropertySymbol overriding ? Declaring(overriding, set) : member.Symbol;
        ISymbol original = symbol.OriginalDefinition;
        INamedTypeSymbol declaring = original.ContainingType;
        ITypeSymbol memberType = original is IFieldSymbol field ? field.Type : ((IPropertySymbol)original).Type;
        return new AccessorModel(
            original is IFieldSymbol ? AccessorKind.Field : AccessorKind.Property,
            Holder(symbol.ContainingType),
            TypeNames.Source(declaring),
            TypeNames.Source(memberType),
            original.Name,
            get,
            set,
            declaring.IsValueType);
    }

    public static ConstructorAccessor Constructor(IMethodSymbol constructor)
    {
        IMethodSymbol original = constructor.OriginalDefinition;
        return new ConstructorAccessor(
            Holder(constructor.ContainingType),
            TypeNames.Source(original.ContainingType),
            original.MethodKind == MethodKind.Constructor ? null : original.Name,
            new EquatableArray<string>(original.Parameters.Select(static parameter => (parameter.RefKind == RefKind.In ? "in " : parameter.RefKind == RefKind.RefReadOnlyParameter ? "ref readonly " : "") + TypeNames.Source(parameter.Type))));
    }

    /// <summary>A name as source spells it.</summary>
    public static string Escape(string name) =>
        SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    private static IPropertySymbol Declaring(IPropertySymbol property, bool set)
    {
        while ((set ? property.SetMethod : property.GetMethod) is null && property.OverriddenProperty is { } overridden) property = overridden;
        return property;
    }

    public static AccessorHolder Holder(INamedTypeSymbol type)
    {
        List<ITypeParameterSymbol> parameters = [];
        List<ITypeSymbol> arguments = [];
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            parameters.InsertRange(0, level.OriginalDefinition.TypeParameters);
            arguments.InsertRange(0, level.TypeArguments);
        }

        return parameters.Count == 0
            ? new AccessorHolder("", "", "")
            : new AccessorHolder(
                "<" + string.Join(", ", parameters.Select(static parameter => Escape(parameter.Name))) + ">",
                string.Concat(parameters.Select(Constraint)),
                "<" + string.Join(", ", arguments.Select(TypeNames.Source)) + ">");
    }

    private static string Constraint(ITypeParameterSymbol parameter)
    {
        List<string> parts = [];
        if (parameter.HasUnmanagedTypeConstraint) parts.Add("unmanaged");
        else if (parameter.HasValueTypeConstraint) parts.Add("struct");
        else if (parameter.HasReferenceTypeConstraint) parts.Add("class");
        else if (parameter.HasNotNullConstraint) parts.Add("notnull");
        parts.AddRange(parameter.ConstraintTypes.Select(TypeNames.Source));
        if (parameter.HasConstructorConstraint && !parameter.HasValueTypeConstraint && !parameter.HasUnmanagedTypeConstraint) parts.Add("new()");
        return parts.Count == 0 ? "" : $" where {Escape(parameter.Name)} : {string.Join(", ", parts)}";
    }
}
