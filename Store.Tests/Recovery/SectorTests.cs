using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>What disks do to whole sectors: zeros, old contents, a neighbour's contents, two exchanged. At every sector of a log, never a wrong record, and never unnoticed.</summary>
public class SectorTests(ITestOutputHelper output)
{
    private const int LastFrame = 300;

    [Theory]
    [InlineData(512, true)]
    [InlineData(512, false)]
    [InlineData(4096, true)]
    [InlineData(4096, false)]
    public void WhateverHappensToASectorNoRecordIsWrongAndItIsNoticed(int sectorBytes, bool withEnd)
    {
        var original = new SimDirectory();
        NinoStore store = RetentionTests.Grown(original, segments: 2);
        Dictionary<string, byte[]> older = Files(original);
        RetentionTests.Grow(store, original, 5);
        for (int i = 0; i < LastFrame; i++) store.Append((int)store.LastSequence + 1);
        long last = store.LastSequence;
        store.Dispose();
        Dictionary<string, byte[]> whole = Files(original);

        // A store has the mark of its end; a copy made by hand may not.
        (string Name, byte[] Bytes)? end = withEnd ? (LogEnd.FileName, FileBytes.Of(original, LogEnd.FileName)) : null;
        int cases = 0, refused = 0, opened = 0;
        foreach ((string name, byte[] bytes) in whole)
        {
            int used = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
            for (int at = 0; at < Math.Min(bytes.Length, used + sectorBytes); at += sectorBytes)
            {
                foreach (byte[] damaged in Damaged(bytes, older.GetValueOrDefault(name), at, sectorBytes))
                {
                    if (damaged.AsSpan().SequenceEqual(bytes)) continue;
                    cases++;
                    SimDirectory directory = With(whole, name, damaged);
                    if (end is { } mark) FileBytes.Put(directory, mark.Name, mark.Bytes);
                    Assert.True(RetentionTests.Look(directory).Verify().Damage.Count > 0, $"{name}, sector at {at}: verify found nothing");
                    if (Opens(directory, last, withEnd)) opened++;
                    else refused++;
                }
            }
        }

        Assert.True(cases > 40 && refused > cases / 2, $"{cases} cases, {refused} refused");
        Effort.Tell(output, "damaged sectors", cases, "no chance in it", $"of {sectorBytes} bytes, zeroed, stale, shifted, swapped, {(withEnd ? "with" : "without")} the mark of the log's end: {refused} refused, {opened} opened with right records");
    }

    private static IEnumerable<byte[]> Damaged(byte[] bytes, byte[]? older, int at, int size)
    {
        int length = Math.Min(size, bytes.Length - at);
        yield return Changed(static (to, _) => to.Clear(), []);
        if (older is not null && older.Length >= at + length) yield return Changed(static (to, from) => from.CopyTo(to), older.AsSpan(at, length));

        // Written one sector too late, or too early.
        if (at >= size) yield return Changed(static (to, from) => from.CopyTo(to), bytes.AsSpan(at - size, length));
        if (at + size + length > bytes.Length) yield break;
        yield return Changed(static (to, from) => from.CopyTo(to), bytes.AsSpan(at + size, length));
        byte[] swapped = [.. bytes];
        bytes.AsSpan(at, size).CopyTo(swapped.AsSpan(at + size));
        bytes.AsSpan(at + size, size).CopyTo(swapped.AsSpan(at));
        yield return swapped;

        byte[] Changed(Change change, ReadOnlySpan<byte> from)
        {
            byte[] copy = [.. bytes];
            change(copy.AsSpan(at, length), from);
            return copy;
        }
    }

    private delegate void Change(Span<byte> to, ReadOnlySpan<byte> from);

    // Everything was acknowledged, and a closing mark said so: whoever opens has it all, or is told while reading.
    private static bool Opens(SimDirectory directory, long last, bool withEnd)
    {
        try
        {
            using NinoStore store = Simulated.Open(directory, seed: 2);
            long next = 1;
            foreach (LogRecord<int> record in store.Read<int>())
            {
                Assert.Equal((next, (int)next), (record.Sequence, record.Value));
                next++;
            }

            // With the mark of its end, a log that opens is whole.
            if (withEnd) Assert.Equal(last + 1, next);

            // What without it nothing can tell from a torn tail: the last frame, in one sector with the closing mark that speaks of it. It is reported as one.
            if (next != last + 1) Assert.Equal((last + 1 - LastFrame, StoreDamageKind.TornTail), (next, Assert.Single(store.Recovery.Damage).Kind));
            return true;
        }
        catch (StoreCorruptException)
        {
            return false;
        }
    }

    private static Dictionary<string, byte[]> Files(SimDirectory directory) =>
        directory.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _)).ToDictionary(static f => f.Name, f => FileBytes.Of(directory, f.Name));

    private static SimDirectory With(Dictionary<string, byte[]> files, string changed, byte[] bytes)
    {
        var directory = new SimDirectory();
        foreach ((string name, byte[] content) in files) FileBytes.Put(directory, name, name == changed ? bytes : content);
        return directory;
    }
}
