using System.Globalization;
using System.Text;
using Store.Serialization.Codecs;

namespace Store.Serialization.Values;

/// <summary>
/// The names of an enum's numbers. A name is used only where it is unambiguous: the first of a number, not taken by another number, and looking
/// like a name, so that two numbers never have the same text, whatever a hostile schema says. Immutable.
/// </summary>
internal sealed class EnumNames
{
    // Each value that has no name is held against all flags, and a hostile schema may have very many.
    private const int MostFlags = 1024;

    private readonly Dictionary<ulong, (byte[] Utf8, string Text)> _names = new(SeededHash.Instance);
    private readonly ulong[] _flagsLargestFirst = [];
    private readonly ulong _mask;

    public EnumNames(EnumDefinition definition)
    {
        Definition = definition;
        _mask = definition.Underlying switch
        {
            SchemaKind.SByte or SchemaKind.Byte => byte.MaxValue,
            SchemaKind.Int16 or SchemaKind.UInt16 => ushort.MaxValue,
            SchemaKind.Int32 or SchemaKind.UInt32 => uint.MaxValue,
            _ => ulong.MaxValue,
        };
        var taken = new HashSet<string>(StringComparer.Ordinal);
        foreach (EnumMember member in definition.Members)
        {
            if (IsName(member.Name) && taken.Add(member.Name)) _names.TryAdd(BitsOf(member.Value), (Encoding.UTF8.GetBytes(member.Name), member.Name));
        }

        if (definition.IsFlags && _names.Count <= MostFlags) _flagsLargestFirst = [.. _names.Keys.Where(bits => bits != 0).OrderDescending()];
    }

    public EnumDefinition Definition { get; }

    /// <summary>A number's bits as they are stored: negative numbers are cut to the width of the underlying kind.</summary>
    public ulong BitsOf(long value) => (ulong)value & _mask;

    /// <summary>The name of exactly this number.</summary>
    public bool TryGetName(long value, out ReadOnlySpan<byte> utf8)
    {
        bool found = _names.TryGetValue(BitsOf(value), out (byte[] Utf8, string Text) name);
        utf8 = name.Utf8;
        return found;
    }

    /// <summary>Splits a combination of flags into its members, largest first, as few as possible: what <c>Enum.ToString</c> does.</summary>
    /// <param name="value">The number.</param>
    /// <param name="members">Room for 64.</param>
    /// <returns>How many; 0 when a bit has no name, for zero, and where the enum has more than 1,024 numbers with a name.</returns>
    public int Split(long value, Span<ulong> members)
    {
        ulong rest = BitsOf(value);
        int count = 0;
        foreach (ulong flag in _flagsLargestFirst)
        {
            if (rest == 0) break;
            if ((rest & flag) != flag) continue;
            members[count++] = flag;
            rest &= ~flag;
        }

        return rest == 0 ? count : 0;
    }

    public ReadOnlySpan<byte> NameOf(ulong member) => _names[member].Utf8;

    /// <summary>The name, the names joined by ", " in ascending order, or the number.</summary>
    public string ToText(long value)
    {
        if (_names.TryGetValue(BitsOf(value), out (byte[] Utf8, string Text) name)) return name.Text;
        Span<ulong> members = stackalloc ulong[64];
        int count = Split(value, members);
        if (count == 0) return Definition.Underlying == SchemaKind.UInt64 ? ((ulong)value).ToString(CultureInfo.InvariantCulture) : value.ToString(CultureInfo.InvariantCulture);
        var text = new StringBuilder();
        for (int i = count - 1; i >= 0; i--) text.Append(_names[members[i]].Text).Append(i > 0 ? ", " : "");
        return text.ToString();
    }

    private static bool IsName(string text) =>
        text.Length > 0 && (char.IsLetter(text[0]) || text[0] == '_') && !text.Contains(',', StringComparison.Ordinal);
}
