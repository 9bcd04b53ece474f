// What is in a checkpoint, and when is it one? All keys and values with the cut they belong to, behind a checksum of it all; it is one when the file that has everything took the place of the one before.

using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

[assembly: NinoSerializable(typeof(KeyValueCut))]

namespace OwnEngine;

[NinoType]
public sealed partial record MemoryCheckpoint(KeyValueCut Cut, List<byte[]> Keys, List<byte[]> Values)
{
    public const string FileName = "checkpoint";
    private const string Temporary = FileName + ".tmp";

    public static bool Exists(IStoreDirectory folder) => folder.List().Any(file => file.Name == FileName);

    public static void Publish(IStoreDirectory folder, MemoryCheckpoint checkpoint)
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

        folder.Rename(Temporary, FileName);
        folder.SyncDirectory();
    }

    /// <summary>Takes it away for good: gone when the power fails, too.</summary>
    public static void Remove(IStoreDirectory folder)
    {
        folder.Delete(FileName);
        folder.SyncDirectory();
    }

    public static bool TryRead(IStoreDirectory folder, [NotNullWhen(true)] out MemoryCheckpoint? checkpoint, [NotNullWhen(false)] out string? problem)
    {
        using IStoreFile file = folder.OpenRead(FileName);
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
