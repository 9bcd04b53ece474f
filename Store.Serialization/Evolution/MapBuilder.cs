// From two schemas to the plan between them. First every pair of types that meets is matched field by field; then it is known which stay as they are;
// last each pair gets its steps. Types are visited from a queue: a hostile schema may chain very many.

namespace Store.Serialization.Evolution;

internal sealed class MapBuilder
{
    private readonly NinoSchema _stored;
    private readonly NinoSchema _own;
    private readonly Dictionary<(ObjectDefinition Stored, ObjectDefinition Own), ObjectMap> _objects = [];
    private readonly Dictionary<(SchemaDefinition Stored, SchemaDefinition Own), UnionMap> _unions = [];
    private readonly HashSet<SchemaDefinition> _numbered;
    private readonly Queue<ObjectMap> _unmatched = new();
    private readonly List<ObjectMap> _matched = [];
    private readonly SkipNodes _skips = new();
    private readonly HashSet<ValueMap> _finished = new(ReferenceEqualityComparer.Instance);
    private bool _isProbe;

    private MapBuilder(NinoSchema stored, NinoSchema own)
    {
        _stored = stored;
        _own = own;
        _numbered = ReferenceHolders.Of(stored, own);
    }

    /// <summary>Builds the plan.</summary>
    /// <exception cref="NinoSchemaMismatchException">There is none.</exception>
    public static ValueMap Build(NinoSchema stored, NinoSchema own)
    {
        var builder = new MapBuilder(stored, own);
        if (stored.Root.HasPresenceByte && own.Root.Kind is not (SchemaKind.Object or SchemaKind.Union)) throw builder.Mismatch(stored.Root, "", own.Root, "", "Give the type the name it was stored under, or read it with the type it was stored as.");
        ValueMap root = builder.Value(stored.Root, own.Root, "", "", isMember: false);
        while (builder._unmatched.TryDequeue(out ObjectMap? map)) builder.Match(map);
        builder.SpreadDifferences();
        builder.Finish(root);
        foreach (ObjectMap map in builder._matched) builder.Finish(map);
        builder._skips.Finish();
        return root;
    }

    // ---- Matching

    private ValueMap Value(SchemaNode stored, SchemaNode own, string storedPath, string ownPath, bool isMember)
    {
        SchemaNode from = ValueMap.Inner(stored), to = ValueMap.Inner(own);
        if (from.Kind == SchemaKind.Object && to.Kind == SchemaKind.Object)
        {
            ObjectDefinition storedType = (ObjectDefinition)from.Definition!, ownType = (ObjectDefinition)to.Definition!;
            if (!FieldMatch.IsSameType(storedType, ownType))
                throw Mismatch(stored, storedPath, own, ownPath, $"If it is the same type under a new name, put [NinoFormerName(\"{storedType.Name}\")] on '{ownType.Name}'.");
            if (storedType.KeepsReferences != ownType.KeepsReferences) throw ReferencesChanged(stored, storedPath, own, ownPath);
            return new ValueMap(stored, own, ValueForm.Object) { Object = ObjectsOf(storedType, ownType, storedPath, ownPath) };
        }

        if ((from.Kind == SchemaKind.Union || to.Kind == SchemaKind.Union) && from.Kind is SchemaKind.Object or SchemaKind.Union && to.Kind is SchemaKind.Object or SchemaKind.Union)
            return new ValueMap(stored, own, ValueForm.Union) { Union = UnionsOf(stored, from.Definition!, own, to.Definition!, storedPath, ownPath) };

        if (from.Kind == SchemaKind.List && to.Kind == SchemaKind.List)
            return new ValueMap(stored, own, ValueForm.List) { Element = Value(from.Element!, to.Element!, storedPath + "[]", ownPath + "[]", isMember: false) };
        if (from.Kind == SchemaKind.Map && to.Kind == SchemaKind.Map)
        {
            return new ValueMap(stored, own, ValueForm.Map)
            {
                Key = Value(from.Key!, to.Key!, storedPath + "[key]", ownPath + "[key]", isMember: false),
                Element = Value(from.Element!, to.Element!, storedPath + "[value]", ownPath + "[value]", isMember: false),
            };
        }

        if (from.Kind == SchemaKind.String && to.Kind == SchemaKind.String) return new ValueMap(stored, own, ValueForm.String);
        if (to.Kind == SchemaKind.String && from.Kind is SchemaKind.Char or SchemaKind.Rune) return new ValueMap(stored, own, ValueForm.Text);
        if (IsScalar(from) && IsScalar(to) && ScalarConversions.Find(from, to) is var conversion && conversion != ScalarConversion.None)
            return new ValueMap(stored, own, ValueForm.Fixed) { Conversion = conversion };
        if (from.Kind == to.Kind && IsLeaf(from)) return new ValueMap(stored, own, ValueForm.Opaque);

        // Only as a member: inside collections a reader could not tell which level was meant.
        if (isMember && to.Kind == SchemaKind.List && from.Kind is not (SchemaKind.List or SchemaKind.Map))
            return new ValueMap(stored, own, ValueForm.Wrap) { Element = Value(stored, to.Element!, storedPath, ownPath + "[]", isMember: false) };
        if (isMember && from.Kind == SchemaKind.List && to.Kind is not (SchemaKind.List or SchemaKind.Map))
            return new ValueMap(stored, own, ValueForm.Unwrap) { Element = Value(from.Element!, own, storedPath + "[]", ownPath, isMember: false) };

        throw Mismatch(stored, storedPath, own, ownPath, Advice(from, to));
    }

    private UnionMap UnionsOf(SchemaNode storedNode, SchemaDefinition stored, SchemaNode ownNode, SchemaDefinition own, string storedPath, string ownPath)
    {
        if (_unions.TryGetValue((stored, own), out UnionMap? known)) return known;
        UnionDefinition? from = stored as UnionDefinition, to = own as UnionDefinition;
        bool storedKeeps = from?.KeepsReferences ?? ((ObjectDefinition)stored).KeepsReferences, ownKeeps = to?.KeepsReferences ?? ((ObjectDefinition)own).KeepsReferences;
        if (storedKeeps != ownKeeps) throw ReferencesChanged(storedNode, storedPath, ownNode, ownPath);
        var map = new UnionMap(from, to);
        _unions.Add((stored, own), map);
        // Whether its cases can be read, another probe finds.
        if (_isProbe && to is { IsOfObjects: true }) return map;
        if (from is null)
        {
            map.Only = CaseOf((ObjectDefinition)stored, tag: null, to, own, storedPath, ownPath);
            if (map.Only.Body is null) throw Mismatch(storedNode, storedPath, ownNode, ownPath, $"The base has no case '{stored.Name}' now: keep it as one, or put [NinoFormerName(\"{stored.Name}\")] on the case that it is.");
            return map;
        }

        foreach (UnionCase one in from.Cases)
            map.Add(one.Tag, CaseOf((ObjectDefinition)one.Node.Definition!, from.HasExplicitTags ? one.Tag : null, to, own, storedPath, ownPath));
        if (map.Cases.All(static one => one.Body is null)) throw Mismatch(storedNode, storedPath, ownNode, ownPath, "None of the stored cases is known now. Put [NinoFormerName] on the types that they are.");
        return map;
    }

    private CaseMap CaseOf(ObjectDefinition stored, uint? tag, UnionDefinition? union, SchemaDefinition own, string storedPath, string ownPath)
    {
        UnionCase? found = null;
        ObjectDefinition? type = union is null && FieldMatch.IsSameType(stored, (ObjectDefinition)own) ? (ObjectDefinition)own : null;
        if (union is not null)
        {
            found = tag is { } given && union.HasExplicitTags ? union.Find(given)
                : union.Cases.FirstOrDefault(one => one.Node.Definition!.Name == stored.Name) ?? union.Cases.FirstOrDefault(one => FieldMatch.IsSameType(stored, (ObjectDefinition)one.Node.Definition!));
            type = (ObjectDefinition?)found?.Node.Definition;
        }

        if (type is null) return new CaseMap(stored, 0, null, _skips.Of(stored));
        if (union is { IsOfObjects: true } && WhyNot(stored, type, storedPath, ownPath) is { } why) return new CaseMap(stored, 0, null, _skips.Of(stored)) { Why = why };
        if (type.KeepsReferences != stored.KeepsReferences) throw ReferencesChanged(SchemaNode.Reference(stored), storedPath, SchemaNode.Reference(type), ownPath);
        return new CaseMap(stored, found?.Tag ?? 0, ObjectsOf(stored, type, $"{storedPath}({stored.Name})", $"{ownPath}({type.Name})"), _skips.Of(stored));
    }

    /// <summary>
    /// Why a case of an object member cannot be read as what it is now; null when it can. The cases are all types of an assembly, most of them never stored
    /// there: one that changed too much is refused where a value of it is met, and does not make all other records unreadable.
    /// </summary>
    private string? WhyNot(ObjectDefinition stored, ObjectDefinition own, string storedPath, string ownPath)
    {
        if (own.KeepsReferences != stored.KeepsReferences) return "It keeps references on one side only.";
        var probe = new MapBuilder(_stored, _own) { _isProbe = true };
        probe.ObjectsOf(stored, own, storedPath, ownPath);
        try
        {
            while (probe._unmatched.TryDequeue(out ObjectMap? map)) probe.Match(map);
            return null;
        }
        catch (NinoSchemaMismatchException error)
        {
            return error.Message;
        }
    }

    private ObjectMap ObjectsOf(ObjectDefinition stored, ObjectDefinition own, string storedPath, string ownPath)
    {
        if (_objects.TryGetValue((stored, own), out ObjectMap? known)) return known;
        var created = new ObjectMap(stored, own, storedPath, ownPath);
        _objects.Add((stored, own), created);
        _unmatched.Enqueue(created);
        return created;
    }

    private void Match(ObjectMap map)
    {
        _matched.Add(map);
        IReadOnlyList<SchemaField> fields = map.Own.Fields;
        map.Sources = FieldMatch.Find(map.Stored, map.Own);
        map.Values = new ValueMap?[fields.Count];
        map.Defaults = new byte[]?[fields.Count];
        bool isIdentical = fields.Count == map.Stored.Fields.Count;
        byte[]?[]? defaults = null;
        for (int i = 0; i < fields.Count; i++)
        {
            int source = map.Sources[i];
            isIdentical &= source == i;
            string ownPath = Join(map.OwnPath, fields[i].Name);
            if (source >= 0)
            {
                SchemaField from = map.Stored.Fields[source];
                map.Values[i] = Value(from.Node, fields[i].Node, Join(map.StoredPath, from.Name), ownPath, isMember: true);
                continue;
            }

            if (fields[i].IsRequired) throw MissingRequired(map, fields[i], ownPath);
            // An object of a default would take a number that stored references count on.
            byte[]? bytes = _numbered.Contains(map.Own) ? null : (defaults ??= DefaultFields.Of(map.Own))[i];
            map.Defaults[i] = bytes ?? ZeroValue.Of(fields[i].Node);
        }

        CheckReferences(map);

        map.IsIdentical = isIdentical;
    }

    /// <summary>References are numbers in the order of the encoding: no object to which they are kept may be left out or change its place.</summary>
    private void CheckReferences(ObjectMap map)
    {
        if (_numbered.Count == 0) return;
        int last = -1;
        var kept = new HashSet<int>();
        for (int i = 0; i < map.Sources.Length; i++)
        {
            int source = map.Sources[i];
            if (source < 0 || !ReferenceHolders.Holds(_numbered, map.Stored.Fields[source].Node)) continue;
            kept.Add(source);
            if (source < last) throw References(map, map.Stored.Fields[source], "comes in another order now. Give the members ids that keep their order.");
            last = source;
        }

        for (int i = 0; i < map.Stored.Fields.Count; i++)
        {
            if (!kept.Contains(i) && ReferenceHolders.Holds(_numbered, map.Stored.Fields[i].Node)) throw References(map, map.Stored.Fields[i], "has no place now. Keep it.");
        }

        NinoSchemaMismatchException References(ObjectMap pair, SchemaField field, string what) => Mismatch(
            field.Node, Join(pair.StoredPath, field.Name), SchemaNode.Reference(pair.Own), pair.OwnPath, $"It holds objects to which references are kept, numbered in the order of the members, and it {what}");
    }

    // ---- What stays as it is

    private void SpreadDifferences()
    {
        var users = new Dictionary<ObjectMap, List<ObjectMap>>(ReferenceEqualityComparer.Instance);
        var changed = new Queue<ObjectMap>();
        var inside = new List<ObjectMap>();
        foreach (ObjectMap map in _matched)
        {
            inside.Clear();
            foreach (ValueMap? value in map.Values) map.IsIdentical &= value is not null && MayBeIdentical(value, inside);
            if (!map.IsIdentical) changed.Enqueue(map);
            foreach (ObjectMap type in inside)
            {
                if (!users.TryGetValue(type, out List<ObjectMap>? list)) users.Add(type, list = []);
                list.Add(map);
            }
        }

        while (changed.TryDequeue(out ObjectMap? map))
        {
            if (!users.TryGetValue(map, out List<ObjectMap>? list)) continue;
            foreach (ObjectMap user in list)
            {
                if (!user.IsIdentical) continue;
                user.IsIdentical = false;
                changed.Enqueue(user);
            }
        }
    }

    /// <summary>True when the bytes stay as they are, provided that those of the objects <paramref name="inside"/> do.</summary>
    private static bool MayBeIdentical(ValueMap value, List<ObjectMap> inside)
    {
        if (value.Stored.Kind == SchemaKind.Nullable != (value.Own.Kind == SchemaKind.Nullable)) return false;
        switch (value.Form)
        {
            case ValueForm.Fixed:
                return value.Conversion == ScalarConversion.Copy;
            case ValueForm.String or ValueForm.Opaque:
                return true;
            case ValueForm.Object:
                inside.Add(value.Object!);
                return value.Stored.HasPresenceByte == value.Own.HasPresenceByte;
            case ValueForm.Union:
                if (!value.Union!.KeepsForm) return false;
                inside.AddRange(value.Union.Cases.Select(static one => one.Body!));
                return true;
            case ValueForm.List:
                return MayBeIdentical(value.Element!, inside);
            case ValueForm.Map:
                return MayBeIdentical(value.Key!, inside) && MayBeIdentical(value.Element!, inside);
            default:
                return false;
        }
    }

    // ---- Steps

    private void Finish(ValueMap value)
    {
        if (!_finished.Add(value)) return;
        var inside = new List<ObjectMap>();
        value.IsIdentical = MayBeIdentical(value, inside) && inside.TrueForAll(static type => type.IsIdentical);
        value.Skip = _skips.Of(value.Stored);
        if (value.Key is { } key) Finish(key);
        if (value.Element is { } element) Finish(element);
        if (!value.IsIdentical && value.StoredSize > 0 && value.OwnSize > 0) value.Fixed = new FixedPlan(FixedSteps(value, 0, 0), value.StoredSize, value.OwnSize);
    }

    private void Finish(ObjectMap map)
    {
        map.Skip = _skips.Of(map.Stored);
        foreach (ValueMap? value in map.Values)
        {
            if (value is not null) Finish(value);
        }

        BodySteps.Lay(map, _skips);
    }

    /// <summary>The steps between two fixed-width values at offsets. Recursion ends with the structs inside the program's own type.</summary>
    internal static IEnumerable<FixedStep> FixedSteps(ValueMap value, int source, int target)
    {
        if (value.IsIdentical || (value.Form == ValueForm.Fixed && value.Conversion == ScalarConversion.Copy && value.StoredIsOptional == value.OwnIsOptional))
            return [new FixedStep(FixedOp.Copy, source, target, value.StoredSize)];
        if (value is { StoredIsOptional: true, OwnIsOptional: true })
            return [new FixedStep(FixedOp.Nullable, source, target, value.StoredSize) { Inner = InnerPlan(value, value.StoredSize - 1, value.OwnSize - 1) }];
        if (value.StoredIsOptional)
            return [new FixedStep(FixedOp.AbsentIsZero, source, target, value.StoredSize) { Inner = InnerPlan(value, value.StoredSize - 1, value.OwnSize) }];
        return value.OwnIsOptional
            ? InnerSteps(value, source, target + 1).Prepend(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = [1] })
            : InnerSteps(value, source, target);
    }

    private static FixedPlan InnerPlan(ValueMap value, int sourceSize, int targetSize) => new(InnerSteps(value, 0, 0), sourceSize, targetSize);

    private static IEnumerable<FixedStep> InnerSteps(ValueMap value, int source, int target)
    {
        SchemaNode from = ValueMap.Inner(value.Stored), to = ValueMap.Inner(value.Own);
        if (value.Object is { } type) return StructSteps(type, source, target);
        int size = SchemaShape.FixedSizeOf(from);
        return value.Conversion == ScalarConversion.Copy
            ? [new FixedStep(FixedOp.Copy, source, target, size)]
            : [new FixedStep(FixedOp.Convert, source, target, size) { Conversion = value.Conversion, From = ScalarConversions.KindOf(from), To = ScalarConversions.KindOf(to) }];
    }

    private static List<FixedStep> StructSteps(ObjectMap map, int source, int target)
    {
        if (map.IsIdentical) return [new FixedStep(FixedOp.Copy, source, target, map.Stored.FixedBodySize)];
        var steps = new List<FixedStep>();
        int[] offsets = OffsetsOf(map.Stored);
        if (map.Stored.Fields.Count == 0) steps.Add(BodySteps.CheckEmpty(source));
        if (map.Own.Fields.Count == 0) steps.Add(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = [0] });
        for (int i = 0; i < map.Values.Length; i++)
        {
            if (map.Values[i] is { } value) steps.AddRange(FixedSteps(value, source + offsets[map.Sources[i]], target));
            else steps.Add(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = map.Defaults[i] });
            target += SchemaShape.FixedSizeOf(map.Own.Fields[i].Node);
        }

        for (int i = 0; i < offsets.Length; i++)
        {
            if (!map.Sources.Contains(i)) steps.AddRange(BodySteps.Check(map.Stored.Fields[i].Node, source + offsets[i]));
        }

        return steps;
    }

    private static int[] OffsetsOf(ObjectDefinition type)
    {
        int[] offsets = new int[type.Fields.Count];
        int offset = 0;
        for (int i = 0; i < offsets.Length; i++)
        {
            offsets[i] = offset;
            offset += SchemaShape.FixedSizeOf(type.Fields[i].Node);
        }

        return offsets;
    }

    // ---- Words

    private NinoSchemaMismatchException Mismatch(SchemaNode stored, string storedPath, SchemaNode own, string ownPath, string advice)
    {
        string from = storedPath.Length == 0 ? "the record" : $"the member '{storedPath}'", to = ownPath.Length == 0 ? "the record" : $"the member '{ownPath}'";
        return new($"Records stored as '{_stored.Name}' (schema {_stored.Fingerprint:x16}) cannot be read as '{_own.Name}' (schema {_own.Fingerprint:x16}): {from} is stored as {SchemaText.Of(stored)}, and {to} is {SchemaText.Of(own)} now. {advice}")
        {
            TypeName = _own.Name,
            MemberPath = ownPath.Length == 0 ? null : ownPath,
            StoredPath = storedPath,
            OwnPath = ownPath,
        };
    }

    private NinoSchemaMismatchException ReferencesChanged(SchemaNode stored, string storedPath, SchemaNode own, string ownPath) =>
        Mismatch(stored, storedPath, own, ownPath, "One of them keeps references ([NinoType(References = true)]) and the other does not: both must.");

    private NinoSchemaMismatchException MissingRequired(ObjectMap map, SchemaField field, string ownPath)
    {
        const int MaxShown = 12;
        IEnumerable<string> names = map.Stored.Fields.Take(MaxShown).Select(static f => f.Name);
        string members = map.Stored.Fields.Count == 0 ? "no members" : $"the members {string.Join(", ", names)}{(map.Stored.Fields.Count > MaxShown ? ", …" : "")}";
        return new($"Records stored as '{_stored.Name}' (schema {_stored.Fingerprint:x16}) cannot be read as '{_own.Name}' (schema {_own.Fingerprint:x16}): the member '{ownPath}' ({SchemaText.Of(field.Node)}) is required, and the stored type '{map.Stored.Name}' has {members} and not this one."
            + " Take 'required' from it, so that it gets its default value, or name what it was called with [NinoFormerName].")
        {
            TypeName = _own.Name,
            MemberPath = ownPath,
            StoredPath = map.StoredPath,
            OwnPath = ownPath,
        };
    }

    private static string Advice(SchemaNode from, SchemaNode to)
    {
        const string NewName = "Keep the stored type for this member and add another one beside it, or give the member a new name (its values are then left out).";
        if (IsScalar(from) && IsScalar(to) && ScalarConversions.Find(to, from) != ScalarConversion.None) return "Going back would lose digits. " + NewName;
        return NewName;
    }

    private static bool IsScalar(SchemaNode node) => node.Kind is < SchemaKind.String or SchemaKind.Enum;

    private static bool IsLeaf(SchemaNode node) => node.Key is null && node.Element is null && node.Definition is null;

    private static string Join(string path, string name) => path.Length == 0 ? name : path + "." + name;
}
