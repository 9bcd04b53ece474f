// One value of a stored record as a value of the own schema: which form it has decides. Also one value that became a list of it, and back.

using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>Rewrites values. Trusts no byte: see <see cref="NinoRecordMapper"/>.</summary>
internal static class MapValues
{
    public static void Value(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        if (map.IsIdentical)
        {
            Stretch copied = new(ref reader);
            map.Skip.Skip(ref reader);
            writer.WriteBytes(copied.To(in reader));
        }
        else if (map.Fixed is { } plan)
        {
            plan.Run(reader.TakeSpan(plan.SourceSize), MapLists.TakeSpan(ref writer, plan.TargetSize));
        }
        else if (map.Form == ValueForm.Union)
        {
            if (MapUnions.ReadCase(map, ref reader, ref writer) is { } one) MapUnions.WriteCase(map.Union!, one, map.Own, ref reader, ref writer);
        }
        else if (map is { Form: ValueForm.Object, Object.Stored.KeepsReferences: true })
        {
            if (MapUnions.CopyReference(ref reader, ref writer)) MapBodies.Body(map.Object, ref reader, ref writer);
        }
        else if (map.Form == ValueForm.Wrap)
        {
            Wrap(map, ref reader, ref writer);
        }
        else if (map.Form == ValueForm.Unwrap)
        {
            Unwrap(map, ref reader, ref writer);
        }
        else if (map.StoredIsOptional && !reader.ReadPresence())
        {
            if (reader.TakeSpan(map.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            Zero(map, ref writer);
        }
        else
        {
            Present(map, ref reader, ref writer);
        }
    }

    /// <summary>A value whose presence byte, if it has one, is read.</summary>
    public static void Present(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        if (map.OwnIsOptional) writer.Take(1) = 1;
        Inner(map, ref reader, ref writer);
    }

    /// <summary>What is behind the presence bytes.</summary>
    private static void Inner(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        switch (map.Form)
        {
            case ValueForm.Object:
                MapBodies.Body(map.Object!, ref reader, ref writer);
                break;
            case ValueForm.List:
                MapLists.List(map.Element!, ref reader, ref writer);
                break;
            case ValueForm.Map:
                MapLists.Pairs(map, ref reader, ref writer);
                break;
            case ValueForm.Union:
                MapUnions.WriteCase(map.Union!, map.Union!.Only!, map.Own, ref reader, ref writer);
                break;
            case ValueForm.Text:
                Text(map, ref reader, ref writer);
                break;
            default:
                // Only whether it may be absent has changed.
                Stretch copied = new(ref reader);
                (map.Stored.Kind == SchemaKind.Nullable ? map.Skip.Element! : map.Skip).Skip(ref reader);
                writer.WriteBytes(copied.To(in reader));
                break;
        }
    }

    /// <summary>Null or zero.</summary>
    public static void Zero(ValueMap map, ref NinoWriter writer) => writer.WriteBytes(map.OwnZero);

    private static void Text(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        string text = ValueMap.Inner(map.Stored).Kind switch
        {
            SchemaKind.Char => default(CharCodec).Read(ref reader).ToString(),
            SchemaKind.Rune => default(RuneCodec).Read(ref reader).ToString(),
            SchemaKind.String => default(StringCodec).Read(ref reader),
            _ => default(Utf8StringCodec).Read(ref reader),
        };
        if (ValueMap.Inner(map.Own).Kind == SchemaKind.String) default(StringCodec).Write(ref writer, text);
        else default(Utf8StringCodec).Write(ref writer, text);
    }

    private static void Wrap(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ValueMap element = map.Element!;
        NinoReader start = reader;
        bool isPresent = element.Stored.Kind switch
        {
            SchemaKind.Object when element.Stored.Definition is ObjectDefinition { KeepsReferences: true } => reader.ReadCompact() != 0,
            SchemaKind.Nullable or SchemaKind.Object => !element.StoredIsOptional || reader.ReadPresence(),
            SchemaKind.Union => !IsNullUnion((UnionDefinition)element.Stored.Definition!, ref reader),
            SchemaKind.String or SchemaKind.Utf8String => reader.ReadCompact() != 0,
            _ => true,
        };
        if (!isPresent)
        {
            if (reader.TakeSpan(element.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);

            // No list where there may be none, else an empty one.
            if (map.OwnIsOptional) Zero(map, ref writer);
            else writer.WriteCompact(1);
            return;
        }

        reader = start;
        if (map.OwnIsOptional) writer.Take(1) = 1;

        // One element: of a class ((1 << 1) | 0) + 1 and the bare body, else 1 + 1 and the value.
        if (!element.Own.HasPresenceByte)
        {
            writer.WriteCompact(2);
            Value(element, ref reader, ref writer);
            return;
        }

        writer.WriteCompact(3);
        if (element.Union is { } union)
        {
            MapUnions.FromUnion(element, union, writesNulls: false, ref reader, ref writer);
            return;
        }

        if (element.StoredIsOptional) reader.ReadPresence();
        MapBodies.Body(element.Object!, ref reader, ref writer);
    }

    private static void Unwrap(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ValueMap element = map.Element!;
        if (map.StoredIsOptional && !reader.ReadPresence())
        {
            Zero(map, ref writer);
            return;
        }

        if (!MapLists.ReadCount(element.Stored, ref reader, out uint count, out bool hasNulls, out _) || count == 0)
        {
            Zero(map, ref writer);
            return;
        }

        if (count > 1) throw new NinoSerializationException($"A stored list has {count} elements, and the member holds one value now. Keep a collection for such records.") { IsUnfit = true };
        if (!element.Stored.HasPresenceByte)
        {
            Value(element, ref reader, ref writer);
        }
        else if (!hasNulls)
        {
            Present(element, ref reader, ref writer);
        }
        else
        {
            if (reader.ReadPresence()) Throw.NoNullElement();
            Zero(element, ref writer);
        }
    }

    private static bool IsNullUnion(UnionDefinition union, ref NinoReader reader)
    {
        if (union.KeepsReferences) return reader.ReadCompact() == 0;
        UnionMap.ReadTag(union, ref reader, out bool isNull);
        return isNull;
    }
}
