// Collections that hold an object of which not all has been read. One that asks its elements what they are when they are added (a KeyedCollection for their keys, one with a comparer of its own for their order) asks such an
// object too early, where a record begins at a child whose parent has it in the collection. It is filled then, for code that looks in between, and once more when the object has all that it is asked for.

namespace Store.Serialization;

/// <summary>A collection that is filled once more.</summary>
internal interface IFilledAgain
{
    /// <summary>Fills it.</summary>
    /// <param name="reader">Counts comparisons for the record.</param>
    /// <param name="isAgain">It has been filled, or a part of it has: it is emptied first.</param>
    /// <exception cref="NinoSerializationException">It does not take its elements.</exception>
    void Fill(ref NinoReader reader, bool isAgain);
}

/// <summary>Those of one record, by the number of the object for which they wait.</summary>
internal sealed class WaitingCollections
{
    private readonly Dictionary<int, List<IFilledAgain>> _waiting = [];

    /// <inheritdoc cref="ReadReferences.FillTwice"/>
    public void FillTwice(int number, IFilledAgain collection, ref NinoReader reader)
    {
        // What it refuses now is an error, although it might take it later: who is given the collection may copy it, and a copy without elements would be one that lost them in silence.
        collection.Fill(ref reader, isAgain: false);
        if (!_waiting.TryGetValue(number, out List<IFilledAgain>? collections)) _waiting.Add(number, collections = []);
        collections.Add(collection);
    }

    /// <summary>Fills the collections that wait for an object, those first that were read first.</summary>
    public void Fill(int number, ref NinoReader reader)
    {
        if (!_waiting.Remove(number, out List<IFilledAgain>? collections)) return;
        foreach (IFilledAgain collection in collections) collection.Fill(ref reader, isAgain: true);
    }
}
