// Does the contract for engines refuse what would break its promises? Names, calls out of order, changes that are not its log's. Cuts are in KeyValueLogCutTests, closing in KeyValueLogClosingTests.

using Store.IO;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.Simulation;
using static Store.Tests.KeyValue.KeyValueLogBed;

namespace Store.Tests.KeyValue;

public class KeyValueLogTests
{
    private readonly SimDirectory _directory = new();

    [Fact]
    public void ANameIsForOneEngineAtATimeWhateverItIs()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "state");
        Assert.Throws<InvalidOperationException>(() => KeyValueLog.Open<int, string>(store, "STATE"));
        Assert.Throws<InvalidOperationException>(() => Faster.NinoStoreFasterExtensions.OpenKeyValue<int, string>(store, "state"));
        log.Dispose();
        using IKeyValueStore<int, string> faster = Faster.NinoStoreFasterExtensions.OpenKeyValue<int, string>(store, "state");

        // Doing it again does not take the name away from whoever has it now.
        log.Dispose();
        Assert.Throws<InvalidOperationException>(() => KeyValueLog.Open<int, string>(store, "state"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("ä")]
    public void ANameIsWhatAFolderCanBeCalled(string name)
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        Assert.Throws<ArgumentException>(() => KeyValueLog.Open<int, string>(store, name));
    }

    [Fact]
    public void NothingIsAppendedAndNothingCutBeforeAnEngineHasReadEverythingAndIsAttached()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        store.Append(5);
        Put(store, "state", 1);
        using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "state");
        using KeyValueChanges<int, string> changes = log.NewChanges();
        changes.Put(1, "a");
        Assert.Throws<InvalidOperationException>(() => log.Append(changes));
        Assert.Throws<InvalidOperationException>(() => log.Cut());
        var engine = new CountingEngine<int, string>();
        Assert.Throws<InvalidOperationException>(() => log.Attach(engine));

        // Begun is not read.
        using (IEnumerator<KeyValueChange> begun = log.ReadChanges().GetEnumerator()) Assert.True(begun.MoveNext());
        Assert.Throws<InvalidOperationException>(() => log.Attach(engine));
        Assert.Single(log.ReadChanges());
        log.Attach(engine);
        Assert.Throws<InvalidOperationException>(() => log.Attach(new CountingEngine<int, string>()));
        Assert.Throws<InvalidOperationException>(() => log.ReadChanges());
        Assert.Equal(3, log.Append(changes));
        Assert.Equal(3, log.Cut().Sequence);
    }

    [Fact]
    public void ChangesAreAppendedOnceWholeAndToTheLogTheyWereMadeFor()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<string, string> log = Attached<string, string>(store, "a"), other = Attached<string, string>(store, "b");
        using KeyValueChanges<string, string> changes = log.NewChanges();
        Assert.Equal(1, log.Append(changes));
        changes.Put("x", "1");
        changes.Delete("y");
        changes.Put(new string('k', 200), new string('v', 70_000));
        Assert.Throws<InvalidOperationException>(() => other.Append(changes));
        Assert.Equal(0, changes[0].Sequence);
        Assert.Equal(1, log.Append(changes));
        Assert.Equal((1, 2, 3), (changes[0].Sequence, changes[1].Sequence, changes[2].Sequence));
        Assert.Equal((false, true, false), (changes[0].IsDeletion, changes[1].IsDeletion, changes[2].IsDeletion));
        Assert.Equal("y", NinoSerializer.Deserialize<string>(changes[1].Key.Span));
        Assert.True(changes[1].Value.IsEmpty);
        Assert.Equal(70_000, NinoSerializer.Deserialize<string>(changes[2].Value.Span).Length);
        Assert.Throws<InvalidOperationException>(() => log.Append(changes));
        Assert.Throws<InvalidOperationException>(() => changes.Put("z", "2"));
        changes.Dispose();
        Assert.Throws<ObjectDisposedException>(() => changes[0]);
        Assert.Throws<ObjectDisposedException>(() => log.Append(changes));
        Assert.Equal(3, store.LastSequence);
    }

    [Fact]
    public void AChangeThatCannotBeEncodedSpoilsItsSetAndAppendsNothing()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory, new NinoStoreOptions { MaxRecordSizeBytes = 1000 });
        using KeyValueLog<string, string> log = Attached<string, string>(store, "a");
        foreach (Action<KeyValueChanges<string, string>> wrong in new Action<KeyValueChanges<string, string>>[] { changes => changes.Put(null!, "x"), changes => changes.Put("x", null!), changes => changes.Delete(null!), changes => changes.Put("x", new string('x', 1000)) })
        {
            using KeyValueChanges<string, string> changes = log.NewChanges();
            changes.Put("before", "1");
            Assert.ThrowsAny<Exception>(() => wrong(changes));
            Assert.Throws<InvalidOperationException>(() => changes.Put("after", "1"));
            Assert.Throws<InvalidOperationException>(() => log.Append(changes));
        }

        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task WaitingIsForChangesThatAreThere()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> log = Attached<int, string>(store, "state");
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => log.WaitAsync(1).AsTask());
        long sequence = Append(log, 1);
        Assert.Equal(sequence, await log.WaitAsync(sequence));
        Assert.True(store.DurableSequence >= sequence);
    }

    [Fact]
    public void TheFolderIsTheEnginesOwnAndBehindTheStoresFileAccess()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "state");
        using (IStoreDirectory folder = log.OpenFolder())
        {
            folder.Create("file").Dispose();
            Assert.Equal(["file"], folder.List().Select(file => file.Name));
        }

        Assert.Contains(_directory.List(), file => file.Name == "kv-state.file");
    }
}
