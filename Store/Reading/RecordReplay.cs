// What is done with each record when a state is restored? Records of a frame that holds one type are carried over in one loop of who knows the type: each costs the call of its codec and that of the program's handler, and no other.

using Store.Log;
using Store.Serialization;

namespace Store.Reading;

/// <summary>Carries records over into a state, one after the other. Used by one thread.</summary>
internal interface IRecordReplay<TState>
{
    /// <summary>The state after a record; the same when the record does not matter to it. The payload is valid until this returns.</summary>
    TState Apply(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload);

    /// <summary>The state after all records of a frame; the same when they do not matter to it.</summary>
    /// <param name="state">The state before them.</param>
    /// <param name="records">Walked over to their end.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    TState Apply(TState state, ref PlainRecords records, CancellationToken cancellationToken);
}

/// <summary>Records of one type, others passed over.</summary>
internal sealed class TypedReplay<TState, TRecord>(Func<TState, TRecord, TState> apply) : IRecordReplay<TState>
{
    private readonly RunDecoder<TRecord> _decoder = new();

    public TState Apply(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload) =>
        _decoder.IsOfType(schema) ? apply(state, _decoder.Decode(sequence, schema, payload)) : state;

    public TState Apply(TState state, ref PlainRecords records, CancellationToken cancellationToken)
    {
        NinoSchema schema = records.Schema;
        bool isOfType = _decoder.IsOfType(schema);
        while (records.MoveNext())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!isOfType) continue;
            TRecord record;
            try
            {
                record = _decoder.DecodeUnplaced(records.Sequence, schema, records.Current);
            }
            catch (NinoSerializationException error)
            {
                throw LogRecord.At(records.Sequence, error);
            }

            state = apply(state, record);
        }

        return state;
    }
}
