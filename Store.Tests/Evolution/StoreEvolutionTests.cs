using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Evolution;

/// <summary>Log, snapshots and keyed state, written by an older release and used by this one.</summary>
public class StoreEvolutionTests
{
    [Fact]
    public async Task ALogWithBothShapesIsReadAsTheNewOne()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 10; i++) store.Append(new Before.Line($"n{i}", i, i));
        }

        using NinoStore now = Simulated.Open(directory);
        now.Append("something else");
        for (int i = 10; i < 20; i++) now.Append(new After.Line(i, $"n{i}", 0.5m));

        Assert.Equal(Enumerable.Range(0, 20).Select(i => new After.Line(i, $"n{i}")), now.Read<After.Line>().Select(r => r.Value));
        Assert.Equal(10, now.Read<Before.Line>().Count());
        var read = new List<After.Line>();
        await foreach (LogRecord<After.Line> record in now.ReadAsync<After.Line>(6)) read.Add(record.Value);
        Assert.Equal(15, read.Count);
    }

    [Fact]
    public async Task AValueThatHasNoPlaceIsToldWithItsRecord()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory)) store.AppendBatch<Before.Score>([new(1, "a"), new(2, "b"), new(300, "c")]);
        using NinoStore now = Simulated.Open(directory);
        NinoSerializationException[] thrown =
        [
            Assert.Throws<NinoSerializationException>(() => now.Read<After.Score>().ToList()),
            Assert.Throws<NinoSerializationException>(() => now.Read<After.Score>(new ReadOptions { NewestFirst = true }).ToList()),
            Assert.Throws<NinoSerializationException>(() => now.ReadRecords().Select(static record => record.As<After.Score>()).ToList()),
            Assert.Throws<NinoSerializationException>(() =>
            {
                foreach (ScannedRecord record in now.Scan()) Assert.True(record.TryView(out AfterScoreView _));
            }),
            await Assert.ThrowsAsync<NinoSerializationException>(async () => await now.RestoreAsync<Tally, After.Score>(static (tally, score) => tally.Sum += score.Points)),
            await Assert.ThrowsAsync<NinoSerializationException>(async () =>
            {
                await foreach (LogRecord<After.Score> record in now.ReadAsync<After.Score>()) Assert.True(record.Sequence < 3);
            }),
        ];
        Assert.All(thrown, static error =>
        {
            Assert.StartsWith("Record 3 of the log: ", error.Message, StringComparison.Ordinal);
            Assert.Equal(("Points", true), (error.MemberPath, error.ByteOffset >= 0));
        });
    }

    [Fact]
    public async Task AValueThatTheTypeRefusesNowIsToldWithItsRecord()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory)) store.AppendBatch<Before.Grade>([new(1), new(2), new(-3)]);
        using NinoStore now = Simulated.Open(directory);
        NinoSerializationException[] thrown =
        [
            Assert.Throws<NinoSerializationException>(() => now.Read<After.Grade>().ToList()),
            Assert.Throws<NinoSerializationException>(() => now.Read<After.Grade>(new ReadOptions { NewestFirst = true }).ToList()),
            Assert.Throws<NinoSerializationException>(() => now.ReadRecords().Select(static record => record.As<After.Grade>()).ToList()),
            Assert.Throws<NinoSerializationException>(() =>
            {
                foreach (ScannedRecord record in now.Scan()) Assert.True(record.As<After.Grade>().Mark > 0);
            }),
            await Assert.ThrowsAsync<NinoSerializationException>(async () => await now.RestoreAsync<Tally, After.Grade>(static (tally, grade) => tally.Sum += grade.Mark)),
            await Assert.ThrowsAsync<NinoSerializationException>(async () =>
            {
                await foreach (LogRecord<After.Grade> record in now.ReadAsync<After.Grade>()) Assert.True(record.Sequence < 3);
            }),
        ];
        Assert.All(thrown, static error =>
        {
            Assert.StartsWith("Record 3 of the log: ", error.Message, StringComparison.Ordinal);
            Assert.IsType<ArgumentOutOfRangeException>(error.GetBaseException());
        });
    }

    [NinoType]
    public sealed class Tally
    {
        public long Sum { get; set; }
    }

    [Fact]
    public async Task AStateAndTheRecordsBehindItAreRestoredAcrossShapes()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            store.Append(new Before.Line("a", 2, 1));
            await store.CheckpointAsync(new Before.Total(2));
            store.Append(new Before.Line("b", 3, 1));
        }

        using NinoStore now = Simulated.Open(directory);
        now.Append(new After.Line(4, "c"));
        After.Total total = await now.RestoreAsync<After.Total, After.Line>(static (state, line) =>
        {
            state.Sum += line.Count;
            state.Orders++;
        });
        Assert.Equal((9m, 2), (total.Sum, total.Orders));
        Assert.Equal(2, now.Recovery.RecordsReplayed);
        Assert.NotNull(now.Recovery.SnapshotUsed);
    }

    [Fact]
    public async Task SnapshotsUnderAFormerNameAreGenerationsOfTheSameState()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        await store.CheckpointAsync(new Before.Total(1));
        await store.CheckpointAsync(new After.Total { Sum = 2 });
        await store.CheckpointAsync(new After.Total { Sum = 3 });
        Assert.Equal(2, store.Snapshots.Count);
        Assert.All(store.Snapshots, info => Assert.Equal(NinoSerializer.SchemaOf<After.Total>().Name, info.TypeName));
    }

    [Fact]
    public void AShapeThatCannotBeReadIsOneErrorThatNamesTheRecordAndBothMembers()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append("first");
        store.Append(new Before.Small(1, "a"));
        var error = Assert.Throws<SchemaMismatchException>(() => store.Read<After.Retyped>().ToList());
        Assert.Contains("Record 2: ", error.Message, StringComparison.Ordinal);
        Assert.Contains("the member 'Name' is stored as String, and the member 'Name' is Guid now", error.Message, StringComparison.Ordinal);
        Assert.IsType<NinoSchemaMismatchException>(error.InnerException);
    }

    [Fact]
    public async Task ASnapshotThatCannotBeReadIsAnErrorAndNotASilentStepBack()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        await store.CheckpointAsync(new Before.Small(1, "a"));
        var error = await Assert.ThrowsAsync<SchemaMismatchException>(async () => await store.RestoreAsync<After.NeedsMore2, string>(static (_, _) => { }));
        Assert.Contains("'Owner' (String) is required", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task KeyedStateOfAnOlderShapeIsRebuiltFromTheLogInTheNewOne(bool withCheckpoint)
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        using (IKeyValueStore<int, Before.Line> old = store.OpenKeyValue<int, Before.Line>("lines", KeyValue.KeyValueBed.Tiny))
        {
            for (int i = 0; i < 50; i++) old.Put(i, new Before.Line($"n{i}", i, 1));
            for (int i = 0; i < 50; i += 5) old.Delete(i);
            if (withCheckpoint) await old.CheckpointAsync();
        }

        using NinoStore now = Simulated.Open(directory);
        using (IKeyValueStore<long, After.Line> lines = now.OpenKeyValue<long, After.Line>("lines", KeyValue.KeyValueBed.Tiny))
        {
            Assert.Equal(40, lines.Count);
            Assert.True(lines.Recovery.RebuiltFromLog);
            if (withCheckpoint) Assert.Contains("earlier shape", Assert.Single(lines.Recovery.Rejected).Message, StringComparison.Ordinal);
            for (int i = 0; i < 50; i++)
            {
                Assert.Equal(i % 5 != 0, lines.TryGet(i, out After.Line? line));
                if (i % 5 != 0) Assert.Equal(new After.Line(i, $"n{i}"), line);
            }

            lines.Put(1, new After.Line(100, "new"));
            await lines.CheckpointAsync();
        }

        using IKeyValueStore<long, After.Line> again = now.OpenKeyValue<long, After.Line>("lines", KeyValue.KeyValueBed.Tiny);
        Assert.False(again.Recovery.RebuiltFromLog);
        Assert.True(again.TryGet(1, out After.Line? one));
        Assert.Equal(100, one.Count);
    }

    [Fact]
    public async Task KeysThatCouldBecomeOneAreRefused()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        using (IKeyValueStore<Before.Small, int> old = store.OpenKeyValue<Before.Small, int>("keys", KeyValue.KeyValueBed.Tiny)) old.Put(new(1, "a"), 1);
        Assert.Contains("Keys keep their identity", Assert.Throws<SchemaMismatchException>(() => store.OpenKeyValue<After.LessKey, int>("keys", KeyValue.KeyValueBed.Tiny)).Message, StringComparison.Ordinal);
        using IKeyValueStore<After.Renamed, int> renamed = store.OpenKeyValue<After.Renamed, int>("keys", KeyValue.KeyValueBed.Tiny);
        Assert.True(renamed.TryGet(new(1, "a"), out int value));
        Assert.Equal(1, value);
        await renamed.CheckpointAsync();
    }
}
