using System.Runtime.CompilerServices;
using Nino.Core;
using Store.Bench.Harness.Views;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Nino reading into what is there.</summary>
internal static class NinoReuse
{
    [ModuleInitializer]
    internal static void Register() => ViewRun.Peers.Add(static (one, other) =>
    {
        byte[] first = NinoSerializer.Serialize(one), second = NinoSerializer.Serialize(other);
        SimpleClass value = NinoDeserializer.Deserialize<SimpleClass>(first);
        return new ViewSubject("SimpleClass: read into, other numbers, Nino", count =>
        {
            for (int i = 0; i < count; i++) NinoDeserializer.Deserialize((i & 1) == 0 ? first : second, ref value);
        }, () =>
        {
            NinoDeserializer.Deserialize(first, ref value);
            SimpleClass.Verify(one, value);
            NinoDeserializer.Deserialize(second, ref value);
            SimpleClass.Verify(other, value);
        });
    });
}
