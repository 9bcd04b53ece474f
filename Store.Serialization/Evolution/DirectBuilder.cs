// Which plans have a direct way? Records that are objects, lists or maps, as far down as nothing recursive, referred to or polymorphic is around: there depth is counted and objects are
// numbered, which the readers and writers of the plan do. What has no direct way is one step of one that has (DirectOp.Map).

namespace Store.Serialization.Evolution;

internal sealed class DirectBuilder
{
    // Values deeper inside are mapped by the plan. The program's own schema may be a chain of types too.
    private const int MaxDepth = 16;

    private readonly Dictionary<ObjectMap, DirectSteps?> _bodies = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<ObjectDefinition, bool> _isPlain = new(ReferenceEqualityComparer.Instance);

    private DirectBuilder()
    {
    }

    /// <summary>The direct way of whole records; null where there is none.</summary>
    public static DirectSteps? Of(ValueMap root)
    {
        var builder = new DirectBuilder();
        if (root.Form != ValueForm.Object) return builder.ItemsOf(root, 0) is { } items ? new DirectSteps(null, 0, [items], []) { Elements = root.Form == ValueForm.List ? items.Inner : null } : null;
        return root.Stored.Kind == SchemaKind.Object && root.Own.Kind == SchemaKind.Object ? builder.BodyOf(root.Object!, 0, isRecord: true) : null;
    }

    private DirectSteps? BodyOf(ObjectMap map, int depth, bool isRecord = false)
    {
        if (map.IsIdentical || depth >= MaxDepth || IsCounted(map.Stored) || IsCounted(map.Own) || map.Lookup.Length > DirectSteps.MaxLookup) return null;
        if (!isRecord && _bodies.TryGetValue(map, out DirectSteps? known)) return known;
        DirectSteps? made = MakeBody(map, depth, isRecord);

        // Also that it has none: it would be looked for at every place where it stands, and in it again.
        if (!isRecord) _bodies.Add(map, made);
        return made;
    }

    private DirectSteps? MakeBody(ObjectMap map, int depth, bool isRecord)
    {
        var steps = new List<DirectStep>(map.Steps.Length);
        foreach (ref readonly BodyStep step in map.Steps.AsSpan()) steps.Add(StepOf(in step, depth));

        // Each value that the plan maps costs a reader and a writer of its own here: where they are most, one of each for all is better.
        int mapped = steps.Count(static step => step is { Op: DirectOp.Map } or { Op: DirectOp.MapFound, Inner: null });
        if (mapped > 1 && mapped * 3 > steps.Count) return null;
        bool areTextsKept = map.Lookup.Length == 0 && steps.TrueForAll(static step => step.Op is DirectOp.String or DirectOp.Copy && Array.TrueForAll(step.Skips, static skip => skip.Schema.Kind == SchemaKind.String));
        int texts = areTextsKept ? steps.Sum(static step => step.Skips.Length) : -1;
        bool endsInCopy = isRecord && map.Lookup.Length == 0 && steps is [.., { Op: DirectOp.Copy or DirectOp.String } last] && Array.TrueForAll(last.Skips, skip => IsPlain(skip.Schema, 0));
        if (endsInCopy) steps[^1] = new DirectStep(DirectOp.Rest);

        // What comes last on both sides is copied without being looked up.
        int places = map.Lookup.Length;
        if (isRecord && places > 0 && steps[^1] is { Op: DirectOp.CopyFound } end && end.Place == places - 1 && IsPlain(map.Lookup[^1].Skip.Schema, 0))
        {
            steps[^1] = new DirectStep(DirectOp.Rest) { Place = --places };
        }

        return new DirectSteps(map.Prefix, map.StoredPrefix, [.. steps], map.Lookup[..places]) { Texts = texts };
    }

    private static bool IsCounted(ObjectDefinition type) => type.IsRecursive || type.KeepsReferences;

    private DirectStep StepOf(ref readonly BodyStep step, int depth) => step.Op switch
    {
        BodyOp.Copy when step.Skips is [{ Schema.Kind: SchemaKind.String }] => new DirectStep(DirectOp.String) { Skips = step.Skips },
        BodyOp.Copy => new DirectStep(DirectOp.Copy) { Skips = step.Skips! },
        BodyOp.Constant => new DirectStep(DirectOp.Constant) { Bytes = step.Bytes! },
        BodyOp.Drop => new DirectStep(DirectOp.Drop) { Node = step.Node },
        BodyOp.MapAt => new DirectStep(DirectOp.MapAt) { Value = step.Value, Place = step.Place },
        BodyOp.MapFound when step.Value!.IsIdentical => new DirectStep(DirectOp.CopyFound) { Place = step.Place },
        BodyOp.MapFound => ValueOf(step.Value!, depth) with { Op = DirectOp.MapFound, Place = step.Place },
        _ => ValueOf(step.Value!, depth),
    };

    private DirectStep ValueOf(ValueMap value, int depth)
    {
        if (value.IsIdentical && value.Stored.Kind == SchemaKind.String) return new DirectStep(DirectOp.String) { Skips = [value.Skip], Value = value };
        if (value.IsIdentical) return new DirectStep(DirectOp.Copy) { Skips = [value.Skip], Value = value };
        if (value.Fixed is { } plan) return new DirectStep(DirectOp.Fixed) { Value = value, Inner = new DirectSteps(plan, plan.SourceSize, [], []) };
        if (value.Form == ValueForm.Object && IsSameForm(value) && BodyOf(value.Object!, depth + 1) is { } body) return new DirectStep(DirectOp.Object) { Value = value, Inner = body };
        return ItemsOf(value, depth) ?? new DirectStep(DirectOp.Map) { Value = value };
    }

    /// <summary>Of lists of objects, and of maps of anything: those whose headers stay as they are.</summary>
    private DirectStep? ItemsOf(ValueMap value, int depth)
    {
        if (value.IsIdentical || depth >= MaxDepth || value.Stored.Kind == SchemaKind.Nullable || value.Own.Kind == SchemaKind.Nullable) return null;
        if (value is { Form: ValueForm.Map, Key: { StoredSize: > 0, OwnSize: > 0 }, Element: { StoredSize: > 0, OwnSize: > 0 } }) return null;
        if (value.Form == ValueForm.Map) return new DirectStep(DirectOp.Items) { Value = value, Inner = new DirectSteps(null, 0, [ValueOf(value.Key!, depth + 1), ValueOf(value.Element!, depth + 1)], []) };
        return value is { Form: ValueForm.List, Element: { Form: ValueForm.Object, Fixed: null } element } && IsSameForm(element) && BodyOf(element.Object!, depth + 1) is { } body
            ? new DirectStep(DirectOp.Items) { Value = value, Inner = body }
            : null;
    }

    private static bool IsSameForm(ValueMap value) =>
        value.Stored.Kind == SchemaKind.Object && value.Own.Kind == SchemaKind.Object && value.Stored.HasPresenceByte == value.Own.HasPresenceByte;

    /// <summary>
    /// True when codecs refuse all that moving over a value would: then a copy of it needs no look of its own. Not of unions, of which the program may have more cases than were
    /// stored, nor of what counts depth.
    /// </summary>
    private bool IsPlain(SchemaNode node, int depth)
    {
        if (SchemaShape.FixedSizeOf(node) > 0 || node.Kind == SchemaKind.String) return true;
        if (depth >= MaxDepth) return false;
        if (node.Kind == SchemaKind.Map) return IsPlain(node.Key!, depth + 1) && IsPlain(node.Element!, depth + 1);
        if (node.Kind is SchemaKind.List or SchemaKind.Nullable) return IsPlain(node.Element!, depth + 1);
        if (node.Kind != SchemaKind.Object || node.Definition is not ObjectDefinition type || IsCounted(type)) return false;
        if (_isPlain.TryGetValue(type, out bool known)) return known;
        bool isPlain = type.Fields.All(field => IsPlain(field.Node, depth + 1));
        _isPlain.Add(type, isPlain);
        return isPlain;
    }
}
