// What does an engine see of a change, and how does it make one? Keys and values are encoded bytes: what tells keys apart, and what gives every reader a copy of its own.

using Store.Buffers;
using Store.KeyValue.Changes;
using Store.Log;

namespace Store.KeyValue;

/// <summary>
/// One change of a keyed state. Keys and values are records of their types: <c>NinoCodec&lt;TKey&gt;.Default</c> decodes and encodes them. Two keys are the same when their bytes are equal.
/// </summary>
/// <param name="Sequence">Its number in the log; 0 when it was not appended yet.</param>
/// <param name="IsDeletion">True when it removes the key.</param>
/// <param name="Key">The key. Valid until the enumerator or the set it comes from moves on: copy what is to be kept.</param>
/// <param name="Value">The value, as long as the key; empty in a deletion.</param>
public readonly record struct KeyValueChange(long Sequence, bool IsDeletion, ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> Value)
{
    internal static KeyValueChange Of(long sequence, ReadOnlyMemory<byte> record, ChangeParts parts) => new(sequence, parts.Operation == ChangeOperation.Delete, record[parts.KeyStart..parts.KeyEnd],
        parts.Operation == ChangeOperation.Put ? record[parts.ValueStart..] : default);
}

/// <summary>
/// Where a checkpoint of a keyed state stands in the log. The engine stores it with the checkpoint, and asks <see cref="KeyValueLog{TKey, TValue}.CanStartFrom"/> before it uses that. All of it is compared; none of it is the engine's to make up.
/// A mark is a checksum of a record's time, schema and bytes: it tells this history of the log from another that has the same numbers.
/// </summary>
/// <param name="StoreId">The store whose log it is.</param>
/// <param name="Name">The keyed state.</param>
/// <param name="KeyShape">Fingerprint of the keys' schema.</param>
/// <param name="ValueShape">Fingerprint of the values' schema.</param>
/// <param name="Sequence">Last record of the log whose effect is included.</param>
/// <param name="LastChange">Sequence of the last change included, 0 when there is none.</param>
/// <param name="SequenceMark">Mark of record <paramref name="Sequence"/>, of whatever kind.</param>
/// <param name="LastChangeMark">Mark of record <paramref name="LastChange"/>.</param>
public sealed record KeyValueCut(Guid StoreId, string Name, ulong KeyShape, ulong ValueShape, long Sequence, long LastChange, uint SequenceMark, uint LastChangeMark);

/// <summary>Changes of a keyed state that are encoded and not in the log yet: the work of an engine that needs no lock. For one thread.</summary>
/// <typeparam name="TKey">Type of the keys.</typeparam>
/// <typeparam name="TValue">Type of the values.</typeparam>
public sealed class KeyValueChanges<TKey, TValue> : IDisposable
{
    private readonly KeyValueLog<TKey, TValue> _log;
    private readonly int _maxRecordBytes;
    private readonly List<(int Start, int Length, ChangeParts Parts)> _places = new(1);
    private RecordBuffer? _buffer;
    private ReadOnlyMemory<byte> _bytes;
    private long _first;
    private int _prefix = 1;
    private bool _isBroken;

    internal KeyValueChanges(KeyValueLog<TKey, TValue> log, int maxRecordBytes)
    {
        (_log, _maxRecordBytes) = (log, maxRecordBytes);
        _buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "set of changes");
    }

    /// <summary>How many there are.</summary>
    public int Count => _places.Count;

    /// <summary>A change. Its bytes are valid until one is added or this is disposed.</summary>
    /// <exception cref="ObjectDisposedException">This is disposed.</exception>
    public KeyValueChange this[int index]
    {
        get
        {
            RecordBuffer buffer = Buffer();
            (int start, int length, ChangeParts parts) = _places[index];
            if (_bytes.IsEmpty) _bytes = buffer.WrittenMemory;
            return KeyValueChange.Of(_first == 0 ? 0 : _first + index, _bytes.Slice(start, length), parts);
        }
    }

    /// <summary>Adds a change that sets a value; key and value may change as soon as the call returns.</summary>
    /// <exception cref="ArgumentNullException">The key or the value is null.</exception>
    /// <exception cref="RecordTooLargeException">Larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>.</exception>
    /// <exception cref="InvalidOperationException">The set was appended, or an earlier change could not be encoded.</exception>
    /// <exception cref="ObjectDisposedException">This is disposed.</exception>
    public void Put(TKey key, TValue value)
    {
        RecordBuffer buffer = Begin();
        int start = buffer.BeginRecord(_prefix);
        End(buffer, start, _log.Format.EncodePut(buffer, key, value));
    }

    /// <summary>Adds a change that removes a key. Whether it is there is the engine's to know: a deletion of nothing should not be appended.</summary>
    /// <inheritdoc cref="Put" path="/exception"/>
    public void Delete(TKey key)
    {
        RecordBuffer buffer = Begin();
        int start = buffer.BeginRecord(_prefix);
        End(buffer, start, _log.Format.EncodeDelete(buffer, key));
    }

    /// <summary>Gives the memory back. What was appended stays appended.</summary>
    public void Dispose()
    {
        RecordBuffer? buffer = _buffer;
        (_buffer, _bytes) = (null, default);
        buffer?.Return();
    }

    internal long AppendTo(KeyValueLog<TKey, TValue> log, AppendLog records)
    {
        RecordBuffer buffer = Buffer();
        if (!ReferenceEquals(log, _log)) throw new InvalidOperationException($"The changes are those of '{_log.Name}' and are appended to '{log.Name}', or to another opening of it.");
        ThrowIfUnusable();
        ReadOnlySpan<byte> bytes = buffer.WrittenWithinLimit;
        long first = Count == 1
            ? records.Append(_log.Format.Schema, bytes.Slice(_places[0].Start, _places[0].Length), by: _log.Holding.Changes)
            : records.AppendBatch(_log.Format.Schema, bytes, Count, by: _log.Holding.Changes);
        if (Count > 0) _first = first;
        return first;
    }

    // Broken until it has ended: an exception of a codec leaves half a change behind.
    private RecordBuffer Begin()
    {
        RecordBuffer buffer = Buffer();
        ThrowIfUnusable();
        (_isBroken, _bytes) = (true, default);
        return buffer;
    }

    private void End(RecordBuffer buffer, int start, ChangeParts parts)
    {
        int length = buffer.Written.Length - start, prefix = _prefix;
        if (length > _maxRecordBytes) throw new RecordTooLargeException($"A change of {length} bytes of '{_log.Name}' exceeds the limit of {_maxRecordBytes} (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended.");
        _prefix = buffer.EndRecord(start, prefix);

        // Making room for its length may have moved it.
        _places.Add((start - prefix + _prefix, length, parts));
        _isBroken = false;
    }

    private RecordBuffer Buffer() => _buffer ?? throw new ObjectDisposedException(nameof(KeyValueChanges<TKey, TValue>));

    private void ThrowIfUnusable()
    {
        if (_first != 0) throw new InvalidOperationException($"The changes of '{_log.Name}' were appended already, from {_first} on.");
        if (_isBroken) throw new InvalidOperationException($"A change of '{_log.Name}' could not be encoded: the set it was for cannot be used any more.");
    }
}
