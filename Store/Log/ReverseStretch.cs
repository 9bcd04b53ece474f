// What reading newest first holds in memory: the records of a stretch that was read forward, until they have been returned backward. Of a stretch with very many records, which one frame alone can be,
// only the newest: it is read again for those before them.

using System.Buffers;
using Store.Serialization;

namespace Store.Log;

/// <summary>Records of a stretch of the log, added oldest first. Not thread-safe.</summary>
internal sealed class ReverseStretch
{
    /// <summary>
    /// Most records that are held: 8 MiB of places, beside their bytes, of which there are no more than in one frame and the distance of two entries of the index: about 32 KiB in a segment. The index of a one-file log thins as it
    /// grows, because it never has more than so many entries: a stretch of a file of 1 TiB is tens of MiB.
    /// </summary>
    public const int MaxRecords = 256 * 1024;

    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<Place> _places = [];

    /// <summary>True when records before the ones that are held were left out: read the stretch again, up to <see cref="FirstSequence"/>.</summary>
    public bool HasOlder { get; private set; }

    /// <summary>Sequence of the oldest record that is held. Only when there is one.</summary>
    public long FirstSequence => _places[0].Sequence;

    /// <summary>Begins a stretch.</summary>
    public void Clear()
    {
        HasOlder = false;
        Drop();
    }

    /// <summary>Adds a record, whose bytes are copied.</summary>
    public void Add(long sequence, long ticks, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        if (_places.Count == MaxRecords)
        {
            HasOlder = true;
            Drop();
        }

        _places.Add(new Place(sequence, ticks, schema, _bytes.WrittenCount, payload.Length));
        _bytes.Write(payload);
    }

    /// <summary>The records that are held; payloads are valid until the next stretch.</summary>
    public IEnumerable<LogRecord> NewestFirst()
    {
        for (int at = _places.Count - 1; at >= 0; at--)
        {
            Place place = _places[at];
            yield return new LogRecord(place.Sequence, new DateTimeOffset(place.Ticks, TimeSpan.Zero), place.Schema, _bytes.WrittenMemory.Slice(place.Start, place.Length));
        }
    }

    private void Drop()
    {
        _places.Clear();
        _bytes.ResetWrittenCount();
    }

    private readonly record struct Place(long Sequence, long Ticks, NinoSchema Schema, int Start, int Length);
}
