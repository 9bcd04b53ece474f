using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Shipping;

/// <summary>A source with everything that travels, and what it means that two logs hold the same.</summary>
internal static class Shipped
{
    private static readonly ConditionalWeakTable<NinoStore, Content> Sources = [];

    /// <summary>Records of three types, frames of one type and of several, batches, over several segments; committed, not closed.</summary>
    public static NinoStore Source(SimDirectory directory, int seed = 1, int rounds = 30, Func<NinoStoreOptions, NinoStoreOptions>? change = null)
    {
        NinoStore store = Simulated.Open(directory, seed, change);
        Append(store, rounds);
        return store;
    }

    public static void Append(NinoStore store, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            int at = (int)store.LastSequence;
            store.Append(at);
            store.Append($"text {at}");
            store.Append(at + 1);
            if (i % 3 == 0) store.AppendBatch<long>([.. Enumerable.Range(at, 40).Select(static n => (long)n)]);
            if (i % 2 == 0) Simulated.Commit(store);
        }

        Simulated.Commit(store);
    }

    /// <summary>Imports what a source holds, from the follower's end on unless said otherwise.</summary>
    public static void Follow(NinoStore source, NinoStore follower, long? fromSequence = null)
    {
        foreach (RawFrame frame in source.ReadFrames(fromSequence ?? (follower.LastSequence + 1))) follower.Import(frame);
    }

    /// <summary>The shipment of a whole log.</summary>
    public static byte[] Shipment(NinoStore source, long fromSequence = 1)
    {
        using var stream = new MemoryStream();
        Done(source.ShipToAsync(stream, fromSequence));
        return stream.ToArray();
    }

    /// <summary>Every frame, with bytes of its own: those of a reading are gone with the next.</summary>
    public static RawFrame[] FramesOf(NinoStore source) => [.. source.ReadFrames().Select(static f => f with { Payload = f.Payload.ToArray() })];

    public static ImportResult Import(NinoStore follower, byte[] shipment) => Done(follower.ImportAsync(new MemoryStream(shipment)));

    /// <summary>Everything runs inline, so every task is completed when it is returned.</summary>
    public static T Done<T>(ValueTask<T> task)
    {
        Assert.True(task.IsCompleted);
        return task.GetAwaiter().GetResult();
    }

    public static List<(long Sequence, DateTimeOffset Time, string Type, string Bytes)> Records(NinoStore store) =>
        [.. store.ReadRecords().Select(static r => (r.Sequence, r.Timestamp, r.Schema.Name, Convert.ToHexString(r.Payload.Span)))];

    /// <summary>The follower holds the first records of the source, and nothing else: same bytes, types, times.</summary>
    public static void IsPrefix(NinoStore source, NinoStore follower)
    {
        var mine = Records(follower);
        Assert.Equal(follower.LastSequence, mine.Count);
        var expected = Sources.GetOrCreateValue(source).RecordsOf(source);
        AreSame(expected[..Math.Min(mine.Count, expected.Count)], mine);
    }

    public static void AreEqual(NinoStore source, NinoStore follower)
    {
        Assert.Equal(source.LastSequence, follower.LastSequence);
        IsPrefix(source, follower);
        AreSame(Sources.GetOrCreateValue(source).FramesOf(source), RecordFrames(follower));
    }

    // The payloads' checksums were made in the source; the headers around them are the follower's own.
    private static List<(long First, int Count, uint Checksum, long Ticks)> RecordFrames(NinoStore store) =>
        [.. store.Opened.Log.Segments.SelectMany(s => Frames.Of(store.Opened.Directory, s.Number)).Where(static f => f.RecordCount > 0).Select(static f => (f.FirstSequence, f.RecordCount, f.PayloadChecksum, f.TimeTicks))];

    // The assertion's own comparison of long lists takes most of a test that makes it a thousand times: it is for the message.
    private static void AreSame<T>(List<T> expected, List<T> actual)
    {
        if (!CollectionsMarshal.AsSpan(expected).SequenceEqual(CollectionsMarshal.AsSpan(actual))) Assert.Equal(expected, actual);
    }

    public static ShipmentException Refused(ShipmentProblem problem, Action act)
    {
        ShipmentException e = Assert.Throws<ShipmentException>(act);
        Assert.Equal(problem, e.Problem);
        return e;
    }

    /// <summary>What a source holds, read again only when it has changed: a test compares a thousand followers with one.</summary>
    private sealed class Content
    {
        private (long First, long Last) _span;
        private List<(long, DateTimeOffset, string, string)> _records = [];
        private List<(long, int, uint, long)> _frames = [];

        public List<(long, DateTimeOffset, string, string)> RecordsOf(NinoStore source)
        {
            Read(source);
            return _records;
        }

        public List<(long, int, uint, long)> FramesOf(NinoStore source)
        {
            Read(source);
            return _frames;
        }

        private void Read(NinoStore source)
        {
            if (_span == (source.FirstSequence, source.LastSequence)) return;
            _span = (source.FirstSequence, source.LastSequence);
            _records = Records(source);
            _frames = RecordFrames(source);
        }
    }
}
