// The steps of a plan that cannot fail: bytes that stay, and integers that become wider ones. Nearly all steps are of this kind, and they are what reading older
// records costs, so they run without a call or a check each: places are checked once when the plan is made, and lengths once a value.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Store.Serialization.Evolution;

/// <summary>The moves among the steps of a plan, and the steps that are none. Immutable.</summary>
internal sealed class FixedMoves
{
    /// <summary>How many bytes more than the plan's a target needs behind it for the fastest way: what they are afterwards is left open.</summary>
    public const int Slack = BlockBytes;

    private const int BlockBytes = 16;

    // Longer copies are faster as one.
    private const int MaxBlocks = 8;

    private readonly int _sourceSize;
    private readonly int _targetSize;
    private readonly Move[] _moves;

    // The same moves where more bytes than are wanted may be loaded and stored: copies as blocks of one size, so that no length has to be looked at, from the front, because each overwrites what the one
    // before it stored too many; then the moves that are no blocks. How far they reach from the starts of source and target.
    private readonly Block[] _blocks;
    private readonly Move[] _rest;
    private readonly long _sourceReach;
    private readonly long _targetReach;
    private readonly FixedStep[] _others;

    /// <exception cref="InvalidOperationException">A move reaches beyond the sizes.</exception>
    public FixedMoves(FixedStep[] steps, int sourceSize, int targetSize)
    {
        (All, _sourceSize, _targetSize) = (steps, sourceSize, targetSize);
        var moves = new List<Move>();
        var others = new List<FixedStep>();
        foreach (FixedStep step in steps)
        {
            if (TryMove(step) is not { } move) others.Add(step);
            else if (step.Source < 0 || step.Target < 0 || step.Length < 0 || (long)step.Source + step.Length > sourceSize || (long)step.Target + move.TargetLength > targetSize)
                throw new InvalidOperationException($"The step {step} is not inside {sourceSize} and {targetSize} bytes.");
            else moves.Add(move);
        }

        (_moves, _others) = ([.. moves], [.. others]);
        _blocks = [.. moves.Where(IsInBlocks).SelectMany(BlocksOf)];
        _rest = moves.FindAll(static move => !IsInBlocks(move)).ToArray();
        (_sourceReach, _targetReach) = (sourceSize, targetSize);
        foreach (Block block in _blocks)
        {
            // Bound: see Run.
            _sourceReach = Math.Max(_sourceReach, (long)block.Source + BlockBytes);
            _targetReach = Math.Max(_targetReach, (long)block.Target + BlockBytes);
        }
    }

    private enum MoveOp : byte
    {
        /// <summary>Up to three bytes, or more than 32.</summary>
        Bytes,
        UpTo8,
        UpTo16,
        UpTo32,
        Signed1,
        Signed2,
        Signed4,
        Unsigned1,
        Unsigned2,
        Unsigned4,
    }

    /// <summary>All steps, those that are moves too.</summary>
    public FixedStep[] All { get; }

    /// <summary>The steps that <see cref="Run"/> leaves to be done.</summary>
    public ReadOnlySpan<FixedStep> Others => _others;

    /// <summary>
    /// Makes the moves of one value. Bound: loads inside the first source bytes and stores inside the first target bytes of the plan, which the spans have; where two copies
    /// make one move, they overlap inside of it. Where both spans go on behind that, up to <see cref="Slack"/> bytes behind the target's are overwritten too.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Run(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.Length < _sourceSize || target.Length < _targetSize) TooShort(source.Length, target.Length);
        ref byte sourceStart = ref MemoryMarshal.GetReference(source);
        ref byte targetStart = ref MemoryMarshal.GetReference(target);
        if (source.Length < _sourceReach || target.Length < _targetReach)
        {
            RunMoves(_moves, ref sourceStart, ref targetStart);
            return;
        }

        foreach (ref readonly Block block in _blocks.AsSpan())
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref targetStart, block.Target), Unsafe.ReadUnaligned<Vector128<byte>>(ref Unsafe.Add(ref sourceStart, block.Source)));
        if (_rest.Length > 0) RunMoves(_rest, ref sourceStart, ref targetStart);
    }

    private static void RunMoves(Move[] moves, ref byte sourceStart, ref byte targetStart)
    {
        foreach (ref readonly Move move in moves.AsSpan())
        {
            ref byte from = ref Unsafe.Add(ref sourceStart, move.Source);
            ref byte to = ref Unsafe.Add(ref targetStart, move.Target);
            switch (move.Op)
            {
                case MoveOp.UpTo8:
                    CopyEnds<uint>(ref from, ref to, move.Length);
                    break;
                case MoveOp.UpTo16:
                    CopyEnds<ulong>(ref from, ref to, move.Length);
                    break;
                case MoveOp.UpTo32:
                    CopyEnds<Vector128<byte>>(ref from, ref to, move.Length);
                    break;
                case MoveOp.Signed1:
                    Store(ref to, (sbyte)from, move.TargetLength);
                    break;
                case MoveOp.Signed2:
                    Store(ref to, Unsafe.ReadUnaligned<short>(ref from), move.TargetLength);
                    break;
                case MoveOp.Signed4:
                    Store(ref to, Unsafe.ReadUnaligned<int>(ref from), move.TargetLength);
                    break;
                case MoveOp.Unsigned1:
                    Store(ref to, from, move.TargetLength);
                    break;
                case MoveOp.Unsigned2:
                    Store(ref to, Unsafe.ReadUnaligned<ushort>(ref from), move.TargetLength);
                    break;
                case MoveOp.Unsigned4:
                    Store(ref to, Unsafe.ReadUnaligned<uint>(ref from), move.TargetLength);
                    break;
                default:
                    Unsafe.CopyBlockUnaligned(ref to, ref from, (uint)move.Length);
                    break;
            }
        }
    }

    /// <summary>How many bytes a step stores that only moves bytes: a copy, or an integer that becomes a wider one; 0 for others.</summary>
    /// <param name="step">The step.</param>
    /// <param name="isSigned">The bytes that it adds are the sign's, else zero.</param>
    public static int WidthOf(FixedStep step, out bool isSigned)
    {
        Move? move = TryMove(step);
        isSigned = move is { Op: MoveOp.Signed1 or MoveOp.Signed2 or MoveOp.Signed4 };
        return move?.TargetLength ?? 0;
    }

    [DoesNotReturn]
    private void TooShort(int source, int target) => throw new InvalidOperationException($"{source} and {target} bytes for a plan of {_sourceSize} and {_targetSize}.");

    private static bool IsInBlocks(Move move) => move.Op < MoveOp.Signed1 && move.Length is > 0 and <= MaxBlocks * BlockBytes;

    private static IEnumerable<Block> BlocksOf(Move move)
    {
        for (int done = 0; done < move.Length; done += BlockBytes) yield return new(move.Source + done, move.Target + done);
    }

    private static Move? TryMove(FixedStep step)
    {
        if (step.Op == FixedOp.Copy)
        {
            MoveOp op = step.Length switch { < 4 => MoveOp.Bytes, <= 8 => MoveOp.UpTo8, <= 16 => MoveOp.UpTo16, <= 32 => MoveOp.UpTo32, _ => MoveOp.Bytes };
            return new(op, step.Source, step.Target, step.Length, step.Length);
        }

        if (step is not { Op: FixedOp.Convert, Conversion: ScalarConversion.Integer }) return null;
        int toBytes = ScalarConversions.WidthOf(step.To);
        if (toBytes is not (2 or 4 or 8) || toBytes <= step.Length) return null;

        // A signed number fits wider signed ones, an unsigned one all wider ones.
        bool toSigned = step.To is SchemaKind.Int16 or SchemaKind.Int32 or SchemaKind.Int64;
        MoveOp? widening = step.From switch
        {
            SchemaKind.SByte when toSigned => MoveOp.Signed1,
            SchemaKind.Int16 when toSigned => MoveOp.Signed2,
            SchemaKind.Int32 when toSigned => MoveOp.Signed4,
            SchemaKind.Byte => MoveOp.Unsigned1,
            SchemaKind.UInt16 => MoveOp.Unsigned2,
            SchemaKind.UInt32 => MoveOp.Unsigned4,
            _ => null,
        };
        return widening is { } wide ? new(wide, step.Source, step.Target, step.Length, toBytes) : null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyEnds<TPart>(ref byte from, ref byte to, int length) where TPart : unmanaged
    {
        int last = length - Unsafe.SizeOf<TPart>();
        TPart first = Unsafe.ReadUnaligned<TPart>(ref from), end = Unsafe.ReadUnaligned<TPart>(ref Unsafe.Add(ref from, last));
        Unsafe.WriteUnaligned(ref to, first);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, last), end);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store(ref byte to, long value, int bytes)
    {
        if (bytes == 8) Unsafe.WriteUnaligned(ref to, value);
        else if (bytes == 4) Unsafe.WriteUnaligned(ref to, (int)value);
        else Unsafe.WriteUnaligned(ref to, (short)value);
    }

    private readonly record struct Block(int Source, int Target);

    private readonly record struct Move(MoveOp Op, int Source, int Target, int Length, int TargetLength);
}
