// Parts and the records behind them, restored in one call: from the newest snapshot that is whole as far as it is read, with the gap check and the report that a state of one value has.

using Store.IO;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class RestorePartsTests
{
    private const int Items = 50_000;

    [Fact]
    public async Task PartsAndTheRecordsBehindThemComeBack()
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory)) await WriteAsync(store);
        await using NinoStore again = Simulated.Open(directory, 2);
        Held held = await again.RestorePartsAsync<Held, int>(Held.Of, static (held, record) => held.Records.Add(record));
        Assert.Equal((2, Items, Items), (held.Number, held.Items, held.Highest + 1));
        Assert.Equal([30], held.Records);
        Assert.Equal((SnapshotSamples.NameOf(2), 1L), (again.Recovery.SnapshotUsed, again.Recovery.RecordsReplayed));
        Assert.Empty(again.Recovery.Damage);

        // And over records of every type.
        Held all = await again.RestorePartsAsync(Held.Of, static (Held held, LogRecord record) => held.Records.Add(record.As<int>()), "Tests.Score");
        Assert.Equal((2, 30), (all.Number, Assert.Single(all.Records)));
    }

    /// <summary>In the middle of its items, when thousands have been read: whatever the callback makes of the exception, the state of the snapshot before is what comes back.</summary>
    [Theory]
    [InlineData("lets it pass")]
    [InlineData("wraps it")]
    [InlineData("takes what it has")]
    public async Task DamageInTheMiddleOfTheNewestItemsGoesBackToTheSnapshotBefore(string callback)
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory)) await WriteAsync(store);
        Spoil(directory, SnapshotSamples.NameOf(2));
        await using NinoStore again = Simulated.Open(directory, 2);
        List<int> seen = [];
        Held held = await again.RestorePartsAsync<Held, int>(file => Read(file!), static (held, record) => held.Records.Add(record));
        Assert.InRange(seen[0], 1000, Items - 1000);
        Assert.Equal([seen[0], Items], seen);
        Assert.Equal((1, Items), (held.Number, held.Items));
        Assert.Equal([20, 30], held.Records);
        Assert.Equal((SnapshotSamples.NameOf(1), 2L), (again.Recovery.SnapshotUsed, again.Recovery.RecordsReplayed));
        Assert.Equal(SnapshotSamples.NameOf(2), Assert.Single(again.Recovery.Damage).File);

        // And it is no generation from now on.
        await again.CheckpointPartsAsync(Held.Parts(3));
        Assert.Equal([3, 2, 1], again.Snapshots.Select(static s => s.Sequence));

        Held Read(SnapshotFile file)
        {
            var read = new Held { Number = (int)file.Part("number").Read<Score>().Points };
            try
            {
                foreach (int item in file.Part("items").Items<int>()) read.Items++;
                return read;
            }
            catch (StoreCorruptException e) when (callback != "lets it pass")
            {
                if (callback == "wraps it") throw new InvalidOperationException("no items", e);
                return read;
            }
            finally
            {
                seen.Add(read.Items);
            }
        }
    }

    /// <summary>What a callback has met is its own: a checkpoint that counts the generations meanwhile forgets those whose files are gone.</summary>
    [Fact]
    public async Task DamageThatWasMetGoesBackAlsoWhenACheckpointForgetsItMeanwhile()
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory)) await WriteAsync(store);
        Spoil(directory, SnapshotSamples.NameOf(2));
        await using NinoStore again = Simulated.Open(directory, 2);
        Held held = await again.RestorePartsAsync<Held, int>(
            file =>
            {
                var read = new Held { Number = (int)file!.Part("number").Read<Score>().Points };
                try
                {
                    foreach (int item in file.Part("items").Items<int>()) read.Items++;
                }
                catch (StoreCorruptException)
                {
                    directory.Delete(SnapshotSamples.NameOf(2));
                    again.CheckpointPartsAsync(Held.Parts(9)).AsTask().GetAwaiter().GetResult();
                }

                return read;
            },
            static (held, record) => held.Records.Add(record));
        Assert.Equal((1, Items), (held.Number, held.Items));
        Assert.Equal([20, 30], held.Records);
        Assert.Equal(SnapshotSamples.NameOf(1), again.Recovery.SnapshotUsed);
        Assert.Equal(SnapshotSamples.NameOf(2), Assert.Single(again.Recovery.Damage).File);
    }

    /// <summary>What is wrong with the program is no damage: nothing older is taken without a word.</summary>
    [Fact]
    public async Task WhatTheCallbackThrowsOfItsOwnIsThrown()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await WriteAsync(store);
        await Assert.ThrowsAsync<TimeoutException>(async () => await store.RestorePartsAsync<Held, int>(static _ => throw new TimeoutException(), static (_, _) => { }));
        await Assert.ThrowsAsync<SchemaMismatchException>(async () => await store.RestorePartsAsync<Held, int>(static file => new Held { Number = file!.Part("number").Read<int>() }, static (_, _) => { }));
        Assert.Equal(2, (await store.RestorePartsAsync<Held, int>(Held.Of, static (_, _) => { })).Number);
    }

    [Fact]
    public async Task WithoutASnapshotOfTheTypeEveryRecordIsApplied()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await WriteAsync(store);
        Held held = await store.RestorePartsAsync<Held, int>(Held.Of, static (held, record) => held.Records.Add(record), "Tests.Score[]");
        Assert.Equal((0, 0), (held.Number, held.Items));
        Assert.Equal([10, 20, 30], held.Records);
        Assert.Null(store.Recovery.SnapshotUsed);
    }

    /// <summary>The snapshot that could be used ends before the log begins: opening it and reading on would leave out what is between, without a word.</summary>
    [Fact]
    public async Task AGapBetweenTheSnapshotAndTheLogIsRefused()
    {
        using var directory = new SimDirectory();
        byte[] old;
        await using (NinoStore store = Simulated.Open(directory))
        {
            await WriteAsync(store);
            old = FileBytes.Of(directory, SnapshotSamples.NameOf(1));
            for (int i = 0; i < 3; i++)
            {
                store.AppendBatch<int>(new int[20_000]);
                await store.CheckpointPartsAsync(Held.Parts(4 + i));
            }

            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 2);
        }

        foreach (StoreFileEntry entry in directory.List())
        {
            if (SnapshotName.TryParse(entry.Name, out _)) directory.Delete(entry.Name);
        }

        FileBytes.Put(directory, SnapshotSamples.NameOf(1), old);
        await using NinoStore again = Simulated.Open(directory, 2);
        Assert.True(again.FirstSequence > 2);
        await Assert.ThrowsAsync<LogTruncatedException>(async () => await again.RestorePartsAsync<Held, int>(Held.Of, static (_, _) => { }));
        directory.Delete(SnapshotSamples.NameOf(1));
        await Assert.ThrowsAsync<LogTruncatedException>(async () => await again.RestorePartsAsync<Held, int>(Held.Of, static (_, _) => { }));
    }

    [Fact]
    public async Task EverySnapshotDamagedAndTheLogCutIsAnErrorThatNamesThem()
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 3; i++)
            {
                store.AppendBatch<int>(new int[20_000]);
                await store.CheckpointPartsAsync(Held.Parts(i));
            }

            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        }

        string[] names = [.. directory.List().Select(static f => f.Name).Where(static name => SnapshotName.TryParse(name, out _))];
        byte[] whole = FileBytes.Of(directory, names[^1]);
        foreach (string name in names) Spoil(directory, name);
        NinoStore again = Simulated.Open(directory, 2);
        string message = (await Assert.ThrowsAsync<StoreCorruptException>(async () => await again.RestorePartsAsync<Held, int>(Held.Of, static (_, _) => { }))).Message;
        Assert.Equal(2, names.Length);
        Assert.All(names, name => Assert.Contains(name, message, StringComparison.Ordinal));

        // The remedy that it names: what is known of a snapshot is known as long as the store is open.
        Assert.Contains("Close the store, put one of these files, or the whole folder, back from a backup, and open it again", message, StringComparison.Ordinal);
        await again.DisposeAsync();
        FileBytes.Put(directory, names[^1], whole);
        await using NinoStore mended = Simulated.Open(directory, 3);
        Assert.Equal(2, (await mended.RestorePartsAsync<Held, int>(Held.Of, static (_, _) => { })).Number);
    }

    /// <summary>Parts that stand at a sequence of the log, whatever was appended behind it.</summary>
    [Fact]
    public async Task PartsAreCheckpointedAtTheSequenceTheyStandAt()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 5; i++) store.Append(i);
        Assert.Equal(3, (await store.CheckpointPartsAsync(Held.Parts(3), 3)).Sequence);
        Held held = await store.RestorePartsAsync<Held, int>(Held.Of, static (held, record) => held.Records.Add(record));
        Assert.Equal(3, held.Number);
        Assert.Equal([4, 5], held.Records);
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = store.CheckpointPartsAsync(Held.Parts(3), -1); });
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await store.CheckpointPartsAsync(Held.Parts(3), 6));
        Assert.Single(store.Snapshots);
    }

    // Records 10, 20 and 30, and a snapshot behind each of the first two.
    private static async Task WriteAsync(NinoStore store)
    {
        for (int i = 1; i <= 3; i++)
        {
            store.Append(10 * i);
            if (i < 3) await store.CheckpointPartsAsync(Held.Parts(i));
        }
    }

    private static void Spoil(SimDirectory directory, string name)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        using (SnapshotFile file = SnapshotPartTests.Open(bytes))
        {
            SnapshotSection items = file.Sections.Single(static s => s is { Kind: SnapshotSectionKind.Data, Part: 1 });
            bytes[items.Offset + (items.LengthBytes / 2)] ^= 1;
        }

        FileBytes.Put(directory, name, bytes);
    }

    private sealed class Held
    {
        public int Number { get; set; }

        public int Items { get; set; }

        public int Highest { get; set; }

        public List<int> Records { get; } = [];

        public static SnapshotParts Parts(int number) => new SnapshotParts().Add("number", new Score(number)).AddItems("items", Enumerable.Range(0, RestorePartsTests.Items));

        public static Held Of(SnapshotFile? file)
        {
            var held = new Held();
            if (file is null) return held;
            held.Number = (int)file.Part("number").Read<Score>().Points;
            foreach (int item in file.Part("items").Items<int>()) (held.Items, held.Highest) = (held.Items + 1, Math.Max(held.Highest, item));
            return held;
        }
    }
}
