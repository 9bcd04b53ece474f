// From two schemas to the plan between them. First every pair of types that meets is matched field by field, once, wherever it is met; then it is known which can
// be read and which stay as they are; last each pair gets its steps. Types are visited from a queue: a hostile schema may chain very many. Time and memory are
// linear in the stored schema.

namespace Store.Serialization.Evolution;

internal sealed class MapBuilder
{
    // How many members the types of all pairs may have together: so many always, and so many times those of both schemas. A type meets its own self, hardly ever two others; a stranger's schema names a type of the program again and again in twenty
    // bytes each, and each of these had the program's members in the plan.
    private const long AlwaysMembers = 1 << 18;
    private const int MembersTimes = 4;

    private readonly NinoSchema _stored;
    private readonly NinoSchema _own;
    private readonly MapProblem.Source _problems;
    private readonly Dictionary<(ObjectDefinition Stored, ObjectDefinition Own), MapPair> _objects = [];
    private readonly Dictionary<(SchemaDefinition Stored, SchemaDefinition Own), MapPair> _unions = [];
    private readonly Dictionary<ObjectDefinition, byte[]?[]> _absent = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<SchemaDefinition, CaseNames> _caseNames = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<SchemaDefinition> _numbered;
    private readonly Queue<MapPair> _unmatched = new();
    private readonly List<MapPair> _pairs = [];
    private readonly SkipNodes _skips = new();
    private readonly SchemaMeanings? _meanings;
    private readonly HashSet<ValueMap> _finished = new(ReferenceEqualityComparer.Instance);

    private readonly long _mostMembers;
    private long _members;

    // Inside of which pair a value is matched, and why that failed.
    private MapPair _user = new(null, null);
    private MapProblem? _problem;

    private MapBuilder(NinoSchema stored, NinoSchema own, SchemaMeanings? meanings)
    {
        _meanings = meanings;
        _own = own;
        _stored = stored;
        _problems = new MapProblem.Source(stored, own);
        _numbered = ReferenceHolders.Of(stored, own);
        _mostMembers = Math.Max(AlwaysMembers, MembersTimes * (MembersOf(stored) + MembersOf(own)));
    }

    /// <summary>Builds the plan.</summary>
    /// <param name="stored">The schema of the records that are read.</param>
    /// <param name="own">The schema of the records that are written.</param>
    /// <param name="members">How many members the types in the plan have together, which its memory is in proportion to.</param>
    /// <param name="meanings">Told which types are read as which, also where there is no plan in the end.</param>
    /// <exception cref="NinoSchemaMismatchException">There is none.</exception>
    public static ValueMap Build(NinoSchema stored, NinoSchema own, out long members, SchemaMeanings? meanings = null)
    {
        var builder = new MapBuilder(stored, own, meanings);
        ValueMap root = builder.Build();
        members = builder._members;
        return root;
    }

    private ValueMap Build()
    {
        if (_stored.Root.HasPresenceByte && _own.Root.Kind is not (SchemaKind.Object or SchemaKind.Union)) throw _problems.Mismatch(_stored.Root, null, _own.Root, null, static () => "Give the type the name it was stored under, or read it with the type it was stored as.").ToException();
        MapPair record = _user;
        ValueMap root = Value(_stored.Root, _own.Root, null, null, isMember: false) ?? throw _problem!.ToException();
        while (_unmatched.TryDequeue(out MapPair? pair)) pair.Problem = Match(pair, pair.Object!);
        SpreadProblems();
        if (record.Problem is { } problem) throw problem.ToException();
        _pairs.RemoveAll(static pair => pair.Problem is not null);
        SpreadDifferences();
        Finish(root);
        foreach (MapPair pair in _pairs)
        {
            if (pair.Object is { } map) Finish(map);
        }

        _skips.Finish();
        return root;
    }

    // ---- Matching

    /// <summary>How one value becomes another; null where it cannot, and why is in <see cref="_problem"/>.</summary>
    private ValueMap? Value(SchemaNode stored, SchemaNode own, MapPath? storedPath, MapPath? ownPath, bool isMember)
    {
        SchemaNode from = ValueMap.Inner(stored), to = ValueMap.Inner(own);
        if (from.Kind == SchemaKind.Object && to.Kind == SchemaKind.Object)
        {
            ObjectDefinition storedType = (ObjectDefinition)from.Definition!, ownType = (ObjectDefinition)to.Definition!;
            if (!_objects.ContainsKey((storedType, ownType)) && !FieldMatch.IsSameType(storedType, ownType))
                return Refused(_problems.OtherType(stored, storedType, storedPath, own, ownType, ownPath));
            if (storedType.KeepsReferences != ownType.KeepsReferences) return Refused(_problems.ReferencesChanged(stored, storedPath, own, ownPath));
            return new ValueMap(stored, own, ValueForm.Object) { Object = ObjectsOf(storedType, ownType, storedPath, ownPath).Object };
        }

        if ((from.Kind == SchemaKind.Union || to.Kind == SchemaKind.Union) && from.Kind is SchemaKind.Object or SchemaKind.Union && to.Kind is SchemaKind.Object or SchemaKind.Union)
            return new ValueMap(stored, own, ValueForm.Union) { Union = UnionsOf(stored, from.Definition!, own, to.Definition!, storedPath, ownPath).Union };

        if (from.Kind == SchemaKind.List && to.Kind == SchemaKind.List)
            return Around(ValueForm.List, Value(from.Element!, to.Element!, new MapPath(storedPath, MapStep.Element), new MapPath(ownPath, MapStep.Element), isMember: false));
        if (from.Kind == SchemaKind.Map && to.Kind == SchemaKind.Map)
        {
            return Value(from.Key!, to.Key!, new MapPath(storedPath, MapStep.Key), new MapPath(ownPath, MapStep.Key), isMember: false) is { } key
                ? Around(ValueForm.Map, Value(from.Element!, to.Element!, new MapPath(storedPath, MapStep.Value), new MapPath(ownPath, MapStep.Value), isMember: false), key)
                : null;
        }

        if (from.Kind == SchemaKind.String && to.Kind == SchemaKind.String) return new ValueMap(stored, own, ValueForm.String);
        if (to.Kind is SchemaKind.String or SchemaKind.Utf8String && from.Kind != to.Kind && from.Kind is SchemaKind.Char or SchemaKind.Rune or SchemaKind.String or SchemaKind.Utf8String) return new ValueMap(stored, own, ValueForm.Text);
        if (from.Kind == SchemaKind.Enum && to.Kind == SchemaKind.Enum) _meanings?.Meet(from.Definition!, to.Definition!);
        if (ScalarConversions.IsScalar(from) && ScalarConversions.IsScalar(to) && ScalarConversions.Find(from, to) is var conversion && conversion != ScalarConversion.None)
            return new ValueMap(stored, own, ValueForm.Fixed) { Conversion = conversion };
        if (from.Kind == to.Kind && IsLeaf(from)) return new ValueMap(stored, own, ValueForm.Opaque);

        // Only as a member: inside collections a reader could not tell which level was meant.
        if (isMember && to.Kind == SchemaKind.List && from.Kind is not (SchemaKind.List or SchemaKind.Map))
            return Around(ValueForm.Wrap, Value(stored, to.Element!, storedPath, new MapPath(ownPath, MapStep.Element), isMember: false));
        if (isMember && from.Kind == SchemaKind.List && to.Kind is not (SchemaKind.List or SchemaKind.Map))
            return Around(ValueForm.Unwrap, Value(from.Element!, own, new MapPath(storedPath, MapStep.Element), ownPath, isMember: false));

        return Refused(_problems.NoConversion(stored, storedPath, own, ownPath));

        ValueMap? Around(ValueForm form, ValueMap? element, ValueMap? key = null) => element is null ? null : new ValueMap(stored, own, form) { Key = key, Element = element };
    }

    private ValueMap? Refused(MapProblem problem)
    {
        _problem = problem;
        return null;
    }

    private MapPair UnionsOf(SchemaNode storedNode, SchemaDefinition stored, SchemaNode ownNode, SchemaDefinition own, MapPath? storedPath, MapPath? ownPath)
    {
        MapPair user = _user;
        if (!_unions.TryGetValue((stored, own), out MapPair? pair))
        {
            UnionDefinition? from = stored as UnionDefinition, to = own as UnionDefinition;
            Spend(from?.Cases.Count ?? 1);
            _meanings?.Meet(stored, own);
            pair = new MapPair(storedPath, ownPath) { Union = new UnionMap(from, to), Cases = to is { IsOfObjects: true } ? [] : null };
            _unions.Add((stored, own), pair);
            _pairs.Add(pair);
            _user = pair;
            pair.Problem = (from?.KeepsReferences ?? ((ObjectDefinition)stored).KeepsReferences) != (to?.KeepsReferences ?? ((ObjectDefinition)own).KeepsReferences)
                ? _problems.ReferencesChanged(storedNode, storedPath, ownNode, ownPath)
                : MatchCases(pair, storedNode, stored, ownNode, own);
            _user = user;
        }

        pair.Users.Add(user);
        return pair;
    }

    private static string Listed(ObjectDefinition[] types)
    {
        const int MostShown = 3;
        return string.Join(", ", types.Take(MostShown).Select(static type => $"'{type.Name}'")) + (types.Length > MostShown ? $" and {types.Length - MostShown} more" : "");
    }

    private MapProblem? MatchCases(MapPair pair, SchemaNode storedNode, SchemaDefinition stored, SchemaNode ownNode, SchemaDefinition own)
    {
        UnionMap map = pair.Union!;
        CaseNames names = NamesOf(own);
        MapProblem? problem = null;
        if (map.Stored is not { } from)
        {
            var only = (ObjectDefinition)stored;
            ObjectDefinition? now = names.Find([only])[0];
            map.Only = CaseOf(pair, only, 0, now, now is null ? 0 : names.TagOf(now), ref problem);
            return problem ?? (map.Only.Body is not null ? null : map.Only.Problem ?? _problems.Mismatch(storedNode, pair.StoredPath, ownNode, pair.OwnPath, () => $"The base has no case '{stored.Name}' now: keep it as one, or put {FieldMatch.FormerNameMark(stored.Name)} on the case that it is."));
        }

        ObjectDefinition[] types = [.. from.Cases.Select(static one => (ObjectDefinition)one.Node.Definition!)];
        UnionDefinition? tagged = from.HasExplicitTags && own is UnionDefinition { HasExplicitTags: true } union ? union : null;
        ObjectDefinition?[] named = names.Find(types);
        ObjectDefinition?[] found = tagged is null ? named : [.. from.Cases.Select(one => (ObjectDefinition?)tagged.Find(one.Tag)?.Node.Definition)];
        for (int i = 0; i < types.Length; i++)
        {
            uint tag = from.Cases[i].Tag;
            CaseMap one = CaseOf(pair, types[i], tag, found[i], tagged is not null ? tag : found[i] is { } type ? names.TagOf(type) : 0, ref problem);
            map.Add(tag, one with
            {
                IsRenamedBase = types[i].Name == stored.Name && !IsNamed(own, stored.Name),
                NewTag = found[i] is null && named[i] is { } moved ? names.TagOf(moved) : null,
            });
        }

        return problem ?? (map.Cases.Any(static one => one.Body is not null) ? null : map.Cases.Select(static one => one.Problem).FirstOrDefault(static one => one is not null) ?? _problems.Mismatch(storedNode, pair.StoredPath, ownNode, pair.OwnPath, () => $"None of the stored cases is one now ({Listed(types)}): keep them as cases, or put [NinoFormerName] on the cases that they are."));
    }

    private CaseMap CaseOf(MapPair pair, ObjectDefinition stored, uint storedTag, ObjectDefinition? type, uint tag, ref MapProblem? problem)
    {
        if (type is null) return new CaseMap(stored, 0, null) { HoldsReferences = _numbered.Contains(stored) };
        var storedPath = new MapPath(pair.StoredPath, MapStep.Case, stored.Name);
        var ownPath = new MapPath(pair.OwnPath, MapStep.Case, type.Name);
        if (type.KeepsReferences != stored.KeepsReferences)
        {
            MapProblem changed = _problems.ReferencesChanged(SchemaNode.Reference(stored), pair.StoredPath, SchemaNode.Reference(type), pair.OwnPath);
            if (pair.Cases is not null) return new CaseMap(stored, 0, null) { Problem = changed, HoldsReferences = _numbered.Contains(stored) };
            problem ??= changed;
        }

        // Nothing of it would be a member now, and all of it be left out without a word.
        if (pair.Cases is not null && BoxedValues.AreLost(stored, type))
        {
            MapProblem lost = _problems.Mismatch(SchemaNode.Reference(stored), storedPath, SchemaNode.Reference(type), ownPath, () => $"One of them is a value and the other an object with members: keep '{type.Name}' as it was, and give the other a name of its own.");
            return new CaseMap(stored, 0, null) { Problem = lost, HoldsReferences = _numbered.Contains(stored) };
        }

        MapPair body = ObjectsOf(stored, type, storedPath, ownPath);
        pair.Cases?.Add((storedTag, body));
        pair.Readable++;
        return new CaseMap(stored, tag, body.Object) { HoldsReferences = _numbered.Contains(stored) };
    }

    private static bool IsNamed(SchemaDefinition own, string name) => own.FormerNames.Prepend(own.Name).Any(now => FieldMatch.WithoutArguments(now) == FieldMatch.WithoutArguments(name));

    private CaseNames NamesOf(SchemaDefinition own)
    {
        if (!_caseNames.TryGetValue(own, out CaseNames? names)) _caseNames.Add(own, names = new CaseNames(own));
        return names;
    }

    private MapPair ObjectsOf(ObjectDefinition stored, ObjectDefinition own, MapPath? storedPath, MapPath? ownPath)
    {
        if (!_objects.TryGetValue((stored, own), out MapPair? pair))
        {
            Spend(stored.Fields.Count + own.Fields.Count);
            pair = new MapPair(storedPath, ownPath) { Object = new ObjectMap(stored, own) };
            _objects.Add((stored, own), pair);
            _pairs.Add(pair);
            _unmatched.Enqueue(pair);
        }

        pair.Users.Add(_user);
        return pair;
    }

    private MapProblem? Match(MapPair pair, ObjectMap map)
    {
        _user = pair;
        IReadOnlyList<SchemaField> fields = map.Own.Fields;
        map.Sources = FieldMatch.Find(map.Stored, map.Own);
        map.Values = new ValueMap?[fields.Count];
        map.Defaults = new byte[]?[fields.Count];
        map.IsIdentical = fields.Count == map.Stored.Fields.Count;
        for (int i = 0; i < fields.Count; i++)
        {
            int source = map.Sources[i];
            map.IsIdentical &= source == i;
            var ownPath = new MapPath(pair.OwnPath, MapStep.Member, fields[i].Name);
            if (source >= 0)
            {
                SchemaField from = map.Stored.Fields[source];
                map.Values[i] = Value(from.Node, fields[i].Node, new MapPath(pair.StoredPath, MapStep.Member, from.Name), ownPath, isMember: true);
                if (map.Values[i] is null) return _problem;
                continue;
            }

            if (fields[i].IsRequired) return _problems.MissingRequired(fields[i], ownPath, map.Stored, pair.StoredPath);
            map.Defaults[i] = AbsentOf(map.Own, i);
        }

        return CheckReferences(pair, map);
    }

    /// <summary>The bytes of an own member that a stored type lacks: one array, however many stored types do.</summary>
    private byte[] AbsentOf(ObjectDefinition own, int field)
    {
        if (!_absent.TryGetValue(own, out byte[]?[]? bytes)) _absent.Add(own, bytes = DefaultFields.Of(own));

        // An object of a default would take a number that stored references count on.
        if (ReferenceHolders.Holds(_numbered, own.Fields[field].Node)) bytes[field] = null;
        return bytes[field] ??= ZeroValue.Of(own.Fields[field].Node);
    }

    /// <summary>References are numbers in the order of the encoding: no object to which they are kept may be left out or change its place.</summary>
    private MapProblem? CheckReferences(MapPair pair, ObjectMap map)
    {
        if (_numbered.Count == 0) return null;
        int last = -1;
        var kept = new HashSet<int>();
        for (int i = 0; i < map.Sources.Length; i++)
        {
            int source = map.Sources[i];
            if (source < 0 || !ReferenceHolders.Holds(_numbered, map.Stored.Fields[source].Node)) continue;
            kept.Add(source);
            if (source < last) return References(map.Stored.Fields[source], "comes in another order now. Give the members ids that keep their order.");
            last = source;
        }

        for (int i = 0; i < map.Stored.Fields.Count; i++)
        {
            if (!kept.Contains(i) && ReferenceHolders.Holds(_numbered, map.Stored.Fields[i].Node)) return References(map.Stored.Fields[i], "has no place now. Keep it.");
        }

        return null;

        MapProblem References(SchemaField field, string what) => _problems.Mismatch(
            field.Node, new MapPath(pair.StoredPath, MapStep.Member, field.Name), SchemaNode.Reference(map.Own), pair.OwnPath, () => $"It holds objects to which references are kept, numbered in the order of the members, and it {what}");
    }

    // ---- What cannot be read, what stays as it is

    /// <summary>
    /// What has something inside that cannot be read, cannot be read either. But for the cases of an object member: they are all types of an assembly, most of them never stored
    /// there, so one that changed too much is refused where a value of it is met, and does not make all other records unreadable.
    /// </summary>
    private void SpreadProblems()
    {
        var failed = new Queue<MapPair>(_pairs.Where(static pair => pair.Problem is not null));
        while (failed.TryDequeue(out MapPair? pair))
        {
            foreach (MapPair user in pair.Users)
            {
                if (user.Problem is not null || (user.Cases is not null && --user.Readable > 0)) continue;
                user.Problem = pair.Problem;
                failed.Enqueue(user);
            }
        }

        foreach (MapPair pair in _pairs)
        {
            foreach ((uint tag, MapPair body) in pair.Cases ?? [])
            {
                if (body.Problem is { } problem && pair.Problem is null) pair.Union!.Refuse(tag, problem);
            }
        }
    }

    private void SpreadDifferences()
    {
        foreach (MapPair pair in _pairs)
        {
            if (pair.Union is { KeepsForm: false } || (pair.Object is { } map && !Array.TrueForAll(map.Values, static value => value is not null && StaysAsItIs(value)))) pair.Differs();
        }

        var changed = new Queue<MapPair>(_pairs.Where(static pair => !pair.IsIdentical));
        while (changed.TryDequeue(out MapPair? pair))
        {
            foreach (MapPair user in pair.Users)
            {
                if (!user.IsIdentical || user.Problem is not null) continue;
                user.Differs();
                changed.Enqueue(user);
            }
        }
    }

    /// <summary>True when the bytes stay as they are, for all that is known of the pairs inside.</summary>
    private static bool StaysAsItIs(ValueMap value)
    {
        if (value.Stored.Kind == SchemaKind.Nullable != (value.Own.Kind == SchemaKind.Nullable)) return false;
        return value.Form switch
        {
            ValueForm.Fixed => value.Conversion == ScalarConversion.Copy,
            ValueForm.String or ValueForm.Opaque => true,
            ValueForm.Object => value.Object!.IsIdentical && value.Stored.HasPresenceByte == value.Own.HasPresenceByte,
            ValueForm.Union => value.Union!.IsIdentical,
            ValueForm.List => StaysAsItIs(value.Element!),
            ValueForm.Map => StaysAsItIs(value.Key!) && StaysAsItIs(value.Element!),
            _ => false,
        };
    }

    // ---- Steps

    private void Finish(ValueMap value)
    {
        if (!_finished.Add(value)) return;
        value.IsIdentical = StaysAsItIs(value);
        value.Skip = _skips.Of(value.Stored);
        if (value.Key is { } key) Finish(key);
        if (value.Element is { } element) Finish(element);
        if (value.IsIdentical || value.StoredSize == 0 || value.OwnSize == 0) return;
        value.Fixed = FixedSteps.PlanOf(value);
        if (!ReferenceEquals(value.Fixed, value.Object?.StructPlan)) Spend(value.Fixed.Steps.Length);
    }

    private void Finish(ObjectMap map)
    {
        map.Skip = _skips.Of(map.Stored);
        foreach (ValueMap? value in map.Values)
        {
            if (value is not null) Finish(value);
        }

        BodySteps.Lay(map, _skips);
        Spend(map.Prefix?.Steps.Length ?? 0);
    }

    private static long MembersOf(NinoSchema schema) => schema.Definitions.Sum(static type => type is ObjectDefinition body ? (long)body.Fields.Count : type is UnionDefinition union ? union.Cases.Count : 0);

    private void Spend(int members)
    {
        if ((_members += members) <= _mostMembers) return;
        throw _problems.Mismatch(_stored.Root, null, _own.Root, null, () => $"The plan for it has more than {_mostMembers} members of types that are read as others, many times those of both schemas: the stored one was made to cost memory.").ToException();
    }

    private static bool IsLeaf(SchemaNode node) => node.Key is null && node.Element is null && node.Definition is null;
}
