// The steps of a plan that cannot fail: bytes that stay, and integers that become wider ones. Nearly all steps are of this kind, and they are what reading older
// records costs, so they run without a call or a check each: places are checked once when the plan is made, and lengths once a value.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Store.Serialization.Evolution;

/// <summary>The moves among the steps of a plan, and the steps that are none. Immutable.</summary>
internal sealed class FixedMoves
{
    private readonly int _sourceSize;
    private readonly int _targetSize;
    private readonly Move[] _moves;
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
    /// make one move, they overlap inside of it.
    /// </summary>
    public void Run(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.Length < _sourceSize || target.Length < _targetSize) throw new InvalidOperationException($"{source.Length} and {target.Length} bytes for a plan of {_sourceSize} and {_targetSize}.");
        ref byte sourceStart = ref MemoryMarshal.GetReference(source);
        ref byte targetStart = ref MemoryMarshal.GetReference(target);
        foreach (ref readonly Move move in _moves.AsSpan())
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

    private readonly record struct Move(MoveOp Op, int Source, int Target, int Length, int TargetLength);
}
