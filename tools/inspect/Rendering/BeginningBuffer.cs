using System.Buffers;

namespace Store.Inspect.Rendering;

/// <summary>A buffer that keeps the first bytes of what is written to it, and takes everything.</summary>
/// <param name="keptBytes">How many.</param>
internal sealed class BeginningBuffer(int keptBytes) : IBufferWriter<byte>
{
    private const int LeastBytes = 16 * 1024;

    private readonly byte[] _kept = new byte[keptBytes];
    private byte[] _scratch = new byte[LeastBytes];
    private int _length;

    /// <summary>The beginning.</summary>
    public ReadOnlySpan<byte> Kept => _kept.AsSpan(0, _length);

    /// <summary>True when there was more.</summary>
    public bool IsCut { get; private set; }

    public void Advance(int count)
    {
        int kept = Math.Min(count, keptBytes - _length);
        _scratch.AsSpan(0, kept).CopyTo(_kept.AsSpan(_length));
        _length += kept;
        IsCut |= kept < count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_scratch.Length < sizeHint) _scratch = new byte[sizeHint];
        return _scratch;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
