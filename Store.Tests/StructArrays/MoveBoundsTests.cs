// Vectors are wider than most structs: where an array ends, what moves it must neither load nor store a byte too far, whatever its stride. A load too far is no failed assertion but the end of the run (GuardPage); on systems without a guard page only what is stored is looked at.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Serialization.Generated;
using Store.Tests.Views;

namespace Store.Tests.StructArrays;

public sealed class MoveBoundsTests
{
    private const int MaxCount = 70;
    private const byte Untouched = 0xEE;

    [Fact]
    public void AnArrayIsMovedWithinItsBoundsWhateverTheStrides()
    {
        if (!Vector128.IsHardwareAccelerated) return; // nothing is moved
        Check<WordInSixteen, Store_Tests_StructArrays_WordInSixteenCodec>(16, 4, static i => new WordInSixteen { A = ~i });
        Check<TwoWordsInSixteen, Store_Tests_StructArrays_TwoWordsInSixteenCodec>(16, 8, static i => new TwoWordsInSixteen { A = ~i, B = i });
        Check<ThreeWords, Store_Tests_StructArrays_ThreeWordsCodec>(16, 12, static i => new ThreeWords { A = ~i, B = i, C = (uint)i + 1 });
        Check<NumberAndDate, Store_Tests_StructArrays_NumberAndDateCodec>(16, 12, static i => new NumberAndDate { Number = ~i, At = new DateTime(i, DateTimeKind.Utc) });
        Check<DateBehindNumber, Store_Tests_StructArrays_DateBehindNumberCodec>(16, 16, static i => new DateBehindNumber { At = new DateTime(i, DateTimeKind.Utc), Number = ~i });
        Check<DateAndNumber, Store_Tests_StructArrays_DateAndNumberCodec>(16, 16, static i => new DateAndNumber(new DateTime(i, DateTimeKind.Utc), ~i));
        Check<NumberAndByte, Store_Tests_StructArrays_NumberAndByteCodec>(8, 5, static i => new NumberAndByte { Number = ~i, Small = (byte)i });
        Check<ShortAndByte, Store_Tests_StructArrays_ShortAndByteCodec>(4, 3, static i => new ShortAndByte { Number = (short)~i, Small = (byte)i });
        Check<SmallAndFlag, Store_Tests_StructArrays_SmallAndFlagCodec>(2, 2, static i => new SmallAndFlag((byte)i, i % 3 == 0));
        Check<Scattered, Store_Tests_StructArrays_ScatteredCodec>(12, 8, static i => new Scattered { A = (byte)i, B = ~i, C = (short)-i, D = 7 });
        Check<DateTime, DateTimeCodec>(8, 8, static i => new DateTime(i, DateTimeKind.Local));
        Check<bool, BooleanCodec>(1, 1, static i => i % 3 == 0);
    }

    private static void Check<T, TCodec>(int memoryBytes, int packedBytes, Func<int, T> make)
        where T : struct
        where TCodec : struct, INinoCodec<T>
    {
        Assert.Equal((memoryBytes, packedBytes), (Unsafe.SizeOf<T>(), TCodec.FixedSize));
        StructMoves moves = StructMemory<T, TCodec>.Moves!;
        using GuardPage? page = GuardPage.IsSupported ? new GuardPage() : null;
        for (int count = 0; count <= MaxCount; count++)
        {
            T[] values = [.. Enumerable.Range(0, count).Select(make)];
            byte[] encoding = Encode<T, TCodec>(values);

            byte[] packed = Memory(encoding.Length);
            ReadOnlySpan<byte> source = page is null ? AsBytes(values) : page.AtEnd(AsBytes(values));
            int moved = moves.Pack(ref MemoryMarshal.GetReference(source), ref packed[0], count);
            Look(moved, count, packed, encoding.Length);
            Assert.Equal(encoding[..(moved * packedBytes)], packed[..(moved * packedBytes)]);

            byte[] memory = Memory(count * memoryBytes);
            source = page is null ? encoding : page.AtEnd(encoding);
            moved = moves.Unpack(ref MemoryMarshal.GetReference(source), ref memory[0], count);
            Look(moved, count, memory, count * memoryBytes);
            T[] read = new T[moved];
            memory.AsSpan(0, moved * memoryBytes).CopyTo(AsBytes(read));
            Assert.Equal(values[..moved], read);
        }
    }

    // The last elements may be left to the codec, no more than a vector has bytes.
    private static void Look(int moved, int count, byte[] target, int length)
    {
        Assert.InRange(moved, Math.Max(count - 16, 0), count);
        Assert.All(target[length..], static one => Assert.Equal(Untouched, one));
    }

    private static byte[] Memory(int length)
    {
        byte[] memory = new byte[length + 64];
        memory.AsSpan(length).Fill(Untouched);
        return memory;
    }

    private static Span<byte> AsBytes<T>(T[] values) where T : struct =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(values)), values.Length * Unsafe.SizeOf<T>());

    private static byte[] Encode<T, TCodec>(T[] values) where TCodec : struct, INinoCodec<T>
    {
        byte[] bytes = new byte[values.Length * TCodec.FixedSize];
        for (int i = 0; i < values.Length; i++) default(TCodec).WriteFixed(ref bytes[i * TCodec.FixedSize], in values[i]);
        return bytes;
    }
}

[NinoType]
[StructLayout(LayoutKind.Explicit, Size = 16)]
public struct WordInSixteen
{
    [FieldOffset(4)]
    public int A;
}

[NinoType]
[StructLayout(LayoutKind.Explicit, Size = 16)]
public struct TwoWordsInSixteen
{
    [FieldOffset(12)]
    public int A;

    [FieldOffset(4)]
    public int B;
}

/// <summary>No gap, and in another order than it is written in.</summary>
[NinoType]
[StructLayout(LayoutKind.Explicit, Size = 16)]
public struct DateBehindNumber
{
    [FieldOffset(8)]
    public DateTime At;

    [FieldOffset(0)]
    public long Number;
}

[NinoType]
public struct NumberAndByte
{
    public int Number;
    public byte Small;
}

[NinoType]
public struct ShortAndByte
{
    public short Number;
    public byte Small;
}
