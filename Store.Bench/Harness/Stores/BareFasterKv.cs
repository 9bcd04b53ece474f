// FASTER's key-value store with nothing around it: bytes in, bytes out, in memory, no log in front. What our keyed state costs on top shows against it.

using System.Runtime.InteropServices;
using FASTER.core;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV of bytes with one session. Not safe for several threads.</summary>
public sealed class BareFasterKv : IDisposable
{
    private readonly IDevice _device;
    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly ClientSession<SpanByte, SpanByte, SpanByte, SpanByteAndMemory, Empty, SpanByteFunctions<Empty>> _session;

    public BareFasterKv(string directory)
    {
        _device = Devices.CreateLogDevice(Path.Combine(directory, "kv.log"));
        _kv = new FasterKV<SpanByte, SpanByte>(1 << 20, new LogSettings { LogDevice = _device, MemorySizeBits = 28, PageSizeBits = 22 });
        _session = _kv.For(new SpanByteFunctions<Empty>()).NewSession<SpanByteFunctions<Empty>>();
    }

    public unsafe void Put(long key, byte[] value)
    {
        fixed (byte* pinned = value)
        {
            SpanByte keyBytes = SpanByte.FromFixedSpan(MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref key, 1)));
            SpanByte valueBytes = SpanByte.FromPointer(pinned, value.Length);
            _session.Upsert(ref keyBytes, ref valueBytes);
        }
    }

    /// <summary>Copies the value into a new array, as a reader who keeps it must.</summary>
    /// <exception cref="KeyNotFoundException">The key is not there, or not in memory.</exception>
    public byte[] Get(long key)
    {
        SpanByte keyBytes = SpanByte.FromFixedSpan(MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref key, 1)));
        SpanByteAndMemory output = default;
        Status status = _session.Read(ref keyBytes, ref output);
        if (!status.Found) throw new KeyNotFoundException($"Key {key}: {status}.");
        using var memory = output.Memory;
        return memory.Memory.Span[..output.Length].ToArray();
    }

    public void Dispose()
    {
        _session.Dispose();
        _kv.Dispose();
        _device.Dispose();
    }
}
