using Store.IO;
using Store.Serialization;
using Store.Snapshots;

namespace Store.Tests.Snapshots;

/// <summary>Snapshots as bytes, and ways to look at bytes as a snapshot.</summary>
internal static class SnapshotSamples
{
    public static readonly Guid StoreId = new("6f1d2c3b-4a59-4788-96a5-b4c3d2e1f001");

    public static readonly DateTimeOffset Time = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero);

    /// <summary>The state of the format page's example.</summary>
    public static readonly Counter Golden = new(42, [.. Enumerable.Range(0, 16).Select(i => (byte)i)]);

    public static readonly SnapshotStamp GoldenStamp = new(StoreId, 0x1122334455667788, 1000, 1, Time, new RecordTie(0xC3B2A190, 3, 4096, 0x55667788));

    /// <summary>The file of a state. Small pages give a small state several.</summary>
    public static byte[] Write<T>(T state, SnapshotStamp stamp, int pageSize = SnapshotFormat.DefaultPageSize)
    {
        using var file = new MemoryFile(keepsBytes: true);
        new SnapshotWriter(new BytesDirectory(), pageSize).WriteFile(file, [new SnapshotState<T>("", NinoCodec<T>.Default, state)], stamp, null, CancellationToken.None);
        return file.ToArray();
    }

    public static byte[] Write<T>(T state, long sequence, uint generation = 1, int pageSize = SnapshotFormat.DefaultPageSize) =>
        Write(state, new SnapshotStamp(StoreId, (ulong)((sequence * 1000) + generation), sequence, generation, Time), pageSize);

    /// <summary>Touches bytes of the first part.</summary>
    public static int Length(SnapshotFile file, long offset, int lengthBytes) => file.UseData(offset, lengthBytes, 0, static (bytes, _) => bytes.Length);

    /// <summary>Writes a file, and waits for what its contents wait for.</summary>
    public static SnapshotHeader WriteFile(this SnapshotWriter writer, IStoreFile file, IReadOnlyList<SnapshotContent> parts, SnapshotStamp stamp, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken) =>
        writer.WriteFileAsync(file, parts, stamp, progress, cancellationToken).AsTask().GetAwaiter().GetResult();

    public static string NameOf(long sequence, uint generation = 1) => new SnapshotName(sequence, generation).ToString();

    /// <summary>Opens, verifies and decodes; what is wrong is a value.</summary>
    public static SnapshotFailure? TryRead<T>(byte[] bytes, out T? state)
    {
        state = default;
        var directory = new BytesDirectory { ["file"] = bytes };
        SnapshotFailure? failure;
        using (SnapshotFile? file = SnapshotFile.TryOpen(directory, "file", SnapshotVerification.OnFirstTouch, out failure))
        {
            if (file is not null) SnapshotReader.TryRead(file, NinoCodec<T>.Default, out state, out failure);
        }

        Assert.Equal(0, directory.OpenMappings);
        return failure;
    }
}
