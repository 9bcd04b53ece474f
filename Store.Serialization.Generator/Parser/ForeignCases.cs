// Which types a registered base names as derived from it with the attributes of another serializer. They count as registered too, so that they become its cases as any derived
// type in reach does: told by the hash of their names, whatever numbers or texts those attributes give them. docs/models-of-others.md.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ForeignCases
{
    // The namespace innermost first.
    private static readonly (string Name, string[] Space)[] s_attributes =
    [
        ("MemoryPackUnionAttribute", ["MemoryPack"]),
        ("UnionAttribute", ["MessagePack"]),
        ("ProtoIncludeAttribute", ["ProtoBuf"]),
        (KnownType, ["Serialization", "Runtime", "System"]),
        (XmlInclude, ["Serialization", "Xml", "System"]),
        ("JsonDerivedTypeAttribute", ["Serialization", "Json", "Text", "System"]),
    ];

    // May name types that members hold, too.
    private const string KnownType = "KnownTypeAttribute";
    private const string XmlInclude = "XmlIncludeAttribute";

    /// <summary>The types that registered ones name, those that these name, and so on; each once.</summary>
    public static IEnumerable<(ITypeSymbol Type, Origin Origin)> Of(IReadOnlyList<(ITypeSymbol Type, Origin Origin)> registered, Compilation compilation, DiagnosticSink diagnostics)
    {
        var derivations = new Derivations(compilation, []);
        HashSet<ITypeSymbol> seen = new(SymbolEqualityComparer.Default);
        foreach ((ITypeSymbol type, Origin _) in registered) seen.Add(type);
        Queue<(INamedTypeSymbol Type, Origin Origin)> bases = new(registered.Where(static one => one.Type is INamedTypeSymbol).Select(static one => ((INamedTypeSymbol)one.Type, one.Origin)));
        while (bases.Count > 0)
        {
            (INamedTypeSymbol type, Origin origin) = bases.Dequeue();
            foreach ((INamedTypeSymbol named, AttributeData attribute) in NamedBy(type))
            {
                string mark = attribute.AttributeClass!.Name.Substring(0, attribute.AttributeClass.Name.Length - "Attribute".Length);
                LocationModel? place = DiagnosticSink.Place(attribute.ApplicationSyntaxReference is { } reference ? Location.Create(reference.SyntaxTree, reference.Span) : null) ?? origin.Location;
                if (derivations.Close(named, type) is not { } closed)
                {
                    if (derivations.IsOfAnother(named, type)) continue;
                    if (attribute.AttributeClass.Name is not (KnownType or XmlInclude)) diagnostics.Report(NinoDiagnostics.NotACase, place, $"[{mark}]", TypeNames.Message(named), TypeNames.Message(type), UnionParser.WhyNotDerived(named));
                    continue;
                }

                // A base may name itself.
                if (!seen.Add(closed)) continue;
                var next = new Origin($"[{mark}] of '{TypeNames.Message(type)}'", place);
                bases.Enqueue((closed, next));
                // An abstract one is no case: those that it names are.
                if (closed.IsAbstract) continue;
                string? alias = Aliases.WhyNotNamed(closed, compilation);
                if (!SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly) && (alias is not null || !IsInReach(closed, compilation)))
                {
                    // Nobody can mend the model here. Writing such an object says that it is no case.
                    diagnostics.Report(NinoDiagnostics.UnreachableCase, origin.Location, mark, TypeNames.Message(type), TypeNames.Message(closed), alias is null ? "" : "; " + alias);
                    continue;
                }

                yield return (closed, next);
            }
        }
    }

    private static bool IsInReach(INamedTypeSymbol type, Compilation compilation)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (level.IsFileLocal) return false;
        }

        return compilation.IsSymbolAccessibleWithin(type, compilation.Assembly);
    }

    /// <summary>What attributes of other serializers on a type name, and by which.</summary>
    public static IEnumerable<(INamedTypeSymbol Named, AttributeData Attribute)> NamedBy(INamedTypeSymbol type)
    {
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Interface) || type.IsSealed || NinoAttributes.IsNinoType(type)) yield break;
        foreach (AttributeData attribute in type.GetAttributes())
        {
            if (!s_attributes.Any(known => known.Name == attribute.AttributeClass?.Name && AttributeReading.IsIn(attribute.AttributeClass, known.Space))) continue;
            if (attribute.ConstructorArguments.Select(static argument => argument.Kind == TypedConstantKind.Type ? argument.Value as INamedTypeSymbol : null).FirstOrDefault(static named => named is { TypeKind: not TypeKind.Error }) is { } named) yield return (named, attribute);
        }
    }
}
