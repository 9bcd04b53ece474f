// The usual plans as a flat list of steps over the bytes themselves: bodies one behind the other, with the places kept in locals, because a reader and a writer that
// live in memory cost more than the bytes do. What has no step of its own goes through MapValues, and whatever is wrong with the bytes, the plan finds and names:
// this way only has to notice it (NinoRecordMapper).

using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Evolution;

internal enum DirectOp : byte
{
    /// <summary>One string stays as it is.</summary>
    String,

    /// <summary>The next stored fields stay as they are.</summary>
    Copy,

    /// <summary>All that is left of the record stays as it is. Who reads the copy finds out whether it is whole.</summary>
    Rest,

    /// <summary>A member that the stored type lacks.</summary>
    Constant,

    /// <summary>The next stored field has no place any more.</summary>
    Drop,

    /// <summary>The next stored value, as <see cref="MapValues"/> does it.</summary>
    Map,

    /// <summary>The next stored value, of a fixed width that it has on both sides.</summary>
    Fixed,

    /// <summary>As <see cref="Map"/>, of a stored field in the fixed prefix.</summary>
    MapAt,

    /// <summary>An object with its presence byte.</summary>
    Object,

    /// <summary>A list or map of what has steps.</summary>
    Items,

    /// <summary>A field that was passed already stays as it is.</summary>
    CopyFound,

    /// <summary>A field that was passed already is mapped.</summary>
    MapFound,
}

/// <summary>One step.</summary>
internal readonly record struct DirectStep(DirectOp Op)
{
    public SkipNode[] Skips { get; init; } = [];

    public byte[] Bytes { get; init; } = [];

    public SchemaNode? Node { get; init; }

    public ValueMap? Value { get; init; }

    /// <summary>Of the body, of one element, of one pair, or of the one value.</summary>
    public DirectSteps? Inner { get; init; }

    /// <summary>Offset in the prefix, or number of the field behind it.</summary>
    public int Place { get; init; }
}

/// <summary>The steps of bodies of one type, of elements, or of pairs. Immutable.</summary>
/// <param name="prefix">What becomes of the fixed fields in front, or null.</param>
/// <param name="storedPrefix">How many bytes those have.</param>
/// <param name="steps">What follows.</param>
/// <param name="lookup">The stored fields behind the prefix where members want them in another order, else empty.</param>
internal sealed class DirectSteps(FixedPlan? prefix, int storedPrefix, DirectStep[] steps, (SkipNode Skip, bool IsDropped)[] lookup)
{
    /// <summary>Most fields whose places are looked up.</summary>
    public const int MaxLookup = 63;

    // More is copied at once than a short string has, when there is room on both sides.
    private const int ShortBytes = 16;

    /// <summary>What becomes of the fixed fields in front, or null.</summary>
    public FixedPlan? Prefix => prefix;

    /// <summary>How many bytes those have.</summary>
    public int StoredPrefix => storedPrefix;

    /// <summary>Of a body: how many strings follow the fixed fields, when nothing else does, and all stay as they are and in their order; else -1.</summary>
    public int Texts { get; init; } = -1;

    /// <summary>Of a record that is a list: what becomes of its elements.</summary>
    public DirectSteps? Elements { get; init; }

    // Moves of a prefix store some bytes too many, see FixedMoves.
    private readonly int _room = prefix is null ? 0 : prefix.TargetSize + FixedMoves.Slack;

    /// <summary>Rewrites values one behind the other.</summary>
    /// <exception cref="NinoSerializationException">Something is wrong with the bytes: the plan tells what.</exception>
    public void Run(ref DirectCursor cursor, int count)
    {
        if (lookup.Length > 0)
        {
            for (; count > 0; count--) RunLookedUp(ref cursor);
            return;
        }

        ReadOnlySpan<byte> source = cursor.Source;
        Span<byte> target = cursor.Target;
        int at = cursor.Position, used = cursor.Used;
        for (; count > 0; count--)
        {
            int body = at;
            if (storedPrefix > source.Length - at) Throw.EndOfInput(storedPrefix, source.Length - at);
            if (prefix is not null)
            {
                if (_room > target.Length - used)
                {
                    cursor.Used = used;
                    cursor.Grow(_room);
                    target = cursor.Target;
                }

                prefix.Run(source[at..], target[used..]);
                used += prefix.TargetSize;
            }

            at += storedPrefix;
            foreach (ref readonly DirectStep step in steps.AsSpan())
            {
                int from = at;
                switch (step.Op)
                {
                    case DirectOp.String:
                        at = DirectLength.EndOfString(step.Skips[0], source, at, cursor.Limits);
                        break;
                    case DirectOp.Copy:
                        foreach (SkipNode skip in step.Skips) at = DirectLength.End(skip, source, at, cursor.Limits);
                        break;
                    case DirectOp.Rest:
                        at = source.Length;
                        break;
                    default:
                        (cursor.Position, cursor.Used) = (at, used);
                        Other(in step, ref cursor, body);
                        (at, used) = (cursor.Position, cursor.Used);
                        target = cursor.Target;
                        continue;
                }

                int length = at - from;
                if (target.Length - used < length + ShortBytes)
                {
                    cursor.Used = used;
                    cursor.Grow(length + ShortBytes);
                    target = cursor.Target;
                }

                Copy(source, from, length, target, used);
                used += length;
            }
        }

        (cursor.Position, cursor.Used) = (at, used);
    }

    // Up to eight bytes in front of a place, as one number: they are stored at once, because what reads a record right after it was written waits where it loads at once what was stored in two parts.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LastBytes(ReadOnlySpan<byte> source, int end, int length) =>
        length == 0 ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(source[(end - sizeof(ulong))..]) >> ((sizeof(ulong) - length) * 8);

    // Bound: ShortBytes more than the length are there behind the place in the target.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy(ReadOnlySpan<byte> source, int from, int length, Span<byte> target, int used)
    {
        if (length <= ShortBytes && source.Length - from >= ShortBytes) source.Slice(from, ShortBytes).CopyTo(target[used..]);
        else if (length <= sizeof(ulong) && from + length >= sizeof(ulong)) BinaryPrimitives.WriteUInt64LittleEndian(target[used..], LastBytes(source, from + length, length));
        else source.Slice(from, length).CopyTo(target[used..]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunLookedUp(ref DirectCursor cursor)
    {
        Span<int> places = stackalloc int[lookup.Length + 1];
        ReadOnlySpan<byte> source = cursor.Source;
        int body = cursor.Position, at = body + storedPrefix;
        if (storedPrefix > source.Length - body) Throw.EndOfInput(storedPrefix, source.Length - body);
        if (prefix is not null)
        {
            if (_room > cursor.Target.Length - cursor.Used) cursor.Grow(_room);
            prefix.Run(source[body..], cursor.Target[cursor.Used..]);
            cursor.Used += prefix.TargetSize;
        }

        for (int i = 0; i < lookup.Length; i++)
        {
            places[i] = at;
            (SkipNode skip, bool isDropped) = lookup[i];
            if (!isDropped)
            {
                at = DirectLength.End(skip, source, at, cursor.Limits);
            }
            else if (!DirectLength.TryPass(skip, source, ref at))
            {
                cursor.Position = at;
                cursor.Drop(skip.Schema);
                at = cursor.Position;
            }
        }

        places[lookup.Length] = at;
        foreach (ref readonly DirectStep step in steps.AsSpan())
        {
            if (step.Op is DirectOp.CopyFound or DirectOp.Rest)
            {
                int from = places[step.Place];
                int length = (step.Op == DirectOp.Rest ? at = source.Length : places[step.Place + 1]) - from;
                if (cursor.Target.Length - cursor.Used < length + ShortBytes) cursor.Grow(length + ShortBytes);
                Copy(source, from, length, cursor.Target, cursor.Used);
                cursor.Used += length;
                continue;
            }

            cursor.Position = step.Op == DirectOp.MapFound ? places[step.Place] : at;
            if (step.Op != DirectOp.MapFound) Other(in step, ref cursor, body);
            else if (step.Inner is null) cursor.Map(step.Value!);
            else if (step.Value!.Fixed is not null) step.Inner.Run(ref cursor, 1);
            else Value(in step, ref cursor);
        }

        cursor.Position = at;
    }

    private static void Other(ref readonly DirectStep step, ref DirectCursor cursor, int body)
    {
        switch (step.Op)
        {
            case DirectOp.Constant:
                if (cursor.Target.Length - cursor.Used < step.Bytes.Length) cursor.Grow(step.Bytes.Length);
                step.Bytes.CopyTo(cursor.Target[cursor.Used..]);
                cursor.Used += step.Bytes.Length;
                break;
            case DirectOp.Drop:
                cursor.Drop(step.Node!);
                break;
            case DirectOp.Fixed:
                step.Inner!.Run(ref cursor, 1);
                break;
            case DirectOp.Map:
                cursor.Map(step.Value!);
                break;
            case DirectOp.MapAt:
                int next = cursor.Position;
                cursor.Position = body + step.Place;
                cursor.Map(step.Value!);
                cursor.Position = next;
                break;
            default:
                Value(in step, ref cursor);
                break;
        }
    }

    /// <summary>A value with steps of its own.</summary>
    private static void Value(ref readonly DirectStep step, ref DirectCursor cursor)
    {
        if (step.Value!.Form == ValueForm.Object)
        {
            int at = cursor.Position;
            int presence = !step.Value.Stored.HasPresenceByte ? 1 : at < cursor.Source.Length ? cursor.Source[at] : -1;
            if (presence is not (0 or 1))
            {
                cursor.Map(step.Value);
                return;
            }

            if (step.Value.Stored.HasPresenceByte) cursor.Copy(1);
            step.Inner!.Run(ref cursor, presence);
            return;
        }

        int count = cursor.Count(step.Value);
        if (count == -2) cursor.Map(step.Value);
        else step.Inner!.Run(ref cursor, count);
    }
}
