// Golden bytes of numbers, vectors, indexes and bits. Part of the table that Samples.cs joins.

using System.Collections;
using System.Collections.Specialized;
using System.Numerics;
using Store.Serialization.Codecs;
using Store.Tests.Serialization;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

public static class ScalarSamples
{
    public static IReadOnlyList<Sample> All { get; } =
    [
        new Sample<nint, NativeIntegerCodec<nint, long>>("nint", -2, "FEFFFFFFFFFFFFFF"),
        new Sample<nuint, NativeIntegerCodec<nuint, ulong>>("nuint", 3, "0300000000000000"),
        new Sample<BitVector32, BitVector32Codec>("BitVector32", new BitVector32(0x01020304), "04030201"),
        new Sample<BigInteger, BigIntegerCodec>("BigInteger zero", 0, "01 00", Equal),
        new Sample<BigInteger, BigIntegerCodec>("BigInteger 128", 128, "02 8000", Equal),
        new Sample<BigInteger, BigIntegerCodec>("BigInteger -128", -128, "01 80", Equal),
        new Sample<BigInteger, BigIntegerCodec>("BigInteger 2^72", BigInteger.Pow(2, 72), "0A 00000000000000000001", Equal),
        new Sample<BigInteger, BigIntegerCodec>("BigInteger of 300 bytes", -BigInteger.Pow(2, 2399), "FD2C01" + new string('0', 598) + "80", Equal),
        new Sample<BigInteger?, NullableCodec<BigInteger, BigIntegerCodec>>("BigInteger? 1", BigInteger.One, "01 0101", static (a, b) => a == b),
        new Sample<BigInteger[], ArrayCodec<BigInteger, BigIntegerCodec>>("BigInteger[]", [0, -1], "03 0100 01FF", static (a, b) => a.SequenceEqual(b)),
        new Sample<Complex, ComponentsCodec<Complex, ComplexShape>>("Complex", new Complex(1, -2), "000000000000F03F 00000000000000C0", Equal),
        new Sample<Vector2, ComponentsCodec<Vector2, Vector2Shape>>("Vector2", new Vector2(1, 2), "0000803F 00000040", Equal),
        new Sample<Vector3, ComponentsCodec<Vector3, Vector3Shape>>("Vector3", new Vector3(1, 2, -0f), "0000803F 00000040 00000080", Equal),
        new Sample<Vector4, ComponentsCodec<Vector4, Vector4Shape>>("Vector4", new Vector4(1, 2, 3, 4), "0000803F 00000040 00004040 00008040", Equal),
        new Sample<Quaternion, ComponentsCodec<Quaternion, QuaternionShape>>("Quaternion", new Quaternion(1, 2, 3, 4), "0000803F 00000040 00004040 00008040", Equal),
        new Sample<Plane, ComponentsCodec<Plane, PlaneShape>>("Plane", new Plane(1, 2, 3, 4), "0000803F 00000040 00004040 00008040", Equal),
        new Sample<Matrix3x2, ComponentsCodec<Matrix3x2, Matrix3x2Shape>>("Matrix3x2", new Matrix3x2(1, 2, 3, 4, 1, 2), "0000803F 00000040 00004040 00008040 0000803F 00000040", Equal),
        new Sample<Matrix4x4, ComponentsCodec<Matrix4x4, Matrix4x4Shape>>("Matrix4x4", new Matrix4x4(1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4), string.Concat(Enumerable.Repeat("0000803F 00000040 00004040 00008040", 4)), Equal),
        new Sample<System.Drawing.Point, ComponentsCodec<System.Drawing.Point, PointShape>>("Point", new System.Drawing.Point(1, -2), "01000000 FEFFFFFF", Equal),
        new Sample<System.Drawing.PointF, ComponentsCodec<System.Drawing.PointF, PointFShape>>("PointF", new System.Drawing.PointF(1, -2), "0000803F 000000C0", Equal),
        new Sample<System.Drawing.Size, ComponentsCodec<System.Drawing.Size, SizeShape>>("Size", new System.Drawing.Size(1, -2), "01000000 FEFFFFFF", Equal),
        new Sample<System.Drawing.SizeF, ComponentsCodec<System.Drawing.SizeF, SizeFShape>>("SizeF", new System.Drawing.SizeF(1, -2), "0000803F 000000C0", Equal),
        new Sample<System.Drawing.Rectangle, ComponentsCodec<System.Drawing.Rectangle, RectangleShape>>("Rectangle", new System.Drawing.Rectangle(1, -2, 3, 4), "01000000 FEFFFFFF 03000000 04000000", Equal),
        new Sample<System.Drawing.RectangleF, ComponentsCodec<System.Drawing.RectangleF, RectangleFShape>>("RectangleF", new System.Drawing.RectangleF(1, -2, 3, 4), "0000803F 000000C0 00004040 00008040", Equal),
        new Sample<Vector2[], ArrayCodec<Vector2, ComponentsCodec<Vector2, Vector2Shape>>>("Vector2[]", [new(1, 2), new(2, 1)], "03 0000803F00000040 000000400000803F", static (a, b) => a.SequenceEqual(b)),
        new Sample<Vector2?, NullableCodec<Vector2, ComponentsCodec<Vector2, Vector2Shape>>>("Vector2? 1", new Vector2(1, 2), "01 0000803F 00000040", static (a, b) => a == b),
        new Sample<Guid[], ArrayCodec<Guid, GuidCodec>>("Guid[]", [new("00112233-4455-6677-8899-aabbccddeeff"), default], "03 33221100 5544 7766 8899AABBCCDDEEFF 00000000000000000000000000000000"),
        new Sample<Half[], ArrayCodec<Half, HalfCodec>>("Half[]", [(Half)1, (Half)2], "03 003C 0040"),
        new Sample<TimeSpan[], ArrayCodec<TimeSpan, TimeSpanCodec>>("TimeSpan[]", [new(1), new(-1)], "03 0100000000000000 FFFFFFFFFFFFFFFF"),
        new Sample<Int128[], ArrayCodec<Int128, Int128Codec>>("Int128[]", [1, -1], "03 0100000000000000 0000000000000000 FFFFFFFFFFFFFFFF FFFFFFFFFFFFFFFF", static (a, b) => a.SequenceEqual(b)),
        new Sample<UInt128[], ArrayCodec<UInt128, UInt128Codec>>("UInt128[]", [new(1, 2)], "02 0200000000000000 0100000000000000", static (a, b) => a.SequenceEqual(b)),
        new Sample<Index, IndexCodec>("Index from the end", ^1, "01 01000000", Equal),
        new Sample<Index, IndexCodec>("Index from the start", int.MaxValue, "00 FFFFFF7F", Equal),
        new Sample<Range, RangeCodec>("Range", 2..^3, "00 02000000 01 03000000", Equal),
        new Sample<BitArray, BitArrayCodec>("BitArray of 10", new BitArray([true, false, true, false, false, false, false, false, false, true]), "0A000000 03 0502", Same),
        new Sample<BitArray, BitArrayCodec>("BitArray of 8", new BitArray(8, true), "08000000 02 FF", Same),
        new Sample<BitArray, BitArrayCodec>("BitArray empty", new BitArray(0), "00000000 01", Same),
        new Sample<BitArray[], ArrayCodec<BitArray, BitArrayCodec>>("BitArray[] with null", [null, new BitArray(1, true)], "06 00 01 01000000 02 01", static (a, b) => a[0] is null && b[0] is null && Same(a[1], b[1])),
    ];

    private static bool Equal<T>(T a, T b) where T : IEquatable<T> => a.Equals(b);

    private static bool Same(BitArray a, BitArray b) => a.Cast<bool>().SequenceEqual(b.Cast<bool>());
}
