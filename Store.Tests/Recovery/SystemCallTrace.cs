// What did the process really ask of the kernel, and in which order? The lines of strace, held against the rules of docs/durability.md: not what our own code says it did.

using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Store.Framing;
using Store.Log;
using Store.Retention;
using Store.Snapshots;

namespace Store.Tests.Recovery;

/// <summary>
/// Reads the lines of strace (-f -y -xx) in their order, in which calls began and ended. A call counts as done when it ended; what it is not to come before counts from its beginning.
/// </summary>
/// <param name="folder">The store's folder.</param>
internal sealed partial class SystemCallTrace(string folder)
{
    private readonly Dictionary<string, string> _begun = [];
    private readonly Dictionary<string, List<Change>> _coveredBySync = [];
    private readonly Dictionary<string, Change> _changing = [];
    private readonly Dictionary<string, TracedFile> _names = new(StringComparer.Ordinal);
    private readonly Dictionary<long, TracedFile> _durable = [];
    private readonly List<Change> _unsyncedNames = [];

    /// <summary>Options of strace that show what is looked at.</summary>
    public static string[] Options => ["-f", "-y", "-xx", "-s", "70000", "-e", "trace=pwrite64,write,fdatasync,fsync,openat,rename,renameat,renameat2,link,linkat,unlink,unlinkat"];

    public List<string> Violations { get; } = [];

    /// <summary>Records that were acknowledged.</summary>
    public int Acknowledged { get; private set; }

    /// <summary>Syncs of files and folders that succeeded.</summary>
    public int Syncs { get; private set; }

    /// <summary>Frames written.</summary>
    public int Frames { get; private set; }

    /// <summary>Files that got their name by renaming.</summary>
    public int Published { get; private set; }

    public int Checkpoints { get; private set; }

    public int SegmentsRemoved { get; private set; }

    public int SnapshotsRemoved { get; private set; }

    public void Take(string line)
    {
        if (BegunPattern().Match(line) is { Success: true } begun)
        {
            _begun[begun.Groups["thread"].Value] = begun.Groups["call"].Value;
            Begin(begun.Groups["thread"].Value, begun.Groups["call"].Value);
        }
        else if (ResumedPattern().Match(line) is { Success: true } resumed)
        {
            if (_begun.Remove(resumed.Groups["thread"].Value, out string? call)) End(resumed.Groups["thread"].Value, call, long.Parse(resumed.Groups["result"].Value, CultureInfo.InvariantCulture));
        }
        else if (WholePattern().Match(line) is { Success: true } whole)
        {
            Begin(whole.Groups["thread"].Value, whole.Groups["call"].Value);
            End(whole.Groups["thread"].Value, whole.Groups["call"].Value, long.Parse(whole.Groups["result"].Value, CultureInfo.InvariantCulture));
        }
    }

    private void Begin(string thread, string call)
    {
        switch (NameOf(call))
        {
            case "write" when WorkMessage.TryRead(FirstText(call)) is { } message:
                Told(message);
                break;
            case "pwrite64" when InFolder(PathOf(call)) is { } name:
                TracedFile file = FileOf(name);
                byte[] bytes = FirstText(call);
                var write = new Change(file, Records(bytes), MarkerFile.TryRead(bytes, out Marker marker, out _) ? marker : null);
                if (write.Sequences.Count > 0) RecordsBegin(name);
                file.Unsynced.Add(write);
                _changing[thread] = write;
                break;
            case "fdatasync" or "fsync" when PathOf(call) == folder:
                _coveredBySync[thread] = [.. _unsyncedNames.Where(static c => c.HasEnded)];
                break;
            case "fdatasync" or "fsync" when InFolder(PathOf(call)) is { } name:
                _coveredBySync[thread] = [.. FileOf(name).Unsynced.Where(static c => c.HasEnded)];
                break;
            case "rename" or "renameat" or "renameat2" or "link" or "linkat" when Names(call) is [{ } from, _]:
                if (_names.TryGetValue(from, out TracedFile? published) && published.Unsynced.Count > 0) Violations.Add($"{from} was renamed before what it holds was synced");
                break;
            case "unlink" or "unlinkat" when Names(call) is [{ } name]:
                RemovalBegins(name);
                break;
        }
    }

    private void End(string thread, string call, long result)
    {
        switch (NameOf(call))
        {
            case "pwrite64" when _changing.Remove(thread, out Change? write):
                if (result < 0) write.File.Unsynced.Remove(write);
                else write.HasEnded = true;
                break;
            case "fdatasync" or "fsync" when _coveredBySync.Remove(thread, out List<Change>? covered) && result == 0:
                Syncs++;
                foreach (Change change in covered) Synced(change);
                break;
            case "openat" when result >= 0 && call.Contains("O_CREAT", StringComparison.Ordinal) && Names(call) is [{ } name] && !_names.ContainsKey(name):
                NameChanged(_names[name] = new TracedFile());
                break;
            case "rename" or "renameat" or "renameat2" when result == 0 && Names(call) is [{ } from, { } to]:
                _names.Remove(from, out TracedFile? renamed);
                NameChanged(_names[to] = renamed ?? new TracedFile());
                Published++;
                break;
            case "link" or "linkat" when result == 0 && Names(call) is [{ } from, { } to]:
                // A name that replaces none; the old one goes next.
                NameChanged(_names[to] = FileOf(from));
                Published++;
                break;
            case "unlink" or "unlinkat" when result == 0 && Names(call) is [{ } name]:
                _names.Remove(name, out TracedFile? removed);
                NameChanged(removed ?? new TracedFile(), removed: name);
                if (SegmentFormat.TryParseName(name, out _)) SegmentsRemoved++;
                if (SnapshotName.TryParse(name, out _)) SnapshotsRemoved++;
                break;
        }
    }

    private void Told(WorkMessage message)
    {
        if (message.Kind == WorkKind.Durable)
        {
            for (long sequence = message.Sequence; sequence < message.Sequence + message.Count; sequence++)
            {
                Acknowledged++;
                if (!_durable.TryGetValue(sequence, out TracedFile? file)) Violations.Add($"record {sequence} was acknowledged before a sync of it had ended");
                else if (!HasDurableName(file)) Violations.Add($"record {sequence} was acknowledged before the name of its file was synced");
            }
        }
        else if (message.Kind == WorkKind.Checkpoint)
        {
            Checkpoints++;
            if (!_names.Any(n => SnapshotName.TryParse(n.Key, out SnapshotName name) && name.Sequence == message.Sequence && IsDurable(n.Value))) Violations.Add($"the checkpoint of {message.Sequence} was acknowledged before its file and its name were synced");
            if (!_durable.ContainsKey(message.Sequence)) Violations.Add($"the checkpoint of {message.Sequence} was acknowledged before a sync of that record had ended");
        }
        else if (_unsyncedNames.Find(static c => c.Removed is { } name && SegmentFormat.TryParseName(name, out _)) is { } removal)
        {
            Violations.Add($"a truncation returned before the removal of {removal.Removed} was synced");
        }
    }

    private void RecordsBegin(string name)
    {
        if (SegmentFormat.TryParseName(name, out long segment) && DurableMark(LogEnd.FileName) is var end && !(end?.Segment >= segment)) Violations.Add($"a record was written to {name} before the mark of the log's end named it");
    }

    private void RemovalBegins(string name)
    {
        if (SegmentFormat.TryParseName(name, out long segment) && !(DurableMark(LogStart.FileName)?.Segment > segment)) Violations.Add($"{name} was removed before the mark of the log's start was durable");
        if (!SnapshotName.TryParse(name, out SnapshotName old)) return;
        int newer = _names.Count(n => SnapshotName.TryParse(n.Key, out SnapshotName other) && other.Sequence > old.Sequence && IsDurable(n.Value));
        if (newer < 2) Violations.Add($"{name} was removed when {newer} newer snapshots were durable");
    }

    private void NameChanged(TracedFile file, string? removed = null) => _unsyncedNames.Add(new Change(file, [], null) { HasEnded = true, Removed = removed });

    private void Synced(Change change)
    {
        if (_unsyncedNames.Remove(change) || !change.File.Unsynced.Remove(change)) return;
        foreach (long sequence in change.Sequences) _durable[sequence] = change.File;
        if (change.Mark is { } mark && !(change.File.Mark?.Generation > mark.Generation)) change.File.Mark = mark;
    }

    // Under its name, what it held the last time that it was synced.
    private Marker? DurableMark(string name) => _names.TryGetValue(name, out TracedFile? file) && HasDurableName(file) ? file.Mark : null;

    private bool HasDurableName(TracedFile file) => _unsyncedNames.All(c => c.File != file);

    private bool IsDurable(TracedFile file) => file.Unsynced.Count == 0 && HasDurableName(file);

    private TracedFile FileOf(string name) => _names.TryGetValue(name, out TracedFile? file) ? file : _names[name] = new TracedFile();

    // The name of a file of the store; null for any other.
    private string? InFolder(string? path) => path is not null && Path.GetDirectoryName(path) == folder ? Path.GetFileName(path) : null;

    private string[]? Names(string call)
    {
        List<string> names = [];
        foreach (Match match in TextPattern().Matches(call))
        {
            if (InFolder(Encoding.UTF8.GetString(Bytes(match.Groups[1].ValueSpan))) is not { } name) return null;
            names.Add(name);
        }

        return [.. names];
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
            Frames++;
        }

        return sequences;
    }

    private static string NameOf(string call) => call[..call.IndexOf('(', StringComparison.Ordinal)];

    private static string? PathOf(string call) => DescriptorPattern().Match(call) is { Success: true } match ? Encoding.UTF8.GetString(Bytes(match.Groups[1].ValueSpan)) : null;

    private static byte[] FirstText(string call) => TextPattern().Match(call) is { Success: true } match ? Bytes(match.Groups[1].ValueSpan) : [];

    // "\x41\x42"
    private static byte[] Bytes(ReadOnlySpan<char> text)
    {
        byte[] bytes = new byte[text.Length / 4];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = byte.Parse(text.Slice((i * 4) + 2, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        return bytes;
    }

    [GeneratedRegex(@"^(?<thread>\d+) +(?<call>\w+\(.*) <unfinished \.\.\.>$")]
    private static partial Regex BegunPattern();

    [GeneratedRegex(@"^(?<thread>\d+) +<\.\.\. \w+ resumed>.*\) += (?<result>-?\d+)")]
    private static partial Regex ResumedPattern();

    [GeneratedRegex(@"^(?<thread>\d+) +(?<call>\w+\(.*)\) += (?<result>-?\d+)")]
    private static partial Regex WholePattern();

    [GeneratedRegex(@"^\w+\(\d+<((?:\\x[0-9a-f]{2})*)>")]
    private static partial Regex DescriptorPattern();

    [GeneratedRegex("\"((?:\\\\x[0-9a-f]{2})*)\"")]
    private static partial Regex TextPattern();

    /// <summary>A file, whatever its name.</summary>
    private sealed class TracedFile
    {
        public List<Change> Unsynced { get; } = [];

        /// <summary>The newest mark in it that was synced.</summary>
        public Marker? Mark { get; set; }
    }

    /// <summary>A write to a file, or a change of its name.</summary>
    private sealed class Change(TracedFile file, List<long> sequences, Marker? mark)
    {
        public TracedFile File => file;

        public List<long> Sequences => sequences;

        public Marker? Mark => mark;

        public bool HasEnded { get; set; }

        /// <summary>The name that it took away.</summary>
        public string? Removed { get; init; }
    }
}
