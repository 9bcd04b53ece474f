// Several files as one input. For each file
//
//   number     1 byte: which of the names
//   length     3 bytes, little-endian
//   bytes      as many, or what is left
//
// Zeros at the end of a file are left out and a file has as many more as its name asks for, so that segments that are mostly zeros are short inputs.

namespace Store.Fuzz.Targets;

internal static class Bundle
{
    /// <summary>Puts files together.</summary>
    public static byte[] Join(IEnumerable<(int Name, byte[] Bytes)> files)
    {
        List<byte> bundle = [];
        foreach ((int name, byte[] bytes) in files)
        {
            byte[] used = bytes[..(bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1)];
            bundle.AddRange([(byte)name, (byte)used.Length, (byte)(used.Length >> 8), (byte)(used.Length >> 16), .. used]);
        }

        return [.. bundle];
    }

    /// <summary>Takes them apart; of two with one name the later counts.</summary>
    public static Dictionary<int, byte[]> Split(ReadOnlySpan<byte> bundle, int names)
    {
        Dictionary<int, byte[]> files = [];
        while (bundle.Length >= 4)
        {
            int length = Math.Min(bundle[1] | (bundle[2] << 8) | (bundle[3] << 16), bundle.Length - 4);
            files[bundle[0] % names] = bundle.Slice(4, length).ToArray();
            bundle = bundle[(4 + length)..];
        }

        return files;
    }
}
