// Can every conformance case fail? Behind each stands an engine that is right but for one thing, and fails there.

using Store.Conformance;

namespace Store.Tests.KeyValue;

public class WrongEngineTests
{
    /// <summary>The fault, the case that finds it, and what its message says of it.</summary>
    public static TheoryData<EngineFault, string, string> Faults => new()
    {
        { EngineFault.FindsWhatWasNotPut, "What was put is found and what was not is not", "An empty state has a key" },
        { EngineFault.CountsOneTooMany, "What was put is found and what was not is not", "Count should be 2 and is 3" },
        { EngineFault.LosesDeletions, "A deleted key is gone, costs a change only once, and can come back", "Delete of a key that is not there should be false" },
        { EngineFault.LogsDeletionsOfNothing, "A deleted key is gone, costs a change only once, and can come back", "The log after deletions of nothing" },
        { EngineFault.TakesNull, "Null is neither key nor value", "Put of a null key (String) should throw ArgumentNullException" },
        { EngineFault.ForgetsHalfOfABatch, "A batch is consecutive in the log, and its last value of a key counts", "2 is missing" },
        { EngineFault.PutsABatchOneByOne, "A batch is consecutive in the log, and its last value of a key counts", "number of records of the frame of a batch" },
        { EngineFault.LosesOneOfManyDeletions, "Deletions of several keys are one step and cost only what is there", "The log after two deletions" },
        { EngineFault.DeletesABatchOneByOne, "Deletions of several keys are one step and cost only what is there", "number of records of the frame of a batch of deletions" },
        { EngineFault.CountsDeletionsOfNothing, "Deletions of several keys are one step and cost only what is there", "A deletion of keys that are not there should be 0 and is 2" },
        { EngineFault.LogsADeletionTwice, "Deletions of several keys are one step and cost only what is there", "The log after the deletion of a key that occurs twice should be 7 and is 9" },
        { EngineFault.SwapsWhatItReads, "Several keys are read by one call", "The values at the places of their keys" },
        { EngineFault.ReadsWithoutRoom, "Several keys are read by one call", "TryGetBatch without room should throw ArgumentException" },
        { EngineFault.TakesACheckpointInsideABatch, "A checkpoint holds a batch whole or not at all", "which is within the batch of 5" },
        { EngineFault.PutsWhatAnUpdateKeeps, "An update keeps, puts or deletes, and the log gets its result", "An update that keeps should be 0" },
        { EngineFault.ChangesWhatAThrowingUpdateWasFor, "An update that throws changes nothing", "The log should be 1 and is 2" },
        { EngineFault.ChangesWhatAThrowingAsynchronousUpdateWasFor, "An update that throws changes nothing", "The log after a throwing UpdateAsync should be 1 and is 2" },
        { EngineFault.ReadsBeforeAnAsynchronousUpdate, "An update sees what the change before it left, whichever call made it", "of UpdateAsync, saw" },
        { EngineFault.LetsCallbacksChangeIt, "A callback cannot change the state that it is called by", "Put inside a callback should throw InvalidOperationException" },
        { EngineFault.WaitsForItsOwnCallback, "A callback cannot wait for what waits for it", "CheckpointAsync inside a callback did not end within" },
        { EngineFault.LetsCallbacksDisposeIt, "A callback cannot wait for what waits for it", "Dispose inside a callback should throw InvalidOperationException" },
        { EngineFault.LosesOneUpdateInTwoHundred, "Updates of many threads lose nothing", "The sum of all increments should be 2000" },
        { EngineFault.CompletesBeforeItIsDurable, "PutAsync is durable when it completes and TryGetAsync finds it", "PutAsync completed before its change was durable" },
        { EngineFault.DeletesBeforeItIsDurable, "Asynchronous changes do what the others do and are durable when they complete", "What is durable when DeleteAsync completes" },
        { EngineFault.DeletesABatchBeforeItIsDurable, "Asynchronous changes do what the others do and are durable when they complete", "DeleteBatchAsync completed before its changes were durable" },
        { EngineFault.LeavesOutWhatIsNotThere, "Several keys are read by one call", "The places that TryGetBatchAsync gives" },
        { EngineFault.LosesWhatAnAsynchronousUpdateCarriesOut, "Asynchronous changes do what the others do and are durable when they complete", "What an UpdateAsync by a struct carries out" },
        { EngineFault.IgnoresCancellation, "A cancelled call changes nothing, a cancelled wait loses nothing", "PutAsync should throw OperationCanceledException" },
        { EngineFault.ScansAKeyTwice, "A scan brings every key once while others change", "came twice" },
        { EngineFault.ScansWithoutWhatChanges, "A scan brings every key once while others change", "did not come" },
        { EngineFault.EnumeratesAnAsynchronousScanOnce, "An asynchronous scan brings every key, each time it is enumerated", "The number of keys in an asynchronous scan" },
        { EngineFault.ScansAKeyTwiceAsynchronously, "An asynchronous scan brings every key once while others change", "came twice" },
        { EngineFault.ScansAsynchronouslyWithoutWhatChanges, "An asynchronous scan brings every key once while others change", "did not come" },
        { EngineFault.EndsAScanWhenItIsDisposed, "A scan ends where it is left, cancelled or closed, and holds nothing then", "Scan of a state that was disposed meanwhile" },
        { EngineFault.EndsAnAsynchronousScanWhenItIsDisposed, "A scan ends where it is left, cancelled or closed, and holds nothing then", "ScanAsync of a state that was disposed meanwhile" },
        { EngineFault.ScansOnWhenItIsCancelled, "A scan ends where it is left, cancelled or closed, and holds nothing then", "whose token is cancelled between two records" },
        { EngineFault.ForgetsAKeyWhenItIsOpened, "What was not checkpointed comes from the log", "0 is missing" },
        { EngineFault.WritesNoCheckpoints, "What was checkpointed is not replayed", "A checkpoint is durable" },
        { EngineFault.LosesItsCheckpoints, "A checkpoint of the store is one of its keyed states", "How it was opened should be (1, 0) and is (0, 1)" },
        { EngineFault.HidesAFailedCheckpoint, "A checkpoint that fails is told and costs nothing, and the next one ends it", "A checkpoint that is asked for and fails should throw IOException" },
        { EngineFault.KeepsAFailureForEver, "A checkpoint that fails is told and costs nothing, and the next one ends it", "CheckpointFailure stays after a checkpoint was written" },
        { EngineFault.KeepsWhatItRejected, "A checkpoint of a lost history is rejected, and once and for all", "what is rejected is removed before anything is appended" },
        { EngineFault.HidesWhatItRejects, "A checkpoint of a lost history is rejected, and once and for all", "was not told in Recovery.Rejected" },
        { EngineFault.LosesAKeyInACrowd, "Threads leave what the log says", "Count should be" },
        { EngineFault.CountsTheKeysOfAllStates, "States of one store do not see each other", "Count should be 1 and is 3" },
        { EngineFault.AnswersAfterItWasDisposed, "A disposed state refuses everything, and disposing the store disposes it", "TryGet should throw ObjectDisposedException" },
        { EngineFault.StaysOpenWhenItIsDisposedAsynchronously, "A disposed state refuses everything, and disposing the store disposes it", "Count after DisposeAsync should throw ObjectDisposedException" },
        { EngineFault.KeepsWhatFitsOfABatch, "What is too large for a record is refused alike by every change, and nothing of it is appended", "The log should be 1 and is 2" },
        { EngineFault.CutsLongValues, "Large and empty values come back", "The value of k" },
        { EngineFault.KeepsTheCallersObject, "What was put stays as it was, whatever becomes of the caller's objects", "after whoever put it with Put changed the object" },
        { EngineFault.EncodesABatchLater, "What was put stays as it was, whatever becomes of the caller's objects", "whoever put it with PutBatchAsync" },
        { EngineFault.HandsOutTheCallersKey, "What was put stays as it was, whatever becomes of the caller's objects", "whoever put it with Put changed the object" },
        { EngineFault.HandsOutItsOwnObject, "What was read is the reader's own", "Two readers got the same object from TryGet" },
        { EngineFault.HandsItsObjectToCallbacks, "What was read is the reader's own", "from an Update that keeps changed the object" },
        { EngineFault.WritesOverValues, "A reader beside writers sees one value, never parts of two", "parts of two" },
        { EngineFault.AppliesOutsideItsLock, "Changes of one key take effect in the order of their sequences", "did not take effect in the order of their sequences" },
        { EngineFault.IgnoresItsTokenWhileItWaits, "A change that is cancelled while it waits to be durable is made all the same", "PutAsync, cancelled while it waits for the disk, did not end" },
        { EngineFault.LeavesACancelledChangeHalfMade, "A change that is cancelled while it waits to be durable is made all the same", "1 is missing" },
        { EngineFault.TakesBackACancelledChange, "A change that is cancelled while it waits to be durable is made all the same", "whose changes are in the log: Count should be" },
        { EngineFault.ReadsOnTheThreadOfItsCaller, "A call that is cancelled while it waits for a read gives up its wait, and a change is made all the same", "it waits on the thread of its caller" },
        { EngineFault.DropsAChangeCancelledWhileItReads, "A call that is cancelled while it waits for a read gives up its wait, and a change is made all the same", "The change of PutAsync is not made under its key" },
        { EngineFault.EncodesAKeyAfterItsRead, "A call that is cancelled while it waits for a read gives up its wait, and a change is made all the same", "The change of UpdateAsync is not made under its key" },
        { EngineFault.LeavesACancelledCheckpointInForce, "A checkpoint that is cancelled at any of its steps exists or does not, and the next one works", "The sequence of the checkpoint in force" },
        { EngineFault.KeepsItsTurnWhenItIsCancelled, "A checkpoint that is cancelled at any of its steps exists or does not, and the next one works", "did not end within" },
        { EngineFault.CopiesBeforeItCuts, "A process that is killed beside a checkpoint leaves what the log amounts to", "the state is not what the log amounts to" },
        { EngineFault.CutsBeforeItCopies, "A process that is killed beside a checkpoint leaves what the log amounts to", "the state is not what the log amounts to" },
        { EngineFault.RenamesWhatIsNotSynced, "A power failure at any operation leaves what the log amounts to", "nothing of what was not synced is left, the state cannot be opened" },
        { EngineFault.LeavesItsNamesUnsynced, "A checkpoint that is complete is there after a power failure", "the sequence of the checkpoint in force" },
        { EngineFault.KeepsItsFilesElsewhere, "A checkpoint that is complete is there after a power failure", "has no file of it" },
        { EngineFault.ReleasesBeforeItsCheckpointIsInForce, "A checkpoint that fails releases nothing of the log", "released for a checkpoint that never was in force" },
        { EngineFault.ReleasesUpToTheNewestOfTwo, "A damaged checkpoint is never believed, and what is kept behind it is enough", "the checkpoint before and the log behind it should give the state" },
        { EngineFault.BelievesADamagedCheckpoint, "A damaged checkpoint is never believed, and what is kept behind it is enough", "'kv-state.checkpoint'" },
        { EngineFault.SkipsChangesOfAnEarlierShape, "Changes of an earlier shape are read as the types are now", "its changes of the earlier shape" },
        { EngineFault.UsesACheckpointOfAnEarlierShape, "A checkpoint of an earlier shape is told and not used", "should be rejected and told" },
        { EngineFault.OpensAnEarlierShapeEmpty, "A state of an earlier shape whose log is gone is refused and stays as it is", "Read as the types are now" },
        { EngineFault.RemovesWhatItRejectsBeforeItHasRead, "A checkpoint of an earlier shape stays where the log that should take its place is damaged", "with the types it was written with, from its checkpoint, after others were refused for a damaged log, threw StoreCorruptException" },
        { EngineFault.OpensUnderAnotherNameWhatItCannotRead, "Keys of which two could become one are refused, and stay as they are", "opens as one of" },
        { EngineFault.DecodesKeysWhenItIsOpened, "A state opens whatever its keys' type refuses", "opened from the log, threw NinoSerializationException" },
        { EngineFault.KnowsTwoKindsOfFailure, "A checkpoint that fails as nobody foresaw is told too", "CheckpointFailure is null after a checkpoint that was due failed with InsufficientMemoryException" },
        { EngineFault.HoldsNoCheckpoint, "A checkpoint that is held stays as it is, and opens elsewhere to what it holds", "HoldCheckpoint gave none, and one is in force" },
        { EngineFault.RemovesHeldFiles, "A checkpoint that is held stays as it is, and opens elsewhere to what it holds", "a file of a checkpoint that is held, is not there after 1 more checkpoints were written" },
        { EngineFault.NamesTooFewBytes, "A checkpoint that is held stays as it is, and opens elsewhere to what it holds", "A copy of just the bytes that a held checkpoint named has damage" },
        { EngineFault.NamesAnotherSequence, "A checkpoint that is held stays as it is, and opens elsewhere to what it holds", "The sequence of the checkpoint that is held should be" },
        { EngineFault.FindsNoDamage, "A checkpoint that is held stays as it is, and opens elsewhere to what it holds", "FindDamage finds nothing wrong with a copy whose last byte" },
        { EngineFault.CallsAClosedStoreAFailedDisk, "A store that is closed while a state is opened on it ends that, and nothing is changed afterwards", "should throw ObjectDisposedException and threw IOException" },
        { EngineFault.TidiesUpAfterItsStoreWasClosed, "A store that is closed while a state is opened on it ends that, and nothing is changed afterwards", "it is the next owner's" },
        { EngineFault.FailsWithItsNeighbour, "A state that failed leaves its neighbours and its store alone", "Another keyed state failed" },
    };

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task AnEngineWithAFaultFailsWhereItIsAskedForItAndTheFailureNamesIt(EngineFault fault, string name, string message)
    {
        using var folder = new TemporaryFolder();
        Exception found = await Assert.ThrowsAnyAsync<Exception>(() => Case(name).Run(new WrongEngine(fault), folder.Path).WaitAsync(TimeSpan.FromMinutes(2)));
        Assert.True(found is ConformanceException, $"It failed by itself and was not found: {found}");
        Assert.Contains(message, found.Message, StringComparison.Ordinal);
    }

    /// <summary>Engines of the same making without a fault pass, the two that are whole engines every case: what fails above fails for the fault.</summary>
    [Theory]
    [InlineData(EngineFault.None)]
    [InlineData(EngineFault.NoneInItsSteps)]
    [InlineData(EngineFault.NoneInItsObjects)]
    [InlineData(EngineFault.NoneInItsCancellation)]
    public async Task TheSameEngineWithoutAFaultPasses(EngineFault none)
    {
        bool isWhole = none is EngineFault.None or EngineFault.NoneInItsSteps;
        foreach (ConformanceCase one in KeyValueConformance.Cases.Where(one => isWhole || Faults.Any(row => (string)row[1] == one.Name && WrongEngine.MakingOf((EngineFault)row[0]) == none)))
        {
            using var folder = new TemporaryFolder();
            await one.Run(new WrongEngine(none), folder.Path).WaitAsync(TimeSpan.FromMinutes(2));
        }
    }

    [Fact]
    public void EveryCaseIsFailedAndEveryFaultIsFound()
    {
        Assert.Equal(KeyValueConformance.Cases.Select(one => one.Name).Order(), Faults.Select(row => (string)row[1]).Distinct().Order());
        Assert.Equal(Enum.GetValues<EngineFault>().Where(static fault => fault is not (EngineFault.None or EngineFault.NoneInItsSteps or EngineFault.NoneInItsObjects or EngineFault.NoneInItsCancellation)), Faults.Select(row => (EngineFault)row[0]).Order());
    }

    [Fact]
    public void ThePageListsEveryCaseWithWhatItDemands()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "key-value.md"));
        Assert.All(KeyValueConformance.Cases, one => Assert.Contains($"| {one.Name} | {one.Demand} |\n", page, StringComparison.Ordinal));
    }

    private static ConformanceCase Case(string name) => KeyValueConformance.Cases.Single(one => one.Name == name);
}
