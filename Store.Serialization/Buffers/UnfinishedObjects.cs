// Which objects are being read, from the outermost on, and the collections that hold one of them. A collection that asks its elements what they are when they are added (a KeyedCollection for their keys, one with a
// comparer of its own for their order) asks such an object too early, where a record begins at a child whose parent has it in the collection. It is filled then, for code that looks in between, and once more when the object has all
// that it is asked for.

namespace Store.Serialization;

/// <summary>A collection that is filled once more.</summary>
internal interface IFilledAgain
{
    /// <summary>The collection.</summary>
    object Collection { get; }

    /// <summary>Fills it.</summary>
    /// <param name="reader">Counts comparisons for the record.</param>
    /// <param name="isAgain">It has been filled, or a part of it has: it is emptied first.</param>
    /// <exception cref="NinoSerializationException">It does not take its elements.</exception>
    void Fill(ref NinoReader reader, bool isAgain);
}

internal sealed class UnfinishedObjects
{
    // For more elements a table is made. A look for each of them costs a record no more than MaxDepth steps.
    private const int FewElements = 8;

    // Numbers of objects, ascending.
    private readonly List<int> _open = [];
    private Dictionary<int, List<IFilledAgain>>? _waiting;
    private Dictionary<object, int>? _collections;

    public bool Any => _open.Count > 0;

    public void Begin(int number) => _open.Add(number);

    public void End(int number, ref NinoReader reader)
    {
        // What stands behind it was given up by code of the user's that read it and took its exception.
        while (_open.Count > 0 && _open[^1] >= number) _open.RemoveAt(_open.Count - 1);
        if (_waiting is not null && _waiting.Remove(number, out List<IFilledAgain>? collections)) Fill(collections, ref reader);
    }

    public void Truncate(int count)
    {
        if (count > 0) return;
        _open.Clear();
        _waiting = null;
        _collections = null;
    }

    /// <summary>The number of the outermost object of which not all has been read, among elements; -1 when there is none.</summary>
    public int OutermostOf(IEnumerable<object?> elements, ReadReferences references)
    {
        int outermost = int.MaxValue, looked = 0;
        Dictionary<object, int>? table = null;
        foreach (object? element in elements)
        {
            if (element is null) continue;
            if (looked++ < FewElements)
            {
                foreach (int number in _open)
                {
                    if (ReferenceEquals(references.Made(number), element)) outermost = Math.Min(outermost, number);
                }
            }
            else if ((table ??= Table(references)).TryGetValue(element, out int number))
            {
                outermost = Math.Min(outermost, number);
            }
        }

        return outermost == int.MaxValue ? -1 : outermost;
    }

    /// <summary>Fills a collection now, as far as it takes objects of which not all has been read, and again when all of an object has been read, in front of the object's callbacks.</summary>
    public void FillTwice(int number, IFilledAgain collection, ref NinoReader reader)
    {
        try
        {
            collection.Fill(ref reader, isAgain: false);
        }
        catch (Exception error) when (error is not (OutOfMemoryException or InsufficientExecutionStackException))
        {
            // Of an object that has nothing yet any answer is wrong: it counts what comes when it is filled again.
        }

        _waiting ??= [];
        if (!_waiting.TryGetValue(number, out List<IFilledAgain>? collections)) _waiting.Add(number, collections = []);
        collections.Add(collection);
        (_collections ??= new(ReferenceEqualityComparer.Instance))[collection.Collection] = number;
    }

    /// <summary>The object for which a collection waits, or -1.</summary>
    public int WaitsFor(object collection) => _collections is not null && _collections.TryGetValue(collection, out int number) && _open.BinarySearch(number) >= 0 ? number : -1;

    private static void Fill(List<IFilledAgain> collections, ref NinoReader reader)
    {
        foreach (IFilledAgain collection in collections) collection.Fill(ref reader, isAgain: true);
    }

    private Dictionary<object, int> Table(ReadReferences references)
    {
        var table = new Dictionary<object, int>(_open.Count, ReferenceEqualityComparer.Instance);
        foreach (int number in _open)
        {
            if (references.Made(number) is { } value) table[value] = number;
        }

        return table;
    }
}
