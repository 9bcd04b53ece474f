// Where the members of a struct lie in memory, found by looking: a member's first encoded byte is set to 1, the value is read by its codec, and the one
// byte of memory that became 1 is the place. Generated codecs say which types this is sound for (INinoCodec.Memory): their members are plain fields.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>What limits the bits of a member whose encoding is its memory.</summary>
internal enum MemoryBits : byte
{
    /// <summary>Every pattern is a value.</summary>
    Any = 0,

    /// <summary>0 or 1.</summary>
    Boolean = 1,

    /// <summary>Ticks of the years 1 to 9999 and any kind.</summary>
    DateTime = 2,
}

internal static class StructMemory<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    // A byte of padding may by chance look like a place: then it is looked again.
    private const int Attempts = 4;
    private const int PackedBytesMax = 1024;

    /// <summary>The encoding is the memory, and every pattern is a value.</summary>
    public static readonly bool IsCopy;

    /// <summary>How arrays are moved, or null: one by one.</summary>
    public static readonly StructMoves? Moves;

    static StructMemory()
    {
        ReadOnlySpan<byte> members = TCodec.Memory;
        int packedBytes = TCodec.FixedSize;
        if (!BitConverter.IsLittleEndian || members.IsEmpty || packedBytes > PackedBytesMax || RuntimeHelpers.IsReferenceOrContainsReferences<T>()) return;
        // Arrays here and in what it calls, once a type: a method with stackalloc is compiled optimized at once, which takes far longer than it runs.
        Span<int> places = new int[members.Length / 2];
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            if (!TryLook(members, places, packedBytes)) continue;
            IsCopy = IsInOrder(members, places, packedBytes);
            Moves = IsCopy ? null : StructMoves.Make(members, places, Unsafe.SizeOf<T>(), packedBytes);
            return;
        }
    }

    private static bool TryLook(ReadOnlySpan<byte> members, Span<int> places, int packedBytes)
    {
        Span<byte> encoding = new byte[packedBytes];
        T[] values = new T[2];
        values[0] = default(TCodec).ReadFixed(in encoding[0]);
        int size = Unsafe.SizeOf<T>();
        Span<byte> memory = MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref values[0]), 2 * size);
        Span<bool> taken = new bool[size];
        int offset = 0;
        for (int member = 0; member < places.Length; member++)
        {
            encoding[offset] = 1;
            values[1] = default(TCodec).ReadFixed(in encoding[0]);
            encoding[offset] = 0;
            int bytes = members[2 * member];
            int place = -1;
            for (int i = 0; i < size; i++)
            {
                if (memory[i] != 0 || memory[size + i] != 1) continue;
                if (place >= 0) return false;
                place = i;
            }

            if (place < 0 || place + bytes > size) return false;
            for (int i = place; i < place + bytes; i++)
            {
                if (taken[i]) return false;
                taken[i] = true;
            }

            places[member] = place;
            offset += bytes;
        }

        return offset == packedBytes;
    }

    private static bool IsInOrder(ReadOnlySpan<byte> members, ReadOnlySpan<int> places, int packedBytes)
    {
        if (Unsafe.SizeOf<T>() != packedBytes) return false;
        int offset = 0;
        for (int member = 0; member < places.Length; member++)
        {
            if (places[member] != offset || (MemoryBits)members[(2 * member) + 1] != MemoryBits.Any) return false;
            offset += members[2 * member];
        }

        return true;
    }
}
