// Objects of one of several types: the tag, the reference and the length in front of a case, and the case.

namespace Store.Serialization.Evolution;

/// <summary>Rewrites values of unions. Trusts no byte: see <see cref="NinoRecordMapper"/>.</summary>
internal static class MapUnions
{
    /// <summary>Copies the number that an object to which references are kept has, or the 1 in front of it. True: the object follows.</summary>
    public static bool CopyReference(ref NinoReader reader, ref NinoWriter writer)
    {
        uint reference = reader.ReadCompact();
        writer.WriteCompact(reference);
        return reference == 1;
    }

    /// <summary>Reads what is in front of the body of a case. Null: there is none; null, or the number of an object met before, was written.</summary>
    public static CaseMap? ReadCase(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        UnionMap union = map.Union!;
        bool isNumbered = union.Stored?.KeepsReferences ?? union.Only!.Stored.KeepsReferences;
        if (isNumbered && !CopyReference(ref reader, ref writer)) return null;
        if (union.Stored is null)
        {
            if (isNumbered || !map.StoredIsOptional || reader.ReadPresence()) return union.Only;
            if (reader.TakeSpan(map.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            MapValues.Zero(map, ref writer);
            return null;
        }

        uint tag = UnionMap.ReadTag(union.Stored, ref reader, out bool isNull);
        CaseMap? one = isNull ? null : union.Find(tag);
        if (one is { Body: not null }) return one;
        if (one is not null)
        {
            if (union.Own is not { SkipsUnknown: true } && one.Problem is { } problem) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}', which has changed too much since. {problem.Message}") { IsUnfit = true };
            if (one.NewTag is { } now) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}' and has the tag {tag}, which no case of '{union.Own!.Name}' has now: that type has the tag {now}. Give it the tag {tag} back, by which it is stored.") { IsUnfit = true };
            if (union.Own is not { SkipsUnknown: true }) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}', which {(union.Own is null ? $"'{NameOf(map.Own)}' cannot hold" : $"is no case of '{union.Own.Name}'")} now. Keep that type, or give the case that it is {FieldMatch.FormerNameMark(one.Stored.Name)}.") { IsUnfit = true };
            if (one.HoldsReferences) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}', which is no case of '{union.Own.Name}' now. Unknown cases are skipped, but this one holds objects to which references are kept, and the references behind it count them. Keep that type, or give the case that it is {FieldMatch.FormerNameMark(one.Stored.Name)}.") { IsUnfit = true };
            if (one.IsRenamedBase) throw new NinoSerializationException($"A stored object is a '{one.Stored.Name}', the base itself, and the base is '{union.Own.Name}' now. Unknown cases are skipped, but this one was most likely renamed: put {FieldMatch.FormerNameMark(one.Stored.Name)} on '{union.Own.Name}'.") { IsUnfit = true };
            SkipStored(union.Stored, one, ref reader);
        }

        MapValues.Zero(map, ref writer);
        return null;
    }

    // Of a struct that may be null, the struct's.
    private static string NameOf(SchemaNode own) => (own.Definition ?? own.Element!.Definition)!.Name;

    private static void SkipStored(UnionDefinition union, CaseMap one, ref NinoReader reader)
    {
        int end = union.SkipsUnknown ? NinoGenerated.ReadCaseEnd(ref reader) : -1;
        RecordWalker.SkipBody(ref reader, one.Stored);
        if (end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
    }

    /// <summary>Writes a case. The reader stands behind the tag.</summary>
    public static void WriteCase(UnionMap union, CaseMap one, SchemaNode own, ref NinoReader reader, ref NinoWriter writer)
    {
        if (union.Own is null)
        {
            // Where the type is an object now: its presence byte. A number, where references are kept, is written.
            if (own.HasPresenceByte || own.Kind == SchemaKind.Nullable) writer.Take(1) = 1;
            CaseBody(union, one, ref reader, ref writer);
            return;
        }

        UnionMap.WriteTag(union.Own, one.Tag, ref writer);
        if (!union.Own.SkipsUnknown)
        {
            CaseBody(union, one, ref reader, ref writer);
            return;
        }

        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            NinoWriter part = writer.Part(buffer);
            CaseBody(union, one, ref reader, ref part);
            part.Flush();
            writer.WriteCompact((uint)buffer.Written.Length);
            writer.WriteBytes(buffer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    public static void CaseBody(UnionMap union, CaseMap one, ref NinoReader reader, ref NinoWriter writer)
    {
        int end = union.Stored is { SkipsUnknown: true } ? NinoGenerated.ReadCaseEnd(ref reader) : -1;
        bool isNumbered = one.Stored.KeepsReferences && union.Stored is { KeepsReferences: false };
        if (!isNumbered || CopyReference(ref reader, ref writer)) MapBodies.Body(one.Body!, ref reader, ref writer);
        if (end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
    }

    /// <summary>One element of a union that becomes an object. True when it is null.</summary>
    public static bool FromUnion(ValueMap element, UnionMap union, bool writesNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        uint tag = UnionMap.ReadTag(union.Stored!, ref reader, out bool isNull);
        if (writesNulls) writer.Take(1) = isNull ? (byte)0 : (byte)1;
        if (isNull) return true;
        CaseMap one = union.Find(tag);
        if (one.Body is null) throw one.Refused("element", NameOf(element.Own));
        CaseBody(union, one, ref reader, ref writer);
        return false;
    }
}
