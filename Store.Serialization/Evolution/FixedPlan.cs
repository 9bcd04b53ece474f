// A value of fixed width becomes another of fixed width: a flat list of steps, each from a constant offset to a constant offset. Neighbouring bytes that
// stay as they are are one copy. Everything is addressed through spans, so a mistake here is an exception, never a stray store.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Evolution;

internal enum FixedOp : byte
{
    /// <summary>The same bytes.</summary>
    Copy,

    /// <summary>Bytes that are always the same: members that the stored type lacks, presence bytes.</summary>
    Constant,

    /// <summary>A scalar of another kind.</summary>
    Convert,

    /// <summary>A value that may be absent on both sides.</summary>
    Nullable,

    /// <summary>A value that may be absent and becomes the zero of its type when it is.</summary>
    AbsentIsZero,

    /// <summary>A stored value that has no place any more: only checked.</summary>
    Check,
}

/// <summary>One step. <see cref="Source"/> and <see cref="Target"/> are offsets, <see cref="Length"/> counts bytes of the source.</summary>
internal readonly record struct FixedStep(FixedOp Op, int Source, int Target, int Length)
{
    public ScalarConversion Conversion { get; init; }

    public SchemaKind From { get; init; }

    public SchemaKind To { get; init; }

    public byte[]? Bytes { get; init; }

    public FixedPlan? Inner { get; init; }

    public SchemaNode? Node { get; init; }
}

/// <summary>The steps from one fixed-width value to another. Immutable.</summary>
/// <param name="steps">In any order; <see cref="FixedOp.Copy"/> steps that touch are merged.</param>
/// <param name="sourceSize">Bytes of the stored value.</param>
/// <param name="targetSize">Bytes of the value that is made of it; the steps set all of them.</param>
internal sealed class FixedPlan(IEnumerable<FixedStep> steps, int sourceSize, int targetSize)
{
    private readonly FixedMoves _moves = new(Merge(steps), sourceSize, targetSize);

    public int SourceSize { get; } = sourceSize;

    public int TargetSize { get; } = targetSize;

    /// <summary>The steps, in the order of their targets.</summary>
    public ReadOnlySpan<FixedStep> Steps => _moves.All;

    /// <summary>The one conversion that the plan is, of every byte of the stored value, so that values one behind the other are a run of numbers; or null.</summary>
    public FixedStep? OnlyConversion => _moves.All is [{ Op: FixedOp.Convert } only] && only.Length == SourceSize ? only : null;

    /// <summary>Makes one value. The source ends where its reader stands, see <see cref="ScalarConversions.Run"/>. Where the spans go on behind it, up to <see cref="FixedMoves.Slack"/> bytes behind the target's are overwritten too.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Run(ReadOnlySpan<byte> source, Span<byte> target)
    {
        _moves.Run(source, target);
        if (_moves.Others.Length > 0) RunOthers(source, target);
    }

    private void RunOthers(ReadOnlySpan<byte> source, Span<byte> target)
    {
        foreach (ref readonly FixedStep step in _moves.Others)
        {
            switch (step.Op)
            {
                case FixedOp.Constant:
                    step.Bytes.CopyTo(target[step.Target..]);
                    break;
                case FixedOp.Convert:
                    ScalarConversions.Run(step.Conversion, step.From, source[step.Source..], step.To, target[step.Target..]);
                    break;
                case FixedOp.Nullable:
                    bool isPresent = ReadPresence(source, in step);
                    target[step.Target] = isPresent ? (byte)1 : (byte)0;
                    Inner(source, target.Slice(step.Target + 1, step.Inner!.TargetSize), in step, isPresent);
                    break;
                case FixedOp.AbsentIsZero:
                    Inner(source, target.Slice(step.Target, step.Inner!.TargetSize), in step, ReadPresence(source, in step));
                    break;
                case FixedOp.Check:
                    var reader = new NinoReader(source.Slice(step.Source, step.Length));
                    RecordWalker.Skip(ref reader, step.Node!);
                    break;
            }
        }
    }

    private static void Inner(ReadOnlySpan<byte> source, Span<byte> target, ref readonly FixedStep step, bool isPresent)
    {
        // Of the source all that is left, by which a failure tells its place; of the target no more than the value's.
        if (isPresent) step.Inner!.Run(source[(step.Source + 1)..], target);
        else target.Clear();
    }

    private static bool ReadPresence(ReadOnlySpan<byte> source, ref readonly FixedStep step)
    {
        byte presence = source[step.Source];
        if (presence == 1) return true;
        if (source.Slice(step.Source, step.Length).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(presence);
        return false;
    }

    private static FixedStep[] Merge(IEnumerable<FixedStep> steps)
    {
        FixedStep[] ordered = [.. steps.OrderBy(static step => step.Target)];
        var merged = new List<FixedStep>();
        for (int i = 0; i < ordered.Length; i++)
        {
            FixedStep step = ordered[i];
            if (step.Op == FixedOp.Copy && merged.Count > 0 && merged[^1] is { Op: FixedOp.Copy } last && last.Source + last.Length == step.Source && last.Target + last.Length == step.Target)
            {
                merged[^1] = last with { Length = last.Length + step.Length };
                continue;
            }

            // All that touch at once: of very many, one after the other would cost their square.
            int first = i, end = step.Op == FixedOp.Constant ? step.Target + step.Bytes!.Length : int.MaxValue;
            while (step.Op == FixedOp.Constant && i + 1 < ordered.Length && ordered[i + 1] is { Op: FixedOp.Constant } next && next.Target == end)
            {
                end += next.Bytes!.Length;
                i++;
            }

            merged.Add(i == first ? step : step with { Bytes = [.. ordered[first..(i + 1)].SelectMany(static one => one.Bytes!)] });
        }

        return [.. merged];
    }
}
