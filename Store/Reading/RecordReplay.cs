// What is done with each record when a state is restored?

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
