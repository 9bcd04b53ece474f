using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>The methods whose type arguments are records: those of the serializer, and those of the store where it is referenced.</summary>
internal sealed class RecordVerbs
{
    private const string Codec = "Store.Serialization.NinoCodec`1";

    // By the type that has them. Of the serializer it is every method of one type argument.
    private static readonly (string Type, string Assembly, string[] Methods)[] s_verbs =
    [
        ("Store.Serialization.NinoSerializer", Derivations.EngineAssembly, []),
        (CollectionAsRecordAnalyzer.StoreName, PackageTypes.Store, ["Append", "AppendAsync", "AppendBatch", "AppendBatchAsync", "OpenAppender", "Read", "ReadAsync", "TailAsync", "CheckpointAsync", "RestoreAsync"]),
        ("Store.LogRecord", PackageTypes.Store, ["As", "Is"]),
        ("Store.ScannedRecord", PackageTypes.Store, ["As", "Is"]),
        ("Store.CheckpointScheduleExtensions", PackageTypes.Store, ["Capture"]),
        ("Store.StateStoreExtensions", PackageTypes.Store, ["OpenStateAsync"]),
        ("Store.State.StateHandlers`1", PackageTypes.Store, ["On"]),
        ("Store.Snapshots.SnapshotParts", PackageTypes.Store, ["Add", "AddItems"]),
        ("Store.Snapshots.SnapshotFile", PackageTypes.Store, ["Read"]),
        ("Store.Snapshots.SnapshotPart", PackageTypes.Store, ["Read", "Item", "Items"]),
        ("Store.KeyValue.KeyValueLog", PackageTypes.Store, ["Open"]),
        ("Store.Faster.NinoStoreFasterExtensions", "NinoStore.Faster", ["OpenKeyValue", "OpenKeyValueAsync"]),
    ];

    private readonly INamedTypeSymbol _codec;
    private readonly Dictionary<ISymbol, string[]> _verbs = new(SymbolEqualityComparer.Default);

    private RecordVerbs(INamedTypeSymbol codec, Compilation compilation)
    {
        _codec = codec;
        foreach ((string name, string assembly, string[] methods) in s_verbs)
        {
            if (PackageTypes.Find(name, assembly, compilation) is { } type) _verbs.Add(type, methods);
        }
    }

    /// <summary>Null where the serializer is not referenced.</summary>
    public static RecordVerbs? Find(Compilation compilation) => PackageTypes.Find(Codec, Derivations.EngineAssembly, compilation) is { } codec ? new RecordVerbs(codec, compilation) : null;

    /// <summary>The types of the records, keys and values of a call. None where it is no verb.</summary>
    public ImmutableArray<ITypeSymbol> RecordsOf(IMethodSymbol method) =>
        _verbs.TryGetValue(method.ContainingType.OriginalDefinition, out string[] names) && (names.Length == 0 ? method.TypeArguments.Length == 1 : names.Contains(method.Name)) ? method.TypeArguments : [];

    /// <summary>That of <c>NinoCodec&lt;T&gt;.Default</c>. None where it is another property.</summary>
    public ImmutableArray<ITypeSymbol> RecordsOf(IPropertySymbol property) =>
        property.Name == "Default" && SymbolEqualityComparer.Default.Equals(property.ContainingType.OriginalDefinition, _codec) ? property.ContainingType.TypeArguments : [];
}
