// Reading newest first in the store's own process, over damage: everything, or the newest records and then an exception, never a gap.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

public class ReverseDamageTests
{
    private const int Records = 330, BytesFlipped = 400;

    private static readonly ReadOptions Newest = new() { NewestFirst = true };

    // Three segments, each with an index of several entries.
    private static NinoStoreOptions Large(NinoStoreOptions options) => options with { FirstSegmentSizeBytes = 128 * 1024, SegmentSizeBytes = 128 * 1024 };

    private static SimDirectory Stored()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory, change: Large);
        for (int i = 1; i <= Records; i++)
        {
            store.Append($"{i} {new string('x', 1000)}");
            if (i % 6 == 0) Simulated.Commit(store);
        }

        return directory;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhateverBitOfASegmentsBeginningIsFlippedNothingIsPassedOver(bool goodIndex)
    {
        SimDirectory directory = Stored();
        Assert.Equal(3, Retention.RetentionTests.Segments(directory).Length);
        string name = SegmentFormat.Name(2);
        if (!goodIndex) SpoilIndex(directory, name);
        byte[] whole = FileBytes.Of(directory, name);
        int refused = 0, whatever = 0;
        using IStoreFile file = directory.OpenWrite(name);
        using NinoStore store = Simulated.Open(new LookOnly(directory), 2, static o => o with { ReadOnly = true });
        ReadOptions[] ranges = [Newest, Newest with { FromSequence = 3 }, Newest with { ToSequence = 200 }];
        for (int bit = 0; bit < 8 * BytesFlipped; bit++)
        {
            file.Write([(byte)(whole[bit / 8] ^ (1 << (bit % 8)))], bit / 8);
            ReadOptions range = ranges[bit % ranges.Length];
            List<long> seen = [];
            Exception? failure = Record.Exception(() =>
            {
                // As NinoStore reads it, but for the index, which a store makes once where it is damaged.
                var files = new Forgetful(store.Opened.Files);
                foreach (LogRecord record in new ReverseScan(files, range, files.Span(durableOnly: false)).Records()) seen.Add(record.Sequence);
            });
            long newest = Math.Min(Records, range.ToSequence), all = newest - range.FromSequence + 1;
            Assert.Equal(Enumerable.Range(0, seen.Count).Select(i => newest - i), seen);
            if (failure is null)
            {
                Assert.True(seen.Count == all, $"bit {bit}: {seen.Count} of {all} records, and no exception");
                whatever++;
            }
            else
            {
                Assert.StartsWith(name, Assert.IsType<StoreCorruptException>(failure).Message, StringComparison.Ordinal);
                refused++;
            }

            file.Write([whole[bit / 8]], bit / 8);
        }

        Assert.True(refused > (8 * (BytesFlipped - SegmentFormat.HeaderSize)) - 100, $"{refused} refused, {whatever} not");
    }

    private static void SpoilIndex(SimDirectory directory, string name)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        using IStoreFile file = directory.OpenRead(name);
        SegmentHeader.TryRead(file, out SegmentHeader header);
        using var scanner = new SegmentScanner(file, header);
        while (scanner.Next() == FrameReadStatus.Frame && scanner.Frame.Kind != FrameKind.Index) { }
        Assert.Equal(FrameKind.Index, scanner.Frame.Kind);
        bytes[scanner.FrameOffset + FrameFormat.HeaderSize + 3] ^= 1;
        FileBytes.Put(directory, name, bytes);
    }

    private sealed class Forgetful(ILogFiles files) : ILogFiles
    {
        public IStoreDirectory Directory => files.Directory;

        public IReadOnlyList<SegmentHeader> Segments => files.Segments;

        public LogSpan Span(bool durableOnly) => files.Span(durableOnly);

        public string NameOf(SegmentHeader header) => files.NameOf(header);

        public bool IsRetired(SegmentHeader header) => files.IsRetired(header);

        public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) =>
            successor is { } next ? new SegmentIndexCache().Get(file, header, next.PreviousLength) : files.IndexOf(file, header, successor);
    }

    // Closing a store closes its folder, which the test still needs.
    private sealed class LookOnly(SimDirectory directory) : LookOnlyDirectory(directory);
}
