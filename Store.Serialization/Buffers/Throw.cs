// Throwing lives here, out of line and named by cause, so that hot methods stay small. The offset and the member path are added by the
// serializer's top-level verbs, which know the schema and the whole input.

using System.Diagnostics.CodeAnalysis;

namespace Store.Serialization;

internal static class Throw
{
    [DoesNotReturn]
    public static void EndOfInput(int needed, int left) =>
        throw new NinoSerializationException($"The record ends too early: {needed} more bytes are needed, {left} are left. It is truncated or damaged.");

    [DoesNotReturn]
    public static void NotShortestForm() =>
        throw new NinoSerializationException("A length or count is not in its shortest form: the record is damaged or was not written by this engine.");

    [DoesNotReturn]
    public static void BadCompactMarker(byte marker) =>
        throw new NinoSerializationException($"A length or count starts with the byte {marker}, which no writer produces: the record is damaged.");

    [DoesNotReturn]
    public static void CountTooLarge(uint count, int minElementSize, int left) =>
        throw new NinoSerializationException($"A count of {count} elements of at least {minElementSize} bytes does not fit into the {left} bytes left: the record is damaged.");

    [DoesNotReturn]
    public static void TooDeepToRead(int maxDepth) =>
        throw new NinoSerializationException($"The record nests deeper than the limit of {maxDepth} objects. Raise NinoLimits.MaxDepth if such records are expected.");

    [DoesNotReturn]
    public static void TooDeepToWrite(int maxDepth) =>
        throw new NinoSerializationException($"The value nests deeper than the limit of {maxDepth} objects: it may contain itself. Raise NinoLimits.MaxDepth if it is only deep.");

    [DoesNotReturn]
    public static void RecordTooLarge(int maxBytes) =>
        throw new NinoSerializationException($"The record is larger than the limit of {maxBytes} bytes. Raise NinoLimits.MaxRecordBytes or split the record.");

    [DoesNotReturn]
    public static void DestinationTooSmall(int length, long needed) =>
        throw new NinoSerializationException($"The destination of {length} bytes is too small: at least {needed} are needed.");

    [DoesNotReturn]
    public static void BufferWriterTooShort(int asked, int got) =>
        throw new InvalidOperationException($"The buffer writer was asked for {asked} bytes and gave {got}: its GetSpan breaks the contract of IBufferWriter.");
}
