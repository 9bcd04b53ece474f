using System.Buffers;

namespace Store.Serialization;

/// <summary>Where a writer stood before code of somebody else's had it.</summary>
internal readonly record struct WriterMark(IBufferWriter<byte>? Output, long BytesWritten);
