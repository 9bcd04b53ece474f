// From a snapshot's verified bytes to the state: the only place where snapshot data is decoded into a CLR type.

using System.Diagnostics.CodeAnalysis;
using Store.Reading;
using Store.Serialization;

namespace Store.Snapshots;

internal static class SnapshotReader
{
    /// <summary>
    /// Verifies all data and decodes it. What the state's own constructors and setters throw is a failure too (<see cref="SnapshotFailureKind.Refused"/>), as is a value that the type has no place for; only what says that
    /// the program is put together wrongly, or has no memory left, passes through.
    /// </summary>
    /// <param name="file">An open snapshot.</param>
    /// <param name="codec">Codec of the state.</param>
    /// <param name="state">The state, owned by the caller: nothing in it refers to the file.</param>
    /// <param name="failure">What is wrong, when false is returned.</param>
    /// <exception cref="ObjectDisposedException">The snapshot is closed.</exception>
    public static bool TryRead<T>(SnapshotFile file, NinoCodec<T> codec, [NotNullWhen(true)] out T? state, [NotNullWhen(false)] out SnapshotFailure? failure) =>
        TryRead(file, file.FirstPart, codec, out state, out failure);

    /// <inheritdoc cref="TryRead{T}(SnapshotFile, NinoCodec{T}, out T, out SnapshotFailure)"/>
    public static bool TryRead<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec, [NotNullWhen(true)] out T? state, [NotNullWhen(false)] out SnapshotFailure? failure)
    {
        using SnapshotFile.Lease lease = file.Use();
        state = default;
        SnapshotSection data = part.Data;
        NinoSchema stored = part.Schema;
        failure = FindMismatch(file, part, codec);
        if (failure is not null) return false;

        int limit = StoredLimits.Default.MaxRecordBytes;
        if (data.LengthBytes > limit)
        {
            failure = Fail(SnapshotFailureKind.Undecodable, 0, $"The state has {data.LengthBytes} bytes; the limit is {limit}.");
            return false;
        }

        failure = part.FindDamage(0, data.LengthBytes);
        if (failure is not null) return false;

        try
        {
            state = codec.Decode(part.VerifiedData((int)data.LengthBytes), stored, StoredLimits.Default)!;
            return true;
        }
        catch (NinoSerializationException e)
        {
            failure = Undecoded(file, part, part.VerifiedData((int)data.LengthBytes), "The state", Math.Max(0, e.ByteOffset), e);
        }

        return false;

        SnapshotFailure Fail(SnapshotFailureKind kind, long offset, string message) =>
            new(kind, file.FileName, data.Offset + offset, data.LengthBytes - offset, message);
    }

    /// <summary>Why the value of a snapshot cannot be read as the type it has now; null when it can.</summary>
    public static SnapshotFailure? FindRefusal<T>(SnapshotFile file, NinoCodec<T> codec) => TryRead(file, codec, out _, out SnapshotFailure? failure) ? null : failure;

    /// <exception cref="SchemaMismatchException">The part holds another type, or a shape that cannot be read as the one the type has now.</exception>
    public static void CheckSchema<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec)
    {
        if (FindMismatch(file, part, codec) is { } failure) throw file.Failed(failure);
    }

    /// <summary>Decodes one item from its verified bytes.</summary>
    /// <exception cref="StoreCorruptException">They are no record of the stored schema.</exception>
    /// <exception cref="SchemaMismatchException">They are, and the type refuses a value in it.</exception>
    public static T DecodeItem<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec, ReadOnlySpan<byte> bytes, long index)
    {
        try
        {
            return codec.Decode(bytes, part.Schema, StoredLimits.Default);
        }
        catch (NinoSerializationException e)
        {
            throw file.Failed(Undecoded(file, part, bytes, $"Item {index}", 0, e));
        }
    }

    // Bytes that the stored schema walks by itself are as they were written: then it is the type that has no place for a value in them, and another file would only hide that.
    private static SnapshotFailure Undecoded(SnapshotFile file, SnapshotPart part, ReadOnlySpan<byte> record, string what, long offset, NinoSerializationException error)
    {
        NinoSchema stored = part.Schema;
        return stored.IsRecord(record, StoredLimits.Default)
            ? new SnapshotFailure(SnapshotFailureKind.Refused, file.FileName, part.Data.Offset + offset, part.Data.LengthBytes - offset,
                $"{what} of type '{stored.Name}' is whole, and the type refuses it: {error.Message} Nothing is damaged. Correct the type so that it takes what was stored; 'inspect cat' shows it. To go back to the snapshot before, move this one out of the folder.") { Cause = error }
            : new SnapshotFailure(SnapshotFailureKind.Undecodable, file.FileName, part.Data.Offset + offset, part.Data.LengthBytes - offset, $"{what} of type '{stored.Name}' cannot be decoded: {error.Message}") { Cause = error };
    }

    /// <summary>Why the part cannot be read as a type, by its schema alone; null when it can.</summary>
    public static SnapshotFailure? FindMismatch<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec)
    {
        NinoSchema stored = part.Schema, wanted = codec.Schema;
        if (!wanted.IsNamed(stored.Name))
            return Fail($"{(file.Parts.Count > 1 ? $"The part '{part.Name}' of the snapshot" : "The snapshot")} holds '{stored.Name}' (schema {stored.Fingerprint:x16}); the type asked for is '{wanted.Name}' (schema {wanted.Fingerprint:x16}). Read it with its own type{FormerName.IfRenamed(stored, wanted)}.");
        try
        {
            codec.CheckReadable(stored);
            return null;
        }
        catch (NinoSchemaMismatchException e)
        {
            return Fail(e.Message) with { Cause = e };
        }

        SnapshotFailure Fail(string message) => new(SnapshotFailureKind.SchemaMismatch, file.FileName, part.Data.Offset, part.Data.LengthBytes, message);
    }
}
