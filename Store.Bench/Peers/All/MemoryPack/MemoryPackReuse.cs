using System.Runtime.CompilerServices;
using MemoryPack;
using Store.Bench.Harness.Views;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>MemoryPack reading into what is there.</summary>
internal static class MemoryPackReuse
{
    [ModuleInitializer]
    internal static void Register() => ViewRun.Peers.Add(static (one, other) =>
    {
        byte[] first = MemoryPackSerializer.Serialize(one), second = MemoryPackSerializer.Serialize(other);
        SimpleClass? value = MemoryPackSerializer.Deserialize<SimpleClass>(first);
        return new ViewSubject("SimpleClass: read into, other numbers, MemoryPack", count =>
        {
            for (int i = 0; i < count; i++) MemoryPackSerializer.Deserialize((i & 1) == 0 ? first : second, ref value);
        }, () =>
        {
            MemoryPackSerializer.Deserialize(first, ref value);
            SimpleClass.Verify(one, value!);
            MemoryPackSerializer.Deserialize(second, ref value);
            SimpleClass.Verify(other, value!);
        });
    });
}
