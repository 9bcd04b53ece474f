// A sector of a log that the disk cannot read, each in turn, and who looks at the files from outside: it is damage like any other, told with its place, and everything else is read.

using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

public sealed class UnreadableSectorReaderTests
{
    private const int SectorBytes = 4096, Records = 400;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhicheverSectorCannotBeReadEveryFrameThatIsNotInItIsRead(bool newestFirst)
    {
        SimDirectory directory = Stored();
        long[] segments = RetentionTests.Segments(directory);
        Assert.Equal(3, segments.Length);
        int sectors = 0;
        foreach (long segment in segments)
        {
            string name = SegmentFormat.Name(segment);
            List<PlacedFrame> frames = Frames.WithPlaces(directory, segment);
            long length = directory.List().Single(f => f.Name == name).LengthBytes;
            for (long from = 0; from < length; from += SectorBytes, sectors++)
            {
                long to = from + SectorBytes;
                var disk = new BadSectorDirectory(directory, SectorBytes);
                disk.Spoil(name, from);
                StoreReader reader = StoreReader.Open(disk, "sim", null, static _ => false);
                List<StoreDamage> met = [];
                long[] read = [.. reader.ReadRecords(new ReadOptions { NewestFirst = newestFirst }, met.Add).Select(static r => r.Sequence)];
                if (newestFirst) Array.Reverse(read);
                PlacedFrame[] hit = [.. frames.Where(frame => frame.Offset < to && frame.End > from)];
                HashSet<long> lost = [.. hit.Where(static frame => frame.Header.RecordCount > 0).SelectMany(static frame => Enumerable.Range(0, frame.Header.RecordCount).Select(i => frame.Header.FirstSequence + i))];
                if (from == 0) lost = [.. frames.Where(static frame => frame.Header.RecordCount > 0).SelectMany(static frame => Enumerable.Range(0, frame.Header.RecordCount).Select(i => frame.Header.FirstSequence + i))];
                Assert.Equal(Enumerable.Range(1, Records).Select(static i => (long)i).Where(i => !lost.Contains(i)), read);

                // Nobody needs what lies behind a footer.
                bool isBehind = from >= frames[^1].End;
                VerifyReport report = reader.Verify();
                if (isBehind && segment != segments[^1])
                {
                    Assert.Empty(report.Damage);
                    continue;
                }

                Assert.Contains(report.Damage, damage => damage.File == name && damage.Kind == StoreDamageKind.Corruption && damage.Offset < to && damage.Offset + Math.Max(damage.LengthBytes, 1) > from && damage.Message.Contains("cannot be read", StringComparison.Ordinal));
                Assert.Contains(met, damage => damage.File == name && damage.Message.Contains("cannot be read", StringComparison.Ordinal));
                Assert.Equal(Records - lost.Count, report.Records);
            }
        }

        Assert.True(sectors > 40, $"{sectors}");
    }

    /// <summary>Of a log in one file, too.</summary>
    [Fact]
    public void ALogInOneFileIsReadAroundASector()
    {
        var directory = new SimDirectory();
        using (NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory))) Fill(store);
        var disk = new BadSectorDirectory(directory, SectorBytes);
        disk.Spoil("log.bin", 10 * SectorBytes);
        StoreReader reader = StoreReader.Open(disk, "sim", "log.bin", static _ => false);
        VerifyReport report = reader.Verify();
        Assert.Contains($"{10 * SectorBytes}", Assert.Single(report.Damage).Message, StringComparison.Ordinal);
        Assert.InRange(report.Records, Records - 40, Records - 1);
        Assert.Equal(report.Records, reader.ReadRecords().Count());
    }

    /// <summary>A sector that takes the disk long to give up is asked for once or twice, and not for every frame in front of it.</summary>
    [Fact]
    public void ASectorThatCannotBeReadIsNotAskedForAgainAndAgain()
    {
        SimDirectory directory = Stored();
        var disk = new BadSectorDirectory(directory, SectorBytes);
        disk.Spoil(SegmentFormat.Name(2), 20 * SectorBytes);
        VerifyReport report = StoreReader.Open(disk, "sim", null, static _ => false).Verify();
        Assert.Single(report.Damage);
        Assert.InRange(disk.FailedReads, 1, 4);
    }

    /// <summary>Each mark has a copy in another sector.</summary>
    [Fact]
    public void AMarkIsReadFromItsOtherCopy()
    {
        SimDirectory directory = Stored();
        var disk = new BadSectorDirectory(directory, SectorBytes);
        disk.Spoil(LogEnd.FileName, 0);
        StoreReader reader = StoreReader.Open(disk, "sim", null, static _ => false);
        Assert.Empty(reader.Verify().Damage);
        disk.Spoil(LogEnd.FileName, SectorBytes);
        Assert.Equal(LogEnd.FileName, Assert.Single(StoreReader.Open(disk, "sim", null, static _ => false).Verify().Damage).File);
    }

    /// <summary>A failure that is not of the disk's surface says nothing about the file.</summary>
    [Fact]
    public void AnotherFailureIsNoDamage()
    {
        SimDirectory directory = Stored();
        var disk = new BadSectorDirectory(directory, SectorBytes, static () => throw new IOException("Stale file handle", 116));
        disk.Spoil(SegmentFormat.Name(1), 5 * SectorBytes);
        StoreReader reader = StoreReader.Open(disk, "sim", null, static _ => false);
        Assert.Throws<IOException>(() => reader.Verify());
        Assert.Throws<IOException>(() => reader.ReadRecords().Count());
    }

    // Three segments of many sectors, frames of two records that cross them, one type; closed.
    private static SimDirectory Stored()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 104 * 1024, SegmentSizeBytes = 104 * 1024 });
        Fill(store);
        return directory;
    }

    private static void Fill(NinoStore store)
    {
        for (int i = 1; i <= Records; i++)
        {
            store.Append($"{i} {new string('x', 600)}");
            if (i % 2 == 0) Simulated.Commit(store);
        }
    }
}
