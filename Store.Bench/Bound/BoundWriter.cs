// The cursor under the bound's writers: one capacity check for a fixed part, plain stores behind it, one trip to the buffer writer per object.

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Bench.Bound;

/// <summary>Writes into a buffer writer, or, without one, into a scratch array of the thread that ends as a new array.</summary>
internal ref struct BoundWriter
{
    [ThreadStatic] private static byte[]? _scratch;

    private readonly IBufferWriter<byte>? _output;
    private Span<byte> _span;
    private int _used;

    public BoundWriter(IBufferWriter<byte> output)
    {
        _output = output;
        _span = output.GetSpan();
    }

    private BoundWriter(Span<byte> scratch) => _span = scratch;

    /// <summary>Starts a writer whose result is <see cref="ToArray"/>.</summary>
    public static BoundWriter ForArray() => new(_scratch ??= new byte[64 * 1024]);

    /// <summary>Makes sure of <paramref name="count"/> bytes and returns where they begin. Bound: nothing beyond them is touched before the next call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Reserve(int count)
    {
        if (_span.Length - _used < count) Grow(count);
        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _used);
    }

    /// <summary>Moves on by bytes that were reserved and written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count) => _used += count;

    /// <summary>Hands what was written to the buffer writer.</summary>
    public readonly void Flush() => _output!.Advance(_used);

    /// <summary>What was written, as a new array.</summary>
    public readonly byte[] ToArray()
    {
        byte[] result = GC.AllocateUninitializedArray<byte>(_used);
        _span[.._used].CopyTo(result);
        return result;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int count)
    {
        if (_output is not null)
        {
            _output.Advance(_used);
            _span = _output.GetSpan(count);
            _used = 0;
            return;
        }
        byte[] larger = GC.AllocateUninitializedArray<byte>(checked(Math.Max(_span.Length * 2, _used + count)));
        _span[.._used].CopyTo(larger);
        _span = _scratch = larger;
    }
}
