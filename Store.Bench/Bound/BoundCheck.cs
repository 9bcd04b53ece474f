// The workloads have short Latin texts only; the bound must be right for every string, or it would be a cheat.

using Store.Bench.Workloads;

namespace Store.Bench.Bound;

/// <summary>Proves the bound's strings before they are measured.</summary>
internal static class BoundCheck
{
    /// <summary>Null, and every length up to past the long header with one char of each kind at every place.</summary>
    /// <exception cref="InvalidDataException">A string does not come back.</exception>
    public static void Run()
    {
        RoundTrip(null);
        for (int length = 0; length <= 140; length++)
        {
            char[] chars = new char[length];
            Array.Fill(chars, 'a');
            RoundTrip(new string(chars));
            for (int at = 0; at < length; at++)
            {
                foreach (char special in (ReadOnlySpan<char>)['\0', '\u00FF', '\u0100', '\uD800', '\uFFFF'])
                {
                    chars[at] = special;
                    RoundTrip(new string(chars));
                }
                chars[at] = 'a';
            }
        }
    }

    private static void RoundTrip(string? text)
    {
        byte[] bytes = new byte[BoundString.MaxSize(text) + 1];
        int length = BoundString.Write(ref bytes[0], text);
        int position = 0;
        string? read = BoundString.Read(bytes.AsSpan(0, length), ref position);
        Check.Equal(text, read, "bound text");
        Check.Equal(length, position, "bytes of bound text");
    }
}
