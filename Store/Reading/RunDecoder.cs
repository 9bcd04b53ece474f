// Is a stored record of a type, and how is it read? Records of one schema come in runs, so this is asked once a run and not for each.

using Store.Serialization;

namespace Store.Reading;

/// <summary>Decodes records that come in runs of one stored schema. Not thread-safe.</summary>
internal sealed class RunDecoder<T>
{
    private readonly NinoCodec<T> _codec = NinoCodec<T>.Default;
    private NinoSchema? _run;
    private bool _isOfType;
    private bool _isEncodedAlike;

    /// <summary>True when records of a stored schema are of the type, in whatever shape.</summary>
    public bool IsOfType(NinoSchema schema)
    {
        if (!ReferenceEquals(schema, _run)) Look(schema);
        return _isOfType;
    }

    /// <inheritdoc cref="LogRecord.As{T}" path="/exception"/>
    public T Decode(long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        try
        {
            return DecodeUnplaced(sequence, schema, payload);
        }
        catch (NinoSerializationException error)
        {
            throw LogRecord.At(sequence, error);
        }
    }

    /// <summary>As <see cref="Decode"/>, for loops that catch what is wrong with a record and say which it is (<see cref="LogRecord.At"/>): a call less for each record, of 30 ns for a small one.</summary>
    public T DecodeUnplaced(long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
    {
        if (!ReferenceEquals(schema, _run)) Look(schema);
        return _isEncodedAlike ? _codec.Decode(payload, StoredLimits.Default) : LogRecord.DecodeOther(_codec, sequence, schema, payload);
    }

    private void Look(NinoSchema schema)
    {
        _isOfType = LogRecord.IsSame(schema, _codec.Schema);
        _isEncodedAlike = _codec.IsEncodedAlike(schema);
        _run = schema;
    }
}
