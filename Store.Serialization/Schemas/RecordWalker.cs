// Moves over the values of a record by its schema, with every check that the codecs make, and without creating any value but on the way.

using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>
/// A schema-driven forward walk over bytes that may be hostile, under a schema that may be: throws <see cref="NinoSerializationException"/> and nothing else.
/// It does not notice duplicate keys.
/// </summary>
internal static class RecordWalker
{
    /// <summary>Moves over a whole record: a root of a reference type has no presence byte.</summary>
    public static void SkipRecord(ref NinoReader reader, SchemaNode root) => WalkRecord(ref reader, root, path: null, stopAt: int.MaxValue);

    /// <summary>Moves over one value as it stands in a field, in a map, or in a list of anything but objects of reference types.</summary>
    public static void Skip(ref NinoReader reader, SchemaNode node) => Walk(ref reader, node, path: null, stopAt: int.MaxValue);

    /// <summary>Moves over the body of an object: its fields in order.</summary>
    public static void SkipBody(ref NinoReader reader, ObjectDefinition type) => WalkBody(ref reader, type, path: null, stopAt: int.MaxValue);

    /// <summary>Walks until the first value that ends at or after <paramref name="stopAt"/>.</summary>
    /// <returns>False when it stopped there; <paramref name="path"/> then names that value.</returns>
    public static bool WalkRecord(ref NinoReader reader, SchemaNode root, RecordPath? path, int stopAt) =>
        root.HasPresenceByte ? WalkBody(ref reader, (ObjectDefinition)root.Definition!, path, stopAt) : Walk(ref reader, root, path, stopAt);

    private static bool Walk(ref NinoReader reader, SchemaNode node, RecordPath? path, int stopAt)
    {
        if (path is not null) path.ValueStart = reader.Position;
        switch (node.Kind)
        {
            case SchemaKind.Union:
                return WalkUnion(ref reader, (UnionDefinition)node.Definition!, path, stopAt);
            case SchemaKind.Object:
                var type = (ObjectDefinition)node.Definition!;
                if (type.KeepsReferences)
                {
                    uint reference = ReadReference(ref reader, type);
                    if (reader.Position >= stopAt) return false;
                    return reference != 1 || WalkNumbered(ref reader, type, path, stopAt);
                }

                if (type.IsReference)
                {
                    bool present = reader.ReadPresence();
                    if (reader.Position >= stopAt) return false;
                    if (!present) return true;
                }

                return WalkBody(ref reader, type, path, stopAt);
            case SchemaKind.Nullable:
                return WalkNullable(ref reader, node, path, stopAt);
            case SchemaKind.List:
                return WalkList(ref reader, node, path, stopAt);
            case SchemaKind.Map:
                return WalkMap(ref reader, node, path, stopAt);
            default:
                SkipScalar(ref reader, node);
                return reader.Position < stopAt;
        }
    }

    private static bool WalkBody(ref NinoReader reader, ObjectDefinition type, RecordPath? path, int stopAt)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) throw new NinoSerializationException("The record nests deeper than the stack allows.");
        if (type.IsReference) path?.NoteObject(reader.Position);
        if (type.Fields.Count == 0)
        {
            if (path is not null) path.ValueStart = reader.Position;
            reader.ReadEmptyBody();
            return reader.Position < stopAt;
        }

        // Depth is counted where codecs count it. The guard above is for schemas that are long chains of types.
        if (type.IsRecursive) reader.Enter();
        // By index: an enumerator of an interface is an object, and this runs for every object that is dropped.
        IReadOnlyList<SchemaField> fields = type.Fields;
        for (int i = 0; i < fields.Count; i++)
        {
            SchemaField field = fields[i];
            path?.PushMember(field.Name);
            if (!Walk(ref reader, field.Node, path, stopAt)) return false;
            path?.Pop();
        }

        if (type.IsRecursive) reader.Leave();
        return true;
    }

    private static bool WalkUnion(ref NinoReader reader, UnionDefinition union, RecordPath? path, int stopAt)
    {
        if (union.KeepsReferences && ReadReference(ref reader, union) != 1) return reader.Position < stopAt;
        SchemaNode? one = ReadCase(ref reader, union, out int end);
        if (reader.Position >= stopAt) return false;
        if (one is null) return true;

        var type = (ObjectDefinition)one.Definition!;
        bool isNumbered = union.KeepsReferences;
        if (type.KeepsReferences && !isNumbered)
        {
            isNumbered = ReadCaseReference(ref reader, type) == 1;
            if (reader.Position >= stopAt) return false;
            if (!isNumbered) return true;
        }

        bool goesOn = isNumbered ? WalkNumbered(ref reader, type, path, stopAt) : WalkBody(ref reader, type, path, stopAt);
        if (goesOn && end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
        return goesOn;
    }

    /// <summary>An object to which references are kept, when it is met first.</summary>
    private static bool WalkNumbered(ref NinoReader reader, ObjectDefinition type, RecordPath? path, int stopAt)
    {
        reader.SetReference(reader.AddReference(), type);
        return WalkBody(ref reader, type, path, stopAt);
    }

    /// <summary>Reads the place of an object to which references are kept. For a walk, the type of an object stands for it.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="declared">What may stand there: a class or a union.</param>
    /// <returns>0 for null, 1 when the object follows, else its number + 2.</returns>
    internal static uint ReadReference(ref NinoReader reader, SchemaDefinition declared)
    {
        uint reference = reader.ReadCompact();
        if (reference <= 1) return reference;
        var met = (ObjectDefinition)reader.Resolve(reference);
        bool fits = declared is UnionDefinition union ? union.Has(met) : ReferenceEquals(declared, met);
        if (!fits) Throw.ReferenceOfAnotherType(met.Name, declared.Name);
        return reference;
    }

    /// <summary>Reads the tag, and where there is one the length, of a value of a union. An unknown case is skipped where that is allowed.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="union">The union.</param>
    /// <param name="end">How many bytes are left after the case, or -1 when its length is not stored.</param>
    /// <returns>The case that follows, or null when the value is null or was skipped.</returns>
    internal static SchemaNode? ReadCase(ref NinoReader reader, UnionDefinition union, out int end)
    {
        end = -1;
        uint stored = union.HasExplicitTags ? reader.ReadCompact() : NinoGenerated.ReadTag(ref reader);
        if (stored == 0)
        {
            if (union.KeepsReferences) Throw.NullCase();
            return null;
        }

        uint tag = union.HasExplicitTags ? stored - 1 : stored;
        UnionCase? one = union.Find(tag);
        if (one is null && !union.SkipsUnknown) Throw.UnknownTag(union.Name, union.Describe(tag), union.KnownCases());
        if (!union.SkipsUnknown) return one!.Node;

        end = NinoGenerated.ReadCaseEnd(ref reader);
        if (one is null) reader.Take(reader.Remaining - end);
        return one?.Node;
    }

    /// <summary>As <see cref="ReadReference"/> for a case of a union that keeps none itself: there, null is the tag 0.</summary>
    internal static uint ReadCaseReference(ref NinoReader reader, ObjectDefinition type)
    {
        uint reference = ReadReference(ref reader, type);
        if (reference == 0) Throw.NullCase();
        return reference;
    }

    private static bool WalkNullable(ref NinoReader reader, SchemaNode node, RecordPath? path, int stopAt)
    {
        int size = SchemaShape.FixedSizeOf(node.Element!);
        bool present = reader.ReadPresence();
        if (present) return Walk(ref reader, node.Element!, path, stopAt);
        if (size > 0 && reader.TakeSpan(size).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
        return reader.Position < stopAt;
    }

    private static bool WalkList(ref NinoReader reader, SchemaNode node, RecordPath? path, int stopAt)
    {
        SchemaNode element = node.Element!;
        uint header = reader.ReadHeader(out KnownComparer comparer);
        if (comparer != KnownComparer.Default) CheckComparer(element);
        if (header == 0) return reader.Position < stopAt;

        uint count = header - 1;
        ObjectDefinition? bare = null;
        bool hasNulls = false;
        int minSize = SchemaShape.MinSizeOf(element);
        if (element.HasPresenceByte)
        {
            hasNulls = (count & 1) != 0;
            count >>= 1;
            if (hasNulls && count == 0) Throw.NoNullElement();
            if (!hasNulls) bare = (ObjectDefinition)element.Definition!;
            if (bare is not null) minSize = bare.MinBodySize;
        }

        bool endsOpen = path is { EndsOpen: true };
        if (!endsOpen) reader.CheckCount(count, minSize);
        if (reader.Position >= stopAt) return false;

        if (IsPlain(element))
        {
            int first = reader.Position;
            if (endsOpen && count * (long)minSize > reader.Remaining)
            {
                path!.PushIndex(reader.Remaining / minSize);
                Throw.EndOfInput(count * (long)minSize, reader.Remaining);
            }

            reader.TakeSpan((int)(count * (uint)minSize));
            path?.PassRun(first, minSize, count);
            if (reader.Position < stopAt) return true;
            int index = (stopAt - first - 1) / minSize;
            path?.PushIndex(index);
            if (path is not null) path.ValueStart = first + (index * minSize);
            return false;
        }

        bool anyNull = false;
        for (int i = 0; i < (int)count; i++)
        {
            path?.PushIndex(i);
            int start = reader.Position;
            if (path is not null) path.ValueStart = start;
            if (!(bare is null ? Walk(ref reader, element, path, stopAt) : WalkBody(ref reader, bare, path, stopAt))) return false;
            anyNull |= hasNulls && reader.Position - start == 1;
            path?.Pop();
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        return true;
    }

    private static bool WalkMap(ref NinoReader reader, SchemaNode node, RecordPath? path, int stopAt)
    {
        // Bytes that end open need not hold what their count promises.
        bool endsOpen = path is { EndsOpen: true };
        int count = reader.ReadCount(endsOpen ? 0 : SchemaShape.MinSizeOf(node.Key!) + SchemaShape.MinSizeOf(node.Element!), out KnownComparer comparer);
        if (comparer != KnownComparer.Default) CheckComparer(node.Key!);
        if (reader.Position >= stopAt) return false;
        for (int i = 0; i < count; i++)
        {
            int keyStart = reader.Position;
            path?.PushIndex(i);
            path?.PushMember("Key");
            if (!Walk(ref reader, node.Key!, path, stopAt)) return false;
            path?.Pop();
            if (endsOpen) path!.NameKey(node.Key!, keyStart);
            path?.PushMember("Value");
            if (!Walk(ref reader, node.Element!, path, stopAt)) return false;
            path?.Pop();
            path?.Pop();
        }

        return true;
    }

    /// <summary>Only strings have comparers that are kept.</summary>
    internal static void CheckComparer(SchemaNode compared)
    {
        if (compared.Kind is not (SchemaKind.String or SchemaKind.Utf8String)) Throw.ComparerOfOtherThanStrings();
    }

    // Numbers of which every bit pattern is valid: a run of them is one step.
    private static bool IsPlain(SchemaNode node) =>
        node.Kind is (>= SchemaKind.SByte and <= SchemaKind.Double) or SchemaKind.Char or SchemaKind.Guid or SchemaKind.TimeSpan or SchemaKind.Enum;

    /// <summary>Moves over a value of a kind that is neither object, nullable, list nor map, with the checks of its codec.</summary>
    internal static void SkipScalar(ref NinoReader reader, SchemaNode node)
    {
        switch (node.Kind)
        {
            case SchemaKind.Boolean: default(BooleanCodec).Read(ref reader); break;
            case SchemaKind.Decimal: default(DecimalCodec).Read(ref reader); break;
            case SchemaKind.Rune: default(RuneCodec).Read(ref reader); break;
            case SchemaKind.DateTime: default(DateTimeCodec).Read(ref reader); break;
            case SchemaKind.DateTimeOffset: default(DateTimeOffsetCodec).Read(ref reader); break;
            case SchemaKind.DateOnly: default(DateOnlyCodec).Read(ref reader); break;
            case SchemaKind.TimeOnly: default(TimeOnlyCodec).Read(ref reader); break;
            case SchemaKind.BigInteger: BigIntegerCodec.Take(ref reader); break;
            case SchemaKind.String: StringCodec.Skip(ref reader); break;
            case SchemaKind.Utf8String: Utf8StringCodec.Take(ref reader, out _, out _); break;
            default: reader.Take(SchemaShape.FixedSizeOf(node)); break;
        }
    }
}
