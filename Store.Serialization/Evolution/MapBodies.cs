// The fields of an object: copied as they are, or by the steps of the plan.

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Evolution;

/// <summary>Rewrites bodies of objects. Trusts no byte: see <see cref="NinoRecordMapper"/>.</summary>
internal static class MapBodies
{
    public static void Body(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        // Depth is counted where codecs count it; a schema may also be a long chain of types.
        if (map.Nests && !RuntimeHelpers.TryEnsureSufficientExecutionStack()) Throw.StackTooShort();
        if (map.Stored.IsRecursive) reader.Enter();
        if (map.Own.IsRecursive) writer.Enter();
        if (map.IsIdentical) CopyBody(map, ref reader, ref writer);
        else MapBody(map, ref reader, ref writer);
        if (map.Own.IsRecursive) writer.Leave();
        if (map.Stored.IsRecursive) reader.Leave();
    }

    private static void CopyBody(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        Stretch copied = new(ref reader);
        map.Skip.Skip(ref reader);
        writer.WriteBytes(copied.To(in reader));
    }

    private static void MapBody(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        if (map.ReadsBack)
        {
            MapScattered(map, ref reader, ref writer);
            return;
        }

        MapPrefix(map, ref reader, ref writer);
        foreach (ref readonly BodyStep step in map.Steps.AsSpan()) Next(in step, ref reader, ref writer);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Next(ref readonly BodyStep step, ref NinoReader reader, ref NinoWriter writer)
    {
        switch (step.Op)
        {
            case BodyOp.Copy:
                Stretch copied = new(ref reader);
                foreach (SkipNode skip in step.Skips!) skip.Skip(ref reader);
                writer.WriteBytes(copied.To(in reader));
                break;
            case BodyOp.Map:
                MapValues.Value(step.Value!, ref reader, ref writer);
                break;
            case BodyOp.Drop:
                RecordWalker.Skip(ref reader, step.Node!);
                break;
            case BodyOp.Constant:
                writer.WriteBytes(step.Bytes);
                break;
            default:
                throw new InvalidOperationException($"The step {step.Op} reads what was passed already.");
        }
    }

    private static void MapPrefix(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ReadOnlySpan<byte> source = reader.TakeSpan(map.StoredPrefix);
        if (map.Prefix is { } plan) plan.Run(source, MapLists.TakeSpan(ref writer, plan.TargetSize));
    }

    // Own fields want stored ones from places that were passed already, so copies of the reader stay behind, at a cost.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MapScattered(ObjectMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        NinoReader prefix = reader;
        MapPrefix(map, ref reader, ref writer);
        if (map.Lookup.Length > 0)
        {
            MapLookedUp(map, prefix, ref reader, ref writer);
            return;
        }

        foreach (ref readonly BodyStep step in map.Steps.AsSpan())
        {
            if (step.Op is BodyOp.Constant or BodyOp.MapAt) FromPrefix(in step, prefix, ref writer);
            else Next(in step, ref reader, ref writer);
        }
    }

    private static void FromPrefix(ref readonly BodyStep step, NinoReader prefix, ref NinoWriter writer)
    {
        if (step.Op == BodyOp.Constant)
        {
            writer.WriteBytes(step.Bytes);
            return;
        }

        prefix.Take(step.Place);
        FromCopy(step.Value!, ref prefix, ref writer);
    }

    /// <summary>A value that a copy of the reader stands at: who catches a failure does not know that copy.</summary>
    private static void FromCopy(ValueMap value, ref NinoReader copy, ref NinoWriter writer)
    {
        try
        {
            MapValues.Value(value, ref copy, ref writer);
        }
        catch (NinoSerializationException error)
        {
            error.Stopped(copy.Position);
            throw;
        }
    }

    private static void MapLookedUp(ObjectMap map, NinoReader prefix, ref NinoReader reader, ref NinoWriter writer)
    {
        const int MaxOnStack = 64;
        int[]? rented = map.Lookup.Length >= MaxOnStack ? ArrayPool<int>.Shared.Rent(map.Lookup.Length + 1) : null;
        try
        {
            Span<int> places = rented ?? stackalloc int[MaxOnStack];
            NinoReader start = reader;
            for (int i = 0; i < map.Lookup.Length; i++)
            {
                places[i] = reader.Position - start.Position;
                (SkipNode skip, bool isDropped) = map.Lookup[i];
                if (isDropped) RecordWalker.Skip(ref reader, skip.Schema);
                else skip.Skip(ref reader);
            }

            places[map.Lookup.Length] = reader.Position - start.Position;
            foreach (ref readonly BodyStep step in map.Steps.AsSpan())
            {
                if (step.Op != BodyOp.MapFound)
                {
                    FromPrefix(in step, prefix, ref writer);
                    continue;
                }

                NinoReader field = start;
                field.Take(places[step.Place]);
                if (step.Value!.IsIdentical) writer.WriteBytes(field.TakeSpan(places[step.Place + 1] - places[step.Place]));
                else FromCopy(step.Value, ref field, ref writer);
            }
        }
        finally
        {
            if (rented is not null) ArrayPool<int>.Shared.Return(rented);
        }
    }
}
