using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Store.Framing;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// What did the process really ask of the kernel? The sample's writer runs under strace, and its acknowledgements are compared with its system calls: not what our own
/// code says it did. Skipped where strace is not installed; the same is tested everywhere on the level of our file access (FaultTests).
/// </summary>
public partial class SystemCallTraceTests(ITestOutputHelper output)
{
    private const int Acknowledgements = 60;

    [StraceFact]
    public void EveryAcknowledgedCommitWasPrecededByASuccessfulFdatasyncOfItsBytes()
    {
        using var folder = new TemporaryFolder();
        Trace(folder["store"], folder["trace.txt"]);
        var trace = new SystemCallTrace();
        foreach (string line in File.ReadLines(folder["trace.txt"])) trace.Take(line);
        output.WriteLine($"{trace.Acknowledged} acknowledged records, {trace.Syncs} successful fdatasync calls, {trace.Writes} writes of frames: 0 acknowledged before they were synced");
        Assert.Empty(trace.Violations);
        Assert.True(trace.Acknowledged >= Acknowledgements, $"{trace.Acknowledged} acknowledgements were seen in the trace.");
        Assert.True(trace.Syncs >= Acknowledgements, $"{trace.Syncs} syncs for {trace.Acknowledged} acknowledgements of a lone writer.");
    }

    [Theory]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128) = 72\n10 fdatasync(7) = 0\n9 write(1, \"{1}\", 8) = 8", true)]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128 <unfinished ...>\n9 write(2, \"\\x41\", 1) = 1\n10 <... pwrite64 resumed>) = 72\n10 fdatasync(7 <unfinished ...>\n10 <... fdatasync resumed>) = 0\n9 write(1, \"{1}\", 8) = 8", true)]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128) = 72\n9 write(1, \"{1}\", 8) = 8", false)]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128) = 72\n10 fdatasync(8) = 0\n9 write(1, \"{1}\", 8) = 8", false)]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128) = 72\n10 fdatasync(7) = -1 EIO (Input/output error)\n9 write(1, \"{1}\", 8) = 8", false)]
    [InlineData("10 fdatasync(7 <unfinished ...>\n11 pwrite64(7, \"{0}\", 72, 128) = 72\n10 <... fdatasync resumed>) = 0\n9 write(1, \"{1}\", 8) = 8", false)]
    [InlineData("10 pwrite64(7, \"{0}\", 72, 128) = 72\n10 fdatasync(7 <unfinished ...>\n9 write(1, \"{1}\", 8) = 8\n10 <... fdatasync resumed>) = 0", false)]
    public void TheReaderOfTracesTellsRightFromWrong(string lines, bool isRight)
    {
        byte[] frame = new byte[72];
        new FrameHeader { Kind = FrameKind.Records, PayloadLength = 20, PayloadChecksum = 0, RecordCount = 1, FirstSequence = 5, TimeTicks = 1, SyncedThrough = 0 }.Write(frame, segmentId: 1, offset: 128);
        var trace = new SystemCallTrace();
        foreach (string line in lines.Replace("{0}", Hex(frame), StringComparison.Ordinal).Replace("{1}", Hex(BitConverter.GetBytes(5L)), StringComparison.Ordinal).Split('\n')) trace.Take(line);
        Assert.Equal(1, trace.Acknowledged);
        Assert.Equal(isRight, trace.Violations.Count == 0);
    }

    private static string Hex(byte[] bytes) => string.Concat(bytes.Select(static b => $"\\x{b:x2}"));

    private static void Trace(string store, string traceFile)
    {
        string[] arguments = ["-f", "-xx", "-s", "10000", "-e", "trace=pwrite64,write,fdatasync,dup,fcntl", "-o", traceFile, "dotnet", Path.Combine(AppContext.BaseDirectory, "Quickstart.dll"), "--append-until-killed", store];
        using Process strace = Process.Start(new ProcessStartInfo("strace", arguments) { RedirectStandardOutput = true })!;
        byte[] message = new byte[sizeof(long)];
        for (int i = 0; i < Acknowledgements; i++) strace.StandardOutput.BaseStream.ReadExactly(message);
        strace.Kill(entireProcessTree: true);
        strace.WaitForExit();
    }

    /// <summary>Reads the lines of strace in their order: the order in which calls began and ended.</summary>
    private sealed partial class SystemCallTrace
    {
        private readonly Dictionary<string, string> _begun = [];
        private readonly Dictionary<string, HashSet<(int Descriptor, long Sequence)>> _coveredBySync = [];
        private readonly HashSet<(int Descriptor, long Sequence)> _written = [];
        private readonly HashSet<long> _durable = [];
        private readonly HashSet<int> _standardOutput = [1];

        public List<string> Violations { get; } = [];

        public int Acknowledged { get; private set; }

        public int Syncs { get; private set; }

        public int Writes { get; private set; }

        public void Take(string line)
        {
            if (BegunPattern().Match(line) is { Success: true } begun)
            {
                _begun[begun.Groups["thread"].Value] = begun.Groups["call"].Value;
                Begin(begun.Groups["thread"].Value, begun.Groups["call"].Value);
            }
            else if (ResumedPattern().Match(line) is { Success: true } resumed)
            {
                if (_begun.Remove(resumed.Groups["thread"].Value, out string? call)) End(resumed.Groups["thread"].Value, call, resumed.Groups["result"].Value);
            }
            else if (WholePattern().Match(line) is { Success: true } whole)
            {
                Begin(whole.Groups["thread"].Value, whole.Groups["call"].Value);
                End(whole.Groups["thread"].Value, whole.Groups["call"].Value, whole.Groups["result"].Value);
            }
        }

        // A sync covers what was written when it began. An acknowledgement counts from its beginning.
        private void Begin(string thread, string call)
        {
            if (call.StartsWith("fdatasync(", StringComparison.Ordinal)) _coveredBySync[thread] = [.. _written.Where(w => w.Descriptor == Descriptor(call))];
            if (!call.StartsWith("write(", StringComparison.Ordinal) || !_standardOutput.Contains(Descriptor(call)) || Bytes(call) is not { Length: sizeof(long) } message) return;
            long sequence = BitConverter.ToInt64(message);
            Acknowledged++;
            if (!_durable.Contains(sequence)) Violations.Add($"record {sequence} was acknowledged before a sync of it had ended");
        }

        private void End(string thread, string call, string result)
        {
            if (call.StartsWith("fdatasync(", StringComparison.Ordinal) && result == "0")
            {
                Syncs++;
                foreach ((_, long sequence) in _coveredBySync[thread]) _durable.Add(sequence);
            }
            else if ((call.StartsWith("dup(1", StringComparison.Ordinal) || call.StartsWith("fcntl(1, F_DUPFD", StringComparison.Ordinal)) && !result.StartsWith('-'))
            {
                _standardOutput.Add(int.Parse(result, CultureInfo.InvariantCulture));
            }
            else if (call.StartsWith("pwrite64(", StringComparison.Ordinal) && !result.StartsWith('-'))
            {
                // strace shows the first bytes of a long write; frames of one record are short, and what is long are the zeros of a segment.
                byte[] bytes = Bytes(call);
                foreach (long sequence in Records(bytes.AsSpan(0, Math.Min(bytes.Length, int.Parse(result, CultureInfo.InvariantCulture))))) _written.Add((Descriptor(call), sequence));
            }
        }

        private List<long> Records(ReadOnlySpan<byte> written)
        {
            List<long> sequences = [];
            while (written.Length >= FrameFormat.HeaderSize && FrameHeader.CouldBe(written))
            {
                // The checksum needs the segment's id, which the trace does not show; the log is whole, so its frames follow each other.
                int payload = BitConverter.ToInt32(written[4..]), records = BitConverter.ToInt32(written[16..]);
                for (int i = 0; (FrameKind)written[12] == FrameKind.Records && i < records; i++) sequences.Add(BitConverter.ToInt64(written[24..]) + i);
                written = written[(int)Math.Min(written.Length, FrameFormat.SizeOf(payload))..];
                Writes++;
            }

            return sequences;
        }

        private static int Descriptor(string call) => int.Parse(DescriptorPattern().Match(call).Groups[1].Value, CultureInfo.InvariantCulture);

        private static byte[] Bytes(string call) => Convert.FromHexString(string.Concat(BytesPattern().Matches(call).Select(static m => m.Groups[1].Value)));

        [GeneratedRegex(@"^(?<thread>\d+) +(?<call>\w+\(.*) <unfinished \.\.\.>$")]
        private static partial Regex BegunPattern();

        [GeneratedRegex(@"^(?<thread>\d+) +<\.\.\. \w+ resumed>.*\) += (?<result>-?\d+)")]
        private static partial Regex ResumedPattern();

        [GeneratedRegex(@"^(?<thread>\d+) +(?<call>\w+\(.*)\) += (?<result>-?\d+)")]
        private static partial Regex WholePattern();

        [GeneratedRegex(@"^\w+\((\d+)")]
        private static partial Regex DescriptorPattern();

        [GeneratedRegex(@"\\x([0-9a-f]{2})")]
        private static partial Regex BytesPattern();
    }

    private sealed class StraceFactAttribute : FactAttribute
    {
        public StraceFactAttribute()
        {
            if (!(Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(static folder => File.Exists(Path.Combine(folder, "strace")))) Skip = "strace is not installed";
        }
    }
}
