// Which edges did a run take, and how often? 64 KiB of counters that instrumented code adds to, as AFL has them: one byte for a pair of neighbouring places.
//
// Counts are compared as eight buckets (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more), a bit each: a loop that runs 40 times instead of 39 is nothing new.

using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Fuzz.Driver;

/// <summary>The memory that instrumented code counts in. One for the process; one thread runs inputs.</summary>
internal static unsafe class CoverageMap
{
    public const int Size = 65_536;

    private static readonly byte[] Buckets = [.. Enumerable.Range(0, 256).Select(static count => (byte)(count switch { 0 => 0, 1 => 1, 2 => 2, 3 => 4, < 8 => 8, < 16 => 16, < 32 => 32, < 128 => 64, _ => 128 }))];

    // What instrumented code refers to. By name: SharpFuzz takes an assembly that refers to it for one that is instrumented, and codecs of this one are to be.
    private static readonly Type Trace = Type.GetType("SharpFuzz.Common.Trace, SharpFuzz.Common", throwOnError: true)!;
    private static readonly FieldInfo PreviousPlace = Trace.GetField("PrevLocation")!;
    private static readonly object Nowhere = 0;
    private static readonly byte* Memory = (byte*)NativeMemory.AllocZeroed(Size);

    /// <summary>Gives instrumented code its memory, before the first of it runs: what registers codecs, generated into this assembly, comes after this file.</summary>
    [ModuleInitializer]
    internal static void Attach() => Trace.GetField("SharedMem")!.SetValue(null, Pointer.Box(Memory, typeof(byte*)));

    /// <summary>Forgets what was counted.</summary>
    public static void Clear()
    {
        new Span<byte>(Memory, Size).Clear();
        PreviousPlace.SetValue(null, Nowhere);
    }

    /// <summary>True when anything was counted: the code is instrumented.</summary>
    public static bool HasCounts => new ReadOnlySpan<byte>(Memory, Size).ContainsAnyExcept((byte)0);

    /// <summary>Adds what was counted to what was seen before.</summary>
    /// <param name="seen">A byte of buckets for each edge.</param>
    /// <returns>Edges that were not seen before, and edges in a bucket that was not.</returns>
    public static (int Edges, int Buckets) AddTo(byte[] seen)
    {
        int edges = 0, buckets = 0;
        ReadOnlySpan<ulong> words = new(Memory, Size / sizeof(ulong));
        for (int word = 0; word < words.Length; word++)
        {
            if (words[word] == 0) continue;
            for (int i = word * sizeof(ulong); i < (word + 1) * sizeof(ulong); i++)
            {
                byte bucket = Buckets[Memory[i]];
                if ((bucket & ~seen[i]) == 0) continue;
                if (seen[i] == 0) edges++;
                else buckets++;
                seen[i] |= bucket;
            }
        }

        return (edges, buckets);
    }

    /// <summary>A number that two runs share when they took the same edges equally often, by buckets.</summary>
    public static ulong Signature()
    {
        ulong signature = 14695981039346656037;
        ReadOnlySpan<ulong> words = new(Memory, Size / sizeof(ulong));
        for (int word = 0; word < words.Length; word++)
        {
            if (words[word] == 0) continue;
            for (int i = word * sizeof(ulong); i < (word + 1) * sizeof(ulong); i++) signature = ((signature ^ Buckets[Memory[i]]) * 1099511628211) ^ (uint)i;
        }

        return signature;
    }
}
