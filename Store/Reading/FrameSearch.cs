using System.Buffers;
using Store.Framing;
using Store.IO;
using Store.Log;

namespace Store.Reading;

/// <summary>Finds the frame behind a damaged place. A header's checksum is bound to its segment and its place, so nothing else is taken for one.</summary>
internal static class FrameSearch
{
    private const int StrideBytes = 64 * 1024;

    /// <summary>The first header at or after <paramref name="from"/> that verifies and continues the log.</summary>
    /// <param name="file">The segment.</param>
    /// <param name="header">Its header.</param>
    /// <param name="from">Offset to start at.</param>
    /// <param name="to">Offset before which the header must begin.</param>
    /// <param name="fromSequence">Least sequence the frame may start with.</param>
    /// <param name="found">The frame; its payload is not verified yet.</param>
    /// <returns>Its offset, or -1.</returns>
    public static long Next(IStoreFile file, SegmentHeader header, long from, long to, long fromSequence, out FrameHeader found)
    {
        const int Size = StrideBytes + FrameFormat.HeaderSize;
        byte[] buffer = ArrayPool<byte>.Shared.Rent(Size);
        try
        {
            long start = checked(from + FrameFormat.Alignment - 1) & ~(long)(FrameFormat.Alignment - 1);
            while (start < to)
            {
                int at = 0, end = (int)Math.Min(StrideBytes, to - start);
                int read = file.Read(buffer.AsSpan(0, end + FrameFormat.HeaderSize), start);
                for (; at + FrameFormat.HeaderSize <= read && at < end; at += FrameFormat.Alignment)
                {
                    ReadOnlySpan<byte> candidate = buffer.AsSpan(at, FrameFormat.HeaderSize);
                    if (FrameHeader.CouldBe(candidate) && FrameHeader.TryRead(candidate, header.SegmentId, start + at, out found) && found.IsPlausible && found.FirstSequence >= fromSequence)
                        return start + at;
                }

                if (read < end + FrameFormat.HeaderSize) break;
                start += at;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        found = default;
        return -1;
    }
}
