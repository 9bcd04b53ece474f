using System.Reflection;
using MemoryPack;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator.RandomModels.Peers;

/// <inheritdoc/>
internal sealed class MemoryPackPeer : PeerSerializer
{
    // The build puts it beside the tests.
    private static readonly Type s_generator = Assembly.LoadFrom(Path.Combine(AppContext.BaseDirectory, "MemoryPack.Generator.dll")).GetType("MemoryPack.Generator.MemoryPackGenerator", throwOnError: true)!;

    public override OtherSerializer Serializer => OtherSerializer.MemoryPack;

    public override IEnumerable<Assembly> Assemblies => [typeof(MemoryPackSerializer).Assembly];

    public override IEnumerable<ISourceGenerator> Generators => [((IIncrementalGenerator)Activator.CreateInstance(s_generator)!).AsSourceGenerator()];

    public override object? Copy(object value, Type type) => MemoryPackSerializer.Deserialize(type, MemoryPackSerializer.Serialize(type, value));
}
