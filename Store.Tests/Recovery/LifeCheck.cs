// Is a folder after a crash one that the promises allow? Opens it, also with crashes during recovery, and looks at everything: records, beginning, snapshots, cursors, report, copy.

using Store.Framing;
using Store.Retention;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Shipping;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>Checks of the states that a life can leave. What is done beyond opening and reading alternates with the number of the state.</summary>
/// <param name="source">The store that a life may follow.</param>
internal sealed class LifeCheck(NinoStore source)
{
    /// <summary>States that crashed again during recovery.</summary>
    public int CrashedAgain { get; private set; }

    /// <summary>Checks one state of the store's folder.</summary>
    /// <param name="left">The folder.</param>
    /// <param name="promise">What was promised when the crash came.</param>
    /// <param name="isKill">The process died and the system did not.</param>
    /// <param name="number">Number of the state.</param>
    public void Store(SimDirectory left, LifePromise promise, bool isKill, int number)
    {
        if (number % 4 == 0)
        {
            // Where recovery came to its end, the log was closed.
            left = CrashDuringRecovery(left, number, ref isKill);
            promise = promise with { Closed = null, MayBeClosed = true };
        }
        else if (number % 32 == 1)
        {
            LookOnly(left, promise);
        }

        int atLeast = isKill ? promise.Flushed : promise.Acknowledged;
        long first, last;
        using (NinoStore store = Simulated.Open(left, number))
        {
            (first, last) = (store.FirstSequence, store.LastSequence);
            Report(left, store, promise);
            Assert.InRange(last, atLeast, promise.Appended);
            Assert.InRange(first, promise.Removed, promise.MayBeRemoved);
            Records(store, promise);
            foreach ((int before, int count) in promise.Batches)
            {
                Assert.True(last <= before || last >= before + count, $"a batch of {count} after {before} is there in part: the log ends with {last}");
                Assert.True(first <= before + 1 || first > before + count, $"a batch of {count} after {before} is there in part: the log begins with {first}");
            }

            Snapshots(left, store, promise);
            Cursors(store, promise);
            if (number % 3 == 0 && promise.Imported >= last) last = ResumeImport(store);
            else Assert.Equal(++last, store.Append(-1));
            if (number % 8 == 2) Assert.False(RetentionTests.Look(left).Verify().IsCorrupt);
        }

        if (number % 4 != 3) return;

        // What was recovered once is whole.
        using NinoStore again = Simulated.Open(left, number + 1);
        Assert.Equal((first, last, true, 0L), (again.FirstSequence, again.LastSequence, again.Recovery.CleanClose, again.Recovery.BytesCut));
        Assert.Empty(again.Recovery.Damage);
        Assert.Empty(again.Recovery.FilesRemoved);
    }

    /// <summary>Checks one state of the folder of a backup, and that the store it was made from has at least as much when its machine fails at the same moment.</summary>
    public void Copy(SimDirectory copy, SimDirectory original, LifePromise promise, int number)
    {
        using NinoStore store = Simulated.Open(original, number);
        if (promise.Copied == 0 && RetentionTests.Segments(copy) is [> 1, ..] && LogStart.Read(copy, out _) is null)
        {
            // A first copy of a truncated log is a store when it is complete.
            Assert.Contains("back up to it again", Assert.Throws<StoreCorruptException>(() => Simulated.Open(copy.KillProcess(), number + 1)).Message, StringComparison.Ordinal);
        }
        else if (promise.Copied > 0 || RetentionTests.Segments(copy).Length > 0)
        {
            using NinoStore opened = Simulated.Open(copy.KillProcess(), number + 1);
            Assert.InRange(opened.LastSequence, promise.Copied, store.LastSequence);
            Assert.InRange(opened.FirstSequence, 1, promise.MayBeRemoved);
            Assert.All(opened.Recovery.Damage, static damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
            Records(opened, promise);
            foreach (CursorInfo cursor in opened.Cursors) Assert.InRange(opened.OpenCursor(cursor.Name).Position, 0, opened.LastSequence);
        }

        // It goes on from what is there.
        if (number % 2 != 0) return;
        BackupResult result;
        try
        {
            result = store.BackupTo(copy);
        }
        catch (StoreException e) when (IsTooOld(e))
        {
            return;
        }

        using NinoStore whole = Simulated.Open(copy.KillProcess(), number + 2);
        Assert.Equal((store.FirstSequence, store.LastSequence, store.LastSequence), (whole.FirstSequence, whole.LastSequence, result.LastSequence));
        Assert.Empty(whole.Recovery.Damage);
        Records(whole, promise);
        Assert.Equal(store.Snapshots.Select(static s => s.FileName), whole.Snapshots.Select(static s => s.FileName));
        Assert.Equal(store.Cursors.Select(c => (c.Name, store.OpenCursor(c.Name).Position)), whole.Cursors.Select(c => (c.Name, whole.OpenCursor(c.Name).Position)));
    }

    /// <summary>True when a copy is so old that retention has removed what would follow it: it says so, and stays what it is.</summary>
    public static bool IsTooOld(StoreException refusal) => refusal.Message.Contains("what is between was removed before it was copied", StringComparison.Ordinal);

    /// <summary>Every record from the log's first to its last, as it was appended.</summary>
    public static void Records(NinoStore store, LifePromise promise)
    {
        long next = 0;
        DateTimeOffset time = default;
        foreach (LogRecord record in store.ReadRecords())
        {
            // Known only now: what a reading writes out first can begin a segment, and then the policy removes older ones.
            if (next == 0) next = store.FirstSequence;
            Assert.Equal(next, record.Sequence);
            LifeRecord expected = promise.Records[(int)next - 1];
            if (record.Schema.Name != expected.Type || !record.Payload.Span.SequenceEqual(expected.Bytes)) Assert.Fail($"record {next} is of type {record.Schema.Name} with {record.Payload.Length} bytes, and was of type {expected.Type} with {expected.Bytes.Length}");
            Assert.True(record.Timestamp >= time, $"record {next} is older than the one before it");
            (next, time) = (next + 1, record.Timestamp);
        }

        Assert.Equal(store.LastSequence + 1, next == 0 ? store.FirstSequence : next);
    }

    /// <summary>What an act is refused with. When something else is thrown, the power failed, and it is the life that ends.</summary>
    public static T Refused<T>(Action act) where T : Exception
    {
        try
        {
            act();
        }
        catch (T e)
        {
            return e;
        }

        throw new InvalidOperationException($"No {typeof(T).Name} was thrown.");
    }

    private static void Report(SimDirectory left, NinoStore store, LifePromise promise)
    {
        RecoveryReport report = store.Recovery;
        Assert.Equal((store.LastSequence, store.LastSequence), (report.LastSequence, store.DurableSequence));
        Assert.All(report.Damage, static damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        Assert.Equal(report.BytesCut, report.Damage.Sum(static damage => damage.LengthBytes));
        Assert.Equal(report.BytesCut > 0, report.CutBytesFile is not null);
        if (report.CutBytesFile is not null) Assert.Contains(left.List(), file => file.Name == report.CutBytesFile);
        Assert.DoesNotContain(left.List(), file => report.FilesRemoved.Contains(file.Name));
        if (report is { CleanClose: true, Created: false } && !promise.MayBeClosed) Assert.True((promise.Closed == store.LastSequence || promise.ClosedBefore == store.LastSequence) && report.BytesCut == 0, $"the report says that the log was closed at {store.LastSequence}, and that was at {promise.Closed}");
    }

    private static void Snapshots(SimDirectory left, NinoStore store, LifePromise promise)
    {
        IReadOnlyList<SnapshotInfo> snapshots = store.Snapshots;
        long[] kept = [.. promise.Snapshots.Take(promise.SnapshotPossible is null ? LifePromise.Generations : LifePromise.Generations - 1)];
        Assert.Equal(kept, snapshots.Select(static s => s.Sequence).Where(kept.Contains).Take(kept.Length));
        foreach (SnapshotInfo info in snapshots)
        {
            using SnapshotFile file = SnapshotFile.Open(left, info.FileName, SnapshotVerification.All);
            Assert.True(SnapshotReader.TryRead(file, NinoCodec<LifeState>.Default, out LifeState? state, out SnapshotFailure? failure), failure?.Message);
            IsState(promise.StateAt(info.Sequence), state);
            if (!promise.SnapshotsIgnored) Assert.True(store.FirstSequence <= info.Sequence + 1, $"the log begins with {store.FirstSequence}, and {info.FileName} needs {info.Sequence + 1}");
        }

        if (store.FirstSequence <= (snapshots.Count == 0 ? 0 : snapshots[0].Sequence) + 1) IsState(promise.StateAt(store.LastSequence), Restore(store));
        else Assert.ThrowsAny<StoreException>(() => Restore(store));
    }

    private static LifeState Restore(NinoStore store) => Shipped.Done(store.RestoreAsync<LifeState>(static (state, record) => state.Add(Crc32C.Compute(record.Payload.Span))));

    private static void IsState(LifeState expected, LifeState actual) => Assert.Equal((expected.Count, expected.Hash), (actual.Count, actual.Hash));

    private static void Cursors(NinoStore store, LifePromise promise)
    {
        HashSet<string> there = [.. store.Cursors.Select(static c => c.Name)];
        Assert.Subset(promise.Cursors.Keys.ToHashSet(), there);
        foreach ((string name, CursorPromise cursor) in promise.Cursors)
        {
            if (!there.Contains(name))
            {
                Assert.True(cursor.Certain is null || cursor.Possible is null, $"the cursor {name} is gone");
                continue;
            }

            LogCursor opened = store.OpenCursor(name);
            Assert.True(opened.Position == cursor.Certain || opened.Position == cursor.Possible, $"the cursor {name} stands at {opened.Position}, and was put to {cursor}");
            Assert.True(opened.Position <= store.LastSequence && !opened.WasAhead, $"the cursor {name} stands at {opened.Position}, ahead of a log that ends with {store.LastSequence}");
        }
    }

    private long ResumeImport(NinoStore store)
    {
        foreach (RawFrame frame in source.ReadFrames(store.LastSequence + 1)) store.Import(frame);
        Assert.Equal(source.LastSequence, store.LastSequence);
        Assert.Equal(Shipped.Records(source)[((int)store.FirstSequence - 1)..], Shipped.Records(store));
        return store.LastSequence;
    }

    private static void LookOnly(SimDirectory left, LifePromise promise)
    {
        if (RetentionTests.Segments(left).Length == 0) return;
        string before = SimFolders.Fingerprint(left);
        using (NinoStore store = Simulated.Open(left, 3, static o => o with { ReadOnly = true }))
        {
            Assert.InRange(store.LastSequence, promise.Acknowledged, promise.Appended);
            Records(store, promise);
        }

        Assert.Equal(before, SimFolders.Fingerprint(left));
    }

    // Once or several times, by a power failure or the end of the process; then it must recover like the first time.
    private SimDirectory CrashDuringRecovery(SimDirectory left, int seed, ref bool isKill)
    {
        bool crashed = false;
        var random = new Random(seed);
        for (int times = random.Next(1, 4); times > 0; times--)
        {
            left.PowerOffAt = left.OperationCount + random.Next(1, 14);
            try
            {
                Simulated.Open(left, seed + times).Dispose();
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // The power failed during recovery, or while the store was closed after it.
            }

            crashed |= left.IsPowerOff;
            bool isPowerFailure = random.Next(3) != 0;
            if (isPowerFailure) isKill = false;
            left = isPowerFailure ? left.Crash(random) : left.KillProcess();
        }

        if (crashed) CrashedAgain++;
        return left;
    }
}
