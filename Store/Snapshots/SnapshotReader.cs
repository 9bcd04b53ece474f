// From a snapshot's verified bytes to the state: the only place where snapshot data is decoded into a CLR type.

using System.Diagnostics.CodeAnalysis;
using Store.Serialization;

namespace Store.Snapshots;

internal static class SnapshotReader
{
    /// <summary>Verifies all data and decodes it. Exceptions of the state's own constructors and setters pass through.</summary>
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

        int limit = NinoLimits.Default.MaxRecordBytes;
        if (data.LengthBytes > limit)
        {
            failure = Fail(SnapshotFailureKind.Undecodable, 0, $"The state has {data.LengthBytes} bytes; the limit is {limit}.");
            return false;
        }

        failure = part.FindDamage(0, data.LengthBytes);
        if (failure is not null) return false;

        try
        {
            state = codec.Decode(part.VerifiedData((int)data.LengthBytes), stored)!;
            return true;
        }
        catch (NinoSerializationException e)
        {
            failure = Fail(SnapshotFailureKind.Undecodable, Math.Max(0, e.ByteOffset), $"The state of type '{stored.Name}' cannot be decoded: {e.Message}") with { Cause = e };
        }

        return false;

        SnapshotFailure Fail(SnapshotFailureKind kind, long offset, string message) =>
            new(kind, file.FileName, data.Offset + offset, data.LengthBytes - offset, message);
    }

    /// <exception cref="SchemaMismatchException">The part holds another type, or the type had another shape.</exception>
    public static void CheckSchema<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec)
    {
        if (FindMismatch(file, part, codec) is { } failure) throw failure.ToException(file.Folder);
    }

    /// <summary>Decodes one item from its verified bytes.</summary>
    /// <exception cref="StoreCorruptException">They are no record of the type.</exception>
    public static T DecodeItem<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec, ReadOnlySpan<byte> bytes, long index)
    {
        try
        {
            return codec.Decode(bytes, part.Schema);
        }
        catch (NinoSerializationException e)
        {
            throw (new SnapshotFailure(SnapshotFailureKind.Undecodable, file.FileName, part.Data.Offset, part.Data.LengthBytes, $"Item {index} of type '{part.Schema.Name}' cannot be decoded: {e.Message}") with { Cause = e }).ToException(file.Folder);
        }
    }

    private static SnapshotFailure? FindMismatch<T>(SnapshotFile file, SnapshotPart part, NinoCodec<T> codec)
    {
        NinoSchema stored = part.Schema, wanted = codec.Schema;
        if (!wanted.IsNamed(stored.Name))
            return Fail($"The snapshot holds '{stored.Name}' (schema {stored.Fingerprint:x16}); the type asked for is '{wanted.Name}' (schema {wanted.Fingerprint:x16}). Read it with its own type; if that was renamed, put [NinoFormerName(\"{stored.Name}\")] on it.");
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
