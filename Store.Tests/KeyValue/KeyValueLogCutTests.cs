// Does a log know the cuts that are its own? Those of another store, name, shape or history are refused, those that are not durable let nothing go, and a log that lacks changes behind one is none.

using Store.IO;
using Store.KeyValue;
using Store.Tests.Simulation;
using static Store.Tests.KeyValue.KeyValueLogBed;

namespace Store.Tests.KeyValue;

public class KeyValueLogCutTests
{
    private readonly SimDirectory _directory = new();

    [Fact]
    public void ACutOfAnotherStoreNameShapeOrHistoryIsToldApart()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
        Append(log, 1);
        Append(log, 2);
        KeyValueCut cut = log.Cut();
        Assert.Equal(2, cut.LastChange);
        Assert.True(log.CanStartFrom(cut, out _));
        Refuse(cut with { StoreId = Guid.NewGuid() }, "belongs to the store");
        Refuse(cut with { Name = "other" }, "belongs to 'other'");
        Refuse(cut with { KeyShape = 1 }, "another shape");
        Refuse(cut with { ValueShape = 1 }, "another shape");
        Refuse(cut with { Sequence = 3 }, "the log ends at 2");
        Refuse(cut with { LastChange = 3 }, "cannot be");
        Refuse(cut with { SequenceMark = cut.SequenceMark ^ 1 }, "Record 2 of the log is not the one it was written after");
        Refuse(cut with { LastChangeMark = cut.LastChangeMark ^ 1 }, "not the last change that it holds");
        Refuse(cut with { LastChange = 1 }, "not the last change that it holds");

        void Refuse(KeyValueCut wrong, string message)
        {
            Assert.False(log.CanStartFrom(wrong, out string? problem));
            Assert.Contains(message, problem, StringComparison.Ordinal);
        }
    }

    /// <summary>The last change of the cut is in both histories, and the record at its end is the same in both but for its time.</summary>
    [Fact]
    public void ACutOfAHistoryThatWasLostIsRefusedAlsoWhenTheLogHasGrownPastIt()
    {
        var restored = new SimDirectory();
        using (NinoStore store = KeyValueLogBed.Open(_directory))
        {
            using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
            for (int i = 0; i < 100; i++) Append(log, i);
            for (int i = 0; i < 20; i++) store.Append(7);
        }

        foreach (StoreFileEntry entry in _directory.List())
        {
            using IStoreFile file = restored.Create(entry.Name);
            file.Write(_directory.Bytes(entry.Name), 0);
        }

        KeyValueCut cut;
        using (NinoStore store = KeyValueLogBed.Open(_directory))
        {
            using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "state");
            Assert.Equal(100, log.ReadChanges().Count());
            log.Attach(new CountingEngine<int, string>());
            for (int i = 0; i < 30; i++) store.Append(7);
            cut = log.Cut();
            Assert.Equal((150, 100), (cut.Sequence, cut.LastChange));
            Assert.True(log.CanStartFrom(cut, out _));
        }

        using NinoStore other = NinoStore.Open("sim", new NinoStoreOptions { Directory = restored });
        using KeyValueLog<int, string> grown = KeyValueLog.Open<int, string>(other, "state");
        Assert.False(grown.CanStartFrom(cut, out string? problem));
        Assert.Contains("ends at 120", problem, StringComparison.Ordinal);
        Assert.Equal(100, grown.ReadChanges().Count());
        grown.Attach(new CountingEngine<int, string>());
        for (int i = 0; i < 29; i++) Append(grown, i);
        Assert.Equal(150, other.Append(7));
        Assert.False(grown.CanStartFrom(cut, out problem));
        Assert.Contains("Record 150 of the log is not the one", problem, StringComparison.Ordinal);
    }

    [Fact]
    public void OnlyACutOfItsOwnThatIsDurableLetsRecordsGo()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
        Append(log, 1);
        KeyValueCut cut = log.Cut();
        Assert.Throws<InvalidOperationException>(() => log.KeepAfter(cut));
        Assert.Throws<ArgumentException>(() => log.KeepAfter(cut with { Name = "other" }));
        Assert.Throws<ArgumentException>(() => log.KeepAfter(cut with { Sequence = 9 }));
        store.Commit();
        log.KeepAfter(cut);
    }

    [Fact]
    public void ALogThatLacksChangesIsRefusedAndOneThatWasReleasedGoesOnFromTheCut()
    {
        KeyValueCut cut;
        using (NinoStore store = KeyValueLogBed.Open(_directory, new NinoStoreOptions { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 }))
        {
            using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
            for (int i = 0; i < 2000; i++) Append(log, i);

            // Held: nothing goes before the engine lets it.
            store.Commit();
            store.TruncateBefore(store.LastSequence);
            Assert.Equal(1, store.FirstSequence);
            cut = log.Cut();
            log.KeepAfter(cut);
            store.TruncateBefore(store.LastSequence);
            Assert.True(store.FirstSequence > 1000);
            Append(log, -1);
        }

        using NinoStore again = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> reopened = KeyValueLog.Open<int, string>(again, "state");
        Assert.Contains("needs record 1", Assert.Throws<StoreCorruptException>(() => reopened.ReadChanges().Count()).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => reopened.Attach(new CountingEngine<int, string>()));
        Assert.True(reopened.CanStartFrom(cut, out _));
        Assert.Equal([2001L], reopened.ReadChanges(cut).Select(change => change.Sequence));
        Assert.Throws<ArgumentException>(() => reopened.ReadChanges(cut with { Sequence = 5000 }));
    }

    [Fact]
    public async Task TheLastChangeOfACutIsKnownAlsoWhenRetentionTookIt()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory, new NinoStoreOptions { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 });
        using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
        Append(log, 1);
        KeyValueCut first = log.Cut();
        for (int i = 0; i < 5000; i++) store.Append(i);
        await log.CommitAsync();
        log.KeepAfter(log.Cut());
        store.TruncateBefore(store.LastSequence);
        Assert.True(store.FirstSequence > 1);
        KeyValueCut second = log.Cut();
        Assert.Equal((1, first.LastChangeMark), (second.LastChange, second.LastChangeMark));
        Assert.True(log.CanStartFrom(second, out string? problem), problem);
    }
}
