// Records whose members are of every type: what the generator makes of them is written, read, walked by schema and cut in TypeRoundTripTests.

using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

[NinoType]
public sealed record ManyScalars(
    nint A, nuint B, BigInteger C, Complex D, Vector2 E, Vector3 F, Vector4 G, Quaternion H, Plane I, Matrix3x2 J, Matrix4x4 K, Index L, Range M, BitVector32 N,
    nint? An, BigInteger? Cn, Complex? Dn, Vector3? Fn, Matrix4x4? Kn, Index? Ln, Range? Mn);

[NinoType]
public sealed class ScalarArrays
{
    public nint[]? A;
    public nuint[]? B;
    public BigInteger[]? C;
    public Complex[]? D;
    public Vector2[]? E;
    public Vector3[]? F;
    public Quaternion[]? G;
    public Matrix4x4[]? H;
    public Index[]? I;
    public Range?[]? J;
    public Guid[]? K;
    public TimeSpan[]? L;
    public Half[]? M;
    public Int128[]? N;
    public Rune[]? O;
    public DateTimeOffset?[]? P;
}

[NinoType]
public sealed record ManyShapes(Point A, PointF B, Size C, SizeF D, Rectangle E, RectangleF F, Point? G, RectangleF? H, Point[] I, RectangleF[] J, Dictionary<Point, Size> K);

[NinoType]
public sealed class ManyTexts
{
    public StringBuilder? A;
    public Uri? B;
    public Version? C;
    public BitArray? D;
    public CultureInfo? E;
    public CompareInfo? F;
    public TimeZoneInfo? G;
    public Encoding? H;
    public StringComparer? Ha;
    public IEqualityComparer<string>? Hb;
    public IComparer<string>? Hc;
    public IPAddress? I;
    public IPEndPoint? J;
    public Color K;
    public Color? Kn;
    public JsonElement? L;
    public JsonDocument? M;
    public JsonNode? N;
    public JsonObject? O;
    public NameValueCollection? P;
    [NinoUtf8] public string? Q;
    [NinoUtf8] public List<string?>? R;
    [NinoUtf8] public Dictionary<string, string>? S;
    public Type? T;
    public Dictionary<Type, List<Type?>>? U;
    public Exception? V;
    public List<Exception?>? W;
}

[NinoType]
public sealed class ManyCollections
{
    public Queue<int>? A;
    public Stack<string?>? B;
    public LinkedList<Leaf?>? C;
    public Collection<int>? D;
    public ObservableCollection<int>? E;
    public ReadOnlyCollection<int>? F;
    public ReadOnlyObservableCollection<int>? G;
    public ConcurrentQueue<int>? H;
    public ConcurrentStack<int>? I;
    public ConcurrentBag<int>? J;
    public BlockingCollection<int>? K;
    public ConcurrentDictionary<int, Leaf>? L;
    public ImmutableArray<Leaf?> M;
    public ImmutableArray<int>? Mn;
    public ImmutableList<int>? N;
    public ImmutableQueue<int>? O;
    public ImmutableStack<int>? P;
    public ImmutableHashSet<int>? Q;
    public ImmutableSortedSet<int>? R;
    public ImmutableDictionary<int, Leaf>? S;
    public ImmutableSortedDictionary<int, int>? T;
    public IImmutableList<int>? U;
    public IImmutableQueue<int>? V;
    public IImmutableStack<int>? W;
    public IImmutableSet<int>? X;
    public IImmutableDictionary<int, int>? Y;
    public FrozenSet<int>? Z;
    public FrozenDictionary<int, int>? Aa;
    public SortedSet<int>? Ab;
    public SortedDictionary<int, int>? Ac;
    public SortedList<int, int>? Ad;
    public OrderedDictionary<int, int>? Ae;
    public ReadOnlyDictionary<int, int>? Af;
    public ReadOnlySet<int>? Ag;
    public PriorityQueue<Leaf, int>? Ah;
    public ISet<int>? Ai;
    public IReadOnlySet<int>? Aj;
    public IGrouping<int, Leaf>? Ak;
    public ILookup<int, Leaf>? Al;
    public Lazy<Leaf?>? Am;
    public Memory<int> An;
    public ReadOnlyMemory<Leaf> Ao;
    public ArraySegment<int> Ap;
    public ReadOnlySequence<byte> Aq;
    public int[,]? Ar;
    public Leaf?[,,]? As;
    public int[][,]? At;
    public int[,][]? Au;
    public Three Av;
    public Three? Avn;
    public OwnBag? Aw;
    public OwnMap? Ax;
    public Tuple<int, int, int, int, int, int, int, Tuple<int, string>>? Ay;
    public (int, int, int, int, int, int, int, int, string?) Az;
    public OwnQueue? Ba;
    public OwnStack? Bb;
    public OwnPriorityQueue? Bc;
    public OwnConcurrentQueue? Bd;
    public OwnConcurrentStack? Be;
    public OwnConcurrentBag? Bf;
    public OwnLinkedList? Bg;
    public OwnSortedSet? Bh;
    public IProducerConsumerCollection<Leaf?>? Bi;
}

[NinoType]
public sealed record Leaf(int Id, string? Name);

[NinoType]
public sealed class TreeOfGrids
{
    public int Id { get; set; }

    public TreeOfGrids?[,]? Children { get; set; }

    public Lazy<TreeOfGrids>? Later { get; set; }

    public Queue<TreeOfGrids>? Waiting { get; set; }
}

[NinoType]
public sealed class Compared
{
    public Dictionary<string, int>? A;
    public HashSet<string>? B;
    public SortedDictionary<string, int>? C;
    public ConcurrentDictionary<string, int>? D;
    public IReadOnlyDictionary<string, int>? E;
    public ISet<string>? F;
    public FrozenDictionary<string, int>? G;
    public ImmutableHashSet<string>? H;
    public IDictionary<string, int>? I;
}

/// <summary>A temperature as tenths of a degree in two bytes.</summary>
public readonly struct TenthsCodec : INinoCodec<double>
{
    public static CodecForm Form => CodecForm.Fixed;

    public static int FixedSize => 2;

    public static int MinSize => 2;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int16);

    public void WriteFixed(ref byte destination, in double value) => default(Int16Codec).WriteFixed(ref destination, (short)Math.Round(value * 10));

    public double ReadFixed(ref readonly byte source) => default(Int16Codec).ReadFixed(in source) / 10.0;

    public void Write(ref NinoWriter writer, in double value) => WriteFixed(ref writer.Take(2), in value);

    public double Read(ref NinoReader reader) => ReadFixed(in reader.Take(2));
}

/// <summary>A type of the user's that knows how to be stored.</summary>
[NinoCodec(typeof(TagCodec))]
public sealed class Tag(string text)
{
    public string Text { get; } = text;
}

public readonly struct TagCodec : INinoCodec<Tag?>
{
    public static int MinSize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

    public void Write(ref NinoWriter writer, in Tag? value) => default(StringCodec).Write(ref writer, value?.Text!);

    public Tag? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? new Tag(text) : null;
}

/// <summary>Contradicts itself: says that it is fixed-width and describes a string.</summary>
public readonly struct LyingCodec : INinoCodec<int>
{
    public static CodecForm Form => CodecForm.Fixed;

    public static int FixedSize => 4;

    public static int MinSize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);

    public void Write(ref NinoWriter writer, in int value) => default(Int32Codec).Write(ref writer, in value);

    public int Read(ref NinoReader reader) => default(Int32Codec).Read(ref reader);
}

[NinoType]
public sealed class Weather
{
    [NinoCodec(typeof(TenthsCodec))] public double Inside;
    public double Outside;
    public Tag? Place;
    public List<Tag?>? Tags;
    public Dictionary<int, Tag>? ByNumber;
}

[NinoType]
public record struct Reading([NinoCodec(typeof(TenthsCodec))] double Value, int Id);

[System.Runtime.CompilerServices.InlineArray(3)]
public struct Three
{
    private int _first;

    public static Three Of(int a, int b, int c)
    {
        Three value = default;
        (value[0], value[1], value[2]) = (a, b, c);
        return value;
    }
}

public sealed class OwnBag : List<int>;

public sealed class OwnMap : Dictionary<int, string>;

public sealed class OwnQueue : Queue<int>;

public sealed class OwnStack : Stack<Leaf?>;

public sealed class OwnPriorityQueue : PriorityQueue<Leaf, int>;

public sealed class OwnConcurrentQueue : ConcurrentQueue<int>;

public sealed class OwnConcurrentStack : ConcurrentStack<int>;

public sealed class OwnConcurrentBag : ConcurrentBag<int>;

public sealed class OwnLinkedList : LinkedList<int>;

public sealed class OwnSortedSet : SortedSet<int>;
