using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>Openings that have something to mend, of which every call fails in every way, twice in a row: nothing acknowledged is lost, nobody keeps the lock, and the opening after them is right.</summary>
public class MendingFaultTests(ITestOutputHelper output)
{
    /// <summary>What there is to mend.</summary>
    public enum Image
    {
        /// <summary>A torn tail, with a segment that was being prepared.</summary>
        Torn,

        /// <summary>A segment in the middle that is not the one that belongs there: it and all behind it are set aside.</summary>
        Salvaged,

        /// <summary>The newest segment is missing, with cursors ahead of what is left.</summary>
        Shortened,

        /// <summary>Segments below the mark of the log's start.</summary>
        Retired,

        /// <summary>A killed writer's, without the mark of its end.</summary>
        Unmarked,

        /// <summary>The last segment is complete: a roll failed.</summary>
        Complete,
    }

    public static TheoryData<Image> Images => [.. Enum.GetValues<Image>()];

    [Theory]
    [MemberData(nameof(Images))]
    public void WhicheverCallOfAMendingOpeningFailsTheNextOneIsRight(Image image)
    {
        (SimDirectory start, RecoveryMode mode, (long First, long Last) expected) = Made(image);
        using (NinoStore right = Open(start.KillProcess(), mode))
        {
            Assert.Equal(expected, (right.FirstSequence, right.LastSequence));
            RetentionTests.IsWhole(right);
        }

        int failed = 0, states = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            foreach (bool isForever in (bool[])[false, true])
            {
                for (long at = 1; ; at++)
                {
                    SimDirectory disk = start.KillProcess();
                    long first = OpenWithAFault(disk, new Fault(at, kind, isForever), mode);
                    if (first == 0) break;

                    // The second opening meets its fault elsewhere, and may find nothing left to do.
                    failed += 1 + (OpenWithAFault(disk, new Fault(1 + (at * 7 % 40), kind, isForever), mode) > 0 ? 1 : 0);
                    foreach (SimDirectory after in disk.CrashStates(limit: 2, seed: (int)at).Append(disk.KillProcess()).Append(disk))
                    {
                        states++;
                        using NinoStore opened = Open(after, mode);
                        Assert.Equal(expected, (opened.FirstSequence, opened.LastSequence));
                        RetentionTests.IsWhole(opened);
                        Assert.Equal(expected.Last + 1, opened.Append((int)expected.Last + 1));
                        Simulated.Commit(opened);
                        RetentionTests.IsWhole(opened);
                    }
                }
            }
        }

        Effort.Tell(output, "injected faults", failed, "no chance in it", $"openings that mend, {image}: {states} states opened afterwards");
        Assert.True(failed > 100, $"{failed} faults");
    }

    // Returns how many calls failed.
    private static long OpenWithAFault(SimDirectory disk, Fault fault, RecoveryMode mode)
    {
        var faulty = new FaultDirectory(disk, seed: (int)fault.At) { Fault = fault };
        NinoStore? opened = null;
        Exception? failure = Record.Exception(() =>
        {
            opened = Open(faulty, mode);
            opened.Dispose();
        });

        if (failure is not null) Assert.IsType<InjectedFault>(failure is StoreReadOnlyException or StoreFailedException ? failure.InnerException : failure);
        return faulty.Failures;
    }

    private static NinoStore Open(IStoreDirectory directory, RecoveryMode mode) => Simulated.Open(directory, seed: 2, o => o with { Recovery = mode });

    // With the records that a right opening keeps: the first and the last.
    private static (SimDirectory, RecoveryMode, (long First, long Last)) Made(Image image)
    {
        var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory);
        NinoStore store = RetentionTests.Grown(faulty, segments: 4);
        CursorTests.Commit(store.OpenCursor("mail"), store.LastSequence);
        SimDirectory made;
        long all = store.LastSequence;
        switch (image)
        {
            case Image.Torn:
                store.AppendBatch<int>([.. Enumerable.Range((int)store.LastSequence + 1, 200)]);
                Assert.Equal(store.LastSequence, store.Read<int>().LongCount());
                made = directory.KillProcess();
                string last = SegmentFormat.Name(4);
                byte[] bytes = FileBytes.Of(made, last);
                bytes[bytes.AsSpan().LastIndexOfAnyExcept((byte)0)] ^= 1;
                FileBytes.Put(made, last, bytes);
                FileBytes.Put(made, SegmentFormat.PreparedName(null, 7), new byte[4096]);

                // The batch is one frame.
                return (made, RecoveryMode.TruncateTorn, (1, all));
            case Image.Salvaged:
                all = RetentionTests.First(directory, 3) - 1;
                store.Dispose();
                byte[] header = FileBytes.Of(directory, SegmentFormat.Name(3));
                header[40] ^= 1;
                FileBytes.Put(directory, SegmentFormat.Name(3), header);
                return (directory, RecoveryMode.Salvage, (1, all));
            case Image.Shortened:
                all = RetentionTests.First(directory, 4) - 1;
                store.Dispose();
                directory.Delete(SegmentFormat.Name(4));
                directory.SyncDirectory();
                return (directory, RecoveryMode.Salvage, (1, all));
            case Image.Retired:
                long first = RetentionTests.First(directory, 3);
                byte[][] kept = [.. Enumerable.Range(1, 2).Select(number => FileBytes.Of(directory, SegmentFormat.Name(number)))];
                store.TruncateBefore(first, RetentionHolds.Cursors);
                store.Dispose();
                for (int i = 0; i < 2; i++) FileBytes.Put(directory, SegmentFormat.Name(i + 1), kept[i]);
                return (directory, RecoveryMode.TruncateTorn, (first, all));
            case Image.Unmarked:
                made = directory.KillProcess();
                made.Delete(LogEnd.FileName);
                made.SyncDirectory();
                return (made, RecoveryMode.TruncateTorn, (1, all));
            default:
                faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Rename);
                Assert.IsType<StoreFailedException>(Record.Exception(() => RetentionTests.Grow(store, directory, 5)));
                all = store.DurableSequence;
                store.Dispose();
                return (directory.KillProcess(), RecoveryMode.TruncateTorn, (1, all));
        }
    }
}
