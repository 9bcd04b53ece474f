// Which keys may change their shape? Those of which two can never become one: keys that were told apart must not be merged, the newer over the older, and the log released behind them.

using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using V1 = Shop.FSharp.V1;
using V2 = Shop.FSharp.V2;

[assembly: NinoSerializable(typeof((int, int)))]
[assembly: NinoSerializable(typeof((int, long)))]

namespace Store.Tests.Evolution;

/// <summary>Keys as an older release had them.</summary>
public static class KeysBefore
{
    [NinoType, NinoUnion(0, typeof(ByNumber)), NinoUnion(1, typeof(ByName))]
    public abstract record Key;

    [NinoType]
    public sealed record ByNumber(int Number, int Part) : Key;

    [NinoType]
    public sealed record ByName(string Name) : Key;
}

/// <summary>The same keys when one of the cases lost a member.</summary>
public static class KeysWithLess
{
    [NinoType, NinoUnion(0, typeof(ByNumber)), NinoUnion(1, typeof(ByName)), NinoFormerName("Store.Tests.Evolution.KeysBefore+Key")]
    public abstract record Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.KeysBefore+ByNumber")]
    public sealed record ByNumber(int Number) : Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.KeysBefore+ByName")]
    public sealed record ByName(string Name) : Key;
}

/// <summary>The same keys when there is a case more.</summary>
public static class KeysWithMore
{
    [NinoType, NinoUnion(0, typeof(ByNumber)), NinoUnion(1, typeof(ByName)), NinoUnion(2, typeof(ByDay)), NinoFormerName("Store.Tests.Evolution.KeysBefore+Key")]
    public abstract record Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.KeysBefore+ByNumber")]
    public sealed record ByNumber(int Number, int Part) : Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.KeysBefore+ByName")]
    public sealed record ByName(string Name) : Key;

    [NinoType]
    public sealed record ByDay(DateOnly Day) : Key;
}

/// <summary>Values of several types, as an older release had them; readers skip those that they do not know.</summary>
public static class MessagesBefore
{
    [NinoType(SkipUnknownCases = true)]
    public abstract record Message;

    [NinoType]
    public sealed record Ping(int Number) : Message;

    [NinoType]
    public sealed record Chat(string Text) : Message;
}

/// <summary>The same values when there is a case less.</summary>
public static class MessagesAfter
{
    [NinoType(SkipUnknownCases = true), NinoFormerName("Store.Tests.Evolution.MessagesBefore+Message")]
    public abstract record Message;

    [NinoType, NinoFormerName("Store.Tests.Evolution.MessagesBefore+Ping")]
    public sealed record Ping(int Number) : Message;
}

/// <summary>Keys whose cases are told apart by their names, as an older release had them.</summary>
public static class NamedKeysBefore
{
    [NinoType]
    public abstract record Key;

    [NinoType]
    public sealed record ByNumber(int Number, int Part) : Key;

    [NinoType]
    public sealed record ByPlace(int Number, int Part) : Key;
}

/// <summary>The same keys under other names.</summary>
public static class NamedKeysAfter
{
    [NinoType, NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+Key")]
    public abstract record Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+ByNumber")]
    public sealed record ByNumber(int Number, int Part) : Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+ByPlace")]
    public sealed record ByRoom(int Number, int Part) : Key;
}

/// <summary>The same keys when two of the cases became one.</summary>
public static class NamedKeysMerged
{
    [NinoType, NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+Key")]
    public abstract record Key;

    [NinoType, NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+ByNumber"), NinoFormerName("Store.Tests.Evolution.NamedKeysBefore+ByPlace")]
    public sealed record ByNumber(int Number, int Part) : Key;
}

public class KeyEvolutionTests
{
    /// <summary>As a member of a change a list may become a single value: an empty one, and one of zero, the same.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task ListsThatBecomeASingleValueAreRefused(bool withCheckpoint) => Refused<int[], int>(withCheckpoint, [], [0]);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task KeysOfSeveralTypesOfWhichTwoBecameOneAreRefused(bool withCheckpoint) =>
        Refused<NamedKeysBefore.Key, NamedKeysMerged.Key>(withCheckpoint, new NamedKeysBefore.ByNumber(1, 1), new NamedKeysBefore.ByPlace(1, 1));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task KeysOfSeveralTypesThatHaveOtherNamesNowAreFound(bool withCheckpoint)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        using (IKeyValueStore<NamedKeysBefore.Key, int> old = store.OpenKeyValue<NamedKeysBefore.Key, int>("keys", KeyValueBed.Tiny))
        {
            old.Put(new NamedKeysBefore.ByNumber(1, 1), 1);
            old.Put(new NamedKeysBefore.ByPlace(1, 1), 2);
            if (withCheckpoint) await old.CheckpointAsync();
        }

        using IKeyValueStore<NamedKeysAfter.Key, int> keys = store.OpenKeyValue<NamedKeysAfter.Key, int>("keys", KeyValueBed.Tiny);
        Assert.True(keys.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(keys, new Dictionary<NamedKeysAfter.Key, int> { [new NamedKeysAfter.ByNumber(1, 1)] = 1, [new NamedKeysAfter.ByRoom(1, 1)] = 2 });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task KeysOfSeveralTypesOfWhichOneLostAMemberAreRefused(bool withCheckpoint) =>
        Refused<KeysBefore.Key, KeysWithLess.Key>(withCheckpoint, new KeysBefore.ByNumber(1, 1), new KeysBefore.ByNumber(1, 2), new KeysBefore.ByName("a"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task KeysOfAnFSharpUnionWhoseCasesChangedAreRefused(bool withCheckpoint) =>
        Refused<V1.Kind, V2.Kind>(withCheckpoint, V1.Kind.Small, V1.Kind.NewLarge(1), V1.Kind.NewLarge(2));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task KeysOfAClassThatLostAMemberAreRefused(bool withCheckpoint) => Refused<Before.Small, After.LessKey>(withCheckpoint, new(1, "a"), new(1, "b"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task TuplesWithAnotherMemberAreRefused(bool withCheckpoint) => Refused<(int, int), (int, long)>(withCheckpoint, (1, 1), (1, 2));

    [Fact]
    public async Task KeysOfSeveralTypesOfWhichThereIsOneMoreAreFound()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            using IKeyValueStore<KeysBefore.Key, int> old = store.OpenKeyValue<KeysBefore.Key, int>("keys", KeyValueBed.Tiny);
            old.Put(new KeysBefore.ByNumber(1, 1), 1);
            await old.CheckpointAsync();
            old.Put(new KeysBefore.ByNumber(1, 2), 2);
        }

        using NinoStore now = Simulated.Open(directory);
        using IKeyValueStore<KeysWithMore.Key, int> keys = now.OpenKeyValue<KeysWithMore.Key, int>("keys", KeyValueBed.Tiny);
        Assert.Equal((1L, 1L), (keys.Recovery.CheckpointSequence, keys.Recovery.ChangesReplayed));
        keys.Put(new KeysWithMore.ByDay(new DateOnly(2026, 11, 23)), 3);
        KeyValueBed.AssertHolds(keys, new Dictionary<KeysWithMore.Key, int> { [new KeysWithMore.ByNumber(1, 1)] = 1, [new KeysWithMore.ByNumber(1, 2)] = 2, [new KeysWithMore.ByDay(new DateOnly(2026, 11, 23))] = 3 });
    }

    /// <summary>Null would be put in its place for good, which nobody could read, and the log released behind it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task ValuesOfACaseThatIsGoneAreRefusedAlsoWhereUnknownOnesAreSkipped(bool withCheckpoint) =>
        ValuesRefused<MessagesBefore.Message, MessagesAfter.Message>(withCheckpoint, new MessagesBefore.Ping(1), new MessagesBefore.Chat("hello"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task EmptyListsThatBecomeASingleValueAreRefusedAsValues(bool withCheckpoint) => ValuesRefused<string[], string>(withCheckpoint, ["one"], []);

    [Fact]
    public async Task ValuesOfTheCasesThatStayAreReadWhereOneIsGone()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        using (IKeyValueStore<int, MessagesBefore.Message> old = store.OpenKeyValue<int, MessagesBefore.Message>("values", KeyValueBed.Tiny))
        {
            old.Put(1, new MessagesBefore.Ping(1));
            await old.CheckpointAsync();
        }

        using IKeyValueStore<int, MessagesAfter.Message> now = store.OpenKeyValue<int, MessagesAfter.Message>("values", KeyValueBed.Tiny);
        KeyValueBed.AssertHolds(now, new Dictionary<int, MessagesAfter.Message> { [1] = new MessagesAfter.Ping(1) });
    }

    private static async Task ValuesRefused<TThen, TNow>(bool withCheckpoint, params TThen[] values)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        using (IKeyValueStore<int, TThen> old = store.OpenKeyValue<int, TThen>("values", KeyValueBed.Tiny))
        {
            for (int i = 0; i < values.Length; i++) old.Put(i, values[i]);
            if (withCheckpoint) await old.CheckpointAsync();
        }

        Assert.Contains("which a keyed state cannot hold", Assert.Throws<SchemaMismatchException>(() => store.OpenKeyValue<int, TNow>("values", KeyValueBed.Tiny)).Message, StringComparison.Ordinal);
        using IKeyValueStore<int, TThen> again = store.OpenKeyValue<int, TThen>("values", KeyValueBed.Tiny);
        KeyValueBed.AssertHolds(again, values.Select(static (value, i) => (value, i)).ToDictionary(static pair => pair.i, static pair => pair.value));
    }

    /// <summary>One signals, the other is what a processor's cast makes of it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task KeysThatAreNoNumbersStayApartWhenTheyBecomeWider(bool withCheckpoint)
    {
        await Stay<float, double>(withCheckpoint, BitConverter.UInt32BitsToSingle, BitConverter.UInt64BitsToDouble, (0x7FA0_0001, 0x7FF4_0000_2000_0000), (0x7FE0_0001, 0x7FFC_0000_2000_0000), (0xFF80_0001, 0xFFF0_0000_2000_0000), (0xFFC0_0001, 0xFFF8_0000_2000_0000));
        await Stay<Half, double>(withCheckpoint, AsHalf, BitConverter.UInt64BitsToDouble, (0x7D01, 0x7FF4_0400_0000_0000), (0x7F01, 0x7FFC_0400_0000_0000), (0xFC01, 0xFFF0_0400_0000_0000), (0xFE01, 0xFFF8_0400_0000_0000));
        await Stay<Half, float>(withCheckpoint, AsHalf, static bits => BitConverter.UInt32BitsToSingle((uint)bits), (0x7D01, 0x7FA0_2000), (0x7F01, 0x7FE0_2000), (0xFC01, 0xFF80_2000), (0xFE01, 0xFFC0_2000));

        static Half AsHalf(uint bits) => BitConverter.UInt16BitsToHalf((ushort)bits);

        static async Task Stay<TThen, TNow>(bool withCheckpoint, Func<uint, TThen> then, Func<ulong, TNow> now, params (uint Then, ulong Now)[] keys)
        {
            using NinoStore store = Simulated.Open(new SimDirectory());
            using (IKeyValueStore<TThen, int> old = store.OpenKeyValue<TThen, int>("keys", KeyValueBed.Tiny))
            {
                for (int i = 0; i < keys.Length; i++) old.Put(then(keys[i].Then), i);
                if (withCheckpoint) await old.CheckpointAsync();
            }

            using IKeyValueStore<TNow, int> again = store.OpenKeyValue<TNow, int>("keys", KeyValueBed.Tiny);
            Assert.Equal(keys.Length, again.Count);
            for (int i = 0; i < keys.Length; i++) Assert.Equal((true, i), (again.TryGet(now(keys[i].Now), out int value), value));
        }
    }

    private static async Task Refused<TThen, TNow>(bool withCheckpoint, params TThen[] keys) where TThen : notnull
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        Dictionary<TThen, int> expected = keys.Select(static (key, i) => (key, i)).ToDictionary(static pair => pair.key, static pair => pair.i);
        using (IKeyValueStore<TThen, int> old = store.OpenKeyValue<TThen, int>("keys", KeyValueBed.Tiny))
        {
            foreach ((TThen key, int value) in expected) old.Put(key, value);
            if (withCheckpoint) await old.CheckpointAsync();
        }

        Assert.Contains("Keys keep their identity", Assert.Throws<SchemaMismatchException>(() => store.OpenKeyValue<TNow, int>("keys", KeyValueBed.Tiny)).Message, StringComparison.Ordinal);
        using IKeyValueStore<TThen, int> again = store.OpenKeyValue<TThen, int>("keys", KeyValueBed.Tiny);
        Assert.Equal(withCheckpoint, !again.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(again, expected);
    }
}
