// The objects of one record to which references are kept, numbered in the order in which they are first met. Format page: docs/formats/record.md,
// "References".

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Done when all of an object has been read.</summary>
/// <remarks>
/// For collections that ask their elements what they are when they are added (a KeyedCollection for their keys, one with a comparer of its own for their order). Where a record begins at a child whose parent has it in
/// such a collection, the child is asked too early. The collection is filled then, for code that looks in between, and once more when the child has all that it is asked for. What it refuses the first time is an error,
/// although it might take it later: who is given the collection may copy it, and a copy without elements would be one that lost them in silence.
/// </remarks>
/// <param name="reader">Counts comparisons for the record.</param>
/// <exception cref="NinoSerializationException">The collection does not take its elements.</exception>
internal delegate void WhenEnded(ref NinoReader reader);

/// <summary>What reading has met. Numbers are bounded by the record: an object takes at least two bytes.</summary>
internal sealed class ReadReferences
{
    /// <summary>What reading an object in place takes: its constructors, in generated code.</summary>
    public const DynamicallyAccessedMemberTypes Constructors = DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors;

    private const int FewElements = 8;

    // Arrays, not lists, which check and count what nobody looks at.
    private Slot[] _slots = new Slot[4];
    private int _count;

    // The numbers of the objects of which not all has been read, from the outermost on.
    private int[] _open = new int[8];
    private int _openCount;
    private Dictionary<int, List<WhenEnded>>? _waiting;

    public int Count => _count;

    public int Add() => Add(default(Slot));

    /// <summary>As <see cref="Add()"/>, of an object that is made when something refers to it before its constructor runs.</summary>
    /// <param name="early">Its exact type.</param>
    public int Add([DynamicallyAccessedMembers(Constructors)] Type early) => Add(new Slot { Early = early });

    public void Set(int number, object value)
    {
        ref Slot slot = ref SlotOf(number);
        slot.Value = value;
        slot.Early = null;
    }

    /// <summary>Reading the object calls setters that are code of the user's.</summary>
    public void ExpectSetters(int number) => SlotOf(number).RunsSetters = true;

    /// <summary>An object of which a constructor or setters have still to run was handed out: they may change what has been read.</summary>
    public bool IsChangeExpected { get; private set; }

    /// <summary>There is an object of which not all has been read.</summary>
    public bool HasUnfinished => _openCount > 0;

    /// <summary>All of the object has been read: what waits for it is done, that first which began to wait first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void End(int number, ref NinoReader reader)
    {
        int count = _openCount - 1;
        if (_waiting is null && (uint)count < (uint)_open.Length && _open[count] == number) _openCount = count;
        else EndAll(number, ref reader);
    }

    /// <summary>The number of the outermost object of which not all has been read, among elements; -1 when there is none.</summary>
    public int OutermostUnfinished(IEnumerable<object?> elements)
    {
        int outermost = int.MaxValue, looked = 0;
        ReadOnlySpan<int> open = _open.AsSpan(0, _openCount);
        Dictionary<object, int>? table = null;
        foreach (object? element in elements)
        {
            if (element is null) continue;
            // No element costs more than there are open objects, which MaxDepth bounds, and a table is made only where more elements pay for it.
            if (looked++ < Math.Max(open.Length, FewElements))
            {
                foreach (int number in open)
                {
                    if (ReferenceEquals(_slots[number].Value, element)) outermost = Math.Min(outermost, number);
                }
            }
            else if ((table ??= Unfinished()).TryGetValue(element, out int number))
            {
                outermost = Math.Min(outermost, number);
            }
        }

        return outermost == int.MaxValue ? -1 : outermost;
    }

    /// <summary>Puts off what is to be done when all of an object has been read, in front of the object's callbacks.</summary>
    public void Await(int number, WhenEnded action)
    {
        _waiting ??= [];
        if (!_waiting.TryGetValue(number, out List<WhenEnded>? actions)) _waiting.Add(number, actions = []);
        actions.Add(action);
    }

    /// <summary>The object, when it was referred to before its constructor ran.</summary>
    public object? Early(int number)
    {
        object? value = SlotOf(number).Value;
        // As of any other object whose constructor begins.
        if (value is not null) GC.ReRegisterForFinalize(value);
        return value;
    }

    public void Truncate(int count)
    {
        if (count < _count) Array.Clear(_slots, count, _count - count);
        _count = Math.Min(count, _count);
        while (_openCount > 0 && _open[_openCount - 1] >= count) _openCount--;
        // What a record that was given up has left would be done for another object. A look ahead (MapKeys) makes no collections, so that nothing waits behind it that did not before.
        if (count > 0) return;
        _waiting = null;
        IsChangeExpected = false;
    }

    public object Resolve(uint number)
    {
        if (number >= (uint)_count) Throw.UnknownReference(number, _count);
        ref Slot slot = ref _slots[(int)number];
        if (slot.RunsSetters && !IsChangeExpected) IsChangeExpected = _open.AsSpan(0, _openCount).BinarySearch((int)number) >= 0;
        return slot.Value ?? Make((int)number);
    }

    private ref Slot SlotOf(int number)
    {
        if ((uint)number >= (uint)_count) Throw.NotAdded(number, _count);
        return ref _slots[number];
    }

    private int Add(Slot slot)
    {
        int number = _count;
        if (number == _slots.Length) Array.Resize(ref _slots, 2 * number);
        _slots[number] = slot;
        _count = number + 1;
        if (_openCount == _open.Length) Array.Resize(ref _open, 2 * _openCount);
        _open[_openCount++] = number;
        return number;
    }

    // Those behind it that nobody ended are of a codec that was written by hand, or it gave them up.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndAll(int number, ref NinoReader reader)
    {
        while (_openCount > 0 && _open[_openCount - 1] >= number)
        {
            int ended = _open[--_openCount];
            if (_waiting is null || !_waiting.Remove(ended, out List<WhenEnded>? actions)) continue;
            foreach (WhenEnded action in actions) action(ref reader);
        }
    }

    private Dictionary<object, int> Unfinished()
    {
        var table = new Dictionary<object, int>(ReferenceEqualityComparer.Instance);
        foreach (int number in _open.AsSpan(0, _openCount))
        {
            if (_slots[number].Value is { } value) table[value] = number;
        }

        return table;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object Make(int number)
    {
        Type? type = _slots[number].Early;
        if (type is null) Throw.UnfinishedReference(number);
        object value = RuntimeHelpers.GetUninitializedObject(type);
        // A finalizer counts on a constructor that ran, and this one's need not come so far.
        GC.SuppressFinalize(value);
        _slots[number].Value = value;
        IsChangeExpected = true;
        return value;
    }

    private struct Slot
    {
        public object? Value;

        [DynamicallyAccessedMembers(Constructors)]
        public Type? Early;

        public bool RunsSetters;
    }
}

/// <summary>What writing has met. Some are kept for each thread, empty: records nest.</summary>
internal sealed class WriteReferences
{
    private const int KeptCapacity = 4096;
    private const int MaxCached = 8;

    [ThreadStatic]
    private static WriteReferences? _cached;

    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);

    /// <summary>By number: whether reading can give the object to what is written next.</summary>
    private readonly List<bool> _canRefer = [];
    private WriteReferences? _next;
    private int _depth;

    public int Last => _canRefer.Count - 1;

    public static WriteReferences Rent()
    {
        WriteReferences? references = _cached;
        if (references is null) return new WriteReferences();
        Debug.Assert(references.Last == -1, "Returned references are empty");
        _cached = references._next;
        references._next = null;
        return references;
    }

    public void Return()
    {
        int depth = (_cached?._depth ?? 0) + 1;
        if (_canRefer.Capacity > KeptCapacity || depth > MaxCached) return;
        _numbers.Clear();
        _canRefer.Clear();
        (_next, _depth) = (_cached, depth);
        _cached = this;
    }

    /// <summary>What is stored for an object: its number + 2 when it is known, else 1.</summary>
    public uint Add(object value)
    {
        if (_numbers.TryGetValue(value, out int number))
        {
            if (!_canRefer[number]) Throw.CycleThroughFactory(value.GetType());
            return (uint)number + 2;
        }

        _numbers.Add(value, _canRefer.Count);
        _canRefer.Add(false);
        return 1;
    }

    public void Set(int number)
    {
        if ((uint)number >= (uint)_canRefer.Count) Throw.NotAdded(number, _canRefer.Count);
        _canRefer[number] = true;
    }
}
