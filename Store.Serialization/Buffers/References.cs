// The objects of one record to which references are kept, numbered in the order in which they are first met. Format page: docs/formats/record.md,
// "References".

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>What reading has met. Numbers are bounded by the record: an object takes at least two bytes.</summary>
internal sealed class ReadReferences
{
    /// <summary>What reading an object in place takes: its constructors, in generated code.</summary>
    public const DynamicallyAccessedMemberTypes Constructors = DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors;

    private readonly List<Slot> _slots = [];
    private readonly UnfinishedObjects _unfinished = new();

    public int Count => _slots.Count;

    public int Add() => Add(default(Slot));

    /// <summary>As <see cref="Add()"/>, of an object that is made when something refers to it before its constructor runs.</summary>
    /// <param name="early">Its exact type.</param>
    public int Add([DynamicallyAccessedMembers(Constructors)] Type early) => Add(new Slot { Early = early });

    public void Set(int number, object value) => _slots[number] = new Slot { Value = value };

    /// <summary>All of the object has been read.</summary>
    public void End(int number, ref NinoReader reader) => _unfinished.End(number, ref reader);

    /// <summary>There is an object of which not all has been read.</summary>
    public bool HasUnfinished => _unfinished.Any;

    /// <inheritdoc cref="UnfinishedObjects.OutermostOf"/>
    public int OutermostUnfinished(IEnumerable<object?> elements) => _unfinished.OutermostOf(elements, this);

    /// <inheritdoc cref="UnfinishedObjects.FillTwice"/>
    public void FillTwice(int number, IFilledAgain collection, ref NinoReader reader) => _unfinished.FillTwice(number, collection, ref reader);

    /// <inheritdoc cref="UnfinishedObjects.WaitsFor"/>
    public int WaitsFor(object collection) => _unfinished.WaitsFor(collection);

    /// <summary>The object, when it is made.</summary>
    public object? Made(int number) => _slots[number].Value;

    /// <summary>The object, when it was referred to before its constructor ran.</summary>
    public object? Early(int number)
    {
        object? value = _slots[number].Value;
        // As of any other object whose constructor begins.
        if (value is not null) GC.ReRegisterForFinalize(value);
        return value;
    }

    public void Truncate(int count)
    {
        if (count < _slots.Count) _slots.RemoveRange(count, _slots.Count - count);
        _unfinished.Truncate(count);
    }

    public object Resolve(uint number)
    {
        if (number >= (uint)_slots.Count) Throw.UnknownReference(number, _slots.Count);
        return _slots[(int)number].Value ?? Make((int)number);
    }

    private int Add(Slot slot)
    {
        int number = _slots.Count;
        _slots.Add(slot);
        _unfinished.Begin(number);
        return number;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object Make(int number)
    {
        Type? type = _slots[number].Early;
        if (type is null) Throw.UnfinishedReference(number);
        object value = RuntimeHelpers.GetUninitializedObject(type);
        // A finalizer counts on a constructor that ran, and this one's need not come so far.
        GC.SuppressFinalize(value);
        _slots[number] = new Slot { Value = value, Early = type };
        return value;
    }

    private struct Slot
    {
        public object? Value;

        [DynamicallyAccessedMembers(Constructors)]
        public Type? Early;
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

    public void Set(int number) => _canRefer[number] = true;
}
