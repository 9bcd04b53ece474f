// Defects that are there on purpose: what the tests of the driver look for, and none of the default targets.
//
// The first lies behind four bytes compared one by one, a length, and a number, all of which must be right. Edits that nobody guides hit it once in 2^40; each comparison is an edge, so that coverage
// finds one byte at a time. The others end the process.

using System.Runtime.CompilerServices;
using Store.Fuzz.Driver;

namespace Store.Fuzz.Targets;

internal sealed class PlantedLane(Action<byte[]> parse) : FuzzLane("")
{
    public override long MaxAllocation(int length) => long.MaxValue;

    public override IEnumerable<byte[]> Seeds(int seed) => [new byte[8]];

    public override void Run(byte[] input) => parse(input);
}

internal static class PlantedParser
{
    public static void Parse(ReadOnlySpan<byte> input)
    {
        if (input.Length < 8) return;
        if (input[0] != 'N') return;
        if (input[1] != 'i') return;
        if (input[2] != 'n') return;
        if (input[3] != 'o') return;
        if (input[4] != input.Length) return;
        if (input[6] == 0xA7) throw new InvalidOperationException("The planted defect.");
    }

    /// <summary>Nests as deep as its input says, without end where it says so.</summary>
    public static void Overflow(byte[] input)
    {
        if (input.Length > 0 && input[0] == 0xFF) Nest(input, 0);
    }

    /// <summary>Believes a length.</summary>
    public static void Allocate(byte[] input)
    {
        if (input.Length > 0 && input[0] == 0xFF) GC.KeepAlive(new byte[Array.MaxLength]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Nest(byte[] input, long depth) => input.Length < 0 ? depth : Nest(input, depth + 1) + Nest(input, depth + 2);
}
