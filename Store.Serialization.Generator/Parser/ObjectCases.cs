// What may stand where object is declared: every type that the assembly marks or registers, and the scalars. For cycles and errors the list is a node
// of the type graph like any type, with the types as its members.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class ObjectCases(INamedTypeSymbol symbol, Origin origin, bool skipsUnknown)
{
    public const string StructName = "ObjectCases";

    /// <summary>What the engine adds itself (NinoObjects.BuiltIn).</summary>
    public static readonly IReadOnlyList<string> BuiltIn =
    [
        "bool", "sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "nint", "nuint", "global::System.Int128", "global::System.UInt128", "global::System.Half",
        "float", "double", "decimal", "char", "global::System.Guid", "global::System.DateTime", "global::System.DateTimeOffset", "global::System.TimeSpan", "global::System.DateOnly",
        "global::System.TimeOnly", "string", "byte[]",
    ];

    public static readonly IReadOnlyList<string> BuiltInNames =
    [
        "System.Boolean", "System.SByte", "System.Byte", "System.Int16", "System.UInt16", "System.Int32", "System.UInt32", "System.Int64", "System.UInt64", "System.IntPtr", "System.UIntPtr",
        "System.Int128", "System.UInt128", "System.Half", "System.Single", "System.Double", "System.Decimal", "System.Char", "System.Guid", "System.DateTime", "System.DateTimeOffset",
        "System.TimeSpan", "System.DateOnly", "System.TimeOnly", "System.String", "System.Byte[]",
    ];

    private const string FullName = $"global::{GenerationParser.GeneratedNamespace}.{StructName}";

    private readonly SortedDictionary<string, (ResolvedCodec Codec, ITypeSymbol Type, bool IsUnion)> _cases = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, INamedTypeSymbol> _bases = new(StringComparer.Ordinal);
    private bool _namesTypes;

    /// <summary>The list as a node of the graph.</summary>
    public ParsedType Node { get; } = new(symbol, "object", origin);

    public bool SkipsUnknown { get; } = skipsUnknown;

    public ResolvedCodec Codec => Of("ObjectCodec");

    /// <summary>Of what is hashed or ordered.</summary>
    public ResolvedCodec KeyCodec => Of("ObjectKeyCodec");

    /// <summary>Of a value that is one of the types of the list, and holds nothing of it but the name.</summary>
    public ResolvedCodec NamedType(string typeName)
    {
        _namesTypes = true;
        return new ResolvedCodec(typeName, BuiltInCodecs.Type(FullName), 0, null, false, false, []);
    }

    /// <summary>Adds the types that are marked or registered. What cannot be stored was reported where it is marked.</summary>
    public void Fill(IEnumerable<(ITypeSymbol Type, Origin Origin)> candidates, TypeGraph graph)
    {
        HashSet<string> seen = [.. BuiltIn];
        Dictionary<uint, string> tags = [];
        foreach (string name in BuiltInNames) tags[UnionParser.Hash(name)] = name;
        foreach ((ITypeSymbol type, Origin origin) in candidates)
        {
            if (!seen.Add(TypeNames.Source(type))) continue;
            if (!CanBeCase(type))
            {
                if (_namesTypes && type is INamedTypeSymbol { IsAbstract: true } known && IsWhole(type) && graph.IsAccessible(type)) _bases[TypeNames.Schema(type)] = known;
                continue;
            }

            if (graph.ResolveExactly(type, origin) is not { } codec) continue;
            string name = TypeNames.Schema(type);
            uint tag = UnionParser.Hash(name);
            string? problem = tag == 0 ? "its hash is that of null: give it another name with [NinoType(Name = ...)]"
                : tags.TryGetValue(tag, out string same) ? $"the name of '{same}' has the same hash: give one of the two another name with [NinoType(Name = ...)]"
                : null;
            if (problem is not null)
            {
                graph.Diagnostics.Report(NinoDiagnostics.InvalidTag, DiagnosticSink.Place(type, origin.Location), UnionParser.Show(tag, null), TypeNames.Message(type), "object", problem);
                Node.IsInvalid = true;
                continue;
            }

            tags.Add(tag, name);
            _cases.Add(name, (codec, type, type.IsReferenceType && FSharpTypes.IsUnion(type)));
            Node.Members.Add(new ParsedMember(type, type, isMarked: false) { Codec = codec });
        }
    }

    public ObjectsModel? ToModel(string assembly)
    {
        // A value that is a type needs the list, whatever else is an error.
        if (Node.IsInvalid && !_namesTypes) return null;
        bool usesObsolete = Node.Members.Exists(static one => NinoAttributes.NamesObsolete(one.Type)) || _bases.Values.Any(NinoAttributes.NamesObsolete);
        return new ObjectsModel(
            assembly,
            SkipsUnknown,
            usesObsolete,
            new EquatableArray<ObjectCaseModel>(_cases.Where(static one => !one.Value.Codec.Reaches.Any(static type => type.IsInvalid)).Select(static one => new ObjectCaseModel(one.Value.Codec.ToModel(), new EquatableArray<string>([one.Key, .. FormerNames(one.Value.Type)]), one.Value.IsUnion))),
            new EquatableArray<ObjectBaseModel>(_bases.Select(static one => new ObjectBaseModel(TypeNames.Source(one.Value), new EquatableArray<string>([one.Key, .. FormerTypeNames.Of(one.Value)])))));
    }

    // What is marked says its own in its codec. What is not is boxed, and the box has its name: an enum, a collection of what was renamed.
    private static IEnumerable<string> FormerNames(ITypeSymbol type) => type is INamedTypeSymbol named && FSharpTypes.IsUnion(named) ? [] : FormerTypeNames.Of(type);

    private static bool IsWhole(ITypeSymbol type) => type.TypeKind != TypeKind.Error && (type as INamedTypeSymbol)?.TypeArguments.All(IsWhole) != false;

    private ResolvedCodec Of(string codec) => new("object", $"global::Store.Serialization.Codecs.{codec}<{FullName}>", 0, null, false, false, [Node]) { Min = 4 };

    // An object is of a type of its own, never of a base, and a boxed int? is an int. What the framework shows as an abstract class (FrozenSet, Encoding) is of hidden ones, which are read and written as it.
    private static bool CanBeCase(ITypeSymbol type) =>
        type is not INamedTypeSymbol named || !((named.IsAbstract && !FSharpTypes.IsUnion(named) && !BuiltInCodecs.IsGeneric(named) && !BuiltInCodecs.TryGetSimple(named, out _, out _) && !BuiltInCodecs.IsType(named)) || named.TypeKind == TypeKind.Interface || named.IsRefLikeType || named.SpecialType == SpecialType.System_Object || named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T);
}
