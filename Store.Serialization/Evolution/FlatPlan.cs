// What becomes of an object that is members of a fixed width and strings, where only the former change: then the strings are read from where they lie, and what is left to
// do for an object is to bring some tens of bytes into another order. Where the processor has an instruction that does that for 64 bytes (vpermb), it is one, with two loads
// and a store around it (docs/performance.md, "Views, reading into what is there, older shapes").

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Store.Serialization.Evolution;

/// <summary>The plan for the members of a fixed width in front of strings that stay as they are. Immutable.</summary>
internal sealed class FlatPlan
{
    /// <summary>There is no such plan.</summary>
    public static readonly FlatPlan None = new(null, 0, 0) { IsNone = true };

    private const int VectorBytes = 64;
    private const int HalfBytes = 32;
    private const int QuarterBytes = 16;

    private readonly FixedPlan? _plan;

    // The source is loaded as two halves or two quarters of a vector, the second so that it ends where the members do: nothing behind them is loaded, except where they are fewer than 16 bytes.
    private readonly int _loadedBytes;
    private readonly int _second;
    private readonly bool _isInHalves;
    private readonly bool _hasSigns;
    private readonly Vector512<byte> _order;
    private readonly Vector512<byte> _kept;
    private readonly Vector512<byte> _constants;
    private readonly Vector512<byte> _signs;
    private readonly Vector512<byte> _extended;

    /// <summary>Makes a plan.</summary>
    /// <param name="plan">What becomes of the members of a fixed width, or null when there are none afterwards.</param>
    /// <param name="storedBytes">How many bytes those have.</param>
    /// <param name="texts">How many strings follow.</param>
    public FlatPlan(FixedPlan? plan, int storedBytes, int texts)
    {
        (_plan, StoredBytes, TargetBytes, MinBytes) = (plan, storedBytes, plan?.TargetSize ?? 0, Math.Max(storedBytes + texts, 1));
        if (plan is null || !Avx512Vbmi.IsSupported || storedBytes is 0 or > VectorBytes || TargetBytes > VectorBytes) return;
        _isInHalves = storedBytes > HalfBytes;
        int part = _isInHalves ? HalfBytes : QuarterBytes;
        (_loadedBytes, _second) = (Math.Max(storedBytes, QuarterBytes), Math.Max(storedBytes - part, 0));
        Span<byte> order = new byte[VectorBytes], kept = new byte[VectorBytes], constants = new byte[VectorBytes], signs = new byte[VectorBytes], extended = new byte[VectorBytes];
        foreach (FixedStep step in plan.Steps)
        {
            if (step.Op == FixedOp.Constant)
            {
                step.Bytes.CopyTo(constants[step.Target..]);
                continue;
            }

            if (FixedMoves.WidthOf(step, out bool isSigned) is not (> 0 and int width)) return;
            for (int i = 0; i < step.Length; i++) (order[step.Target + i], kept[step.Target + i]) = (LaneOf(step.Source + i, part), 0xFF);
            for (int i = step.Length; isSigned && i < width; i++) (signs[step.Target + i], extended[step.Target + i]) = (LaneOf(step.Source + step.Length - 1, part), 0xFF);
            _hasSigns |= isSigned;
        }

        (_order, _kept, _constants) = (Vector512.Create<byte>(order), Vector512.Create<byte>(kept), Vector512.Create<byte>(constants));
        (_signs, _extended) = (Vector512.Create<byte>(signs), Vector512.Create<byte>(extended));
        IsPermuted = true;
    }

    /// <summary>True of <see cref="None"/>.</summary>
    public bool IsNone { get; private init; }

    /// <summary>The members are brought into order by one instruction, where enough bytes can be loaded.</summary>
    internal bool IsPermuted { get; }

    /// <summary>How many bytes the members of a fixed width have in a stored value.</summary>
    public int StoredBytes { get; }

    /// <summary>How many they have afterwards.</summary>
    public int TargetBytes { get; }

    /// <summary>The fewest bytes that a stored value has, at least 1.</summary>
    public int MinBytes { get; }

    /// <summary>True when there is a plan, and it makes so many bytes, which a head has room for: the bound of all that is loaded from one.</summary>
    public bool Makes(int headBytes) => headBytes == TargetBytes && headBytes <= FlatHead.MaxBytes && !IsNone;

    /// <summary>Makes the members of a fixed width of one value.</summary>
    /// <param name="stored">A stored value and what follows it: at least <see cref="StoredBytes"/> bytes.</param>
    /// <param name="head">Where they go: <see cref="TargetBytes"/> bytes. What is behind them is left open.</param>
    /// <exception cref="NinoSerializationException">A stored member has bits that no value has, or one that has no place does not fit.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Run(ReadOnlySpan<byte> stored, ref FlatHead head)
    {
        // Bound: two parts inside the loaded bytes; a vector is stored into a head, which is longer.
        if (IsPermuted && stored.Length >= _loadedBytes) Permute(ref MemoryMarshal.GetReference(stored)).StoreUnsafe(ref Unsafe.As<FlatHead, byte>(ref head));
        else RunMoves(stored, ref head);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunMoves(ReadOnlySpan<byte> stored, ref FlatHead head) => _plan?.Run(stored, head);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Vector512<byte> Permute(ref byte stored)
    {
        Vector512<byte> source = _isInHalves
            ? Vector512.Create(Vector256.LoadUnsafe(ref stored), Vector256.LoadUnsafe(ref stored, (nuint)_second))
            : Vector256.Create(Vector128.LoadUnsafe(ref stored), Vector128.LoadUnsafe(ref stored, (nuint)_second)).ToVector512Unsafe();
        Vector512<byte> result = (Avx512Vbmi.PermuteVar64x8(source, _order) & _kept) | _constants;
        return _hasSigns ? result | (Vector512.LessThan(Avx512Vbmi.PermuteVar64x8(source, _signs).AsSByte(), Vector512<sbyte>.Zero).AsByte() & _extended) : result;
    }

    private byte LaneOf(int offset, int part) => (byte)(offset < part ? offset : part + offset - _second);
}

/// <summary>The members of a fixed width of an object that is read from an older shape, where they are few.</summary>
[InlineArray(MaxBytes + FixedMoves.Slack)]
internal struct FlatHead
{
    /// <summary>How many bytes they may have.</summary>
    public const int MaxBytes = 112;

    private byte _first;
}
