// A reader of the files beside a writer at work: what is on its way is waited for and is no damage, and what retention removes was not lost.

using System.Diagnostics;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using static Store.Tests.Reading.ReaderStores;

namespace Store.Tests.Reading;

public sealed class LiveReaderTests
{
    /// <summary>Each frame is half there when it is met, more often than the reader waits at one place, and whole after a wait.</summary>
    [Fact]
    public void AWriterThatGoesOnIsWaitedForAtEachFrame()
    {
        var growth = new Growth(frames: 30, looksAtEach: 1);
        VerifyReport report = growth.Reader().Verify();
        Assert.Empty(report.Damage);
        Assert.Equal(growth.WholeRecords, report.Records);
        Assert.Equal(30, report.Records);
    }

    /// <summary>It ends although the writer does not: what the writer is at is no torn tail.</summary>
    [Fact]
    public void AWriterThatNeverRestsIsNotWaitedForForEver()
    {
        var growth = new Growth(frames: 130, looksAtEach: 1);
        VerifyReport report = growth.Reader().Verify();
        Assert.Empty(report.Damage);
        Assert.InRange(report.Records, 90, 129);
    }

    /// <summary>Bytes that stay unfinished however long the file is written to elsewhere are a torn tail.</summary>
    [Fact]
    public void AFrameThatDoesNotBecomeWholeIsATornTail()
    {
        var growth = new Growth(frames: 5, looksAtEach: 1000);
        StoreDamage torn = Assert.Single(growth.Reader().Verify().Damage);
        Assert.Equal(StoreDamageKind.TornTail, torn.Kind);
    }

    /// <summary>Somebody has moved the segment to another disk and left a link, which is as old as it is however much is written to the file.</summary>
    [Fact]
    public void ASegmentThatALinkLeadsToIsBeingWrittenWhenItsFileIs()
    {
        if (OperatingSystem.IsWindows()) return;
        using var folder = new TemporaryFolder();
        using (NinoStore store = NinoStore.Open(folder["store"]))
        {
            store.Append("whole");
            store.Commit();
            store.Append("damaged");
        }

        string link = Path.Combine(folder["store"], SegmentFormat.Name(1)), file = folder["elsewhere"];
        byte[] bytes = File.ReadAllBytes(link);
        bytes[bytes.AsSpan().LastIndexOf("damaged"u8)] ^= 1;
        File.WriteAllBytes(file, bytes);
        File.Delete(link);
        File.CreateSymbolicLink(link, file);
        File.SetLastWriteTimeUtc(link, new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddHours(1));
        Assert.Equal(2001, File.GetLastWriteTimeUtc(link).Year);

        // Ten waits of 20 ms at the damaged place: it might have become whole.
        using StoreReader reader = StoreReader.Open(folder["store"]);
        long begun = Stopwatch.GetTimestamp();
        Assert.True(reader.Verify().IsCorrupt);
        Assert.InRange(Stopwatch.GetElapsedTime(begun).TotalMilliseconds, 190, double.MaxValue);
    }

    /// <summary>The frame becomes whole after it was looked at and before the place behind it is searched.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void AFrameThatIsWholeByNowIsNoDamage(int frames)
    {
        var growth = new Growth(frames, looksAtEach: 0);
        VerifyReport report = growth.Reader().Verify();
        Assert.Empty(report.Damage);
        Assert.Equal(frames, report.Records);
    }

    /// <summary>Retention removes segments after the reader was opened, or while it reads, up to all that it knew of; a snapshot of records that it removed is not ahead of the log.</summary>
    [Theory]
    [InlineData(2, false)]
    [InlineData(4, false)]
    [InlineData(9, false)]
    [InlineData(2, true)]
    [InlineData(4, true)]
    [InlineData(9, true)]
    public async Task WhatRetentionRemovedMeanwhileIsNoDamage(int upTo, bool whileReading)
    {
        var directory = new SimDirectory();
        await using NinoStore store = RetentionTests.Grown(directory, segments: 5);
        await store.CheckpointAsync(new Simple { Value = 1 });
        var watched = new OnOpening(directory);
        StoreReader reader = StoreReader.Open(watched, "sim", null, static _ => false);
        RetentionTests.Grow(store, directory, segments: 10);
        await store.CheckpointAsync(new Simple { Value = 2 });
        await store.CheckpointAsync(new Simple { Value = 3 });
        void Remove() => store.TruncateBefore(RetentionTests.First(directory, upTo));
        if (whileReading) watched.Do(SegmentFormat.Name(1), Remove);
        else Remove();
        VerifyReport report = reader.Verify();
        Assert.Equal(upTo, RetentionTests.Segments(directory)[0]);
        Assert.Empty(report.Damage);
        Assert.Equal(Enumerable.Range(1, 5).Where(number => number >= upTo || (whileReading && number == 1)).Select(static number => SegmentFormat.Name(number)), report.Files.Where(static f => f.File.Kind == StoreFileKind.Segment).Select(static f => f.File.Name));
    }

    /// <summary>The segments up to the third are removed while another is looked at: those that were looked at before are no part of the log any more, nor is one missing behind them.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void ASegmentThatRetentionRemovesWhileAReaderIsOpenedIsLeftOut(int looked)
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 6);
        var watched = new OnOpening(directory);
        watched.Do(SegmentFormat.Name(looked), () => store.TruncateBefore(RetentionTests.First(directory, 4)));
        StoreReader reader = StoreReader.Open(watched, "sim", null, static _ => false);
        Assert.Equal(4, RetentionTests.Segments(directory)[0]);
        Assert.Equal(store.FirstSequence, reader.ReadRecords().First().Sequence);
        Assert.Empty(reader.Verify().Damage);
    }

    /// <summary>What is newer has been returned, and nothing older is kept. Where nothing was, all that the reader knows of is gone.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ReadingNewestFirstEndsWithWhatRetentionHasLeft(bool removesAll)
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 5);
        StoreReader reader = RetentionTests.Look(directory);
        long last = store.LastSequence;
        if (removesAll) RetentionTests.Grow(store, directory, segments: 7);
        store.TruncateBefore(removesAll ? long.MaxValue : RetentionTests.First(directory, 3));
        IEnumerable<long> read = reader.ReadRecords(new ReadOptions { NewestFirst = true }).Select(static record => record.Sequence);
        if (removesAll) Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => read.Count()).FirstSequence);
        else Assert.Equal(Enumerable.Range(0, (int)(last - store.FirstSequence + 1)).Select(i => last - i), read);
    }

    /// <summary>A log of committed records of one frame each, of which a reader sees more whenever it asks whether the file is written to: the next frame whole and half of the one after it.</summary>
    private sealed class Growth
    {
        private readonly SimDirectory _seen = new();
        private readonly byte[] _whole;
        private readonly long[] _starts;
        private readonly string _name = SegmentFormat.Name(1);
        private readonly int _looksAtEach;
        private int _looks;

        public Growth(int frames, int looksAtEach)
        {
            _looksAtEach = looksAtEach;
            SimDirectory written = new();
            using NinoStore store = Simulated.Open(written, change: static o => o with { FirstSegmentSizeBytes = 64 * 1024 });
            for (int i = 1; i <= frames; i++)
            {
                AppendLine(store, i);
                store.Commit();
            }

            _whole = FileBytes.Of(written, _name);
            List<PlacedFrame> placed = [.. Frames.WithPlaces(written, 1).Where(static frame => frame.Header.RecordCount > 0)];
            Assert.Equal(frames, placed.Count);
            _starts = [.. placed.Select(static frame => frame.Offset), placed[^1].End];
            foreach (StoreFileEntry entry in written.List().Where(f => f.Name != SegmentFormat.LockName && f.Name != _name && f.Name != LogEnd.FileName)) FileBytes.Put(_seen, entry.Name, FileBytes.Of(written, entry.Name));
            Show(0);
        }

        public int WholeRecords { get; private set; }

        public StoreReader Reader() => StoreReader.Open(_seen, "sim", null, name => name == _name && IsBeingWritten());

        private bool IsBeingWritten()
        {
            if (_looksAtEach == 0)
            {
                Show(_starts.Length - 1);
                return false;
            }

            if (++_looks >= _looksAtEach && WholeRecords < _starts.Length - 1)
            {
                Show(WholeRecords + 1);
                _looks = 0;
            }

            return true;
        }

        private void Show(int records)
        {
            WholeRecords = records;
            long end = records == _starts.Length - 1 ? _starts[records] : (_starts[records] + _starts[records + 1]) / 2;
            byte[] bytes = new byte[_whole.Length];
            _whole.AsSpan(0, (int)end).CopyTo(bytes);
            if (_seen.List().Any(f => f.Name == _name))
            {
                using IStoreFile file = _seen.OpenWrite(_name);
                file.Write(bytes, 0);
            }
            else FileBytes.Put(_seen, _name, bytes);
        }
    }

    private sealed class OnOpening(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private string? _name;
        private Action? _action;

        /// <summary>Does something once, when a file has been opened.</summary>
        public void Do(string name, Action action) => (_name, _action) = (name, action);

        public override IStoreFile OpenRead(string name)
        {
            IStoreFile file = base.OpenRead(name);
            if (name == _name && Interlocked.Exchange(ref _action, null) is { } action) action();
            return file;
        }
    }
}

[Store.Serialization.NinoType]
public sealed partial class Simple
{
    public int Value { get; set; }
}
