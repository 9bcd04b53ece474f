// The tool where something goes wrong beside it: a disk that cannot read, a writer and its retention at work, an output that takes nothing more, a file name that is none, values larger than a screen.

using Store.Inspect;
using Store.Inspect.Commands;
using Store.Inspect.Rendering;
using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.Values;

namespace Store.Tests.Inspect;

public sealed class InspectTroubleTests : IDisposable
{
    private const int SectorBytes = 4096;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void AnUnreadableSectorIsNamedByEveryVerbAndTheRestIsShown()
    {
        var directory = new SimDirectory();
        using (NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory)))
        {
            for (int i = 1; i <= 200; i++)
            {
                store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(i, new string('x', 400)));
                store.Commit();
            }
        }

        var disk = new BadSectorDirectory(directory, SectorBytes);
        disk.Spoil("log.bin", 10 * SectorBytes);
        StoreReader Open(string path) => StoreReader.Open(new KeptOpen(disk), path, "log.bin", static _ => false);
        foreach (string[] verb in (string[][])[[], ["cat"], ["cat", "--json"], ["verify"], ["schema"], ["export"]])
        {
            ToolRun run = ToolRun.With([.. verb, "log.bin"], open: Open);
            Assert.Equal(ExitCode.Corrupt, run.ExitCode);
            Assert.Contains("cannot be read", run.Output + run.Error, StringComparison.Ordinal);
            Assert.Contains($"{10 * SectorBytes}", run.Output + run.Error, StringComparison.Ordinal);
        }

        string[] lines = ToolRun.With(["cat", "log.bin"], open: Open).Lines;
        Assert.InRange(lines.Length, 180, 199);
        Assert.StartsWith("200\t", lines[^1], StringComparison.Ordinal);
    }

    /// <summary>A disk that is gone in the middle: what was read before is there, then the message.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatWasReadBeforeAFailureIsWritten(bool isTerminal)
    {
        SimDirectory directory = TwoSegments();
        int opened = 0;
        var disk = new FailingDirectory(directory, name => name == SegmentFormat.Name(2) && ++opened > 1);
        ToolRun run = ToolRun.With(["cat", "sim"], isTerminal, open: path => StoreReader.Open(new KeptOpen(disk), path, null, static _ => false));
        Assert.Equal(ExitCode.Unreadable, run.ExitCode);
        Assert.Contains("Stale file handle", run.Error, StringComparison.Ordinal);
        Assert.True(run.Lines.Length >= 10, $"{run.Lines.Length} lines");
    }

    /// <summary>Neither of them is damage; what is shown goes on with what is kept, and the exit code tells that something is missing.</summary>
    [Theory]
    [InlineData("cat", 5)]
    [InlineData("export", 5)]
    [InlineData("verify", 0)]
    [InlineData("schema", 0)]
    [InlineData("", 0)]
    public void WhatRetentionRemovesMeanwhileIsNoDamage(string verb, int exitCode)
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        ToolRun run = ToolRun.With(verb.Length == 0 ? ["sim"] : [verb, "sim"], open: path =>
        {
            StoreReader reader = StoreReader.Open(new KeptOpen(directory), path, null, static _ => false);
            store.TruncateBefore(RetentionTests.First(directory, 3));
            return reader;
        });
        Assert.Equal(3, RetentionTests.Segments(directory)[0]);
        Assert.Equal((exitCode, exitCode == 5), (run.ExitCode, run.Error.Contains("retention", StringComparison.Ordinal)));
        if (exitCode != 5) return;
        Assert.Equal(store.LastSequence - store.FirstSequence + 1, run.Lines.Length);
        Assert.Contains($"record {store.FirstSequence}", run.Error.Replace(",", "", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    /// <summary>What was not asked for is not missing.</summary>
    [Fact]
    public void RetentionBehindTheRangeIsNotToldOf()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        ToolRun run = ToolRun.With(["cat", "sim", "--from", $"{RetentionTests.First(directory, 3) + 5}"], open: path =>
        {
            StoreReader reader = StoreReader.Open(new KeptOpen(directory), path, null, static _ => false);
            store.TruncateBefore(RetentionTests.First(directory, 3));
            return reader;
        });
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
    }

    /// <summary>16 MiB of numbers are 128 MiB of decoded values, and up to a hundred records settle the columns; the page shows the first numbers of each.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("cat")]
    public void AHugeValueIsShownByItsBeginning(string verb)
    {
        string path = _folder["huge.log"];
        const int Count = 4 << 20;
        NinoSchema numbers = NinoSchema.Create(Shapes.Class("Numbers", ("All", SchemaNode.List(Shapes.Of(SchemaKind.Int32))), ("Name", Shapes.Of(SchemaKind.String))));
        using (NinoStore store = NinoLog.Create(path, new NinoStoreOptions { MaxRecordSizeBytes = 64 << 20 }))
        {
            byte[] record = new RecordBytes().Count(Count).Raw(new byte[4 * Count]).Text("end").ToArray();
            for (int i = 0; i < 3; i++) store.AppendRecord(numbers, record);
            store.AppendRecord(numbers, record[..^2]);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        ToolRun run = ToolRun.OnTerminal(120, verb.Length == 0 ? [path] : [verb, path]);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Contains("{\"All\":[0,0,0,", run.Output.Replace(" ", "", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Contains("16.0 MiB", run.Output, StringComparison.Ordinal);
        if (verb == "cat") Assert.Contains("record 4", run.Error, StringComparison.Ordinal);
        Assert.InRange(allocated, 1, 64L * Count);
    }

    /// <summary>An object to which references are kept may be null at the root, and has no fields to put into columns.</summary>
    [Fact]
    public void ARecordThatIsNullIsShownAsNull()
    {
        string path = _folder["null.log"];
        using (NinoStore store = NinoLog.Create(path, SampleLog.Options()))
        {
            store.Append(new Linked { Name = "a" });
            store.AppendRecord(NinoCodec<Linked>.Default.Schema, [0]);
        }

        ToolRun run = ToolRun.OnTerminal(120, "cat", path);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("null", run.Output, StringComparison.Ordinal);
        Assert.Contains("null", ToolRun.OnTerminal(120, path).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void AnEmptyNameIsAMistakeOfTheCommandLine()
    {
        string log = SampleLog.OneFile(_folder);
        foreach (string[] args in (string[][])[[""], ["cat", ""], ["export", ""], ["export", log, "-o", ""]])
        {
            ToolRun run = ToolRun.Of(args);
            Assert.Equal((ExitCode.Usage, ""), (run.ExitCode, run.Output));
            Assert.Equal(1, run.Error.Count(static c => c == '\n'));
        }
    }

    /// <summary>As on Windows and macOS.</summary>
    [Fact]
    public void AFileIsFoundByANameInOtherCase()
    {
        var directory = new SimDirectory();
        using (NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory))) store.Append(1);
        ToolRun run = ToolRun.With(["cat", "LOG.BIN"], open: path => StoreReader.Open(new KeptOpen(new CaselessDirectory(directory)), path, "LOG.BIN", static _ => false));
        Assert.Equal((0, 1), (run.ExitCode, run.Lines.Length));
    }

    [Fact]
    public void ANameThatBeginsWithAnAtIsAName()
    {
        var directory = new SimDirectory();
        using (NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory))) store.Append(1);
        string? opened = null;
        ToolRun run = ToolRun.With(["cat", "@log.bin"], open: path => StoreReader.Open(new KeptOpen(directory), opened = path, "log.bin", static _ => false));
        Assert.Equal((0, "@log.bin"), (run.ExitCode, opened));
    }

    /// <summary>No trace of a stack on the error stream: one message, and an exit code that says nothing about the file.</summary>
    [Fact]
    public void WhatNobodyForesawIsOneMessage()
    {
        foreach (Exception e in new Exception[] { new InvalidOperationException("odd"), new OutOfMemoryException("full") })
        {
            ToolRun run = ToolRun.With(["verify", "x"], open: _ => throw e);
            Assert.Equal((6, ""), (run.ExitCode, run.Output));
            Assert.Contains(e.Message, run.Error, StringComparison.Ordinal);
            Assert.Equal(1, run.Error.Count(static c => c == '\n'));
        }
    }

    [Fact]
    public void AnExportThatFailsLeavesNoFile()
    {
        string log = SampleLog.OneFile(_folder), target = _folder["out.jsonl"];
        string[] before = Directory.GetFiles(_folder.Path);
        Assert.Equal(ExitCode.Usage, ToolRun.Of("export", log, "-o", target, "--part", "x").ExitCode);
        Assert.Equal(before, Directory.GetFiles(_folder.Path));

        SimDirectory directory = TwoSegments();
        int opened = 0;
        var disk = new FailingDirectory(directory, name => name == SegmentFormat.Name(2) && ++opened > 1);
        ToolRun run = ToolRun.With(["export", "sim", "-o", target], open: path => StoreReader.Open(new KeptOpen(disk), path, null, static _ => false));
        Assert.Equal(ExitCode.Unreadable, run.ExitCode);
        Assert.Equal(before, Directory.GetFiles(_folder.Path));
    }

    /// <summary>Somebody else makes the file while the records are written: it stays his.</summary>
    [Fact]
    public void AnExportReplacesNoFileThatAppearsMeanwhile()
    {
        string target = _folder["out.jsonl"];
        SimDirectory directory = TwoSegments();
        int opened = 0;
        var watched = new FailingDirectory(directory, name =>
        {
            if (name == SegmentFormat.Name(2) && ++opened == 2) File.WriteAllText(target, "mine");
            return false;
        });
        ToolRun run = ToolRun.With(["export", "sim", "-o", target], open: path => StoreReader.Open(new KeptOpen(watched), path, null, static _ => false));
        Assert.Equal(ExitCode.Usage, run.ExitCode);
        Assert.Equal("mine", File.ReadAllText(target));
        Assert.Equal([target], Directory.GetFiles(_folder.Path));
    }

    [Fact]
    public void AnOutputThatTakesNothingMoreIsNotThePathsFault()
    {
        string log = SampleLog.OneFile(_folder);
        foreach (string[] verb in (string[][])[[], ["cat"], ["verify"], ["schema", "--json"]])
        {
            ToolRun run = ToolRun.With([.. verb, log], to: StandardOutput.Over(new FullStream()));
            Assert.Equal(ExitCode.Unreadable, run.ExitCode);
            Assert.Contains("the output cannot be written", run.Error, StringComparison.Ordinal);
            Assert.Contains("No space left", run.Error, StringComparison.Ordinal);
        }
    }

    /// <summary>Everything was read by then: what was found is still said by the exit code.</summary>
    [Fact]
    public void AReaderThatLeavesEarlyDoesNotHideWhatVerifyingFound()
    {
        string log = SampleLog.OneFile(_folder);
        byte[] bytes = File.ReadAllBytes(log);
        bytes[^300] ^= 1;
        File.WriteAllBytes(log, bytes);
        foreach (string[] verb in (string[][])[[], ["verify"], ["schema"], ["schema", "--json"]])
            Assert.Equal(ExitCode.Corrupt, ToolRun.With([.. verb, log], to: new LeftStream()).ExitCode);
    }

    [Theory]
    [InlineData("5", 5)]
    [InlineData("1,005", 1005)]
    [InlineData("9,223,372,036,854,775,807", long.MaxValue)]
    public void ASequenceIsWrittenWithOrWithoutGroups(string text, long sequence)
    {
        Assert.Equal((sequence, sequence), (SharedOptions.RangeOf(text, null).FromSequence, SharedOptions.RangeOf(null, text).ToSequence));
    }

    [Theory]
    [InlineData("2026-11-21", "2026-11-21T00:00:00.0000000", "2026-11-21T23:59:59.9999999")]
    [InlineData("9999-12-31", "9999-12-31T00:00:00.0000000", "9999-12-31T23:59:59.9999999")]
    [InlineData("2026-11-21T13:05", "2026-11-21T13:05:00.0000000", null)]
    [InlineData("2026-11-21T13:05:06Z", "2026-11-21T13:05:06.0000000", null)]
    [InlineData("2026-11-21 13:05:06.123Z", "2026-11-21T13:05:06.1230000", null)]
    [InlineData("2026-11-21T13:05:06.1234567+02:00", "2026-11-21T11:05:06.1234567", null)]
    public void ATimeIsWrittenAsIso8601AndADateIsItsWholeDay(string text, string from, string? to)
    {
        Assert.Equal(from, SharedOptions.RangeOf(text, null).FromTime.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffffff", System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(to ?? from, SharedOptions.RangeOf(null, text).ToTime.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffffff", System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("95,00")]
    [InlineData("1,00")]
    [InlineData("9,5000")]
    [InlineData(",500")]
    [InlineData("9.5")]
    [InlineData("11/21/2026")]
    [InlineData("21 Nov 2026")]
    [InlineData("13:05")]
    [InlineData("2026-11")]
    [InlineData("2026-13-01")]
    [InlineData("20261121T130506")]
    [InlineData("99999999999999999999")]
    [InlineData("")]
    public void AnythingElseIsNeitherASequenceNorATime(string text)
    {
        Assert.Throws<UsageException>(() => SharedOptions.RangeOf(text, null));
        Assert.Throws<UsageException>(() => SharedOptions.RangeOf(null, text));
    }

    private static SimDirectory TwoSegments()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        return directory;
    }

    private sealed class FailingDirectory(IStoreDirectory inner, Func<string, bool> fails) : PassThroughDirectory(inner)
    {
        public override IStoreFile OpenRead(string name) => fails(name) ? throw new IOException("Stale file handle", 116) : base.OpenRead(name);
    }

    private sealed class CaselessDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public override IStoreFile OpenRead(string name) => base.OpenRead(List().FirstOrDefault(f => f.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Name ?? name);
    }

    private sealed class FullStream : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count) => throw new IOException("No space left on device", IoFailure.NoSpace);

        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException("No space left on device", IoFailure.NoSpace);
    }

    private sealed class LeftStream : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count) => throw new OutputClosedException(new IOException("Broken pipe"));

        public override void Write(ReadOnlySpan<byte> buffer) => throw new OutputClosedException(new IOException("Broken pipe"));
    }
}

[NinoType(References = true)]
public sealed partial class Linked
{
    public string Name { get; set; } = "";

    public Linked? Next { get; set; }
}
