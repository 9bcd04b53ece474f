// Types of every family, as users write them; the generator makes their views.

using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Store.Serialization;

[assembly: NinoSerializable(typeof(Store.Tests.Views.Unmarked))]

namespace Store.Tests.Views;

public enum Color : byte { None, Red = 1, Blue = 200 }

[NinoType]
public sealed class Scalars
{
    public bool A { get; set; }
    public sbyte B { get; set; }
    public byte C { get; set; }
    public short D { get; set; }
    public ushort E { get; set; }
    public int F { get; set; }
    public uint G { get; set; }
    public long H { get; set; }
    public ulong I { get; set; }
    public Int128 J { get; set; }
    public UInt128 K { get; set; }
    public Half L { get; set; }
    public float M { get; set; }
    public double N { get; set; }
    public decimal O { get; set; }
    public char P { get; set; }
    public Rune Q { get; set; }
    public Guid R { get; set; }
    public DateTime S { get; set; }
    public DateTimeOffset T { get; set; }
    public TimeSpan U { get; set; }
    public DateOnly V { get; set; }
    public TimeOnly W { get; set; }
    public Color X { get; set; }
    public int? Y { get; set; }
    public Vector3 Z { get; set; }
    public Point Point { get; set; }
    public Point? MaybePoint { get; set; }
}

[NinoType]
public readonly record struct Point(int X, double Y);

/// <summary>What docs/types.md has of a fixed width beside those of <see cref="Scalars"/>. Between a number and a text: one that is taken for shorter or longer shifts what lies behind it.</summary>
[NinoType]
public sealed class Components
{
    public nint A { get; set; }
    public nuint B { get; set; }
    public Complex C { get; set; }
    public Vector2 D { get; set; }
    public Vector4 E { get; set; }
    public Quaternion F { get; set; }
    public Plane G { get; set; }
    public Matrix3x2 H { get; set; }
    public Matrix4x4 I { get; set; }
    public BitVector32 J { get; set; }
    public System.Drawing.Point K { get; set; }
    public System.Drawing.PointF L { get; set; }
    public System.Drawing.Size M { get; set; }
    public System.Drawing.SizeF N { get; set; }
    public System.Drawing.Rectangle O { get; set; }
    public System.Drawing.RectangleF P { get; set; }
    public ValueTuple Q { get; set; }
    public int Last { get; set; }
    public nint? An { get; set; }
    public Complex? Cn { get; set; }
    public Matrix3x2? Hn { get; set; }
    public BitVector32? Jn { get; set; }
    public System.Drawing.RectangleF? Pn { get; set; }
    public string? Text { get; set; }
}

/// <summary>Lists of them, which are one copy where they are arrays.</summary>
[NinoType]
public sealed class ComponentLists
{
    public nint[]? A;
    public Complex[]? C;
    public List<Vector2>? D;
    public Vector4?[]? E;
    public Quaternion[]? F;
    public Plane[]? G;
    public Matrix3x2[]? H;
    public ImmutableArray<Matrix4x4> I;
    public BitVector32[]? J;
    public System.Drawing.Point[]? K;
    public System.Drawing.PointF[]? L;
    public IReadOnlyList<System.Drawing.Size>? M;
    public System.Drawing.SizeF[]? N;
    public Queue<System.Drawing.Rectangle>? O;
    public System.Drawing.RectangleF[]? P;
    public Int128[]? Q;
    public UInt128[]? R;
    public Half[]? S;
    public Rune[]? T;
    public string? Text;
}

/// <summary>Of which not every number is one.</summary>
[NinoType]
public sealed record Places(Index From, Range Of, Index? MaybeFrom, Range? MaybeOf, Index[]? All, List<Range>? Ranges, string? Text);

[NinoType]
public sealed record Maybes(
    bool? A, sbyte? B, byte? C, short? D, ushort? E, uint? G, long? H, ulong? I, Int128? J, UInt128? K, Half? L, float? M, double? N, decimal? O, char? P, Rune? Q, Guid? R,
    DateTime? S, DateTimeOffset? T, TimeSpan? U, DateOnly? V, TimeOnly? W, Color? X, nuint? Y, Vector3? Z, int Last);

/// <summary>Any assembly may have a codec for a construction of it: how long it is, only the codec of what it holds knows.</summary>
[NinoType]
public readonly record struct Ends<T>(T From, T To);

/// <summary>A null among structs of one length has as many bytes as they.</summary>
[NinoType]
public sealed record Route(Ends<Point>? Detour, Ends<Point>?[]? Legs, List<(long? Number, Point At)?>? Stops, Ends<Named>? Names, string? Text);

/// <summary>A struct of differing length.</summary>
[NinoType]
public record struct Named(int Id, string? Name, int[]? Numbers);

[NinoType]
public sealed record Texts(string? First, int Number, string? Second, [property: NinoUtf8] string? Utf8, string?[]? Array, [property: NinoUtf8] List<string?>? Utf8List, Uri? Address);

[NinoType]
public sealed class Lists
{
    public int[]? Numbers;
    public List<DateTime>? Times;
    public HashSet<string>? Set;
    public IReadOnlyList<Point>? Points;
    public ImmutableArray<Color> Colors;
    public Point?[]? MaybePoints;
    public int?[]? MaybeNumbers;
    public List<Named>? Nameds;
    public Named?[]? MaybeNameds;
    public List<Leaf?>? Leaves;
    public int[][]? Jagged;
    public List<List<Leaf>>? Deep;
    public Queue<byte>? Queue;
    public Marks Marks;
    public Bag? Bag;
    public int[,]? Grid;
    public Lazy<int>? Lazy;
    public (int Id, string? Text)[]? Tuples;
}

[InlineArray(3)]
public struct Marks
{
    private int _first;
}

/// <summary>A collection of the user's own.</summary>
public sealed class Bag : List<string>;

[NinoType]
public sealed record Leaf(int Id, string? Name);

[NinoType]
public sealed class Maps
{
    public Dictionary<int, int>? Numbers { get; set; }
    public Dictionary<string, Leaf?>? Leaves { get; set; }
    public OrderedDictionary<Guid, List<string>>? Lists { get; set; }
    public IReadOnlyDictionary<string, string?>? Texts { get; set; }
    public Dictionary<Point, Named>? Structs { get; set; }
    public Dictionary<int, Uri>? Addresses { get; set; }
}

[NinoType]
public class Tree
{
    public int Value { get; set; }
    public Tree? Left { get; set; }
    public List<Tree>? Children { get; set; }
    public string? Label { get; set; }
    public Named Named { get; set; }
    public Named? Maybe { get; set; }
    public Empty? Empty { get; set; }
}

[NinoType]
public sealed class Empty;

[NinoType]
public abstract record Shape(string? Name);

[NinoType]
public sealed record Circle(string? Name, double Radius) : Shape(Name);

[NinoType]
public record Box(string? Name, int Width) : Shape(Name);

/// <summary>Derived from a case, which is so a base itself.</summary>
[NinoType]
public sealed record Cube(string? Name, int Width, int[]? Depths) : Box(Name, Width);

[NinoType(SkipUnknownCases = true), NinoUnion(1, typeof(Dot)), NinoUnion(300, typeof(Word))]
public interface IMark;

[NinoType]
public readonly record struct Dot(int X) : IMark;

[NinoType]
public sealed record Word(string Text) : IMark;

[NinoType]
public sealed record Drawing(Shape? Main, List<Shape?>? All, Box? Box, IMark? Mark, Dictionary<int, IMark?>? Marks, string? Last);

/// <summary>Members that are called as what a view has itself, or as the view.</summary>
[NinoType]
public sealed record Odd(int IsNull, string? Read, int OddView, string? @class, int Equals_)
{
    [NinoInclude] private string? _secret;

    [NinoInclude] internal Leaf? Hidden { get; set; }

    public Odd With(string secret)
    {
        _secret = secret;
        return this;
    }
}

[NinoType]
public sealed record Wrapper<T>(int Id, T Value, string? Text);

public static class Outer
{
    [NinoType]
    public sealed record Inner(int Id, Wrapper<int> Number, Wrapper<Leaf?> Leaf, Wrapper<int[]> Array, KeyValuePair<int, string?> Pair);

    [NinoType]
    internal sealed record Secret(int Id);
}

/// <summary>Carries no attribute; the assembly registers it.</summary>
public sealed class Unmarked
{
    public int Number { get; set; }
    public string? Text { get; set; }
}

[NinoType(References = true)]
public sealed class Node
{
    public int Id { get; set; }
    public Node? Next { get; set; }
}

[NinoType]
public sealed record HoldsNode(int Id, Node? Node);

[NinoType(View = false)]
public sealed record Plain(int Id);

[NinoType]
public sealed record Codecs([property: NinoCodec(typeof(Types.TenthsCodec))] double Tenths, string? Text, Types.Tag? Tag, Plain? Plain, int After);
