// Equal strings in a row are read once: a comparison of bytes is cheaper than an allocation. After a few differences it is not tried again.

using System.Runtime.CompilerServices;

namespace Store.Bench.Bound;

/// <summary>Reads the strings of one member of the items of a list.</summary>
internal ref struct RepeatedText
{
    private const int MaxMisses = 8;
    private ReadOnlySpan<byte> _lastBytes;
    private string? _last;
    private int _misses;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string? Read(ReadOnlySpan<byte> data, ref int position)
    {
        if (_misses >= MaxMisses) return BoundString.Read(data, ref position);
        ReadOnlySpan<byte> rest = data[position..];
        if (_last is not null && rest.StartsWith(_lastBytes))
        {
            // The header holds length and encoding, so equal first bytes are the whole string.
            position += _lastBytes.Length;
            return _last;
        }
        _misses++;
        int start = position;
        _last = BoundString.Read(data, ref position);
        _lastBytes = data[start..position];
        return _last;
    }
}
