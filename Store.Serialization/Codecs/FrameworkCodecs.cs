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

/// <summary>The rarer types that the engine brings itself. Apart, because naming them loads the assemblies they are in: a program that uses none of them shall not wait for that.</summary>
internal static class FrameworkCodecs
{
    public static readonly IReadOnlyDictionary<Type, Action> Registrations = new Dictionary<Type, Action>
    {
        [typeof(BigInteger)] = NinoRegistry.Register<BigInteger, BigIntegerCodec>,
        [typeof(Complex)] = NinoRegistry.Register<Complex, ComponentsCodec<Complex, ComplexShape>>,
        [typeof(Vector2)] = NinoRegistry.Register<Vector2, ComponentsCodec<Vector2, Vector2Shape>>,
        [typeof(Vector3)] = NinoRegistry.Register<Vector3, ComponentsCodec<Vector3, Vector3Shape>>,
        [typeof(Vector4)] = NinoRegistry.Register<Vector4, ComponentsCodec<Vector4, Vector4Shape>>,
        [typeof(Quaternion)] = NinoRegistry.Register<Quaternion, ComponentsCodec<Quaternion, QuaternionShape>>,
        [typeof(Plane)] = NinoRegistry.Register<Plane, ComponentsCodec<Plane, PlaneShape>>,
        [typeof(Matrix3x2)] = NinoRegistry.Register<Matrix3x2, ComponentsCodec<Matrix3x2, Matrix3x2Shape>>,
        [typeof(Matrix4x4)] = NinoRegistry.Register<Matrix4x4, ComponentsCodec<Matrix4x4, Matrix4x4Shape>>,
        [typeof(Point)] = NinoRegistry.Register<Point, ComponentsCodec<Point, PointShape>>,
        [typeof(PointF)] = NinoRegistry.Register<PointF, ComponentsCodec<PointF, PointFShape>>,
        [typeof(Size)] = NinoRegistry.Register<Size, ComponentsCodec<Size, SizeShape>>,
        [typeof(SizeF)] = NinoRegistry.Register<SizeF, ComponentsCodec<SizeF, SizeFShape>>,
        [typeof(Rectangle)] = NinoRegistry.Register<Rectangle, ComponentsCodec<Rectangle, RectangleShape>>,
        [typeof(RectangleF)] = NinoRegistry.Register<RectangleF, ComponentsCodec<RectangleF, RectangleFShape>>,
        [typeof(Rune)] = NinoRegistry.Register<Rune, RuneCodec>,
        [typeof(Index)] = NinoRegistry.Register<Index, IndexCodec>,
        [typeof(Range)] = NinoRegistry.Register<Range, RangeCodec>,
        [typeof(BitVector32)] = NinoRegistry.Register<BitVector32, BitVector32Codec>,
        [typeof(StringBuilder)] = NinoRegistry.Register<StringBuilder, TextCodec<StringBuilder, StringBuilderText>>,
        [typeof(Uri)] = NinoRegistry.Register<Uri, TextCodec<Uri, UriText>>,
        [typeof(Version)] = NinoRegistry.Register<Version, TextCodec<Version, VersionText>>,
        [typeof(BitArray)] = NinoRegistry.Register<BitArray, BitArrayCodec>,
        [typeof(CultureInfo)] = NinoRegistry.Register<CultureInfo, TextCodec<CultureInfo, CultureText>>,
        [typeof(CompareInfo)] = NinoRegistry.Register<CompareInfo, TextCodec<CompareInfo, CompareText>>,
        [typeof(TimeZoneInfo)] = NinoRegistry.Register<TimeZoneInfo, TextCodec<TimeZoneInfo, TimeZoneText>>,
        [typeof(Encoding)] = NinoRegistry.Register<Encoding, TextCodec<Encoding, EncodingText>>,
        [typeof(StringComparer)] = NinoRegistry.Register<StringComparer, TextCodec<StringComparer, ComparerText>>,
        [typeof(IEqualityComparer<string>)] = NinoRegistry.Register<IEqualityComparer<string>, TextCodec<IEqualityComparer<string>, ComparerText>>,
        [typeof(IComparer<string>)] = NinoRegistry.Register<IComparer<string>, TextCodec<IComparer<string>, ComparerText>>,
        [typeof(IPAddress)] = NinoRegistry.Register<IPAddress, TextCodec<IPAddress, IPAddressText>>,
        [typeof(IPEndPoint)] = NinoRegistry.Register<IPEndPoint, TextCodec<IPEndPoint, IPEndPointText>>,
        [typeof(Color)] = NinoRegistry.Register<Color, TextCodec<Color, ColorText>>,
        [typeof(JsonElement)] = NinoRegistry.Register<JsonElement, TextCodec<JsonElement, JsonElementText>>,
        [typeof(JsonDocument)] = NinoRegistry.Register<JsonDocument, TextCodec<JsonDocument, JsonDocumentText>>,
        [typeof(JsonNode)] = NinoRegistry.Register<JsonNode, TextCodec<JsonNode, JsonNodeText<JsonNode>>>,
        [typeof(JsonObject)] = NinoRegistry.Register<JsonObject, TextCodec<JsonObject, JsonNodeText<JsonObject>>>,
        [typeof(JsonArray)] = NinoRegistry.Register<JsonArray, TextCodec<JsonArray, JsonNodeText<JsonArray>>>,
        [typeof(JsonValue)] = NinoRegistry.Register<JsonValue, TextCodec<JsonValue, JsonNodeText<JsonValue>>>,
        [typeof(StringCollection)] = NinoRegistry.Register<StringCollection, SequenceCodec<StringCollection, string, StringCodec, StringCollectionForm>>,
        [typeof(Exception)] = NinoRegistry.Register<Exception, ExceptionCodec>,
        [typeof(NameValueCollection)] = NinoRegistry.Register<NameValueCollection, NameValueCodec>,
    };

    /// <summary>Registers the type if it is one of these.</summary>
    public static void Register(Type type)
    {
        if (Registrations.TryGetValue(type, out Action? register)) register();
    }
}
