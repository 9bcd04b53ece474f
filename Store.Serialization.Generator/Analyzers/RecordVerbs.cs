using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>The methods whose one type argument is a record: those of the serializer, and those of the store where it is referenced.</summary>
internal sealed class RecordVerbs
{
    private readonly INamedTypeSymbol _serializer;
    private readonly INamedTypeSymbol? _store;

    private RecordVerbs(INamedTypeSymbol serializer, INamedTypeSymbol? store)
    {
        _serializer = serializer;
        _store = store;
    }

    /// <summary>Null where the serializer is not referenced.</summary>
    public static RecordVerbs? Find(Compilation compilation) =>
        PackageTypes.Find("Store.Serialization.NinoSerializer", "NinoStore.Serialization", compilation) is { } serializer ? new RecordVerbs(serializer, PackageTypes.Find(CollectionAsRecordAnalyzer.StoreName, "NinoStore", compilation)) : null;

    /// <summary>The type of the records of a call, without the arrays and lists around it, which are registered with it. Null where it is no verb, or none of one type.</summary>
    public INamedTypeSymbol? RecordOf(IMethodSymbol method)
    {
        if (method.TypeArguments.Length != 1) return null;
        bool isVerb = SymbolEqualityComparer.Default.Equals(method.ContainingType, _serializer)
            || (SymbolEqualityComparer.Default.Equals(method.ContainingType, _store) && method.Name is "Append" or "AppendAsync" or "AppendBatch" or "AppendBatchAsync" or "OpenAppender" or "Read" or "ReadAsync" or "TailAsync" or "CheckpointAsync" or "RestoreAsync");
        return isVerb ? Inside(method.TypeArguments[0]) : null;
    }

    private static INamedTypeSymbol? Inside(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true } array => Inside(array.ElementType),
        INamedTypeSymbol { MetadataName: "List`1", ContainingNamespace.Name: "Generic", ContainingAssembly.Name: "System.Runtime" or "System.Collections" or "System.Private.CoreLib" } list => Inside(list.TypeArguments[0]),
        _ => type as INamedTypeSymbol,
    };
}
