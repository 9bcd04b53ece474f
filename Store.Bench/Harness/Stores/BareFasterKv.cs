// FASTER's key-value store with nothing around it: bytes in, bytes out, in memory, no log in front. What our keyed state costs on top shows against it.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using FASTER.core;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV of bytes with one session, and without locks as our engine has it. Not safe for several threads.</summary>
public sealed class BareFasterKv : IDisposable
{
    private const int UsualValueBytes = 256;

    private readonly IDevice _device;
    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly ClientSession<SpanByte, SpanByte, SpanByte, SpanByteAndMemory, Empty, SpanByteFunctions<Empty>> _session;

    public BareFasterKv(string directory)
    {
        _device = Devices.CreateLogDevice(Path.Combine(directory, "kv.log"));
        var log = new LogSettings { LogDevice = _device, MemorySizeBits = 28, PageSizeBits = 22 };
        _kv = new FasterKV<SpanByte, SpanByte>(1 << 20, log, tryRecoverLatest: false, concurrencyControlMode: ConcurrencyControlMode.None);
        _session = _kv.For(new SpanByteFunctions<Empty>()).NewSession<SpanByteFunctions<Empty>>();
    }

    public unsafe void Put(long key, ReadOnlySpan<byte> value)
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
    [SkipLocalsInit]
    public unsafe byte[] Get(long key)
    {
        byte* usual = stackalloc byte[UsualValueBytes];
        var output = new SpanByteAndMemory(usual, UsualValueBytes);
        Read(key, ref output);
        if (output.IsSpanByte) return new ReadOnlySpan<byte>(usual, output.Length).ToArray();
        using var longer = output.Memory;
        return longer.Memory.Span[..output.Length].ToArray();
    }

    /// <summary>Copies the value into a buffer that the caller uses again, which becomes larger where it must.</summary>
    /// <returns>The value's length in bytes.</returns>
    /// <exception cref="KeyNotFoundException">The key is not there, or not in memory.</exception>
    public unsafe int Read(long key, ref byte[] buffer)
    {
        fixed (byte* pinned = buffer)
        {
            var output = new SpanByteAndMemory(pinned, buffer.Length);
            Read(key, ref output);
            if (output.IsSpanByte) return output.Length;
            using var longer = output.Memory;
            buffer = longer.Memory.Span[..output.Length].ToArray();
            return output.Length;
        }
    }

    public void Dispose()
    {
        _session.Dispose();
        _kv.Dispose();
        _device.Dispose();
    }

    private void Read(long key, ref SpanByteAndMemory output)
    {
        SpanByte keyBytes = SpanByte.FromFixedSpan(MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref key, 1)));
        Status status = _session.Read(ref keyBytes, ref output);
        if (!status.Found) throw new KeyNotFoundException($"Key {key}: {status}.");
    }
}
