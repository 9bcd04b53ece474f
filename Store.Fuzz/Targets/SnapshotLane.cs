// A snapshot, opened, verified, read by its schema part by part and item by item, and as the type.

using System.Globalization;
using Store.Fuzz.Driver;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Snapshots;

namespace Store.Fuzz.Targets;

internal sealed class SnapshotLane(bool seals) : FuzzLane("")
{
    private const string FileName = "snapshot";

    public override int MaxLength => 8 * 1024;

    public override long MaxAllocation(int length) => 4 * 1024 * 1024 + (4096L * length);

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        var plain = new Plain { Number = seed, Text = "state" };
        yield return Write([new SnapshotState<Plain>("", NinoCodec<Plain>.Default, plain)], SnapshotFormat.DefaultPageSize);
        yield return Write([new SnapshotState<string>("", NinoCodec<string>.Default, new string('x', 400))], SnapshotFormat.MinPageSize);
        yield return Write(new SnapshotParts().Add("one", plain).AddItems("many", Enumerable.Range(0, 50)).AddItems("none", Array.Empty<string>()).Create(), SnapshotFormat.MinPageSize);
        yield return Write(new SnapshotParts().AddItems("texts", Enumerable.Range(0, 20).Select(static i => new string('t', i))).Create(), 256);
    }

    public override void Run(byte[] input)
    {
        var directory = new BytesDirectory { [FileName] = seals ? Seals.Snapshot(input) : input };
        foreach (SnapshotVerification verification in (SnapshotVerification[])[SnapshotVerification.OnFirstTouch, SnapshotVerification.All])
        {
            using SnapshotFile? file = SnapshotFile.TryOpen(directory, FileName, verification, out SnapshotFailure? failure);
            if ((file is null) != (failure is not null)) throw new LaneException("there is neither a snapshot nor a failure, or both");
            if (file is not null) Look(file, verification == SnapshotVerification.All);
        }

        LookAsATool(directory);
        if (directory.OpenMappings != 0) throw new LaneException("a mapping stays open");
    }

    private static void Look(SnapshotFile file, bool isVerified)
    {
        foreach (SnapshotPart part in file.Parts)
        {
            int before = file.Verify().Count;
            if (isVerified && before > 0) throw new LaneException("a snapshot that was verified is damaged");
            if (!Accepts(() => Read(file, part)) && isVerified) continue;
            if (part.DataLengthBytes > 0) Accepts(() => part.UseData(part.DataLengthBytes - 1, 1, 0, static (bytes, _) => bytes.Length));
        }
    }

    private static void Read(SnapshotFile file, SnapshotPart part)
    {
        if (!part.HasItems)
        {
            part.UseData(0, (int)part.DataLengthBytes, part.Schema, static (bytes, schema) => NinoValue.Decode(schema, bytes));
            if (file.Schema.Name == NinoSerializer.SchemaOf<Plain>().Name) file.Read<Plain>();
            return;
        }

        // What an index claims is bounded by what there is.
        long count = part.ItemCount;
        for (long i = 0; i < Math.Min(count, 200); i++) part.UseItem(i, part.Schema, static (bytes, schema) => NinoValue.Decode(schema, bytes));
        if (count > 0) part.UseItem(count - 1, part.Schema, static (bytes, schema) => bytes.Length);
    }

    private static void LookAsATool(BytesDirectory directory)
    {
        Accepts(() =>
        {
            StoreReader reader = StoreReader.Open(directory, FileName, FileName, static _ => false);
            reader.Verify();
            _ = reader.ReadRecords().Take(500).Sum(static record => record.Payload.Length);
        });
    }

    private static bool Accepts(Action read)
    {
        try
        {
            read();
            return true;
        }
        catch (Exception e) when (e is StoreException or NinoSerializationException)
        {
            return false;
        }
    }

    private static byte[] Write(IReadOnlyList<SnapshotContent> parts, int pageSize)
    {
        using var file = new MemoryFile(keepsBytes: true);
        var stamp = new SnapshotStamp(Guid.Parse("6f1d2c3b-4a59-4788-96a5-b4c3d2e1f001"), 7, 13, 1, DateTimeOffset.Parse("2026-11-21T12:00:00Z", CultureInfo.InvariantCulture));
        new SnapshotWriter(new BytesDirectory(), pageSize).WriteFileAsync(file, parts, stamp, null, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        return file.ToArray();
    }
}
