// What do engines do wrong? One thing each: behind every conformance case stands at least one that fails there (WrongEngineTests).

using OwnEngine;
using Store.IO;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>The engine of samples/OwnEngine with one fault, or that of <see cref="SteppedStore{TKey, TValue}"/>.</summary>
internal sealed class WrongEngine(EngineFault fault) : MemoryEngine
{
    public override int KeptCheckpoints => IsStepped ? 2 : 1;

    private bool IsStepped => MakingOf(fault) == EngineFault.NoneInItsSteps;

    /// <summary>The engine that has everything of one with a fault, but for the fault.</summary>
    public static EngineFault MakingOf(EngineFault fault) => fault switch
    {
        EngineFault.NoneInItsSteps or EngineFault.WritesOverValues or EngineFault.AppliesOutsideItsLock or EngineFault.LeavesACancelledCheckpointInForce or EngineFault.KeepsItsTurnWhenItIsCancelled or EngineFault.CopiesBeforeItCuts
            or EngineFault.CutsBeforeItCopies or EngineFault.ReleasesBeforeItsCheckpointIsInForce or EngineFault.ReleasesUpToTheNewestOfTwo or EngineFault.BelievesADamagedCheckpoint or EngineFault.SkipsChangesOfAnEarlierShape or EngineFault.KnowsTwoKindsOfFailure
            or EngineFault.UsesACheckpointOfAnEarlierShape or EngineFault.OpensAnEarlierShapeEmpty or EngineFault.RemovesWhatItRejectsBeforeItHasRead
            or EngineFault.RenamesWhatIsNotSynced or EngineFault.LeavesItsNamesUnsynced or EngineFault.KeepsItsFilesElsewhere => EngineFault.NoneInItsSteps,
        EngineFault.NoneInItsObjects or EngineFault.KeepsTheCallersObject or EngineFault.EncodesABatchLater or EngineFault.HandsOutTheCallersKey or EngineFault.HandsOutItsOwnObject or EngineFault.HandsItsObjectToCallbacks => EngineFault.NoneInItsObjects,
        EngineFault.NoneInItsCancellation or EngineFault.IgnoresItsTokenWhileItWaits or EngineFault.LeavesACancelledChangeHalfMade or EngineFault.TakesBackACancelledChange or EngineFault.ReadsOnTheThreadOfItsCaller
            or EngineFault.DropsAChangeCancelledWhileItReads or EngineFault.EncodesAKeyAfterItsRead => EngineFault.NoneInItsCancellation,
        _ => EngineFault.None,
    };

    // Some are waited for as long as this, and what they owe does not come.
    public override TimeSpan Patience => fault is EngineFault.IgnoresItsTokenWhileItWaits or EngineFault.ReadsOnTheThreadOfItsCaller or EngineFault.DropsAChangeCancelledWhileItReads or EngineFault.EncodesAKeyAfterItsRead
        or EngineFault.KeepsItsTurnWhenItIsCancelled or EngineFault.WaitsForItsOwnCallback or EngineFault.KnowsTwoKindsOfFailure ? TimeSpan.FromSeconds(2) : base.Patience;

    public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name)
    {
        if (IsStepped) return SteppedStore<TKey, TValue>.Open(store, name, int.MaxValue, fault);
        if (MakingOf(fault) == EngineFault.NoneInItsObjects) return new LiveObjectStore<TKey, TValue>(base.Open<TKey, TValue>(store, name), fault);
        if (MakingOf(fault) == EngineFault.NoneInItsCancellation) return new CancelledStore<TKey, TValue>(base.Open<TKey, TValue>(store, name), fault, store, name);
        (string Path, byte[] Bytes)[] found = fault is EngineFault.LosesItsCheckpoints or EngineFault.KeepsWhatItRejected
            ? [.. Directory.EnumerateFiles(Directory.CreateDirectory(Path.Combine(store.Path, $"kv-{name}")).FullName, MemoryCheckpoint.Prefix + "*").Select(static file => (file, File.ReadAllBytes(file)))]
            : [];
        if (fault == EngineFault.LosesItsCheckpoints) foreach ((string file, _) in found) File.Delete(file);
        WrongStore<TKey, TValue> opened;
        try
        {
            opened = new WrongStore<TKey, TValue>(base.Open<TKey, TValue>(store, name), fault, store);
        }
        catch (SchemaMismatchException) when (fault == EngineFault.OpensUnderAnotherNameWhatItCannotRead)
        {
            opened = new WrongStore<TKey, TValue>(base.Open<TKey, TValue>(store, name + "-anew"), fault, store);
        }
        catch (ObjectDisposedException e) when (fault == EngineFault.CallsAClosedStoreAFailedDisk)
        {
            throw new IOException("A file was refused.", e);
        }
        catch (ObjectDisposedException) when (fault == EngineFault.TidiesUpAfterItsStoreWasClosed)
        {
            // Not through the folder that the log gave, which would refuse it.
            IStoreDirectory folder = store.Options.Directory!;
            foreach (string file in folder.List().Select(static file => file.Name).Where(file => file.StartsWith($"kv-{name}.", StringComparison.Ordinal)).ToArray()) folder.Delete(file);
            throw;
        }

        if (fault == EngineFault.DecodesKeysWhenItIsOpened) _ = opened.Scan().Count();
        if (fault == EngineFault.KeepsWhatItRejected) foreach ((string file, byte[] bytes) in found) File.WriteAllBytes(file, bytes);
        return opened;
    }

    public override IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges) => IsStepped
        ? SteppedStore<TKey, TValue>.Open(store, name, everyChanges, fault)
        : new WrongStore<TKey, TValue>(base.OpenCheckpointing<TKey, TValue>(store, name, everyChanges), fault, store);
}
