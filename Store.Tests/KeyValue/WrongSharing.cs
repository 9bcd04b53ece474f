// What do states of one store share that should share nothing?

using System.Runtime.CompilerServices;

namespace Store.Tests.KeyValue;

/// <summary>How many keys all states of a store have, for an engine that does not tell them apart.</summary>
internal static class WrongKeys
{
    private static readonly ConditionalWeakTable<NinoStore, StrongBox<long>> Counts = [];

    public static StrongBox<long> Of(NinoStore store) => Counts.GetValue(store, static _ => new StrongBox<long>());
}

/// <summary>Stores in which a state has failed, for an engine whose states fail together.</summary>
internal static class WrongNeighbours
{
    private static readonly ConditionalWeakTable<NinoStore, object> Failed = [];

    public static bool HaveFailed(NinoStore store) => Failed.TryGetValue(store, out _);

    public static void Fail(NinoStore store) => Failed.AddOrUpdate(store, store);
}
