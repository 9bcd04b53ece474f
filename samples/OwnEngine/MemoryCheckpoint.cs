// What is in a checkpoint, and when is it one? All keys and values with the cut they belong to, behind a checksum of it all; it is one when the file that has everything has got its name, and the one with the highest number is the newest.

using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

[assembly: NinoSerializable(typeof(KeyValueCut))]

namespace OwnEngine;

[NinoType]
public sealed partial record MemoryCheckpoint(KeyValueCut Cut, List<byte[]> Keys, List<byte[]> Values)
{
    public const string Prefix = "checkpoint-";
    public const string Temporary = "checkpoint.tmp";

    public static string FileName(long number) => Prefix + number.ToString("D8", CultureInfo.InvariantCulture);

    /// <summary>The numbers of those that are there, the newest first.</summary>
    public static long[] Numbers(IStoreDirectory folder) =>
        [.. folder.List().Where(file => file.Name.StartsWith(Prefix, StringComparison.Ordinal)).Select(file => long.Parse(file.Name.AsSpan(Prefix.Length), CultureInfo.InvariantCulture)).OrderDescending()];

    /// <summary>Writes one under a number that none has.</summary>
    /// <returns>The length of its file, in bytes.</returns>
    public static long Publish(IStoreDirectory folder, long number, MemoryCheckpoint checkpoint)
    {
        // What an earlier one left unfinished.
        if (folder.List().Any(file => file.Name == Temporary)) folder.Delete(Temporary);
        byte[] body = NinoSerializer.Serialize(checkpoint);
        using (IStoreFile file = folder.Create(Temporary))
        {
            file.Write(SHA256.HashData(body), 0);
            file.Write(body, SHA256.HashSizeInBytes);
            file.SyncData();
        }

        folder.Rename(Temporary, FileName(number));
        folder.SyncDirectory();
        return SHA256.HashSizeInBytes + body.Length;
    }

    public static bool TryRead(IStoreDirectory folder, long number, [NotNullWhen(true)] out MemoryCheckpoint? checkpoint, [NotNullWhen(false)] out string? problem)
    {
        using IStoreFile file = folder.OpenRead(FileName(number));
        byte[] bytes = new byte[file.LengthBytes];
        (checkpoint, problem) = (null, null);
        if (file.Read(bytes, 0) != bytes.Length || bytes.Length < SHA256.HashSizeInBytes) problem = $"It has {bytes.Length} bytes.";
        else if (!SHA256.HashData(bytes.AsSpan(SHA256.HashSizeInBytes)).AsSpan().SequenceEqual(bytes.AsSpan(0, SHA256.HashSizeInBytes))) problem = "Its checksum does not match.";
        else checkpoint = NinoSerializer.Deserialize<MemoryCheckpoint>(bytes.AsSpan(SHA256.HashSizeInBytes), new NinoLimits { MaxRecordBytes = Math.Max(1, bytes.Length) });
        return checkpoint is not null;
    }
}

/// <summary>Arrays that are the same when their bytes are, and can be asked for by bytes that are in no array of their own.</summary>
internal sealed class ByteKeys : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly ByteKeys Instance = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public int GetHashCode(byte[] key) => GetHashCode(key.AsSpan());

    public bool Equals(ReadOnlySpan<byte> left, byte[] right) => left.SequenceEqual(right);

    public int GetHashCode(ReadOnlySpan<byte> key)
    {
        var hash = new HashCode();
        hash.AddBytes(key);
        return hash.ToHashCode();
    }

    public byte[] Create(ReadOnlySpan<byte> key) => key.ToArray();
}
