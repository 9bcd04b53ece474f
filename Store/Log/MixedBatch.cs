// A batch of several types is one frame too: each of its records names its schema, as those of an open frame do. Which numbers the schemas have is known under the log's gate only, so the payload is put together there.

using Store.Framing;
using Store.Serialization;

namespace Store.Log;

/// <summary>Records of a batch, of whatever types. Filled and appended by one thread.</summary>
internal sealed class MixedBatch : IBatchPayload
{
    private readonly List<NinoSchema> _schemas = [];
    private readonly List<(int Schema, int Start, int Length)> _records = [];
    private int[] _ids = [];
    private ReadOnlyMemory<byte> _bytes;

    /// <summary>Each schema once, in the order in which they came.</summary>
    public IReadOnlyList<NinoSchema> Schemas => _schemas;

    /// <inheritdoc/>
    public int RecordCount => _records.Count;

    /// <summary>Bytes of the payload, once the numbers are known.</summary>
    public int LengthBytes { get; private set; }

    /// <summary>As many bytes as the payload may have, whatever the numbers are.</summary>
    public long MostLengthBytes => MostLengthOf(_bytes.Length, _records.Count);

    /// <summary>As many bytes as the payload would have with one more record. Records of one type are appended as a batch of that type, without the number of a schema in front of each.</summary>
    /// <param name="schema">The record's schema.</param>
    /// <param name="bytes">All records, that one included, each with its length in front.</param>
    public long MostLengthWith(NinoSchema schema, int bytes) => _schemas.TrueForAll(known => ReferenceEquals(known, schema)) ? bytes : MostLengthOf(bytes, _records.Count + 1);

    /// <summary>Adds a record.</summary>
    /// <param name="schema">Its schema.</param>
    /// <param name="start">Where its length and it begin in the bytes that are given in the end.</param>
    /// <param name="length">Bytes of both.</param>
    public void Add(NinoSchema schema, int start, int length)
    {
        int index = _schemas.FindLastIndex(known => ReferenceEquals(known, schema));
        if (index < 0)
        {
            index = _schemas.Count;
            _schemas.Add(schema);
        }

        _records.Add((index, start, length));
    }

    /// <summary>Everything was added.</summary>
    /// <param name="bytes">The records, each with its length in front. They stay until the batch is appended.</param>
    public void Complete(ReadOnlyMemory<byte> bytes) => _bytes = bytes;

    /// <summary>Takes the schemas' numbers in this log, in the order of <see cref="Schemas"/>.</summary>
    public void Number(int[] ids)
    {
        _ids = ids;
        int length = _bytes.Length;
        foreach ((int schema, _, _) in _records) length += CompactNumber.SizeOf((uint)ids[schema]);
        LengthBytes = length;
    }

    private static long MostLengthOf(int bytes, int records) => bytes + ((long)records * CompactNumber.SizeOf(ushort.MaxValue));

    /// <inheritdoc/>
    public bool TryWrite(Span<byte> destination)
    {
        int at = 0;
        foreach ((int schema, int start, int length) in _records)
        {
            at += FrameBuilder.WriteCompact(destination[at..], (uint)_ids[schema]);
            _bytes.Span.Slice(start, length).CopyTo(destination[at..]);
            at += length;
        }

        return at == destination.Length;
    }
}
