// Inputs in a file: the corpus of a target, or one input with which a run went wrong. Compressed with Brotli:
//
//   a line "ninostore fuzz corpus 1", then for each input
//   lane       string, as BinaryWriter writes it
//   length     4 bytes, little-endian
//   bytes

using System.IO.Compression;

namespace Store.Fuzz.Driver;

/// <summary>An input and the lane of its target that it is for.</summary>
internal sealed record CorpusEntry(string Lane, byte[] Bytes);

internal static class CorpusFile
{
    private const string Head = "ninostore fuzz corpus 1";

    public static List<CorpusEntry> Read(string path)
    {
        using var reader = new BinaryReader(new BrotliStream(File.OpenRead(path), CompressionMode.Decompress));
        if (reader.ReadString() != Head) throw new InvalidDataException($"'{path}' is no corpus.");
        List<CorpusEntry> entries = [];
        for (int count = reader.ReadInt32(); count > 0; count--)
        {
            string lane = reader.ReadString();
            int length = reader.ReadInt32();
            byte[] bytes = reader.ReadBytes(length);
            entries.Add(bytes.Length == length ? new CorpusEntry(lane, bytes) : throw new InvalidDataException($"'{path}' is cut off."));
        }

        return entries;
    }

    /// <summary>Writes a file whole: by another name, then renamed.</summary>
    /// <returns>How long it is.</returns>
    public static long Write(string path, IReadOnlyCollection<CorpusEntry> entries)
    {
        string unfinished = path + ".tmp";
        using (var writer = new BinaryWriter(new BrotliStream(File.Create(unfinished), CompressionLevel.SmallestSize)))
        {
            writer.Write(Head);
            writer.Write(entries.Count);
            foreach (CorpusEntry entry in entries.OrderBy(static entry => entry.Lane, StringComparer.Ordinal).ThenBy(static entry => entry.Bytes.Length).ThenBy(static entry => Convert.ToHexString(entry.Bytes), StringComparer.Ordinal))
            {
                writer.Write(entry.Lane);
                writer.Write(entry.Bytes.Length);
                writer.Write(entry.Bytes);
            }
        }

        File.Move(unfinished, path, overwrite: true);
        return new FileInfo(path).Length;
    }
}
