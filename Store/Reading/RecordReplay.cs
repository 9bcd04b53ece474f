// What is done with each record when a state is restored? Records of one type come in runs, so what their schema means is asked once a run and not for each.

using Store.Serialization;

namespace Store.Reading;

/// <summary>Carries records over into a state, one after the other. Used by one thread.</summary>
internal interface IRecordReplay<TState>
{
    /// <summary>The state after a record; the same when the record does not matter to it. The payload is valid until this returns.</summary>
    TState Apply(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload);
}

/// <summary>Records of one type, others passed over.</summary>
internal sealed class TypedReplay<TState, TRecord>(Func<TState, TRecord, TState> apply) : IRecordReplay<TState>
{
    private readonly RunDecoder<TRecord> _decoder = new();

    public TState Apply(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload) =>
        _decoder.IsOfType(schema) ? apply(state, _decoder.Decode(sequence, schema, payload)) : state;
}

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
        if (!ReferenceEquals(schema, _run)) Look(schema);
        return _isEncodedAlike ? _codec.Decode(payload) : LogRecord.Decode<T>(sequence, schema, payload);
    }

    private void Look(NinoSchema schema)
    {
        NinoSchema own = _codec.Schema;
        _isOfType = LogRecord.IsSame(schema, own);

        // As the codec itself asks before it decodes without a plan.
        _isEncodedAlike = _isOfType && schema.Fingerprint == own.Fingerprint && schema.Name == own.Name;
        _run = schema;
    }
}
