using System.Buffers.Binary;
using System.Text;

namespace Store.Tests.KeyValue;

/// <summary>What the changes in a log amount to, decoded from their documented layout alone, for int keys and short Latin-1 strings: a second opinion on the adapter's own reading.</summary>
internal static class LogReplay
{
    public static void Apply(IEnumerable<LogRecord> records, string name, Dictionary<int, string> state)
    {
        foreach ((_, int key, string? value) in Changes(records, name)) Apply(key, value, state);
    }

    public static void Apply(int key, string? value, Dictionary<int, string> state)
    {
        if (value is null) state.Remove(key);
        else state[key] = value;
    }

    /// <summary>The changes, each with its sequence; a deletion has no value.</summary>
    public static IEnumerable<(long Sequence, int Key, string? Value)> Changes(IEnumerable<LogRecord> records, string name)
    {
        foreach (LogRecord record in records)
        {
            if (record.Schema.Name != "KeyValue:" + name) continue;
            ReadOnlyMemory<byte> bytes = record.Payload;
            yield return (record.Sequence, BinaryPrimitives.ReadInt32LittleEndian(bytes.Span[1..]), bytes.Span[0] == 2 ? null : Text(bytes.Span[5..]));
        }
    }

    private static string Text(ReadOnlySpan<byte> bytes)
    {
        (int header, int start) = bytes[0] < 253 ? (bytes[0], 1) : (BinaryPrimitives.ReadUInt16LittleEndian(bytes[1..]), 3);
        int length = (header - 1) >> 1;
        return ((header - 1) & 1) == 0 ? Encoding.Latin1.GetString(bytes.Slice(start, length)) : Encoding.Unicode.GetString(bytes.Slice(start, length * 2));
    }
}
