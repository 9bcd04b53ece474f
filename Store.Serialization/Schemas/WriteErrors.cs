// Where in a value writing failed. Runs only after a failure: the hot path throws without a place. The value is written twice more, into memory of its own, and what was stored of it until it failed again
// is walked along the schema: where the bytes end is the member that could not be written.

using System.Buffers;

namespace Store.Serialization;

internal static class WriteErrors
{
    // A getter or codec of the value may write records of its own: their failures are looked into once, not once for every time that the value around them is written.
    [ThreadStatic]
    private static bool t_isLooking;

    /// <summary>The same failure of writing with the type's name and the path of the member.</summary>
    /// <param name="error">What writing threw; it becomes the inner exception.</param>
    /// <param name="codec">What wrote.</param>
    /// <param name="value">The record.</param>
    /// <param name="limits">The limits of writing.</param>
    /// <remarks>
    /// Whatever of the program's code runs when the value is written (getters, enumerators, codecs of its own) runs twice more; callbacks do not. Call it outside of the catch block: until that ends, the stack of the failed
    /// writing is still taken.
    /// </remarks>
    public static NinoSerializationException Locate<T>(NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits)
    {
        // Who names a member without a record's name has told which one of this record it is; one of another record is inside of a member.
        bool isTold = error is { TypeName: null, MemberPath: not null };
        string? path = isTold ? error.MemberPath : Find(error, codec, in value, limits);
        return new NinoSerializationException($"Record '{codec.Schema.Name}'{(isTold || path is null ? "" : $", member {path}")}: {error.Message}", error)
        {
            TypeName = codec.Schema.Name,
            MemberPath = path,
            // Of a record that a getter of this one writes, its own limit is told and its own name.
            IsTooLarge = error is { IsTooLarge: true, TypeName: null },
        };
    }

    private static string? Find<T>(NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits)
    {
        if (t_isLooking) return null;
        t_isLooking = true;
        bool before = NinoGenerated.SwapUnasked(true);
        try
        {
            // The memory is given piece by piece, so that the size is looked at more often than it was: only where it was what failed is it the same failure.
            if (!error.IsTooLarge) limits = limits with { MaxRecordBytes = Array.MaxLength };

            // Values of fixed width are taken as a block and stored then: what is the same over whatever lay in the memory before was stored.
            var zeros = new Trace(0);
            var ones = new Trace(byte.MaxValue);
            if (!FailsAgain(zeros, error, codec, in value, limits, out long lentAt) || !FailsAgain(ones, error, codec, in value, limits, out _)) return null;
            // Of a codec that is refused for how it wrote, only the place is known where it began.
            int length = error.BlamesCodec ? (int)lentAt : zeros.Written.CommonPrefixLength(ones.Written);
            return EndOf(zeros.Written[..length], codec.Schema, limits.MaxDepth, error.RefusesWholeObject, lentAt);
        }
        finally
        {
            NinoGenerated.SwapUnasked(before);
            t_isLooking = false;
        }
    }

    private static string? EndOf(ReadOnlySpan<byte> written, NinoSchema schema, int maxDepth, bool isWhole, long lentAt)
    {
        var path = new RecordPath { EndsOpen = true, Marked = (int)lentAt };
        var reader = new NinoReader(written, new NinoLimits { MaxDepth = maxDepth, MaxRecordBytes = Array.MaxLength });
        bool isAllWritten = false;
        try
        {
            RecordWalker.WalkRecord(ref reader, schema.Root, path, int.MaxValue);
            isAllWritten = true;
        }
        catch (NinoSerializationException)
        {
            // The walk stops where the bytes end, or where the depth was too great.
            if (isWhole) path.CutToObject(written.Length);
        }

        // Behind a codec of somebody's that failed when all of its value was written.
        if (path.HasLeftMarked) path.GoBackToMarked();
        // The record is larger than the limit by its last member.
        else if (isAllWritten) return null;
        return path.ToString(written) is { Length: > 0 } found ? found : null;
    }

    // A value that fails otherwise, or not at all, was changed meanwhile or has getters that give something else each time: then no place is better than a wrong one.
    private static bool FailsAgain<T>(Trace trace, NinoSerializationException error, NinoCodec<T> codec, in T value, NinoLimits limits, out long lentAt)
    {
        lentAt = -1;
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
            if (CauseOf(again) != CauseOf(error)) return false;
            lentAt = writer.LentAt;
            if (writer.IsOver(trace)) writer.Flush();
            // What was written before a codec got the writer is in the memory, whatever that did with the writer.
            return error.BlamesCodec ? trace.TryReach(lentAt) : writer.IsOver(trace);
        }
        finally
        {
            writer.BeginRecord();
        }
    }

    // Names of records and members are put in front on the way out.
    private static string CauseOf(Exception error)
    {
        while (error is NinoSerializationException { InnerException: NinoSerializationException inner }) error = inner;
        return error.Message;
    }

    /// <summary>
    /// Memory that is full of one byte, given out in pieces of the very size that is asked for: whoever stores ahead where there is room has none, so that all that was stored is counted. A failure further behind than it grows is
    /// told without its place.
    /// </summary>
    private sealed class Trace(byte filling) : IBufferWriter<byte>
    {
        private const int FirstBytes = 1 << 10;
        private const int MostBytes = 1 << 26;

        private byte[] _bytes = [];
        private int _length;

        public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

        // A codec that goes back to an older copy of its writer may say more than there is.
        public void Advance(int count) => _length = Math.Min(_length + count, _bytes.Length);

        /// <summary>Takes for written what the last piece has up to there, if that is not known to be.</summary>
        public bool TryReach(long length)
        {
            if (length < 0 || length > _bytes.Length) return false;
            _length = Math.Max(_length, (int)length);
            return true;
        }

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            if (sizeHint > MostBytes - _length) throw new NinoSerializationException($"More than {MostBytes} bytes were written.");
            if (sizeHint > _bytes.Length - _length)
            {
                byte[] larger = new byte[Math.Clamp(2 * _length, Math.Max(_length + sizeHint, FirstBytes), MostBytes)];
                larger.AsSpan(_length).Fill(filling);
                Written.CopyTo(larger);
                _bytes = larger;
            }

            return _bytes.AsSpan(_length, sizeHint);
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();
    }
}
