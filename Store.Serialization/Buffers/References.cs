// The objects of one record to which references are kept, numbered in the order in which they are first met. Format page: docs/formats/record.md,
// "References".

using System.Diagnostics;

namespace Store.Serialization;

/// <summary>What reading has met. Numbers are bounded by the record: an object takes at least two bytes.</summary>
internal sealed class ReadReferences
{
    private readonly List<object?> _objects = [];

    public int Count => _objects.Count;

    public int Add()
    {
        _objects.Add(null);
        return _objects.Count - 1;
    }

    public void Set(int number, object value) => _objects[number] = value;

    public void Truncate(int count)
    {
        if (count < _objects.Count) _objects.RemoveRange(count, _objects.Count - count);
    }

    public object Resolve(uint number)
    {
        if (number >= (uint)_objects.Count) Throw.UnknownReference(number, _objects.Count);
        if (_objects[(int)number] is not { } value)
        {
            Throw.UnfinishedReference((int)number);
            return null;
        }

        return value;
    }
}

/// <summary>What writing has met. One is kept for each thread, empty.</summary>
internal sealed class WriteReferences
{
    private const int KeptCapacity = 4096;

    [ThreadStatic]
    private static WriteReferences? _cached;

    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);

    /// <summary>By number: whether reading has made the object when it comes to what is written next.</summary>
    private readonly List<bool> _isMade = [];

    public int Last => _isMade.Count - 1;

    public static WriteReferences Rent()
    {
        WriteReferences? references = _cached;
        _cached = null;
        Debug.Assert(references is null or { Last: -1 }, "Returned references are empty");
        return references ?? new WriteReferences();
    }

    public void Return()
    {
        if (_isMade.Capacity > KeptCapacity) return;
        _numbers.Clear();
        _isMade.Clear();
        _cached = this;
    }

    /// <summary>What is stored for an object: its number + 2 when it is known, else 1.</summary>
    public uint Add(object value)
    {
        if (_numbers.TryGetValue(value, out int number))
        {
            if (!_isMade[number]) Throw.CycleThroughConstructor(value.GetType());
            return (uint)number + 2;
        }

        _numbers.Add(value, _isMade.Count);
        _isMade.Add(false);
        return 1;
    }

    public void Set(int number) => _isMade[number] = true;
}
