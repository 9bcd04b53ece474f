using System.Collections;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Store.Serialization.Codecs;

/// <summary>
/// Registers what the engine brings itself, each type when it is first looked up: code for types that a program does not serialize is never compiled.
/// The generator's table of the same types is Parser/FrameworkTypes.cs; docs/types.md lists them.
/// </summary>
internal static class BuiltInCodecs
{
    private static readonly Dictionary<Type, Action> Registrations = new()
    {
        [typeof(bool)] = NinoRegistry.Register<bool, BooleanCodec>,
        [typeof(sbyte)] = NinoRegistry.Register<sbyte, SByteCodec>,
        [typeof(byte)] = NinoRegistry.Register<byte, ByteCodec>,
        [typeof(short)] = NinoRegistry.Register<short, Int16Codec>,
        [typeof(ushort)] = NinoRegistry.Register<ushort, UInt16Codec>,
        [typeof(int)] = NinoRegistry.Register<int, Int32Codec>,
        [typeof(uint)] = NinoRegistry.Register<uint, UInt32Codec>,
        [typeof(long)] = NinoRegistry.Register<long, Int64Codec>,
        [typeof(ulong)] = NinoRegistry.Register<ulong, UInt64Codec>,
        [typeof(nint)] = NinoRegistry.Register<nint, IntPtrCodec>,
        [typeof(nuint)] = NinoRegistry.Register<nuint, UIntPtrCodec>,
        [typeof(Int128)] = NinoRegistry.Register<Int128, Int128Codec>,
        [typeof(UInt128)] = NinoRegistry.Register<UInt128, UInt128Codec>,
        [typeof(BigInteger)] = NinoRegistry.Register<BigInteger, BigIntegerCodec>,
        [typeof(Half)] = NinoRegistry.Register<Half, HalfCodec>,
        [typeof(float)] = NinoRegistry.Register<float, SingleCodec>,
        [typeof(double)] = NinoRegistry.Register<double, DoubleCodec>,
        [typeof(decimal)] = NinoRegistry.Register<decimal, DecimalCodec>,
        [typeof(Complex)] = NinoRegistry.Register<Complex, RealsCodec<Complex, ComplexShape>>,
        [typeof(Vector2)] = NinoRegistry.Register<Vector2, RealsCodec<Vector2, Vector2Shape>>,
        [typeof(Vector3)] = NinoRegistry.Register<Vector3, RealsCodec<Vector3, Vector3Shape>>,
        [typeof(Vector4)] = NinoRegistry.Register<Vector4, RealsCodec<Vector4, Vector4Shape>>,
        [typeof(Quaternion)] = NinoRegistry.Register<Quaternion, RealsCodec<Quaternion, QuaternionShape>>,
        [typeof(Plane)] = NinoRegistry.Register<Plane, RealsCodec<Plane, PlaneShape>>,
        [typeof(Matrix3x2)] = NinoRegistry.Register<Matrix3x2, RealsCodec<Matrix3x2, Matrix3x2Shape>>,
        [typeof(Matrix4x4)] = NinoRegistry.Register<Matrix4x4, RealsCodec<Matrix4x4, Matrix4x4Shape>>,
        [typeof(char)] = NinoRegistry.Register<char, CharCodec>,
        [typeof(Rune)] = NinoRegistry.Register<Rune, RuneCodec>,
        [typeof(Guid)] = NinoRegistry.Register<Guid, GuidCodec>,
        [typeof(DateTime)] = NinoRegistry.Register<DateTime, DateTimeCodec>,
        [typeof(DateTimeOffset)] = NinoRegistry.Register<DateTimeOffset, DateTimeOffsetCodec>,
        [typeof(TimeSpan)] = NinoRegistry.Register<TimeSpan, TimeSpanCodec>,
        [typeof(DateOnly)] = NinoRegistry.Register<DateOnly, DateOnlyCodec>,
        [typeof(TimeOnly)] = NinoRegistry.Register<TimeOnly, TimeOnlyCodec>,
        [typeof(Index)] = NinoRegistry.Register<Index, IndexCodec>,
        [typeof(Range)] = NinoRegistry.Register<Range, RangeCodec>,
        [typeof(BitVector32)] = NinoRegistry.Register<BitVector32, BitVector32Codec>,
        [typeof(string)] = NinoRegistry.Register<string, StringCodec>,
        [typeof(StringBuilder)] = NinoRegistry.Register<StringBuilder, TextCodec<StringBuilder, StringBuilderText>>,
        [typeof(Uri)] = NinoRegistry.Register<Uri, TextCodec<Uri, UriText>>,
        [typeof(Version)] = NinoRegistry.Register<Version, TextCodec<Version, VersionText>>,
        [typeof(BitArray)] = NinoRegistry.Register<BitArray, BitArrayCodec>,
        [typeof(CultureInfo)] = NinoRegistry.Register<CultureInfo, TextCodec<CultureInfo, CultureText>>,
        [typeof(CompareInfo)] = NinoRegistry.Register<CompareInfo, TextCodec<CompareInfo, CompareText>>,
        [typeof(TimeZoneInfo)] = NinoRegistry.Register<TimeZoneInfo, TextCodec<TimeZoneInfo, TimeZoneText>>,
        [typeof(Encoding)] = NinoRegistry.Register<Encoding, TextCodec<Encoding, EncodingText>>,
        [typeof(IPAddress)] = NinoRegistry.Register<IPAddress, TextCodec<IPAddress, IPAddressText>>,
        [typeof(IPEndPoint)] = NinoRegistry.Register<IPEndPoint, TextCodec<IPEndPoint, IPEndPointText>>,
        [typeof(Color)] = NinoRegistry.Register<Color, TextCodec<Color, ColorText>>,
        [typeof(JsonElement)] = NinoRegistry.Register<JsonElement, TextCodec<JsonElement, JsonElementText>>,
        [typeof(JsonDocument)] = NinoRegistry.Register<JsonDocument, TextCodec<JsonDocument, JsonDocumentText>>,
        [typeof(JsonNode)] = NinoRegistry.Register<JsonNode, TextCodec<JsonNode, JsonNodeText<JsonNode>>>,
        [typeof(JsonObject)] = NinoRegistry.Register<JsonObject, TextCodec<JsonObject, JsonNodeText<JsonObject>>>,
        [typeof(JsonArray)] = NinoRegistry.Register<JsonArray, TextCodec<JsonArray, JsonNodeText<JsonArray>>>,
        [typeof(JsonValue)] = NinoRegistry.Register<JsonValue, TextCodec<JsonValue, JsonNodeText<JsonValue>>>,
        [typeof(NameValueCollection)] = NinoRegistry.Register<NameValueCollection, NameValueCodec>,
    };

    /// <summary>The types that need no registration by anybody.</summary>
    public static IReadOnlyCollection<Type> Types => Registrations.Keys;

    /// <summary>Registers the type if it is one of the engine's own.</summary>
    public static void Register(Type type)
    {
        if (Registrations.TryGetValue(type, out Action? register)) register();
    }
}
