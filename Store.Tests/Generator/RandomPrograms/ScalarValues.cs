// Values of the framework's types without type arguments: ends of ranges, what is no number, texts of every width.

using System.Collections;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Store.Tests.Generator.RandomPrograms;

internal static class ScalarValues
{
    private static readonly string[] Texts = ["", "a", "abc", "Größe", "日本語", "€uro", "\uD800", "x\uDC00y", "😀", "\0", "ÿÿ", "ÿĀ", "line\nbreak", new string('x', 63), new string('y', 64), new string('z', 300), new string('ÿ', 126), new string('語', 130), new string('q', 40_000)];

    /// <summary>A value of the type, or null where it is none of these.</summary>
    public static object? Make(Type type, Random random, bool isKey) => Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => random.Next(2) == 0,
        TypeCode.SByte => (sbyte)Number(random, sbyte.MinValue, sbyte.MaxValue),
        TypeCode.Byte => (byte)Number(random, byte.MinValue, byte.MaxValue),
        TypeCode.Int16 => (short)Number(random, short.MinValue, short.MaxValue),
        TypeCode.UInt16 => (ushort)Number(random, ushort.MinValue, ushort.MaxValue),
        TypeCode.Int32 => (int)Number(random, int.MinValue, int.MaxValue),
        TypeCode.UInt32 => (uint)Number(random, uint.MinValue, uint.MaxValue),
        TypeCode.Int64 => (long)Number(random, long.MinValue, long.MaxValue),
        TypeCode.UInt64 => (ulong)Number(random, 0, ulong.MaxValue),
        TypeCode.Char => Pick(random, 'a', '\0', 'ÿ', '€', '\uD800', char.MaxValue),
        TypeCode.Single => Pick(random, 0f, -0f, 1.5f, float.NaN, BitConverter.UInt32BitsToSingle(0x7FA00001), float.NegativeInfinity, float.Epsilon, float.MaxValue),
        TypeCode.Double => Pick(random, 0d, -0d, 1.5, double.NaN, BitConverter.UInt64BitsToDouble(0xFFF0000000000001), double.PositiveInfinity, double.Epsilon, double.MinValue),
        TypeCode.Decimal => Pick(random, 0m, 1.0m, 1.00m, -0.0000000000000000000000000001m, decimal.MaxValue, decimal.MinValue, new decimal(0, 0, 0, true, 28)),
        TypeCode.DateTime => new DateTime(Pick(random, 0L, 1L, DateTime.MaxValue.Ticks, 638_000_000_000_000_000L), Pick(random, DateTimeKind.Unspecified, DateTimeKind.Utc, DateTimeKind.Local)),
        TypeCode.String => random.Next(2) == 0 ? (random.Next(4) == 0 ? "K" : "k") + random.Next(50) : Texts[random.Next(random.Next(8) == 0 ? Texts.Length : Texts.Length - 1)],
        _ => Other(type, random),
    };

    private static object? Other(Type type, Random random)
    {
        if (type == typeof(nint)) return (nint)(long)Number(random, long.MinValue, long.MaxValue);
        if (type == typeof(nuint)) return (nuint)(ulong)Number(random, 0, ulong.MaxValue);
        if (type == typeof(Int128)) return Number(random, Int128.MinValue, Int128.MaxValue);
        if (type == typeof(UInt128)) return Pick(random, UInt128.MinValue, UInt128.MaxValue, (UInt128)random.Next());
        if (type == typeof(Half)) return Pick(random, (Half)1.5, Half.NaN, -Half.Zero, Half.MaxValue);
        if (type == typeof(BigInteger)) return Pick(random, BigInteger.Zero, BigInteger.MinusOne, BigInteger.Pow(-7, 99), new BigInteger(128), new BigInteger(-129), BigInteger.Pow(2, 2100));
        if (type == typeof(Rune)) return new Rune(Pick(random, 0, 'a', 0x20AC, 0x10FFFF, 0xD7FF, 0xE000));
        if (type == typeof(Guid)) return random.Next(3) == 0 ? Guid.Empty : new Guid(random.Next(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 255);
        if (type == typeof(DateTimeOffset)) return Pick(random, DateTimeOffset.MinValue, DateTimeOffset.MaxValue, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromMinutes(-840)), new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromMinutes(345)));
        if (type == typeof(DateOnly)) return DateOnly.FromDayNumber(Pick(random, 0, 1, DateOnly.MaxValue.DayNumber, random.Next(700_000)));
        if (type == typeof(TimeOnly)) return new TimeOnly(Pick(random, 0L, 1L, TimeOnly.MaxValue.Ticks));
        if (type == typeof(TimeSpan)) return new TimeSpan(Pick(random, 0L, -1L, long.MinValue, long.MaxValue, random.Next()));
        if (type == typeof(Index)) return new Index(random.Next(1000), random.Next(2) == 0);
        if (type == typeof(Range)) return new Range(random.Next(5), ^random.Next(7));
        if (type == typeof(Complex)) return new Complex(random.NextDouble(), -0d);
        if (type == typeof(Vector2)) return new Vector2(F(random), F(random));
        if (type == typeof(Vector3)) return new Vector3(F(random), F(random), F(random));
        if (type == typeof(Vector4)) return new Vector4(F(random), F(random), F(random), F(random));
        if (type == typeof(Quaternion)) return new Quaternion(F(random), F(random), F(random), F(random));
        if (type == typeof(Plane)) return new Plane(F(random), F(random), F(random), F(random));
        if (type == typeof(Matrix3x2)) return new Matrix3x2(F(random), 2, 3, 4, 5, F(random));
        if (type == typeof(Matrix4x4)) return Matrix4x4.CreateRotationX(F(random));
        if (type == typeof(Point)) return new Point(random.Next(), -1);
        if (type == typeof(PointF)) return new PointF(F(random), -1);
        if (type == typeof(Size)) return new Size(random.Next(), -1);
        if (type == typeof(SizeF)) return new SizeF(F(random), -1);
        if (type == typeof(Rectangle)) return new Rectangle(random.Next(), 1, 2, -3);
        if (type == typeof(RectangleF)) return new RectangleF(F(random), 1, 2, -3);
        if (type == typeof(Color)) return Pick(random, Color.Blue, Color.Empty.IsEmpty ? Color.FromArgb(7) : default, Color.FromArgb(random.Next()), SystemColors.Control, default);
        if (type == typeof(BitVector32)) return new BitVector32(random.Next());
        if (type == typeof(BitArray)) return new BitArray(random.Next(20), random.Next(2) == 0);
        if (type == typeof(StringBuilder)) return new StringBuilder(Texts[random.Next(Texts.Length)]);
        if (type == typeof(Uri)) return Pick(random, new Uri("https://example.org/ä?q=1#x"), new Uri("relative/path", UriKind.Relative), new Uri("mailto:a@b.c"));
        if (type == typeof(Version)) return Pick(random, new Version(1, 2), new Version(1, 2, 3), new Version(0, 0, 0, int.MaxValue));
        if (type == typeof(CultureInfo)) return CultureInfo.InvariantCulture;
        if (type == typeof(CompareInfo)) return CultureInfo.InvariantCulture.CompareInfo;
        if (type == typeof(TimeZoneInfo)) return TimeZoneInfo.Utc;
        if (type == typeof(Encoding)) return Pick<Encoding>(random, new UTF8Encoding(false), Encoding.UTF8, Encoding.Latin1, Encoding.Unicode);
        if (type == typeof(StringComparer)) return Pick(random, StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase, StringComparer.InvariantCulture, StringComparer.InvariantCultureIgnoreCase);
        if (type == typeof(Type)) return Pick(random, typeof(int), typeof(string), typeof(byte[]), typeof(Guid));
        if (type == typeof(IPAddress)) return Pick(random, IPAddress.Loopback, IPAddress.IPv6Loopback, IPAddress.Parse("fe80::1%3"));
        if (type == typeof(IPEndPoint)) return new IPEndPoint(Pick(random, IPAddress.Any, IPAddress.IPv6Any), random.Next(65536));
        if (type == typeof(JsonElement)) return JsonElement.Parse(Pick(random, "1", "null", "{\"a\":[1, 2.50,\"\\u00e4\"]}", "[]", "true"));
        if (type == typeof(JsonNode)) return JsonNode.Parse(Pick(random, "1", "{\"a\":[1,2.50,\"\\u00e4\"]}", "[]", "\"x\""));
        if (type == typeof(JsonObject)) return new JsonObject { ["a"] = random.Next(), ["b"] = null };
        if (type == typeof(JsonArray)) return new JsonArray(1, null, "x");
        if (type == typeof(NameValueCollection)) return new NameValueCollection { { "k", "v" }, { "k", "w" }, { "€", "" } };
        if (type == typeof(Exception)) return Pick<Exception>(random, new TimeoutException(Texts[random.Next(Texts.Length)]), new AggregateException("many", new IOException("a", random.Next()), new ArgumentNullException("b")), new ProgramFailure("own", "x") { Data = { ["at"] = random.Next() } });
        if (type == typeof(StringCollection)) return new StringCollection { "a", Texts[random.Next(Texts.Length)] };
        if (type == typeof(ValueTuple)) return default(ValueTuple);
        return OwnCodecs.Make(type, random);
    }

    private static Int128 Number(Random random, Int128 least, Int128 most) => random.Next(5) switch
    {
        0 => least,
        1 => most,
        2 => 0,
        3 => 1,
        _ => random.Next(100),
    };

    private static float F(Random random) => Pick(random, 0f, -0f, 1.25f, float.NaN, float.MaxValue);

    private static T Pick<T>(Random random, params ReadOnlySpan<T> all) => all[random.Next(all.Length)];
}
