// The records of a frame that holds one type and is wanted whole: of none of them anything is asked but its length, so whoever has them all goes through them in one loop.

using Store.Serialization;

namespace Store.Log;

/// <summary>Walks over them, where they lie. For a frame with the number of a schema.</summary>
/// <param name="scanner">At the frame.</param>
/// <param name="payload">The frame's payload.</param>
internal ref struct PlainRecords(SegmentScanner scanner, ReadOnlySpan<byte> payload)
{
    private readonly int _payloadBytes = payload.Length;
    private ReadOnlySpan<byte> _rest = payload;
    private int _left = scanner.Frame.RecordCount;
    private int _prefixBytes = scanner.Frame.RecordCount;

    /// <summary>Schema of all of them.</summary>
    public readonly NinoSchema Schema => scanner.SchemaOf(scanner.Frame.SchemaId);

    /// <summary>The record at hand.</summary>
    public ReadOnlySpan<byte> Current { get; private set; }

    /// <summary>Its sequence.</summary>
    public long Sequence { get; private set; } = scanner.Frame.FirstSequence - 1;

    /// <summary>Bytes of all of them, without the lengths in front, once they were walked over.</summary>
    public readonly int LengthBytes => _payloadBytes - _prefixBytes;

    /// <summary>Moves to the next record.</summary>
    /// <exception cref="StoreCorruptException">The frame verifies but its records do not parse.</exception>
    public bool MoveNext()
    {
        ReadOnlySpan<byte> rest = _rest;
        if (_left > 0 && rest.Length > 0)
        {
            // Bound: the length is compared with what is left behind its one byte.
            int length = rest[0];
            if (length < CompactNumber.Marker16 && length < rest.Length)
            {
                Current = rest.Slice(1, length);
                _rest = rest[(length + 1)..];
                _left--;
                Sequence++;
                return true;
            }
        }

        return MoveNextSlowly();
    }

    /// <summary>Takes a record off the front whose length takes more than one byte, or of which not all is there.</summary>
    /// <exception cref="StoreCorruptException">Not all of it is there.</exception>
    public static ReadOnlySpan<byte> TakeLong(SegmentScanner scanner, scoped ref ReadOnlySpan<byte> rest)
    {
        try
        {
            var reader = new NinoReader(rest);
            uint length = reader.ReadCompact();
            if (length > (uint)reader.Remaining) throw scanner.Corrupt($"a record of {length} bytes exceeds its frame", scanner.FrameOffset);
            ReadOnlySpan<byte> record = rest.Slice(reader.Position, (int)length);
            rest = rest[(reader.Position + (int)length)..];
            return record;
        }
        catch (NinoSerializationException e)
        {
            throw scanner.Unparsable(e);
        }
    }

    private bool MoveNextSlowly()
    {
        if (_left == 0) return _rest.Length == 0 ? false : throw scanner.Corrupt("bytes follow the last record of the frame", scanner.FrameOffset);
        int before = _rest.Length;
        Current = TakeLong(scanner, ref _rest);
        _prefixBytes += before - _rest.Length - Current.Length - 1;
        _left--;
        Sequence++;
        return true;
    }
}
