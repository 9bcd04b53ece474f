// Where in a value writing failed. Runs only after a failure: the hot path throws without a place. The value is written once more, and what was written of it until it failed again is walked along
// the schema: where the bytes end is the member that could not be written.

using System.Buffers;

namespace Store.Serialization;

internal static class WriteErrors
{
    /// <summary>The same failure of writing with the type's name and the path of the member.</summary>
    /// <param name="error">What writing threw; it becomes the inner exception.</param>
    /// <param name="codec">What wrote.</param>
    /// <param name="value">The record.</param>
    /// <param name="limits">The limits of writing.</param>
    /// <remarks>Getters run again, callbacks do not. Call it when the frame that caught the error is left: the stack of a value that was too deep for it is free only then.</remarks>
    public static NinoSerializationException Locate<T>(NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits)
    {
        // Who names the member by its type has told which it is.
        string? path = error.MemberPath is null ? Find(error, codec, in value, limits) : null;
        return new NinoSerializationException($"Record '{codec.Schema.Name}'{(path is null ? "" : $", member {path}")}: {error.Message}", error)
        {
            TypeName = codec.Schema.Name,
            MemberPath = path ?? error.MemberPath,
            // Of a record that a getter of this one writes, its own limit is told and its own name.
            IsTooLarge = error is { IsTooLarge: true, TypeName: null },
        };
    }

    private static string? Find<T>(NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits)
    {
        // Values of fixed width are taken as a block and stored then: what is the same over whatever lay in the memory before was stored.
        var zeros = new Trace(0);
        var ones = new Trace(byte.MaxValue);
        if (!FailsAgain(zeros, error, codec, in value, limits) || !FailsAgain(ones, error, codec, in value, limits)) return null;

        ReadOnlySpan<byte> written = zeros.Written[..zeros.Written.CommonPrefixLength(ones.Written)];
        var path = new RecordPath { EndsOpen = true };
        var reader = new NinoReader(written, limits);
        try
        {
            RecordWalker.WalkRecord(ref reader, codec.Schema.Root, path, int.MaxValue);
        }
        catch (NinoSerializationException)
        {
            // The walk stops where the bytes end, or where the depth was too great.
            return path.ToString(written) is { Length: > 0 } found ? found : null;
        }

        // All of it was written: the record is larger than the limit by its last member.
        return null;
    }

    // A value that fails otherwise, or not at all, was changed meanwhile or has getters that give something else each time: then no place is better than a wrong one.
    private static bool FailsAgain<T>(Trace trace, NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits)
    {
        var writer = new NinoWriter(trace, limits) { IsUnasked = true };
        try
        {
            if (codec.Form == CodecForm.Object) codec.WriteBody(ref writer, in value);
            else codec.Write(ref writer, in value);
            return false;
        }
        catch (Exception again)
        {
            // Whatever it is, the first failure is told.
            writer.Flush();
            return again.Message == error.Message;
        }
    }

    /// <summary>Memory that is full of one byte, and grows to a bound: a failure further behind is told without its place.</summary>
    private sealed class Trace(byte filling) : IBufferWriter<byte>
    {
        private const int FirstBytes = 1 << 10;
        private const int MostBytes = 1 << 26;

        private byte[] _bytes = [];
        private int _length;

        public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

        public void Advance(int count) => _length += count;

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            int needed = _length + Math.Max(sizeHint, 1);
            if (needed > MostBytes) throw new NinoSerializationException($"More than {MostBytes} bytes were written.");
            if (needed > _bytes.Length)
            {
                byte[] larger = new byte[Math.Max(needed, Math.Max(FirstBytes, 2 * _length))];
                larger.AsSpan(_length).Fill(filling);
                Written.CopyTo(larger);
                _bytes = larger;
            }

            return _bytes.AsSpan(_length);
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();
    }
}
