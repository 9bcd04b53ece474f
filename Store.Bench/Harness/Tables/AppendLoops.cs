// The loops of the typed table as a program that knows its type has them. Generic code over reference types is shared and looks its type up with every call; inlined into methods of the exact type, as the
// loops of the other serializers are (Shapes.cs), it is not.

using System.Buffers;
using System.Runtime.CompilerServices;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Tables;

/// <summary>NinoStore's ways in for one type.</summary>
internal abstract class AppendLoops<T>
{
    /// <summary>Each serialized into a buffer that is reused, and nothing else.</summary>
    public abstract void Serialize(ArrayBufferWriter<byte> buffer, T[] items);

    /// <summary>One append each.</summary>
    public abstract void Append(NinoStore store, T[] items);

    /// <summary>One append each, by an appender that is opened for all runs.</summary>
    public abstract void AppendLeased(NinoStore store, T[] items, int runs);

    /// <summary>All as one batch.</summary>
    public abstract void AppendBatch(NinoStore store, T[] items);
}

internal sealed class SimpleModelLoops : AppendLoops<SimpleModel>
{
    public override void Serialize(ArrayBufferWriter<byte> buffer, SimpleModel[] items) => Loops.Serialize(buffer, items);
    public override void Append(NinoStore store, SimpleModel[] items) => Loops.Append(store, items);
    public override void AppendLeased(NinoStore store, SimpleModel[] items, int runs) => Loops.AppendLeased(store, items, runs);
    public override void AppendBatch(NinoStore store, SimpleModel[] items) => store.AppendBatch<SimpleModel>(items.AsSpan());
}

internal sealed class PocoLoops : AppendLoops<Poco>
{
    public override void Serialize(ArrayBufferWriter<byte> buffer, Poco[] items) => Loops.Serialize(buffer, items);
    public override void Append(NinoStore store, Poco[] items) => Loops.Append(store, items);
    public override void AppendLeased(NinoStore store, Poco[] items, int runs) => Loops.AppendLeased(store, items, runs);
    public override void AppendBatch(NinoStore store, Poco[] items) => store.AppendBatch<Poco>(items.AsSpan());
}

internal sealed class SimpleClassLoops : AppendLoops<SimpleClass>
{
    public override void Serialize(ArrayBufferWriter<byte> buffer, SimpleClass[] items) => Loops.Serialize(buffer, items);
    public override void Append(NinoStore store, SimpleClass[] items) => Loops.Append(store, items);
    public override void AppendLeased(NinoStore store, SimpleClass[] items, int runs) => Loops.AppendLeased(store, items, runs);
    public override void AppendBatch(NinoStore store, SimpleClass[] items) => store.AppendBatch<SimpleClass>(items.AsSpan());
}

/// <summary>The loops, inlined into the methods above.</summary>
file static class Loops
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Serialize<T>(ArrayBufferWriter<byte> buffer, T[] items)
    {
        foreach (T item in items)
        {
            buffer.ResetWrittenCount();
            NinoSerializer.Serialize(buffer, in item);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Append<T>(NinoStore store, T[] items)
    {
        foreach (T item in items) store.Append(item);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AppendLeased<T>(NinoStore store, T[] items, int runs)
    {
        using LogAppender<T> appender = store.OpenAppender<T>();
        for (int run = 0; run < runs; run++)
        {
            foreach (T item in items) appender.Append(item);
        }
    }
}
