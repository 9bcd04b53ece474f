// What the code of a type with [NinoType] shows of what it was made with, for assemblies that derive from it and see no code ([assembly: NinoHidden]): whether a property is only computed of what is stored, and which parameters in the
// head are kept beside members that can be set. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ShownElsewhere
{
    public static IEnumerable<HiddenModel> Of(INamedTypeSymbol type)
    {
        if (!NinoAttributes.IsNinoType(type) || type.TypeKind != TypeKind.Class) yield break;
        string name = TypeNames.Metadata(type);
        List<IParameterSymbol> taken = [.. type.InstanceConstructors.SelectMany(static one => one.Parameters)];
        foreach (IPropertySymbol property in type.GetMembers().OfType<IPropertySymbol>())
        {
            // One that no constructor takes is told nowhere else.
            if (IsShown(property) && taken.Exists(parameter => ConstructorParser.HasNameOf(property, parameter)) && IsComputed(property, type, [])) yield return new HiddenModel(name, property.Name, HiddenKind.Computed);
        }

        if (type.IsRecord || type.InstanceConstructors.FirstOrDefault(ConstructorParser.IsPrimary) is not { } head) yield break;
        foreach (IParameterSymbol parameter in head.Parameters)
        {
            if (type.GetMembers(parameter.Name).IsEmpty && type.GetMembers().Any(member => ConstructorParser.HasNameOf(member, parameter) && CanBeSet(member))
                && type.GetMembers().OfType<IPropertySymbol>().Any(property => IsShown(property) && AccessorCode.Bodies(property, onlyGetter: true).Any(body => AccessorCode.Mentions(body, parameter.Name).Any())))
                yield return new HiddenModel(name, parameter.Name, HiddenKind.Kept);
        }
    }

    private static bool IsShown(IPropertySymbol property) =>
        property is { IsStatic: false, IsIndexer: false, IsAbstract: false, GetMethod.DeclaredAccessibility: Accessibility.Public } && Declarations.Accessor(property, static one => one.SetMethod) is null && !MemberParser.IsAutoProperty(property) && !NinoAttributes.IsIgnored(property);

    /// <summary>The getter names only what is public of the object and can be set, which is stored, and what is computed in this way.</summary>
    private static bool IsComputed(IPropertySymbol property, INamedTypeSymbol type, HashSet<string> asked)
    {
        if (!asked.Add(property.Name)) return true;
        List<SyntaxNode> getter = [.. AccessorCode.Bodies(property, onlyGetter: true)];
        // Whoever is given the object may look at all of it.
        if (getter.Count == 0 || getter.Exists(static body => body.DescendantNodes().OfType<ThisExpressionSyntax>().Any(static self => self.Parent is not MemberAccessExpressionSyntax))) return false;
        return getter.SelectMany(static body => AccessorCode.Mentions(body)).Select(AccessorCode.NameOf).Distinct().All(name =>
        {
            ISymbol? member = Derivations.BasesOf(type).SelectMany(level => level.GetMembers(name)).FirstOrDefault();
            return member switch
            {
                null => !type.InstanceConstructors.Where(ConstructorParser.IsPrimary).Any(head => head.Parameters.Any(parameter => parameter.Name == name)),
                { IsStatic: true } or INamedTypeSymbol => true,
                IPropertySymbol other when IsShown(other) => IsComputed(other, type, asked),
                _ => CanBeSet(member) && !NinoAttributes.IsIgnored(member),
            };
        });
    }

    private static bool CanBeSet(ISymbol member) =>
        member is IFieldSymbol { DeclaredAccessibility: Accessibility.Public, IsReadOnly: false, IsConst: false, IsStatic: false }
        || (member is IPropertySymbol { IsStatic: false, IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property && Declarations.Accessor(property, static one => one.SetMethod) is { DeclaredAccessibility: Accessibility.Public });
}
