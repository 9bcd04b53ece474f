// What a type with [NinoType(NonPublic = true)] stores without a mark on each member: fields and auto-properties that are not public, and auto-properties whose setter is not.

using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class NonPublicState
{
    // Asked of each member, and found once for a type: the code of all its properties is looked at.
    private static readonly ConditionalWeakTable<INamedTypeSymbol, HashSet<string>> s_kept = new();

    /// <summary>A member is such state, or overrides what is.</summary>
    public static bool IsStored(ISymbol member) => Declarations.Of(member).Any(IsStoredItself);

    /// <summary>A public property gives a private field as it is and sets that, and nothing else of the object: <c>public string Name { get => _name; set => _name = value; }</c>.</summary>
    public static bool IsKept(ISymbol field) =>
        field is IFieldSymbol { DeclaredAccessibility: Accessibility.Private, ContainingType: { IsValueType: false } type } && s_kept.GetValue(type.OriginalDefinition, static type => [.. type.GetMembers().OfType<IPropertySymbol>().Select(KeptBy).OfType<string>()]).Contains(field.Name);

    private static bool IsStoredItself(ISymbol member) =>
        member is { IsStatic: false, IsImplicitlyDeclared: false, CanBeReferencedByName: true, ContainingType: { } type } && NinoAttributes.StoresNonPublic(type)
        && member switch
        {
            IFieldSymbol { IsConst: false, AssociatedSymbol: null, DeclaredAccessibility: not Accessibility.Public } field => (field.IsFixedSizeBuffer || LostState.IsData(field.Type) || (field.Type.SpecialType == SpecialType.System_Object && !IsLock(field))) && !IsKept(field),
            IPropertySymbol { IsIndexer: false, RefKind: RefKind.None, ExplicitInterfaceImplementations.IsEmpty: true } property =>
                (property.GetMethod is { DeclaredAccessibility: not Accessibility.Public } || property.SetMethod is { DeclaredAccessibility: not Accessibility.Public }) && MemberParser.IsAutoProperty(property)
                && (LostState.IsData(property.Type) || property is { Type.SpecialType: SpecialType.System_Object, SetMethod: not null }) && !Declarations.IsOfEveryRecord(property) && !Constants.Is(property),
            _ => false,
        };

    // In another assembly no declaration is seen, so the first alone has to tell it for what others see.
    private static bool IsLock(IFieldSymbol field) => field.IsReadOnly || Filling.Initializers(field).Any(static made => made is BaseObjectCreationExpressionSyntax);

    private static string? KeptBy(IPropertySymbol property)
    {
        if (property is not { GetMethod.DeclaredAccessibility: Accessibility.Public, SetMethod.DeclaredAccessibility: Accessibility.Public } || NinoAttributes.IsIgnored(property) || Filling.Shown(property, out _) is not IFieldSymbol { CanBeReferencedByName: true } field) return null;
        List<string> named = [.. AccessorCode.Setters(property).SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf).Where(name => Derivations.BasesOf(property.ContainingType).SelectMany(level => level.GetMembers(name)).Any(static member => member is IFieldSymbol or IPropertySymbol)).Distinct()];
        return named.Count == 1 && named[0] == field.Name && AccessorCode.SetBy(property).Contains(field.Name) ? field.Name : null;
    }
}
