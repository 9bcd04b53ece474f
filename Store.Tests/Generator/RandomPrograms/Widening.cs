// Scalars that may become others in a next version, and what becomes of their values: some rows of "scalars" in docs/evolution.md.

using System.Text;

namespace Store.Tests.Generator.RandomPrograms;

internal static class Widening
{
    private static readonly Dictionary<string, (FrameworkScalar To, Func<object, object> Convert)[]> Table = new()
    {
        ["bool"] = [To("int", static value => (bool)value ? 1 : 0), To("byte", static value => (byte)((bool)value ? 1 : 0))],
        ["sbyte"] = [To("int", static value => (int)(sbyte)value), To("double", static value => (double)(sbyte)value), To("decimal", static value => (decimal)(sbyte)value)],
        ["byte"] = [To("short", static value => (short)(byte)value), To("ulong", static value => (ulong)(byte)value), To("global::System.Half", static value => (Half)(byte)value)],
        ["short"] = [To("int", static value => (int)(short)value), To("float", static value => (float)(short)value), To("long", static value => (long)(short)value)],
        ["ushort"] = [To("uint", static value => (uint)(ushort)value), To("int", static value => (int)(ushort)value), To("double", static value => (double)(ushort)value)],
        ["int"] = [To("long", static value => (long)(int)value), To("double", static value => (double)(int)value), To("decimal", static value => (decimal)(int)value), To("global::System.Int128", static value => (Int128)(int)value)],
        ["uint"] = [To("ulong", static value => (ulong)(uint)value), To("long", static value => (long)(uint)value), To("double", static value => (double)(uint)value)],
        ["long"] = [To("global::System.Int128", static value => (Int128)(long)value), To("decimal", static value => (decimal)(long)value)],
        ["ulong"] = [To("global::System.UInt128", static value => (UInt128)(ulong)value), To("decimal", static value => (decimal)(ulong)value)],
        ["float"] = [To("double", static value => Double((float)value))],
        ["global::System.Half"] = [To("float", static value => Single((Half)value))],
        ["char"] = [new(Framework.String, static value => value.ToString()!)],
        ["global::System.Text.Rune"] = [new(Framework.String, static value => ((Rune)value).ToString())],
        ["global::System.DateOnly"] = [To("global::System.DateTime", static value => ((DateOnly)value).ToDateTime(TimeOnly.MinValue))],
        ["global::System.TimeOnly"] = [To("global::System.TimeSpan", static value => ((TimeOnly)value).ToTimeSpan())],
        ["global::Own.Seal"] = [new(Framework.String, OwnCodecs.Inner)],
        ["global::Own.Cents"] = [To("long", OwnCodecs.Inner)],
        ["global::System.Version"] = [new(Framework.String, static value => value.ToString()!)],
    };

    private static (FrameworkScalar, Func<object, object>) To(string name, Func<object, object> convert) => (Framework.Common.Concat(Framework.Rare).First(scalar => scalar.Name == name), convert);

    /// <summary>Draws what a scalar becomes; null where it stays.</summary>
    public static (FrameworkScalar To, Func<Shape, Shape> Convert)? Of(FrameworkScalar from, Random random)
    {
        if (Integers.Is(from.Name) && random.Next(3) == 0) return Narrow(Integers.Names[random.Next(Integers.Names.Count)]);
        if (!Table.TryGetValue(from.Name, out (FrameworkScalar To, Func<object, object> Convert)[]? all)) return null;
        (FrameworkScalar to, Func<object, object> convert) = all[random.Next(all.Length)];
        return (to, shape => shape is Shape.Atom { Value: { } value } ? Shapes.OfPlain(convert(value)) : shape);
    }

    // Any kind of integer becomes any other: what does not fit is refused.
    private static (FrameworkScalar To, Func<Shape, Shape> Convert) Narrow(string to) =>
        (Framework.Common.Concat(Framework.Rare).First(scalar => scalar.Name == to), shape => shape is Shape.Atom atom ? Integers.As(atom, to) : shape);

    // What is no number keeps its sign and its payload; a conversion of the processor would set the quiet bit.
    private static double Double(float value)
    {
        if (!float.IsNaN(value)) return value;
        uint bits = BitConverter.SingleToUInt32Bits(value);
        return BitConverter.UInt64BitsToDouble(((ulong)(bits >> 31) << 63) | (0x7FFul << 52) | ((ulong)(bits & 0x7FFFFF) << 29));
    }

    private static float Single(Half value)
    {
        if (!Half.IsNaN(value)) return (float)value;
        uint bits = BitConverter.HalfToUInt16Bits(value);
        return BitConverter.UInt32BitsToSingle(((bits >> 15) << 31) | (0xFFu << 23) | ((bits & 0x3FF) << 13));
    }
}
