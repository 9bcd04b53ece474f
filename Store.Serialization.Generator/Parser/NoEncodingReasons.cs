// What cannot be stored: code, what lives on the stack, what can be anything, and state that hides in the framework.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Serialization.Generator.Parser;

internal static class NoEncodingReasons
{
    /// <summary>Why values of a type are never stored, whatever is said about it; null for any other type.</summary>
    public static string? Of(INamedTypeSymbol type) => type switch
    {
        { TypeKind: TypeKind.Delegate } => "a delegate is code, not data",
        { SpecialType: SpecialType.System_Void } => "it has no values",
        { SpecialType: SpecialType.System_ValueType or SpecialType.System_Enum or SpecialType.System_Delegate or SpecialType.System_MulticastDelegate or SpecialType.System_Array } => "it can be anything; use a concrete type",
        { IsRefLikeType: true } => "a ref struct lives on the stack; use an array or a struct",
        { IsStatic: true } => "a static class has no instances",
        { TypeKind: TypeKind.Interface } when HasStaticAbstracts(type) => "C# does not let an interface with static abstract members be a type argument; mark a base without them",
        _ => WhyNotSpelled(type) ?? BuiltInCodecs.WhyRefused(type),
    };

    /// <summary>Types of other languages have names that C# cannot spell, which generated code and a registration would have to.</summary>
    private static string? WhyNotSpelled(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Error || !type.DeclaringSyntaxReferences.IsEmpty) return null;
        if (type.Name.StartsWith("<>f__AnonymousType", System.StringComparison.Ordinal)) return "an anonymous record or type has no name in C#; declare a record or class in its place";
        for (ISymbol? level = type; level is INamedTypeSymbol or INamespaceSymbol { IsGlobalNamespace: false }; level = level.ContainingSymbol)
        {
            if (!SyntaxFacts.IsValidIdentifier(level.Name)) return $"C# cannot spell the name '{level.Name}'; give it another";
        }

        return null;
    }

    /// <summary>Static members of an interface, or of those it extends, that none of them implements.</summary>
    private static bool HasStaticAbstracts(INamedTypeSymbol type) =>
        type.AllInterfaces.Prepend(type).SelectMany(static level => level.GetMembers()).Any(member => member is { IsStatic: true, IsAbstract: true } and not INamedTypeSymbol && type.FindImplementationForInterfaceMember(member) is null);

    /// <summary>The nearest base class of the framework, unless it has no state (object, EventArgs, Attribute) or all of it is public.</summary>
    public static INamedTypeSymbol? FrameworkBase(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type.IsValueType ? null : type.BaseType; level is not null; level = level.BaseType)
        {
            // One that is not known is nobody's: what is stored of the type is what is seen.
            if (level.TypeKind == TypeKind.Error || level.SpecialType == SpecialType.System_Object || BuiltInCodecs.IsPlainData(level) || level.ContainingAssembly.Identity.Equals(type.ContainingAssembly.Identity)) continue;
            if (Framework.Has(level) && TypeNames.Metadata(level.OriginalDefinition) is not ("System.EventArgs" or "System.Attribute")) return level;
        }

        return null;
    }

    /// <summary>Derived from <see cref="Exception"/>, which is stored as such and not as what it is.</summary>
    public static bool IsException(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType)
        {
            if (TypeNames.Metadata(level) == "System.Exception") return true;
        }

        return false;
    }

    /// <summary>Fields of structs are visible across assemblies even when they are private.</summary>
    public static bool HasHiddenFields(INamedTypeSymbol type) =>
        type.GetMembers().OfType<IFieldSymbol>().Any(static field => !field.IsStatic && field.DeclaredAccessibility != Accessibility.Public);
}
