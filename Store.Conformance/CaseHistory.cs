using Store.KeyValue;

namespace Store.Conformance;

/// <summary>
/// Changes whose sequence tells what they are, in a store that has no other records: so the last sequence of whatever is left of the log tells what the state has to be. Every fifth removes what the one before it put;
/// the others go round many keys, so that one that a checkpoint lacks is not made good by the next.
/// </summary>
internal static class CaseHistory
{
    private const int Keys = 211;

    /// <summary>Makes the change that gets a sequence. For one thread.</summary>
    public static void Change(IKeyValueStore<int, string> kv, long sequence)
    {
        long got = 0;
        if (IsDeletion(sequence)) Check.True(kv.Delete(KeyOf(sequence - 1)), $"The key of change {sequence - 1} is missing right after it");
        else got = kv.Put(KeyOf(sequence), ValueOf(sequence));
        if (got != 0) Check.Equal(sequence, got, "The sequence of a change");
    }

    /// <summary>Makes the changes up to one.</summary>
    public static void ChangeUpTo(NinoStore store, IKeyValueStore<int, string> kv, long last)
    {
        while (store.LastSequence < last) Change(kv, store.LastSequence + 1);
    }

    /// <summary>What a state has that holds the changes up to one and no other.</summary>
    public static Dictionary<int, string> At(long last)
    {
        var state = new Dictionary<int, string>();
        for (long sequence = 1; sequence <= last; sequence++)
        {
            if (IsDeletion(sequence)) state.Remove(KeyOf(sequence - 1));
            else state[KeyOf(sequence)] = ValueOf(sequence);
        }

        return state;
    }

    /// <summary>Asks whether a state has exactly what the log amounts to.</summary>
    public static void Holds(NinoStore store, IKeyValueStore<int, string> kv, string when)
    {
        try
        {
            Check.Holds(kv, At(store.LastSequence));
        }
        catch (ConformanceException e)
        {
            throw new ConformanceException($"{when}, the state is not what the log amounts to, which ends at {store.LastSequence} ({Text(kv.Recovery)}): {e.Message}");
        }
    }

    public static string Text(KeyValueRecovery recovery) => $"opened from {(recovery.RebuiltFromLog ? "the log alone" : $"the checkpoint at {recovery.CheckpointSequence}")}, {recovery.ChangesReplayed} changes replayed"
        + string.Concat(recovery.Rejected.Select(static one => $", rejected {one.File}: {one.Message}"));

    private static bool IsDeletion(long sequence) => sequence % 5 == 0;

    private static int KeyOf(long sequence) => (int)(sequence * 7 % Keys);

    private static string ValueOf(long sequence) => $"{sequence}:{new string('h', 60)}";
}
