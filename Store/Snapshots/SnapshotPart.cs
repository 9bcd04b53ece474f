// One part of an open snapshot: the bytes of its value or its items, read and verified before anybody sees them in the mapping. Bytes are lent to a callback and never handed out,
// so no span can outlive the mapping: using a closed snapshot is an exception, never a crash.

using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>
/// A part of a <see cref="SnapshotFile"/>: one value, or a stream of items that can be read by number. Valid until the file is disposed; after that every member
/// that looks at its data throws <see cref="ObjectDisposedException"/>. Safe for any number of threads.
/// </summary>
public sealed class SnapshotPart
{
    private const int MaxKeptViewBytes = 1024 * 1024;

    private readonly SnapshotFile _file;
    private readonly SnapshotBytes _bytes;
    private readonly SnapshotPartSections _sections;
    private readonly SnapshotPages _pages;
    private long _itemCount = -1;
    private NinoViewBuffer? _viewBuffer;

    internal SnapshotPart(SnapshotFile file, SnapshotBytes bytes, SnapshotPartSections sections, SnapshotPartDescription description, int pageSize)
    {
        (_file, _bytes, _sections) = (file, bytes, sections);
        (Name, Schema, Events) = description;
        _pages = new SnapshotPages(bytes, sections.Data, sections.PageTable, pageSize, Label);
    }

    /// <summary>Its name; empty for the only part of a state's snapshot.</summary>
    public string Name { get; }

    /// <summary>The description of the value, or of each item.</summary>
    public NinoSchema Schema { get; }

    /// <summary>Up to which sequence it holds each event, where it is the state of an open <c>StateStore</c>; else null.</summary>
    internal IReadOnlyDictionary<string, long>? Events { get; }

    /// <summary>True when it is a stream of items.</summary>
    public bool HasItems => _sections.HasItems;

    /// <summary>Bytes of its data: of the value, or of all items with their directories.</summary>
    public long DataLengthBytes => _sections.Data.LengthBytes;

    /// <summary>Number of items.</summary>
    /// <exception cref="InvalidOperationException">It is one value.</exception>
    /// <exception cref="StoreCorruptException">The item index is damaged.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public long ItemCount
    {
        get
        {
            using SnapshotFile.Lease lease = _file.Use();
            return FindIndexDamage() is { } failure ? throw _file.Failed(failure) : _itemCount;
        }
    }

    /// <summary>Decodes the value, after verifying all of its bytes.</summary>
    /// <exception cref="InvalidOperationException">It is a stream of items.</exception>
    /// <exception cref="SchemaMismatchException">It is of another type, of a shape that cannot be read as the one the type has now, or the type refuses a value of it.</exception>
    /// <exception cref="StoreCorruptException">The data is damaged.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public T Read<T>()
    {
        using SnapshotFile.Lease lease = _file.Use();
        if (HasItems) throw new InvalidOperationException($"'{Name}' is a stream of items; read it with {nameof(Items)} or {nameof(Item)}.");
        return SnapshotReader.TryRead(_file, this, NinoCodec<T>.Default, out T? state, out SnapshotFailure? failure) ? state : throw _file.Failed(failure);
    }

    /// <summary>Decodes the items, one at a time, in the order they were written.</summary>
    /// <param name="first">Number of the first one, from 0.</param>
    /// <exception cref="InvalidOperationException">It is one value.</exception>
    /// <exception cref="SchemaMismatchException">The items are of another type, of a shape that cannot be read as the one the type has now, or the type refuses a value of one.</exception>
    /// <exception cref="StoreCorruptException">An item is damaged; those before it have been returned.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public IEnumerable<T> Items<T>(long first = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(first);
        long count = ItemCount;
        SnapshotReader.CheckSchema(_file, this, NinoCodec<T>.Default);
        return Iterate();

        IEnumerable<T> Iterate()
        {
            for (long i = first; i < count; i++) yield return Item<T>(i);
        }
    }

    /// <summary>Decodes an item by its number.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such item.</exception>
    /// <inheritdoc cref="Items{T}" path="/exception"/>
    public T Item<T>(long index)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        SnapshotReader.CheckSchema(_file, this, codec);
        return UseItem(index, (Part: this, Codec: codec, Index: index), static (bytes, context) => SnapshotReader.DecodeItem(context.Part._file, context.Part, context.Codec, bytes, context.Index));
    }

    /// <summary>Lends the bytes of an item, verified and not copied: one record of <see cref="Schema"/>.</summary>
    /// <param name="index">Number of the item, from 0.</param>
    /// <param name="argument">Handed to <paramref name="use"/>, so that it need not capture anything.</param>
    /// <param name="use">Gets the bytes, which are valid only inside it. The file stays mapped meanwhile, whoever disposes it.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such item.</exception>
    /// <exception cref="InvalidOperationException">It is one value.</exception>
    /// <exception cref="StoreCorruptException">The item, or the index, is damaged.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public TResult UseItem<TArgument, TResult>(long index, TArgument argument, Func<ReadOnlySpan<byte>, TArgument, TResult> use)
    {
        ArgumentNullException.ThrowIfNull(use);
        using SnapshotFile.Lease lease = _file.Use();
        SnapshotFailure? failure = FindIndexDamage();
        if (failure is null)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, _itemCount);
            if (TryLocate(index, out long offset, out int length, out failure)) return use(VerifiedData(offset, length), argument);
        }

        throw _file.Failed(failure!);
    }

    /// <summary>Lends bytes of the data, verified and not copied.</summary>
    /// <param name="offset">Where they begin in the data.</param>
    /// <param name="lengthBytes">How many.</param>
    /// <param name="argument">Handed to <paramref name="use"/>.</param>
    /// <param name="use">Gets the bytes, which are valid only inside it. The file stays mapped meanwhile, whoever disposes it.</param>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the data.</exception>
    /// <exception cref="StoreCorruptException">A page of the range is damaged.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public TResult UseData<TArgument, TResult>(long offset, int lengthBytes, TArgument argument, Func<ReadOnlySpan<byte>, TArgument, TResult> use)
    {
        ArgumentNullException.ThrowIfNull(use);
        using SnapshotFile.Lease lease = _file.Use();
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfNegative(lengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, DataLengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, DataLengthBytes - offset);
        if (FindDamage(offset, lengthBytes) is { } failure) throw _file.Failed(failure);
        return use(VerifiedData(offset, lengthBytes), argument);
    }

    /// <summary>What the catalog calls the type of a snapshot whose first part this is: a stream of items is none of its item's type.</summary>
    internal static string TypeNameOf(NinoSchema schema, bool hasItems) => hasItems ? schema.Name + "[]" : schema.Name;

    internal SnapshotSection Data => _sections.Data;

    /// <summary>Verifies a range of the data. The caller holds a lease and has checked the range.</summary>
    internal SnapshotFailure? FindDamage(long offset, long lengthBytes) => _pages.FindDamage(offset, lengthBytes);

    /// <summary>True when all of it has been read and verified since the file was opened.</summary>
    internal bool IsVerified => _pages.AreVerified && (!HasItems || Volatile.Read(ref _itemCount) >= 0);

    /// <summary>Verifies everything of the part. The caller holds a lease.</summary>
    /// <param name="onRead">Told the bytes of the data that were read, a few pages at a time.</param>
    /// <param name="cancellationToken">Looked at before each read.</param>
    /// <returns>The places that are damaged or cannot be read, neighbouring pages as one.</returns>
    internal List<SnapshotFailure> Verify(Action<long>? onRead, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var damage = new List<SnapshotFailure>();
        if (HasItems && FindIndexDamage() is { } index) damage.Add(index);
        SnapshotFailure? run = null;
        long runStart = 0, runEnd = 0;
        for (long page = 0; page < _pages.Count;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            long end = Math.Min(page + _pages.AtOnce, _pages.Count);
            SnapshotFailure? failure = _pages.FindDamagedPage(page, end - 1);
            long bad = failure is null ? end : _pages.PageOf(failure);
            if (failure is not null && (bad < 0 || failure.Kind == SnapshotFailureKind.WrongLength))
            {
                // Without the table nothing can be verified, and behind the end of the file is nothing.
                CloseRun();
                damage.Add(failure);
                return damage;
            }

            if (failure is not null)
            {
                end = bad + 1;
                if (run?.Kind != failure.Kind || runEnd != bad)
                {
                    CloseRun();
                    (run, runStart) = (failure, bad);
                }

                runEnd = end;
            }

            onRead?.Invoke(_pages.RangeOf(page, end - page).LengthBytes);
            page = end;
        }

        CloseRun();
        return damage;

        void CloseRun()
        {
            if (run is not null) damage.Add(_pages.Describe(runStart, runEnd - 1, run.Cause));
            run = null;
        }
    }

    /// <summary>Where an item lies in the data, verified. The caller holds a lease and has verified the index, and the number.</summary>
    internal SnapshotFailure? FindItem(long index, out long offset, out int lengthBytes) => TryLocate(index, out offset, out lengthBytes, out SnapshotFailure? failure) ? null : failure;

    /// <summary>Memory in which a record of another shape is rewritten, the caller's until it is given back.</summary>
    internal NinoViewBuffer TakeViewBuffer() => Interlocked.Exchange(ref _viewBuffer, null) ?? new NinoViewBuffer();

    /// <summary>Keeps one for the next look, unless it has grown large.</summary>
    internal void GiveBack(NinoViewBuffer buffer)
    {
        if (buffer.CapacityBytes <= MaxKeptViewBytes) Volatile.Write(ref _viewBuffer, buffer);
    }

    /// <inheritdoc cref="SnapshotPages.RememberDamage"/>
    internal void RememberDamage() => _pages.RememberDamage();

    /// <summary>What messages call it.</summary>
    internal string Label => Name.Length == 0 ? "the data" : $"the part '{Name}'";

    /// <summary>Verifies the item index, once. The caller holds a lease.</summary>
    internal SnapshotFailure? FindIndexDamage()
    {
        if (Volatile.Read(ref _itemCount) >= 0) return null;
        if (!HasItems) throw new InvalidOperationException($"'{Name}' is one value, not a stream of items.");
        SnapshotSection index = _sections.ItemIndex;
        if (_bytes.Verify(index, $"The item index of {Label}", SnapshotFailureKind.ItemIndexDamaged) is { } failure) return failure;
        long count = BinaryPrimitives.ReadInt64LittleEndian(_bytes.Mapped(index.Offset, SnapshotItemFormat.CountSize));
        if (count < 0 || (count > 0) != (BlockCount > 0) || count > BlockCount * SnapshotItemFormat.MaxBlockItems) return IndexDamage($"An item index of {BlockCount} blocks cannot have {count} items.");
        Volatile.Write(ref _itemCount, count);
        return null;
    }

    /// <summary>All bytes of a verified value. The caller holds a lease.</summary>
    internal ReadOnlySpan<byte> VerifiedData(int lengthBytes) => VerifiedData(0, lengthBytes);

    /// <summary>Verified bytes of the data. The caller holds a lease.</summary>
    internal ReadOnlySpan<byte> VerifiedData(long offset, int lengthBytes) => _bytes.Mapped(_sections.Data.Offset + offset, lengthBytes);

    private long BlockCount => (_sections.ItemIndex.LengthBytes - SnapshotItemFormat.CountSize) / SnapshotItemFormat.EntrySize;

    // The index and the directories have right checksums; what they say is checked all the same, so that no file, however made, leads outside its data.
    private bool TryLocate(long index, out long offset, out int length, [NotNullWhen(false)] out SnapshotFailure? failure)
    {
        (offset, length) = (0, 0);
        long low = 0, high = BlockCount - 1;
        while (low < high)
        {
            long middle = low + ((high - low + 1) / 2);
            if (Entry(middle).FirstItem <= index) low = middle;
            else high = middle - 1;
        }

        (long start, long firstItem) = Entry(low);
        (long end, long nextItem) = low + 1 < BlockCount ? Entry(low + 1) : (DataLengthBytes, _itemCount);
        long items = nextItem - firstItem;
        if (firstItem < 0 || firstItem > index || nextItem <= index || items > SnapshotItemFormat.MaxBlockItems || start < 0 || end < start || end > DataLengthBytes || end - start < items * SnapshotItemFormat.EndSize)
        {
            failure = IndexDamage($"Block {low} of the item index, from {start} to {end} with the items {firstItem} to {nextItem - 1}, is impossible.");
            return false;
        }

        long directory = end - (items * SnapshotItemFormat.EndSize);
        long place = index - firstItem;
        failure = FindDamage(directory + (Math.Max(0, place - 1) * SnapshotItemFormat.EndSize), 2 * SnapshotItemFormat.EndSize > end - directory ? SnapshotItemFormat.EndSize : 2 * SnapshotItemFormat.EndSize);
        if (failure is not null) return false;
        uint itemStart = place == 0 ? 0 : End(directory, place - 1), itemEnd = End(directory, place);
        if (itemEnd < itemStart || itemEnd > directory - start || itemEnd - itemStart > int.MaxValue)
        {
            failure = IndexDamage($"Item {index} of block {low} lies from {itemStart} to {itemEnd} of {directory - start} bytes: that is impossible.");
            return false;
        }

        (offset, length) = (start + itemStart, (int)(itemEnd - itemStart));
        failure = FindDamage(offset, length);
        return failure is null;
    }

    private (long Start, long FirstItem) Entry(long block)
    {
        ReadOnlySpan<byte> entry = _bytes.Mapped(_sections.ItemIndex.Offset + SnapshotItemFormat.CountSize + (block * SnapshotItemFormat.EntrySize), SnapshotItemFormat.EntrySize);
        return (BinaryPrimitives.ReadInt64LittleEndian(entry), BinaryPrimitives.ReadInt64LittleEndian(entry[8..]));
    }

    private uint End(long directory, long place) =>
        BinaryPrimitives.ReadUInt32LittleEndian(VerifiedData(directory + (place * SnapshotItemFormat.EndSize), SnapshotItemFormat.EndSize));

    private SnapshotFailure IndexDamage(string message) => new(SnapshotFailureKind.ItemIndexDamaged, _file.FileName, _sections.ItemIndex.Offset, _sections.ItemIndex.LengthBytes, message);
}
