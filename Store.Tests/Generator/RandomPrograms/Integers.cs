// The integers of C#: how wide each is, and its values as shapes. What becomes of one in another kind is a row of "scalars" in docs/evolution.md.

using System.Globalization;
using System.Numerics;

namespace Store.Tests.Generator.RandomPrograms;

internal static class Integers
{
    private static readonly Dictionary<string, (BigInteger Least, BigInteger Most, Func<BigInteger, object> Make)> Kinds = new()
    {
        ["sbyte"] = (sbyte.MinValue, sbyte.MaxValue, static value => (sbyte)value),
        ["byte"] = (byte.MinValue, byte.MaxValue, static value => (byte)value),
        ["short"] = (short.MinValue, short.MaxValue, static value => (short)value),
        ["ushort"] = (ushort.MinValue, ushort.MaxValue, static value => (ushort)value),
        ["int"] = (int.MinValue, int.MaxValue, static value => (int)value),
        ["uint"] = (uint.MinValue, uint.MaxValue, static value => (uint)value),
        ["long"] = (long.MinValue, long.MaxValue, static value => (long)value),
        ["ulong"] = (ulong.MinValue, ulong.MaxValue, static value => (ulong)value),
        ["global::System.Int128"] = (Int128.MinValue, Int128.MaxValue, static value => (Int128)value),
        ["global::System.UInt128"] = (UInt128.MinValue, UInt128.MaxValue, static value => (UInt128)value),
    };

    /// <summary>Their names, as C# spells them.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Kinds.Keys];

    public static bool Is(string name) => Kinds.ContainsKey(name);

    public static bool Fits(BigInteger number, string name) => number >= Kinds[name].Least && number <= Kinds[name].Most;

    /// <summary>The number of an integer or enum in another kind.</summary>
    public static Shape As(Shape.Atom atom, string name)
    {
        BigInteger number = BigInteger.Parse(atom.Text, CultureInfo.InvariantCulture);
        return Fits(number, name) ? Shapes.OfPlain(Kinds[name].Make(number)) : new Shape.Refused($"{number} in {name}");
    }
}
