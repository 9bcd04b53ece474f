using Store.Reading;
using Store.Serialization;

namespace Store.KeyValue.Changes;

/// <summary>Whoever wants to know the key of a change as soon as it is encoded.</summary>
internal interface IKeyListener
{
    /// <param name="key">The encoded key; valid during the call.</param>
    void Hear(ReadOnlySpan<byte> key);
}

/// <summary>Writes and reads the changes of a keyed state with the codecs of its types. Safe for any number of threads.</summary>
internal sealed class ChangeFormat<TKey, TValue> : ChangeFormat
{
    private readonly NinoCodec<TKey> _keys = NinoCodec<TKey>.Default;
    private readonly NinoCodec<TValue> _values = NinoCodec<TValue>.Default;
    private readonly NinoLimits? _limits;
    private readonly byte[] _absentValue;

    public ChangeFormat(string name, NinoLimits? limits = null) : base(name, NinoCodec<TKey>.Default.Schema, NinoCodec<TValue>.Default.Schema)
    {
        _limits = limits;
        // What has no null of its own is a nullable here; of fixed width it takes its bytes even when absent (docs/formats/record.md, "nullable").
        SchemaNode value = ValueSchema.Root;
        _absentValue = new byte[value.HasNull ? value.NullSize : 1 + ValueSchema.FixedRecordSize];
    }

    private bool IsNullAValue => typeof(TValue).IsValueType && ValueSchema.Root.HasNull;

    /// <summary>Encodes a change that sets a value.</summary>
    /// <remarks>Who listens hears the key before the value is encoded, and can go and find its place meanwhile.</remarks>
    public void EncodePut(ChangeBuffer buffer, TKey key, TValue value, IKeyListener? listener = null)
    {
        var writer = new NinoWriter(buffer, _limits);
        WriteKey(ref writer, buffer, ChangeOperation.Put, key);
        listener?.Hear(buffer.Key);
        if (ValueHasPresenceByte) writer.Take(1) = 1;
        buffer.ValueStart = (int)writer.BytesWritten;
        _values.WriteRecord(ref writer, in value);
        buffer.ValueEnd = (int)writer.BytesWritten;
        writer.Flush();
    }

    /// <summary>Encodes a change that removes a key.</summary>
    public void EncodeDelete(ChangeBuffer buffer, TKey key)
    {
        var writer = new NinoWriter(buffer, _limits);
        WriteKey(ref writer, buffer, ChangeOperation.Delete, key);
        writer.WriteBytes(_absentValue);
        buffer.ValueStart = buffer.ValueEnd = (int)writer.BytesWritten;
        writer.Flush();
    }

    /// <summary>As the other form, of a key that is encoded already: its object may be another by now.</summary>
    public void EncodePut(ChangeBuffer buffer, ReadOnlySpan<byte> key, TValue value)
    {
        var writer = new NinoWriter(buffer, _limits);
        WriteKey(ref writer, buffer, ChangeOperation.Put, key);
        if (ValueHasPresenceByte) writer.Take(1) = 1;
        buffer.ValueStart = (int)writer.BytesWritten;
        _values.WriteRecord(ref writer, in value);
        buffer.ValueEnd = (int)writer.BytesWritten;
        writer.Flush();
    }

    /// <inheritdoc cref="EncodePut(ChangeBuffer, ReadOnlySpan{byte}, TValue)"/>
    public void EncodeDelete(ChangeBuffer buffer, ReadOnlySpan<byte> key)
    {
        var writer = new NinoWriter(buffer, _limits);
        WriteKey(ref writer, buffer, ChangeOperation.Delete, key);
        writer.WriteBytes(_absentValue);
        buffer.ValueStart = buffer.ValueEnd = (int)writer.BytesWritten;
        writer.Flush();
    }

    /// <summary>Encodes a key alone, as the engine knows it.</summary>
    public void EncodeKey(ChangeBuffer buffer, TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        var writer = new NinoWriter(buffer, _limits);
        buffer.KeyStart = 0;
        _keys.WriteRecord(ref writer, in key);
        buffer.KeyEnd = buffer.ValueStart = buffer.ValueEnd = (int)writer.BytesWritten;
        writer.Flush();
    }

    /// <summary>Encodes a key alone behind what the writer has written.</summary>
    /// <returns>How long it is.</returns>
    public int EncodeKey(System.Buffers.IBufferWriter<byte> buffer, TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        var writer = new NinoWriter(buffer, _limits);
        _keys.WriteRecord(ref writer, in key);
        int length = (int)writer.BytesWritten;
        writer.Flush();
        return length;
    }

    /// <summary>Encodes a change that sets a value behind what the writer has written.</summary>
    /// <returns>Where its parts are, from its own beginning.</returns>
    public ChangeParts EncodePut(System.Buffers.IBufferWriter<byte> buffer, TKey key, TValue value)
    {
        if (!IsNullAValue) ArgumentNullException.ThrowIfNull(value);
        var writer = new NinoWriter(buffer, _limits);
        (int keyStart, int keyEnd) = WriteKey(ref writer, ChangeOperation.Put, key);
        if (ValueHasPresenceByte) writer.Take(1) = 1;
        int valueStart = (int)writer.BytesWritten;
        _values.WriteRecord(ref writer, in value);
        writer.Flush();
        return new ChangeParts(ChangeOperation.Put, keyStart, keyEnd, valueStart);
    }

    /// <summary>Encodes a change that removes a key behind what the writer has written.</summary>
    /// <inheritdoc cref="EncodePut(System.Buffers.IBufferWriter{byte}, TKey, TValue)" path="/returns"/>
    public ChangeParts EncodeDelete(System.Buffers.IBufferWriter<byte> buffer, TKey key)
    {
        var writer = new NinoWriter(buffer, _limits);
        (int keyStart, int keyEnd) = WriteKey(ref writer, ChangeOperation.Delete, key);
        writer.WriteBytes(_absentValue);
        int end = (int)writer.BytesWritten;
        writer.Flush();
        return new ChangeParts(ChangeOperation.Delete, keyStart, keyEnd, end);
    }

    /// <summary>Decodes a key.</summary>
    public TKey DecodeKey(ReadOnlySpan<byte> bytes) => _keys.Decode(bytes, StoredLimits.Default);

    /// <summary>Decodes a value.</summary>
    public TValue DecodeValue(ReadOnlySpan<byte> bytes) => _values.Decode(bytes, StoredLimits.Default);

    /// <inheritdoc/>
    /// <exception cref="SchemaMismatchException">It was mapped, and its value is null now.</exception>
    public override ChangeParts Locate(ReadOnlySpan<byte> record, bool wasMapped = false)
    {
        var reader = new NinoReader(record, StoredLimits.Default);
        var operation = (ChangeOperation)reader.Take(1);
        if (operation is not (ChangeOperation.Put or ChangeOperation.Delete)) throw Damaged($"operation {(int)operation} does not exist", 0);
        if (KeyHasPresenceByte && reader.Take(1) != 1) throw Damaged("it has no key", 1);

        // A key of varying length ends where its schema says. No key is made: its type may refuse one that it once allowed, and the state must open all the same; and this runs under locks, where no code of the user's may.
        int keyStart = reader.Position;
        if (_keys.FixedSize > 0) reader.TakeSpan(_keys.FixedSize);
        else RecordWalker.SkipRecord(ref reader, KeySchema.Root);
        int keyEnd = reader.Position;

        if (operation == ChangeOperation.Delete)
            return wasMapped || record[keyEnd..].SequenceEqual(_absentValue) ? new ChangeParts(operation, keyStart, keyEnd, record.Length) : throw Damaged("a deletion has a value", keyEnd);

        // Null is no value of a keyed state, and nobody could read it nor has written one: but of a struct that is null where it has none (an int?, an ImmutableArray without an array), which is a value as any other.
        if (!IsNullAValue && record[keyEnd..].SequenceEqual(_absentValue)) throw wasMapped ? NoValueAnyMore() : NoValue(keyEnd);
        if (ValueHasPresenceByte && reader.Take(1) != 1) throw Damaged("it has no value", keyEnd);
        return reader.Remaining > 0 ? new ChangeParts(operation, keyStart, keyEnd, reader.Position) : throw Damaged("it has no value", reader.Position);
    }

    private void WriteKey(ref NinoWriter writer, ChangeBuffer buffer, ChangeOperation operation, TKey key)
    {
        if (writer.BytesWritten != 0) throw new InvalidOperationException("A change starts its buffer.");
        (buffer.KeyStart, buffer.KeyEnd) = WriteKey(ref writer, operation, key);
    }

    private void WriteKey(ref NinoWriter writer, ChangeBuffer buffer, ChangeOperation operation, ReadOnlySpan<byte> key)
    {
        if (writer.BytesWritten != 0) throw new InvalidOperationException("A change starts its buffer.");
        writer.Take(1) = (byte)operation;
        if (KeyHasPresenceByte) writer.Take(1) = 1;
        buffer.KeyStart = (int)writer.BytesWritten;
        writer.WriteBytes(key);
        buffer.KeyEnd = (int)writer.BytesWritten;
    }

    private (int Start, int End) WriteKey(ref NinoWriter writer, ChangeOperation operation, TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        writer.Take(1) = (byte)operation;
        if (KeyHasPresenceByte) writer.Take(1) = 1;
        int start = (int)writer.BytesWritten;
        _keys.WriteRecord(ref writer, in key);
        return (start, (int)writer.BytesWritten);
    }

    private SchemaMismatchException NoValueAnyMore() =>
        new($"A change of the keyed state '{Name}' sets a value that is null in the program's '{Text(ValueSchema.Root)}' (a case that it has no more and skips, or a list without the one element that it is now), which a keyed state cannot hold. "
            + "Open it with the types it was written with, copy it into a keyed state of another name, and use that.", null);

    // A value without a null of its own is a nullable in a change, and so is one of a type that had it: the schemas are the same.
    private NinoSerializationException NoValue(int offset) =>
        new($"A change of the keyed state '{Name}' sets a value that is null, which the program's '{Text(ValueSchema.Root)}' is not in a keyed state: the type had a null when it was written (an 'int?', an 'ImmutableArray' without an array), or the change is damaged. "
            + "Open it with the types it was written with, copy it into a keyed state of another name, and use that.") { TypeName = Schema.Name, MemberPath = "Value", ByteOffset = offset };

    private NinoSerializationException Damaged(string reason, int offset) => new($"A change of '{Name}' is damaged: {reason}.") { TypeName = Schema.Name, ByteOffset = offset };
}
