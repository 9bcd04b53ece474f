// The cursor every codec reads through. Every byte read is covered by a bounds check in Take or ReadCompact; codecs then load without further checks.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>
/// A forward-only, bounds-checked cursor over one contiguous record. Never reads outside the span it was given. Not thread-safe; lives on the stack.
/// </summary>
public ref struct NinoReader
{
    private const int OrdinaryDepth = 8;

    private ref byte _cursor;
    private int _remaining;
    private readonly int _length;
    private readonly NinoLimits? _limits;
    private int _depth;
    private nuint _looked;
    private long _keyComparisons;
    private long _room;
    private long _absent;
    private ReadReferences? _references;

    // As of NinoWriter.
    private int _lent;

    /// <summary>The strings read last.</summary>
    internal RepeatedTexts Texts;

    /// <summary>What is read is part of a key whose code may ask any value declared as object in it.</summary>
    internal bool IsKey;

    /// <summary>Reads from the start of <paramref name="source"/>, which is neither copied nor written to, and must stay as it is while it is read.</summary>
    /// <exception cref="NinoSerializationException">The source is longer than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public NinoReader(ReadOnlySpan<byte> source, NinoLimits? limits = null)
    {
        limits ??= NinoLimits.Default;
        if (source.Length > limits.MaxRecordBytes) Throw.RecordTooLarge(limits.MaxRecordBytes);
        _cursor = ref MemoryMarshal.GetReference(source);
        _remaining = _length = source.Length;
        _limits = limits;
    }

    /// <summary>As <see cref="NinoReader(ReadOnlySpan{byte}, NinoLimits?)"/>, for a whole record.</summary>
    /// <param name="source">The record.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    /// <param name="of">Whose record it is, for the message.</param>
    internal NinoReader(ReadOnlySpan<byte> source, NinoLimits? limits, IHasSchema of)
    {
        limits ??= NinoLimits.Default;
        if (source.Length > limits.MaxRecordBytes) Throw.RecordTooLarge(limits.MaxRecordBytes, of);
        _cursor = ref MemoryMarshal.GetReference(source);
        _remaining = _length = source.Length;
        _limits = limits;
    }

    /// <summary>Bytes read so far: the offset in the source at which the next one is read. A read that fails takes nothing, or a part of what it was to take.</summary>
    public readonly int Position => _length - _remaining;

    /// <summary>The place of a failure: how far reading came, or the first byte of what somebody else's code reads, if it had taken nothing of that.</summary>
    internal readonly int FailedAt => Math.Max(Position, _lent);

    /// <summary>Notes that somebody else's code gets the reader, until <see cref="TakeBack"/>.</summary>
    /// <param name="start">Where it stands.</param>
    /// <returns>What was noted before.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Lend(out int start)
    {
        int before = _lent;
        start = Position;
        _lent = start + 1;
        return before;
    }

    /// <summary>How many bytes were read since, or -1 when this is another reader.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int TakeBack(int start, int before)
    {
        // One that failed and was caught has left its place, which is no earlier.
        if (_lent <= start) return -1;
        _lent = before;
        return Position - start;
    }

    /// <summary>True when the byte in front of the cursor is not 0. Bound: one was taken.</summary>
    internal readonly bool IsLastByteOtherThan0 => Unsafe.Subtract(ref _cursor, 1) != 0;

    /// <summary>Somebody else's code is refused for how it read: that began here, and nothing more is read.</summary>
    internal void Blame(int start)
    {
        this = default;
        _lent = start + 1;
    }

    /// <summary>Bytes left.</summary>
    public readonly int Remaining => _remaining;

    /// <summary>The bytes left, where they lie.</summary>
    internal readonly ReadOnlySpan<byte> Rest => MemoryMarshal.CreateReadOnlySpan(in _cursor, _remaining);

    /// <summary>True inside an object of a recursive type.</summary>
    internal readonly bool IsNested => _depth > 0;

    /// <summary>True inside of more objects of recursive types than is ordinary: work that is done for each of them with all that is in it is counted from here (<see cref="SpendKeyComparisons"/>).</summary>
    internal readonly bool IsDeep => _depth > OrdinaryDepth;

    /// <summary>Checks that <paramref name="size"/> bytes are left, moves over them and returns the first. Bound: the caller loads at most that many.</summary>
    /// <exception cref="NinoSerializationException">Fewer bytes are left, or the size is negative: nothing is taken.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref readonly byte Take(int size)
    {
        if ((uint)size > (uint)_remaining) Throw.EndOfInput(size, _remaining);
        ref byte start = ref _cursor;
        _cursor = ref Unsafe.Add(ref start, size);
        _remaining -= size;
        return ref start;
    }

    /// <summary>Moves back over bytes that were taken last. Bound: that many were.</summary>
    internal void GoBack(int size)
    {
        _cursor = ref Unsafe.Subtract(ref _cursor, size);
        _remaining += size;
    }

    /// <summary>Takes <paramref name="size"/> bytes as a span into the source: valid as long as the source is.</summary>
    /// <inheritdoc cref="Take" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> TakeSpan(int size) => MemoryMarshal.CreateReadOnlySpan(in Take(size), size);

    /// <summary>
    /// Takes a fixed number of bytes and behind them a string of 1 to 125 chars, one byte each, when that is what is there; else nothing is taken. One step of the cursor instead of three: each waits for what the one
    /// before it has stored.
    /// </summary>
    /// <param name="size">How many bytes before the string.</param>
    /// <param name="length">Of the string, or 0 when nothing is taken.</param>
    /// <returns>The first of the bytes. Bound, when they are taken: <paramref name="size"/> bytes, the string's header and its chars are readable.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref readonly byte TakeShortText(int size, out int length)
    {
        ref byte start = ref _cursor;
        length = 0;
        if (size >= _remaining) return ref start;
        int header = Unsafe.Add(ref start, size);
        int taken = size + 1 + (header >> 1);
        if ((header & 1) == 0 || header >= CompactNumber.Marker16 || taken > _remaining) return ref start;
        // The empty one is nothing usual: 0 chars are for the caller what is not taken.
        length = header >> 1;
        if (length == 0) return ref start;
        _cursor = ref Unsafe.Add(ref start, taken);
        _remaining -= taken;
        return ref start;
    }

    /// <summary>Reads a compact number (docs/formats/record.md). Only the shortest form is accepted.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no compact number in its shortest form, or end in it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadCompact()
    {
        byte first = Take(1);
        return first < CompactNumber.Marker16 ? first : ReadCompactLong(first);
    }

    /// <summary>Reads a presence byte, 0 or 1.</summary>
    /// <exception cref="NinoSerializationException">The byte is another, or there is none.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadPresence()
    {
        byte presence = Take(1);
        if (presence > 1) Throw.BadPresence(presence);
        return presence != 0;
    }

    /// <summary>Reads the body of an object without members: one zero byte.</summary>
    /// <exception cref="NinoSerializationException">The byte is another, or there is none.</exception>
    public void ReadEmptyBody() => NinoGenerated.CheckEmpty(Take(1));

    /// <summary>
    /// Reads the count of a collection's elements, stored as count + 1 with 0 for null, and checks that the bytes left can hold so many elements
    /// before the caller allocates for them.
    /// </summary>
    /// <param name="minElementSize">Least bytes of one element, at least 1 (an object without members takes one zero byte, so no element is free).</param>
    /// <returns>The count, or -1 for null.</returns>
    /// <exception cref="NinoSerializationException">The bytes are no compact number, or so many elements do not fit into the bytes left behind it, or into an array.</exception>
    public int ReadCount(int minElementSize) => CountOf(ReadCompact(), minElementSize);

    /// <summary>
    /// Counts the memory of a collection's elements or pairs, before it is made, where they may have less than a sixteenth of it in the record: absent values of large structs. Asked of <typeparamref name="T"/> when that is compiled, so it costs others nothing.
    /// </summary>
    /// <param name="count">How many there are.</param>
    /// <param name="minSize">The least bytes of one in the record.</param>
    /// <exception cref="NinoSerializationException">All of the record's take more than <see cref="NinoLimits.MaxRecordBytes"/>, and than <see cref="NinoLimits.MaxGrowth"/> times its length.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void TakeRoom<T>(int count, int minSize)
    {
        if (Unsafe.SizeOf<T>() > 16 * minSize && count > 0) CountRoom(ref _room, (long)count * Unsafe.SizeOf<T>());
    }

    /// <summary>
    /// Counts the memory of an absent value that takes a kilobyte and more: one byte of the record. Counted apart from <see cref="TakeRoom{T}(int, int)"/>, which has counted those in collections before they are made: these are what objects hold. Costs smaller types nothing.
    /// </summary>
    /// <exception cref="NinoSerializationException">All of the record's take more than <see cref="NinoLimits.MaxRecordBytes"/>, and than <see cref="NinoLimits.MaxGrowth"/> times its length.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CountAbsent<T>()
    {
        if (Unsafe.SizeOf<T>() >= 1024) CountRoom(ref _absent, Unsafe.SizeOf<T>());
    }

    private readonly void CountRoom(ref long room, long bytes)
    {
        NinoLimits limits = Limits;
        long most = Math.Max(limits.MaxRecordBytes, (long)limits.MaxGrowth * _length);
        if ((room += bytes) > most) Throw.TooMuchRoom(most);
    }

    /// <summary>As <see cref="ReadCount(int)"/>, with the comparer that the collection was written with.</summary>
    internal int ReadCount(int minElementSize, out KnownComparer comparer) => CountOf(ReadHeader(out comparer), minElementSize);

    /// <summary>Reads the header of a collection: a compact number, behind the mark of a comparer if there is one. Lists may have a mark: a set may have been written into their place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint ReadHeader(out KnownComparer comparer)
    {
        comparer = KnownComparer.Default;
        byte first = Take(1);
        return first < CompactNumber.Marker16 ? first : ReadHeaderLong(first, out comparer);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadHeaderLong(byte first, out KnownComparer comparer)
    {
        comparer = KnownComparer.Default;
        if (first != CompactNumber.ComparerMark) return ReadCompactLong(first);

        byte number = Take(1);
        if (number is 0 or > (byte)KnownComparer.InvariantCultureIgnoreCase) Throw.BadComparer(number);
        comparer = (KnownComparer)number;
        uint header = ReadCompact();
        if (header == 0) Throw.ComparerOfNull();
        return header;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly int CountOf(uint stored, int minElementSize)
    {
        if (stored == 0) return -1;
        CheckCount(stored - 1, minElementSize);
        if (stored - 1 > (uint)Array.MaxLength) Throw.CountTooLarge(stored - 1, minElementSize, _remaining);
        return (int)(stored - 1);
    }

    /// <summary>Checks that <paramref name="count"/> elements of at least <paramref name="minElementSize"/> bytes fit into the bytes left. Takes nothing.</summary>
    /// <exception cref="NinoSerializationException">They do not.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckCount(uint count, int minElementSize)
    {
        if ((ulong)count * (uint)minElementSize > (uint)_remaining) Throw.CountTooLarge(count, minElementSize, _remaining);
    }

    /// <summary>Enters one object of a recursive type. Pair with <see cref="Leave"/>.</summary>
    /// <exception cref="NinoSerializationException">Deeper than <see cref="NinoLimits.MaxDepth"/>, or than the stack of the thread allows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        int most = Limits.MaxDepth;
        if (++_depth > most) Throw.TooDeepToRead(most);
        StackGuard.Enter(ref _looked);
    }

    /// <summary>Leaves an object entered by <see cref="Enter"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Gives the next number to an object to which references are kept, before any of its members is read.</summary>
    /// <returns>The number, for <see cref="SetReference"/> and <see cref="EndReference"/>.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public int AddReference() => (_references ??= new ReadReferences()).Add();

    /// <summary>As <see cref="AddReference()"/>, of an object that can be referred to at once: it is made when that happens, and its constructor runs in place when what that takes is read (<see cref="EarlyReference"/>).</summary>
    /// <param name="type">The exact type of the object.</param>
    /// <returns>The number, for <see cref="EarlyReference"/> and <see cref="EndReference"/>.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public int AddReference([DynamicallyAccessedMembers(ReadReferences.Constructors)] Type type) => (_references ??= new ReadReferences()).Add(type);

    /// <summary>From here on the object can be referred to.</summary>
    /// <exception cref="NinoSerializationException">No object of the record has this number.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void SetReference(int number, object value) => References.Set(number, value);

    /// <summary>The object that was added with its type, when something in front of its constructor referred to it: the caller runs the constructor on it. Null when nothing did: the caller makes the object and calls <see cref="SetReference"/>.</summary>
    /// <exception cref="NinoSerializationException">No object of the record has this number.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly T? EarlyReference<T>(int number) where T : class => Unsafe.As<T?>(References.Early(number));

    /// <summary>All of an object to which references are kept has been read: collections that ask it for a key or an order can now.</summary>
    /// <exception cref="NinoSerializationException">One of them does not take it, or the record has no object with a number.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndReference(int number) => References.End(number, ref this);

    /// <summary>Reading the object calls setters that are code of the user's. Called behind <see cref="AddReference()"/>.</summary>
    /// <exception cref="NinoSerializationException">No object of the record has this number.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void ExpectSetters(int number) => References.ExpectSetters(number);

    // Asked for by types that keep references only.
    private readonly ReadReferences References
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if (_references is null) Throw.NoReferences();
            return _references;
        }
    }

    /// <summary>An object of which a constructor or setters have still to run was handed out: they may change what has been read.</summary>
    internal readonly bool IsChangeExpected => _references is { IsChangeExpected: true };

    /// <summary>Starts a record: objects are numbered, and comparisons of keys and the memory of large structs counted, from there. A reader may read many records, one after the other.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginRecord()
    {
        _references?.Truncate(0);
        _keyComparisons = 0;
        _room = _absent = 0;
        IsKey = false;
    }

    /// <summary>Counts steps beyond the ordinary: those that adding a key is about to take (see <see cref="KeyChains"/>), and bytes that were encoded to compare collections (see <see cref="NinoBeside"/>).</summary>
    /// <exception cref="NinoSerializationException">The record has taken more than <see cref="NinoLimits.MaxKeyComparisons"/>.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void SpendKeyComparisons(long steps)
    {
        long limit = Limits.MaxKeyComparisons;
        if (steps > limit - _keyComparisons) Throw.TooManyKeyComparisons(limit);
        _keyComparisons += steps;
    }

    /// <summary>The bounds of what is read.</summary>
    internal readonly NinoLimits Limits => _limits ?? NinoLimits.Default;

    /// <summary>How many objects have a number so far. For a look ahead with a copy of the reader, which shares the numbers: see <see cref="ForgetReferences"/>.</summary>
    internal readonly int ReferenceCount => _references?.Count ?? 0;

    /// <summary>Takes back the numbers that a look ahead gave.</summary>
    internal readonly void ForgetReferences(int count) => _references?.Truncate(count);

    /// <summary>The object that a stored reference above 1 names.</summary>
    /// <exception cref="NinoSerializationException">No object has this number yet, or it cannot be referred to yet.</exception>
    internal readonly object Resolve(uint reference)
    {
        if (_references is null) Throw.UnknownReference(reference - 2, 0);
        return _references.Resolve(reference - 2);
    }

    /// <summary>The outermost object, among elements, of which not all has been read; -1 when there is none. Of structs that hold one: -1.</summary>
    internal readonly int OutermostUnfinished<T>(IEnumerable<T> elements) =>
        CanBeUnfinished<T>() && _references is { HasUnfinished: true } ? _references.OutermostUnfinished((IEnumerable<object?>)elements) : -1;

    /// <summary>As <see cref="OutermostUnfinished{T}"/>, among keys and values.</summary>
    internal readonly int OutermostUnfinished<TKey, TValue>(KeyValuePair<TKey, TValue>[] pairs)
    {
        if (_references is not { HasUnfinished: true }) return -1;
        int key = CanBeUnfinished<TKey>() ? OutermostUnfinished(pairs.Select(static pair => pair.Key)) : -1;
        int value = CanBeUnfinished<TValue>() ? OutermostUnfinished(pairs.Select(static pair => pair.Value)) : -1;
        return key < 0 || value < 0 ? Math.Max(key, value) : Math.Min(key, value);
    }

    private static bool CanBeUnfinished<T>() => !typeof(T).IsValueType && typeof(T) != typeof(string);

    /// <inheritdoc cref="ReadReferences.Await"/>
    internal readonly void Await(int number, WhenEnded action) => _references!.Await(number, action);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadCompactLong(byte first)
    {
        if (first == CompactNumber.Marker16)
        {
            ushort value = Unsafe.ReadUnaligned<ushort>(in Take(2));
            if (value < CompactNumber.Marker16) Throw.NotShortestForm();
            return value;
        }

        if (first == CompactNumber.Marker32)
        {
            uint value = Unsafe.ReadUnaligned<uint>(in Take(4));
            if (value <= ushort.MaxValue) Throw.NotShortestForm();
            return value;
        }

        Throw.BadCompactMarker(first);
        return 0;
    }
}
