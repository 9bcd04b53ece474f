// What can be done with a store, at random, each with what it promises: before it begins what may come of it, and when it has returned what is certain.

using Store.Tests.Log;
using Store.Tests.Shipping;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>The steps of one life.</summary>
/// <param name="random">Chooses.</param>
/// <param name="source">The store that the life may follow.</param>
/// <param name="tally">Counts.</param>
/// <param name="mayFollow">Whether it begins by following.</param>
internal sealed class LifeSteps(Random random, NinoStore source, LifeTally tally, bool mayFollow)
{
    private bool _follows = mayFollow;
    private List<(long Sequence, DateTimeOffset Time, string Type, string Bytes)>? _sourceRecords;

    public LifeTally Tally => tally;

    public LifePromise Promise { get; set; } = new() { Records = [] };

    /// <summary>Where backups go.</summary>
    public SimDirectory Copy { get; set; } = new("copy");

    /// <summary>The copy is too old to go on from: another is begun.</summary>
    public bool NeedsCopy { get; set; }

    /// <summary>The policy of the options.</summary>
    public RetentionPolicy? Policy { get; set; }

    /// <summary>The promises of this moment, in the middle of a step too.</summary>
    public LifePromise Now()
    {
        Promise = Promise with { Appended = Promise.Records.Count };
        if (Policy?.MaxRecords is { } most) Promise = Promise with { MayBeRemoved = Math.Max(Promise.MayBeRemoved, Math.Min(Promise.Appended - most + 1, Promise.HeldFrom())) };
        return Promise;
    }

    public void Step(NinoStore store)
    {
        Now();
        if (Promise.IsFollowing && _follows && random.Next(30) != 0)
        {
            if (random.Next(2) == 0) Import(store);
            else Keep(store);
        }
        else
        {
            if (Promise.Imported > 0) _follows = false;
            if (random.Next(3) == 0) Keep(store);
            else Write(store);
        }

        Now();
        Assert.Equal(Promise.Appended, store.LastSequence);
    }

    private void Write(NinoStore store)
    {
        switch (random.Next(12))
        {
            case < 3:
                Append(store);
                break;
            case 3:
                using (LogAppender<long> appender = store.OpenAppender<long>())
                {
                    for (int i = random.Next(1, 20); i > 0; i--)
                    {
                        long value = Add(random.NextInt64());
                        Assert.Equal(Promise.Records.Count, appender.Append(value));
                    }
                }

                break;
            case < 6:
                Batch(store);
                break;
            case 6:
                long appended = Shipped.Done(store.AppendAsync(Add(random.Next())));
                Assert.Equal(Promise.Records.Count, appended);
                Acknowledge();
                break;
            case 7:
                var pipe = store.OpenPipe();
                byte[] bytes = Add(Bytes(random.Next(1, 3000)));
                bytes.CopyTo(pipe.GetSpan(bytes.Length));
                pipe.Advance(bytes.Length);
                Assert.False(Shipped.Done(pipe.FlushAsync()).IsCanceled);
                Acknowledge();
                break;
            case 8:
                Conflict(store);
                break;
            case 9:
                TryForeign(store);
                break;
            default:
                Commit(store);
                break;
        }
    }

    private void Keep(NinoStore store)
    {
        switch (random.Next(10))
        {
            case 0:
                Commit(store);
                break;
            case 1:
                // Reading writes what was appended, so that it is read from the file.
                LifeCheck.Records(store, Promise);
                Promise = Promise with { Flushed = Promise.Records.Count };
                break;
            case < 4:
                Checkpoint(store);
                break;
            case < 7:
                Cursor(store);
                break;
            case 7:
                Truncate(store);
                break;
            case 8:
                Retain(store);
                break;
            default:
                Backup(store);
                break;
        }
    }

    private void Append(NinoStore store)
    {
        long expected = random.Next(4) == 0 ? Promise.Records.Count + 1 : 0;
        switch (random.Next(8))
        {
            case 0:
                // Larger than a frame of small records, sometimes than a segment and what the buffer holds of one.
                int length = random.Next(6) == 0 ? random.Next(70_000, 300_000) : random.Next(1000, 20_000);
                if (length > 64 * 1024) tally.Large++;
                Appended(Add(new string((char)random.Next('a', 'z'), length)));
                break;
            case < 4:
                Appended(Add($"text {random.Next()}"));
                break;
            default:
                Appended(Add(random.Next()));
                break;
        }

        void Appended<T>(T value) => Assert.Equal(Promise.Records.Count, expected > 0 ? store.Append(value, expected) : store.Append(value));
    }

    private void Batch(NinoStore store)
    {
        int before = Promise.Records.Count;
        int[] values = [.. Enumerable.Range(0, random.Next(1, 60)).Select(_ => random.Next())];
        Promise = Promise with { Batches = Promise.Batches.Add((before, values.Length)) };
        foreach (int value in values) Add(value);
        tally.Batches++;
        switch (random.Next(3))
        {
            case 0:
                Assert.Equal(before + 1, store.AppendBatch<int>(values, before + 1));
                break;
            case 1:
                Assert.Equal(before + 1, Shipped.Done(store.AppendBatchAsync<int>(values)));
                Acknowledge();
                break;
            default:
                Assert.Equal(before + 1, store.AppendBatch<int>(values));
                break;
        }
    }

    private void Conflict(NinoStore store)
    {
        long wrong = Promise.Records.Count + (random.Next(2) == 0 ? 2 : Math.Min(0, 1 - Promise.Records.Count));
        if (wrong < 1 || wrong == Promise.Records.Count + 1) return;
        LifeCheck.Refused<SequenceConflictException>(() => store.Append(1, wrong));
        LifeCheck.Refused<SequenceConflictException>(() => store.AppendBatch<int>([1, 2], wrong));
        tally.Conflicts++;
    }

    private void Commit(NinoStore store)
    {
        if (random.Next(2) == 0) store.Commit();
        else Simulated.Commit(store);
        Acknowledge();
    }

    private void Checkpoint(NinoStore store)
    {
        int count = Promise.Records.Count;
        Promise = Promise with { SnapshotPossible = count };
        SnapshotInfo info = Shipped.Done(store.CheckpointAsync(Promise.StateAt(count)));
        Assert.Equal(count, info.Sequence);
        Promise = Promise with { Snapshots = [.. Promise.Snapshots.Insert(0, count).Take(LifePromise.Generations)], SnapshotPossible = null };
        Acknowledge();
        tally.Checkpoints++;
    }

    private void Cursor(NinoStore store)
    {
        string name = $"reader {random.Next(3)}";
        Promise.Cursors.TryGetValue(name, out CursorPromise there);
        if (there.Certain is not null && random.Next(8) == 0)
        {
            Promise = Promise with { Cursors = Promise.Cursors.SetItem(name, there with { Possible = null }) };
            Assert.True(store.DeleteCursor(name));
            Promise = Promise with { Cursors = Promise.Cursors.Remove(name) };
            return;
        }

        long position = random.NextInt64(Math.Max(store.FirstSequence - 1, store.LastSequence - 60), store.LastSequence + 1);
        Promise = Promise with { Cursors = Promise.Cursors.SetItem(name, there with { Possible = position }) };
        LogCursor cursor = store.OpenCursor(name, position);
        Assert.Equal(there.Certain ?? position, cursor.Position);
        if (there.Certain is not null)
        {
            ValueTask commit = cursor.CommitAsync(position);
            Assert.True(commit.IsCompleted);
            commit.GetAwaiter().GetResult();
            Promise = Promise with { Acknowledged = Math.Max(Promise.Acknowledged, (int)position), Flushed = Math.Max(Promise.Flushed, (int)position) };
            tally.Cursors++;
        }

        Promise = Promise with { Cursors = Promise.Cursors.SetItem(name, CursorPromise.At(position)) };
    }

    private void Truncate(NinoStore store)
    {
        long before = random.Next(3) == 0 ? long.MaxValue : random.NextInt64(store.FirstSequence, store.LastSequence + 2);
        RetentionHolds ignore = random.Next(5) == 0 ? (RetentionHolds)random.Next(1, 4) : RetentionHolds.None;
        if (ignore.HasFlag(RetentionHolds.Snapshots)) Promise = Promise with { SnapshotsIgnored = true };
        May(Math.Min(before, Promise.HeldFrom(ignore)));
        Removed(store, store.TruncateBefore(before, ignore));
    }

    private void Retain(NinoStore store)
    {
        long held = Promise.HeldFrom();
        switch (random.Next(3))
        {
            case 0:
                int most = random.Next(1, 200);
                May(Math.Min(Promise.Records.Count - most + 1, held));
                Removed(store, store.ApplyRetention(new RetentionPolicy { MaxRecords = most }));
                break;
            case 1:
                // No record that is younger than the age when it is over.
                var age = TimeSpan.FromMilliseconds(random.Next(1, 500));
                (long Sequence, DateTimeOffset Time)[] times = [.. store.ReadRecords().Select(static r => (r.Sequence, r.Timestamp))];
                Promise = Promise with { Flushed = Promise.Records.Count };
                May(held);
                TruncateResult result = store.ApplyRetention(new RetentionPolicy { MaxAge = age });
                Removed(store, result);
                DateTimeOffset now = store.Options.TimeProvider.GetUtcNow();
                foreach ((long sequence, DateTimeOffset time) in times.Where(r => r.Sequence < result.FirstSequence)) Assert.True(time <= now - age, $"record {sequence} of {time:O} was removed, and the age is {age} at {now:O}");
                break;
            default:
                long bytes = random.Next(1, 300_000);
                (long Number, long Bytes)[] before = Segments(store);
                May(held);
                Removed(store, store.ApplyRetention(new RetentionPolicy { MaxBytes = bytes }));
                (long Number, long Bytes)[] after = Segments(store);
                if (after.Length == before.Length) break;
                Assert.True(after.Sum(static s => s.Bytes) + before[before.Length - after.Length - 1].Bytes > bytes, $"a segment was removed, and the rest with it would not have had more than {bytes} bytes");
                break;
        }
    }

    private void Backup(NinoStore store)
    {
        int count = Promise.Records.Count;
        try
        {
            BackupResult result = store.BackupTo(Copy);
            Assert.Equal((store.FirstSequence, (long)count), (result.FirstSequence, result.LastSequence));
            Promise = Promise with { Copied = count };
            tally.Backups++;
        }
        catch (StoreException e) when (LifeCheck.IsTooOld(e))
        {
            NeedsCopy = true;
        }

        Acknowledge();
    }

    private void Import(NinoStore store)
    {
        long last = source.LastSequence;
        int there = Promise.Records.Count;
        if (there == last)
        {
            _follows = false;
        }
        else if (random.Next(5) == 0)
        {
            // Mostly cut off somewhere.
            byte[] shipment = Shipped.Shipment(source, there + 1);
            bool isWhole = random.Next(12) == 0;
            Imported(last);
            if (isWhole)
            {
                Assert.Equal(last, Shipped.Import(store, shipment).LastSequence);
                Acknowledge();
            }
            else
            {
                Assert.Equal(ShipmentProblem.Truncated, LifeCheck.Refused<ShipmentException>(() => Shipped.Import(store, shipment[..random.Next(Math.Min(shipment.Length - 1, 8000))])).Problem);
                Promise.Records.RemoveRange((int)store.LastSequence, Promise.Records.Count - (int)store.LastSequence);
                Promise = Promise with { Imported = Promise.Records.Count };
            }
        }
        else
        {
            int frames = random.Next(1, 12);
            foreach (RawFrame frame in source.ReadFrames(there + 1))
            {
                if (frames-- == 0) break;
                if (!frame.IsSchema) Imported(frame.LastSequence);
                store.Import(frame);
            }
        }

        tally.Imported++;
    }

    // Frames of another store do not go into a log that has records of its own.
    private void TryForeign(NinoStore store)
    {
        if (Promise.IsFollowing) return;
        try
        {
            foreach (RawFrame frame in source.ReadFrames(Math.Min(store.LastSequence, source.LastSequence - 1) + 1)) Assert.False(store.Import(frame));
        }
        catch (ShipmentException e) when (e.Problem is ShipmentProblem.Foreign or ShipmentProblem.Conflict or ShipmentProblem.Gap)
        {
            tally.Refused++;
        }
    }

    private T Add<T>(T value)
    {
        Promise.Records.Add(LifeRecord.Of(value));
        return value;
    }

    private void Imported(long through)
    {
        _sourceRecords ??= Shipped.Records(source);
        while (Promise.Records.Count < through)
        {
            (_, _, string type, string bytes) = _sourceRecords[Promise.Records.Count];
            Promise.Records.Add(LifeRecord.Of(type, Convert.FromHexString(bytes)));
        }

        Promise = Promise with { Imported = Promise.Records.Count };
    }

    private byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    private void Acknowledge() => Promise = Promise with { Acknowledged = Promise.Records.Count, Flushed = Promise.Records.Count };

    private void May(long first) => Promise = Promise with { MayBeRemoved = Math.Max(Promise.MayBeRemoved, Math.Min(first, Promise.Records.Count + 1)) };

    private void Removed(NinoStore store, TruncateResult result)
    {
        Assert.Equal(store.FirstSequence, result.FirstSequence);
        Assert.InRange(result.FirstSequence, Promise.Removed, Promise.MayBeRemoved);
        Promise = Promise with { Removed = result.FirstSequence };
        if (result.SegmentsRemoved > 0) tally.Removals++;
    }

    private static (long Number, long Bytes)[] Segments(NinoStore store) =>
        [.. store.Opened.Directory.List().Where(static f => Store.Log.SegmentFormat.TryParseName(f.Name, out _)).Select(static f => (Store.Log.SegmentFormat.TryParseName(f.Name, out long number) ? number : 0, f.LengthBytes)).OrderBy(static f => f.Item1)];
}
