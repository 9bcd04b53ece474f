using System.Diagnostics;
using System.Text;
using Store.Framing;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// A real process under strace: two threads append, commit, checkpoint and truncate over several segments, and what it told is compared with its system calls. Skipped where strace is not installed; the same is
/// tested everywhere on the level of our file access (FaultTests).
/// </summary>
public class SystemCallTraceTests(ITestOutputHelper output)
{
    private const int Messages = 220;

    [StraceFact]
    public void EveryAcknowledgedCommitWasPrecededByASuccessfulFdatasyncOfItsBytes()
    {
        using var folder = new TemporaryFolder();
        int seed = Effort.DrawnSeed(quick: 20261123);
        Trace(folder["store"], folder["trace.txt"], seed);
        var trace = new SystemCallTrace(folder["store"]);
        foreach (string line in File.ReadLines(folder["trace.txt"])) trace.Take(line);
        Assert.Empty(trace.Violations);
        Effort.Tell(output, "acknowledgements traced", trace.Acknowledged, $"SEED={seed}", $"records of two threads in {trace.Frames} frames, {trace.Syncs} successful syncs, {trace.Published} files published, {trace.Checkpoints} checkpoints, {trace.SegmentsRemoved} segments and {trace.SnapshotsRemoved} snapshots removed");
        Assert.True(trace.Acknowledged > Messages && trace.Syncs > Messages / 4 && trace.Frames > 0, $"{trace.Acknowledged} acknowledgements, {trace.Syncs} syncs, {trace.Frames} frames");
        Assert.True(trace.Published > 4 && trace.Checkpoints > 2 && trace.SegmentsRemoved > 0 && trace.SnapshotsRemoved > 0, $"{trace.Published} files published, {trace.Checkpoints} checkpoints, {trace.SegmentsRemoved} segments and {trace.SnapshotsRemoved} snapshots removed");
    }

    /// <summary>A run that traced nothing says so among what was tried, and not only by a number of skipped tests.</summary>
    [Fact]
    public void TracingIsSkippedOnlyWhereStraceIsMissingAndTheCountSaysSo()
    {
        string? skipped = new StraceFactAttribute().Skip;
        Exception? failure = Record.Exception(static () => EndedProcess.Of("strace", "-V"));
        Assert.Equal(failure is null, skipped is null);
        if (skipped is not null) Effort.Tell(output, "acknowledgements traced", 0, skipped, "no system calls of a real process were looked at (SystemCallTraceTests, LockLookProcessTests)");
    }

    // {1}, {2} segments, {w} a frame with record 5, {t} telling that it is durable, {c} that a truncation is; {m} a mark that the log begins with segment 2, {e2} one that it ends with it; {d} the folder.
    [Theory]
    [InlineData("pwrite64({1}, {w}) = 72|fdatasync({1}) = 0|{t}", 0)]
    [InlineData("pwrite64({1}, {w} <unfinished ...>|other|<... pwrite64 resumed>) = 72|fdatasync({1} <unfinished ...>|<... fdatasync resumed>) = 0|{t}", 0)]
    [InlineData("pwrite64({1}, {w}) = 72|{t}", 1)]
    [InlineData("pwrite64({1}, {w}) = 72|fdatasync({2}) = 0|{t}", 1)]
    [InlineData("pwrite64({1}, {w}) = 72|fdatasync({1}) = -1 EIO (Input/output error)|{t}", 1)]
    [InlineData("fdatasync({1} <unfinished ...>|@11 pwrite64({1}, {w}) = 72|<... fdatasync resumed>) = 0|{t}", 1)]
    [InlineData("@11 pwrite64({1}, {w} <unfinished ...>|fdatasync({1}) = 0|@11 <... pwrite64 resumed>) = 72|{t}", 1)]
    [InlineData("pwrite64({1}, {w}) = 72|@11 fdatasync({1} <unfinished ...>|{t}|@11 <... fdatasync resumed>) = 0", 1)]
    [InlineData("rename({new}, {2n}) = 0|fsync({d}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|{t}", 1)]
    [InlineData("pwrite64({end}, {e2}) = 256|fdatasync({end}) = 0|rename({new}, {2n}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|fsync({d}) = 0|{t}", 0)]
    [InlineData("pwrite64({end}, {e2}) = 256|fdatasync({end}) = 0|rename({new}, {2n}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|{t}", 1)]
    [InlineData("pwrite64({end}, {e2}) = 256|fdatasync({end}) = 0|rename({new}, {2n}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|fsync({d}) = -1 EIO (Input/output error)|{t}", 1)]
    [InlineData("pwrite64({end}, {e2}) = 256|fdatasync({end}) = 0|link({new}, {2n}) = 0|unlink({new}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|fsync({d}) = 0|{t}", 0)]
    [InlineData("pwrite64({end}, {e2}) = 256|fdatasync({end}) = 0|link({new}, {2n}) = 0|unlink({new}) = 0|pwrite64({2}, {w}) = 72|fdatasync({2}) = 0|{t}", 1)]
    [InlineData("pwrite64({tmp}, {m}) = 256|fdatasync({tmp}) = 0|rename({tmpn}, {startn}) = 0|fsync({d}) = 0|unlink({1n}) = 0", 0)]
    [InlineData("pwrite64({tmp}, {m}) = 256|rename({tmpn}, {startn}) = 0|fsync({d}) = 0|unlink({1n}) = 0", 2)]
    [InlineData("pwrite64({tmp}, {m}) = 256|fdatasync({tmp}) = 0|rename({tmpn}, {startn}) = 0|unlink({1n}) = 0|fsync({d}) = 0", 1)]
    [InlineData("pwrite64({tmp}, {m}) = 256|fdatasync({tmp}) = 0|rename({tmpn}, {startn}) = 0|fsync({d}) = 0|unlink({2n}) = 0", 1)]
    [InlineData("pwrite64({tmp}, {m}) = 256|fdatasync({tmp}) = 0|rename({tmpn}, {startn}) = 0|fsync({d}) = 0|unlink({1n}) = 0|{c}", 1)]
    [InlineData("pwrite64({tmp}, {m}) = 256|fdatasync({tmp}) = 0|rename({tmpn}, {startn}) = 0|fsync({d}) = 0|unlink({1n}) = 0|fsync({d}) = 0|{c}", 0)]
    public void TheReaderOfTracesTellsRightFromWrong(string lines, int violations)
    {
        byte[] frame = new byte[72];
        new FrameHeader { Kind = FrameKind.Records, PayloadLength = 20, PayloadChecksum = 0, RecordCount = 1, FirstSequence = 5, TimeTicks = 1, SyncedThrough = 0 }.Write(frame, segmentId: 1, offset: 128);
        var trace = new SystemCallTrace("/store");
        Dictionary<string, string> meanings = new()
        {
            ["{w}"] = $"{Text(frame)}, 72, 128",
            ["{t}"] = $"write(1, {Text(new WorkMessage(WorkKind.Durable, 0, 5, 1, 1).ToBytes())}, 32) = 32",
            ["{c}"] = $"write(1, {Text(new WorkMessage(WorkKind.Truncation, 0, 5, 0, 0).ToBytes())}, 32) = 32",
            ["{m}"] = $"{Text(Mark(MarkerKind.Start, 2))}, 256, 0",
            ["{e1}"] = $"{Text(Mark(MarkerKind.End, 1))}, 256, 0",
            ["{e2}"] = $"{Text(Mark(MarkerKind.End, 2))}, 256, 0",
            ["{1}"] = Open(SegmentFormat.Name(1)),
            ["{2}"] = Open(SegmentFormat.Name(2)),
            ["{end}"] = Open(LogEnd.FileName),
            ["{tmp}"] = Open(LogStart.FileName + ".tmp"),
            ["{d}"] = "9<" + Hex("/store"u8) + ">",
            ["{new}"] = Quoted(SegmentFormat.PreparedName(null, 1)),
            ["{1n}"] = Quoted(SegmentFormat.Name(1)),
            ["{2n}"] = Quoted(SegmentFormat.Name(2)),
            ["{tmpn}"] = Quoted(LogStart.FileName + ".tmp"),
            ["{startn}"] = Quoted(LogStart.FileName),
        };

        // Every life begins with a mark that names segment 1.
        foreach (string line in $"pwrite64({{end}}, {{e1}}) = 256|fdatasync({{end}}) = 0|{lines}".Split('|'))
            trace.Take(meanings.Aggregate(line.StartsWith('@') ? line[1..] : $"10 {line}", static (text, meaning) => text.Replace(meaning.Key, meaning.Value, StringComparison.Ordinal)));
        Assert.Equal(violations, trace.Violations.Count);

        static string Hex(ReadOnlySpan<byte> bytes) => string.Concat(bytes.ToArray().Select(static b => $"\\x{b:x2}"));
        static string Text(ReadOnlySpan<byte> bytes) => $"\"{Hex(bytes)}\"";
        static string Open(string name) => $"7<{Hex(Encoding.UTF8.GetBytes("/store/" + name))}>";
        static string Quoted(string name) => Text(Encoding.UTF8.GetBytes("/store/" + name));
    }

    private static byte[] Mark(MarkerKind kind, long segment)
    {
        using var folder = new Simulation.SimDirectory();
        MarkerFile.Publish(folder, "mark", new Marker { Kind = kind, StoreId = Guid.NewGuid(), Generation = segment, Sequence = 1, Segment = segment, Ticks = 1, Name = "" });
        return FileBytes.Of(folder, "mark")[..MarkerFile.SlotSize];
    }

    private static void Trace(string store, string traceFile, int seed)
    {
        string[] arguments = [.. SystemCallTrace.Options, "-o", traceFile, "dotnet", .. WorkingProcess.Arguments(store, seed, cuts: true)];
        using Process strace = Process.Start(new ProcessStartInfo("strace", arguments) { RedirectStandardOutput = true })!;
        byte[] message = new byte[WorkMessage.LengthBytes];
        for (int i = 0; i < Messages; i++) strace.StandardOutput.BaseStream.ReadExactly(message);
        strace.Kill(entireProcessTree: true);
        strace.WaitForExit();
    }
}
