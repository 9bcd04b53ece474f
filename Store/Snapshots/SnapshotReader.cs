// From a snapshot's verified bytes to the state: the only place where snapshot data is decoded into a CLR type.

using System.Diagnostics.CodeAnalysis;
using Store.Serialization;

namespace Store.Snapshots;

internal static class SnapshotReader
{
    /// <summary>Verifies all data and decodes it. Exceptions of the state's own constructors and setters pass through.</summary>
    /// <param name="file">An open snapshot.</param>
    /// <param name="codec">Codec of the state.</param>
    /// <param name="state">The state, owned by the caller: nothing in it refers to the mapping.</param>
    /// <param name="failure">What is wrong, when false is returned.</param>
    /// <exception cref="ObjectDisposedException">The snapshot is closed.</exception>
    public static bool TryRead<T>(SnapshotFile file, NinoCodec<T> codec, [NotNullWhen(true)] out T? state, [NotNullWhen(false)] out SnapshotFailure? failure)
    {
        using SnapshotFile.Lease lease = file.Use();
        state = default;
        SnapshotSection data = file.Header.Data;
        NinoSchema stored = file.Schema, wanted = codec.Schema;
        failure = null;
        if (!wanted.IsNamed(stored.Name))
        {
            failure = Fail(SnapshotFailureKind.SchemaMismatch, 0, $"The snapshot holds '{stored.Name}' (schema {stored.Fingerprint:x16}); the type asked for is '{wanted.Name}' (schema {wanted.Fingerprint:x16}). Read it with its own type; if that was renamed, put [NinoFormerName(\"{stored.Name}\")] on it.");
            return false;
        }

        try
        {
            codec.CheckReadable(stored);
        }
        catch (NinoSchemaMismatchException e)
        {
            failure = Fail(SnapshotFailureKind.SchemaMismatch, 0, e.Message) with { Cause = e };
            return false;
        }

        int limit = NinoLimits.Default.MaxRecordBytes;
        if (data.LengthBytes > limit)
        {
            failure = Fail(SnapshotFailureKind.Undecodable, 0, $"The state has {data.LengthBytes} bytes; the limit is {limit}.");
            return false;
        }

        failure = file.FindDamage(0, data.LengthBytes);
        if (failure is not null) return false;

        try
        {
            state = codec.Decode(file.VerifiedData((int)data.LengthBytes), stored)!;
            return true;
        }
        catch (NinoSerializationException e)
        {
            failure = Fail(SnapshotFailureKind.Undecodable, Math.Max(0, e.ByteOffset), $"The state of type '{stored.Name}' cannot be decoded: {e.Message}") with { Cause = e };
        }

        return false;

        SnapshotFailure Fail(SnapshotFailureKind kind, long offset, string message) =>
            new(kind, file.Info.FileName, data.Offset + offset, data.LengthBytes - offset, message);
    }
}
