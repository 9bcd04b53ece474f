// Shipments, imported into an empty log and into one that has the beginning. What is refused or not, the log stays one that can be read.

using Store.Fuzz.Driver;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Fuzz.Targets;

internal sealed class ShipmentLane(bool seals) : FuzzLane("")
{
    public override int MaxLength => 16 * 1024;

    // A store with its buffers, twice.
    public override long MaxAllocation(int length) => 64 * 1024 * 1024;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (int rounds in (int[])[0, 1, 5, 20])
        {
            using NinoStore source = Simulated.Open(new SimDirectory(), seed);
            for (int i = 0; i < rounds; i++)
            {
                source.Append(i);
                source.Append($"text {i}");
                if (i % 3 == 0) source.AppendBatch<long>([1, 2, 3]);
                if (i % 2 == 0) Simulated.Commit(source);
            }

            Simulated.Commit(source);
            using var stream = new MemoryStream();
            source.ShipToAsync(stream, 1).AsTask().GetAwaiter().GetResult();
            yield return stream.ToArray();
        }
    }

    public override void Run(byte[] input)
    {
        byte[] bytes = seals ? Seals.Shipment(input) : input;
        var directory = new SimDirectory();
        long last;
        using (NinoStore follower = Simulated.Open(directory, seed: 2))
        {
            string? refusal = Import(follower, bytes);
            last = follower.LastSequence;

            // What came once comes a second time without effect.
            string? again = refusal is null ? Import(follower, bytes) : null;
            if (again is not null || follower.LastSequence != last) throw new LaneException($"imported a second time, the log goes from {last} to {follower.LastSequence}: {again}");
        }

        using NinoStore opened = Simulated.Open(directory, seed: 3);
        if (opened.Recovery.Damage.Count > 0 || opened.LastSequence != last || opened.ReadRecords().LongCount() != (last == 0 ? 0 : last - opened.FirstSequence + 1)) throw new LaneException($"the log ended with record {last} and ends with {opened.LastSequence}");
    }

    private static string? Import(NinoStore follower, byte[] bytes)
    {
        try
        {
            follower.ImportAsync(new MemoryStream(bytes)).AsTask().GetAwaiter().GetResult();
            return null;
        }
        catch (Exception e) when (e is ShipmentException or StoreVersionException)
        {
            return e.Message;
        }
    }
}
