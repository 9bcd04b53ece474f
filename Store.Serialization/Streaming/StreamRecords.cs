// One record that is a whole stream or pipe: read to its end into one piece of pooled memory, bounded by the limits.

using System.Buffers;
using System.IO.Pipelines;

namespace Store.Serialization.Streaming;

internal static class StreamRecords
{
    private const int ReadBytes = 16 << 10;

    public static void ReadToEnd(Stream source, ContiguousBuffer buffer, NinoHeader header, NinoLimits? limits, IHasSchema of)
    {
        while (true)
        {
            Span<byte> room = buffer.GetSpan(ReadBytes);
            int read = CheckedReads.Checked(source, room.Length, source.Read(room));
            if (read == 0) return;
            buffer.Advance(read);
            CheckLength(buffer.Written.Length, header, limits, of);
        }
    }

    public static async ValueTask ReadToEndAsync(Stream source, ContiguousBuffer buffer, NinoHeader header, NinoLimits? limits, IHasSchema of, CancellationToken cancellationToken)
    {
        while (true)
        {
            Memory<byte> room = buffer.GetMemory(ReadBytes);
            int read = CheckedReads.Checked(source, room.Length, await source.ReadAsync(room, cancellationToken).ConfigureAwait(false));
            if (read == 0) return;
            buffer.Advance(read);
            CheckLength(buffer.Written.Length, header, limits, of);
        }
    }

    /// <summary>Reads until the writer has completed the pipe. All of it is examined, nothing is consumed.</summary>
    public static async ValueTask<ReadOnlySequence<byte>> ReadToEndAsync(PipeReader source, NinoHeader header, NinoLimits? limits, IHasSchema of, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await source.ReadAsync(cancellationToken).ConfigureAwait(false);
            if (result.IsCanceled || result.Buffer.Length > MaxBytes(header, limits))
            {
                source.AdvanceTo(result.Buffer.Start);
                if (result.IsCanceled) throw new OperationCanceledException("The read was cancelled by PipeReader.CancelPendingRead.");
                CheckLength(result.Buffer.Length, header, limits, of);
            }

            if (result.IsCompleted) return result.Buffer;
            source.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        }
    }

    /// <summary>Refuses more bytes than header and record may take together, and than memory in one piece can have.</summary>
    public static void CheckLength(long length, NinoHeader header, NinoLimits? limits, IHasSchema of)
    {
        if (length > MaxBytes(header, limits)) Throw.RecordTooLarge((limits ?? NinoLimits.Default).MaxRecordBytes, of);
    }

    private static long MaxBytes(NinoHeader header, NinoLimits? limits) => Math.Min((limits ?? NinoLimits.Default).MaxRecordBytes + (header == NinoHeader.None ? 0L : RecordHeader.MaxBytes), Array.MaxLength);
}
