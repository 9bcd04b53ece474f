using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>
/// What docs/evolution.md says a stored record with bases and references becomes, over the decoded tree and as text: objects that are numbered are followed as objects, not
/// as numbers. Shares nothing with the engine; scalars are those of <see cref="MapModel"/>. For one record.
/// </summary>
internal sealed class CaseModel
{
    private readonly HashSet<SchemaDefinition> _holders;
    private readonly Dictionary<int, NinoValue> _objects = [];
    private readonly Dictionary<int, (int Number, ObjectDefinition Type)> _met = [];

    private CaseModel(NinoSchema stored, NinoValue record)
    {
        _holders = Holders(stored);
        Find(record);
    }

    /// <summary>What a record becomes.</summary>
    /// <param name="Text">As text.</param>
    /// <param name="MayBeRefused">A case that is gone held objects to which references are kept.</param>
    /// <param name="Shared">How many times an object occurs again.</param>
    public readonly record struct Result(string Text, bool MayBeRefused, int Shared);

    private bool _mayBeRefused;
    private int _shared;

    /// <summary>The text of what a stored record becomes.</summary>
    /// <exception cref="DoesNotFitException">It becomes nothing.</exception>
    public static Result Map(NinoSchema stored, NinoSchema own, NinoValue record)
    {
        var model = new CaseModel(stored, record);
        string text = model.Value(record, stored.Root, own.Root);
        return new Result(text, model._mayBeRefused, model._shared);
    }

    /// <summary>The text of a record of the program's schema.</summary>
    public static string Text(NinoValue value, SchemaNode node)
    {
        node = ValueMap.Inner(node);
        if (value.IsNull) return "null";
        switch (node.Kind)
        {
            case SchemaKind.List: return $"[{string.Join(",", value.Items.Select(item => Text(item, node.Element!)))}]";
            case SchemaKind.Map: return $"{{{string.Join(",", value.Pairs.Select(pair => MapModel.Text(pair.Key, node.Key!) + ":" + Text(pair.Value, node.Element!)))}}}";
            case SchemaKind.Object or SchemaKind.Union when value.IsBackReference: return $"#{value.ObjectNumber}";
            case SchemaKind.Object or SchemaKind.Union:
                var type = (ObjectDefinition)value.Schema!.Definition!;
                return Object(value.ObjectNumber, node.Kind == SchemaKind.Union ? type : null, type.Fields.Select(field => field.Name + "=" + Text(value[field.Name], field.Node)));
            default: return MapModel.Text(value, node);
        }
    }

    /// <summary>The types of a schema that hold objects to which references are kept, at any depth, or are such.</summary>
    public static HashSet<SchemaDefinition> Holders(NinoSchema schema)
    {
        var holders = new HashSet<SchemaDefinition>(ReferenceEqualityComparer.Instance);
        for (int before = -1; before < holders.Count;)
        {
            before = holders.Count;
            foreach (SchemaDefinition type in schema.Definitions)
            {
                bool holds = type switch
                {
                    ObjectDefinition body => body.KeepsReferences || body.Fields.Any(field => Holds(holders, field.Node)),
                    UnionDefinition union => union.KeepsReferences || union.Cases.Any(one => Holds(holders, one.Node)),
                    _ => false,
                };
                if (holds) holders.Add(type);
            }
        }

        return holders;
    }

    public static bool Holds(HashSet<SchemaDefinition> holders, SchemaNode node) =>
        (node.Definition is { } type && holders.Contains(type)) || (node.Element is { } element && Holds(holders, element)) || (node.Key is { } key && Holds(holders, key));

    private static string Object(int number, ObjectDefinition? shown, IEnumerable<string> fields) => $"{(number > 0 ? $"#{number}" : "")}{shown?.Name}({string.Join(",", fields)})";

    private string Value(NinoValue value, SchemaNode stored, SchemaNode own)
    {
        SchemaNode from = ValueMap.Inner(stored), to = ValueMap.Inner(own);
        if (to.Kind == SchemaKind.List && from.Kind != SchemaKind.List) return value.IsNull ? "[]" : $"[{Value(value, stored, to.Element!)}]";
        if (value.IsNull) return Zero(own);
        if (from.Kind == SchemaKind.List && to.Kind != SchemaKind.List)
        {
            if (value.Items.Count > 1) throw new DoesNotFitException("several elements");
            return value.Items.Count == 0 ? Zero(own) : Value(value.Items[0], from.Element!, own);
        }

        return to.Kind switch
        {
            SchemaKind.List => $"[{string.Join(",", value.Items.Select(item => Value(item, from.Element!, to.Element!)))}]",
            SchemaKind.Map => $"{{{string.Join(",", value.Pairs.Select(pair => MapModel.Map(pair.Key, from.Key!, to.Key!) + ":" + Value(pair.Value, from.Element!, to.Element!)))}}}",
            SchemaKind.Object or SchemaKind.Union => One(value, from, to),
            _ => MapModel.Map(value, stored, own),
        };
    }

    private string One(NinoValue value, SchemaNode from, SchemaNode to)
    {
        int number = value.ObjectNumber;
        NinoValue body = number > 0 ? _objects[number] : value;
        var stored = (ObjectDefinition)body.Schema!.Definition!;
        var union = to.Definition as UnionDefinition;
        ObjectDefinition? type = Now(from.Definition!, stored, to.Definition!);
        bool wasMet = _met.TryGetValue(number, out (int Number, ObjectDefinition Type) met);
        if (wasMet && union is { KeepsReferences: true })
        {
            // A number alone: whatever the object was read as is to be one of the cases.
            type = union.Cases.Any(one => ReferenceEquals(one.Node.Definition, met.Type)) ? met.Type : null;
        }

        if (type is null)
        {
            if (union is not { SkipsUnknown: true }) throw new DoesNotFitException($"{stored.Name} is gone");
            _mayBeRefused |= _holders.Contains(stored);
            return "null";
        }

        if (wasMet)
        {
            if (!ReferenceEquals(met.Type, type)) throw new DoesNotFitException($"{met.Type.Name} was read, and {type.Name} is wanted");
            _shared++;
            return $"#{met.Number}";
        }

        int own = number > 0 ? _met.Count + 1 : 0;
        if (number > 0) _met.Add(number, (own, type));
        return Object(own, union is null ? null : type, type.Fields.Select(field =>
        {
            SchemaField? source = stored.Fields.FirstOrDefault(f => f.Name == field.Name);
            return field.Name + "=" + (source is null ? Zero(field.Node) : Value(body[source.Name], source.Node, field.Node));
        }).ToArray());
    }

    // Which own type an object is where it stands.
    private static ObjectDefinition? Now(SchemaDefinition from, ObjectDefinition stored, SchemaDefinition to)
    {
        if (to is ObjectDefinition only) return from is ObjectDefinition || only.Name == stored.Name || only.FormerNames.Contains(stored.Name) ? only : null;
        var union = (UnionDefinition)to;
        if (union.HasExplicitTags && from is UnionDefinition { HasExplicitTags: true } before)
        {
            uint tag = before.Cases.Single(one => ReferenceEquals(one.Node.Definition, stored)).Tag;
            return (ObjectDefinition?)union.Cases.SingleOrDefault(one => one.Tag == tag)?.Node.Definition;
        }

        ObjectDefinition[] cases = [.. union.Cases.Select(static one => (ObjectDefinition)one.Node.Definition!)];
        return cases.SingleOrDefault(one => one.Name == stored.Name) ?? cases.SingleOrDefault(one => one.FormerNames.Contains(stored.Name));
    }

    private static string Zero(SchemaNode own) => own.Kind switch
    {
        SchemaKind.Union => "null",
        SchemaKind.Object when own.Definition is ObjectDefinition { IsReference: true } => "null",
        SchemaKind.Object => $"({string.Join(",", ((ObjectDefinition)own.Definition!).Fields.Select(static field => field.Name + "=" + Zero(field.Node)))})",
        _ => MapModel.Zero(own),
    };

    private void Find(NinoValue value)
    {
        if (value.ObjectNumber > 0 && !value.IsBackReference) _objects.Add(value.ObjectNumber, value);
        foreach (NinoField field in value.Fields) Find(field.Value);
        foreach (NinoValue item in value.Items) Find(item);
        foreach ((_, NinoValue item) in value.Pairs) Find(item);
    }
}
