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
    /// <param name="fromSequence">Least sequence the frame may start with.</param>
    /// <param name="found">The frame; its payload is not verified yet.</param>
    /// <returns>Its offset, or -1.</returns>
    public static long Next(IStoreFile file, SegmentHeader header, long from, long fromSequence, out FrameHeader found)
    {
        byte[] buffer = new byte[StrideBytes + FrameFormat.HeaderSize];
        long start = checked(from + FrameFormat.Alignment - 1) & ~(long)(FrameFormat.Alignment - 1);
        while (true)
        {
            int read = file.Read(buffer, start);
            int at = 0;
            for (; at + FrameFormat.HeaderSize <= read && at < StrideBytes; at += FrameFormat.Alignment)
            {
                ReadOnlySpan<byte> candidate = buffer.AsSpan(at, FrameFormat.HeaderSize);
                if (FrameHeader.CouldBe(candidate) && FrameHeader.TryRead(candidate, header.SegmentId, start + at, out found) && found.IsPlausible && found.FirstSequence >= fromSequence)
                    return start + at;
            }

            if (read < buffer.Length)
            {
                found = default;
                return -1;
            }

            start += at;
        }
    }
}
