using System.Globalization;
using System.Text;
using Store.Serialization.Values;

namespace Store.Serialization;

/// <summary>Where in a record a walk is: <c>Orders[3].Lines[0].Price</c>. Not popped when the walk throws or stops, so it names the place.</summary>
internal sealed class RecordPath
{
    // Longer paths are cut in the middle of their depth, and longer keys at their end: a message must stay readable.
    private const int MaxStepsShown = 32;
    private const int MaxKeyShown = 64;

    private readonly List<Step> _steps = [];
    private int _soughtSteps = -1;
    private Step[]? _marked;
    private (int Steps, int Position) _object = (0, -1);

    /// <summary>The bytes are the beginning of a record that was not written to its end: counts promise what does not follow.</summary>
    public bool EndsOpen { get; init; }

    /// <summary>Offset of the value, or header of a collection, that the walk reached last.</summary>
    public int ValueStart
    {
        get;
        set
        {
            field = value;
            if (value == Marked && _marked is null) _marked = [.. _steps];
            if (Sought is not null && _steps.Count > _soughtSteps && IsOnTheWay()) (SoughtStart, _soughtSteps) = (value, _steps.Count);
        }
    }

    /// <summary>A path whose place the walk notes when it comes there.</summary>
    public IReadOnlyList<Step>? Sought { get; init; }

    /// <summary>Offset of the value on the way to what is sought that is nearest to it.</summary>
    public int SoughtStart { get; private set; }

    /// <summary>The offset of a value whose path is kept when the walk comes there.</summary>
    public int Marked { get; init; } = -1;

    /// <summary>True when the walk is behind the value at <see cref="Marked"/>.</summary>
    public bool HasLeftMarked => _marked is not null && !(_steps.Count >= _marked.Length && _steps.Take(_marked.Length).SequenceEqual(_marked));

    /// <summary>Leaves the path of the value at <see cref="Marked"/>.</summary>
    public void GoBackToMarked()
    {
        _steps.Clear();
        _steps.AddRange(_marked!);
    }

    /// <summary>The steps to the place.</summary>
    public IReadOnlyList<Step> Steps => _steps;

    /// <summary>Notes the place of an element of a run of values that are moved over at once.</summary>
    public void PassRun(int first, int size, uint count)
    {
        if (Sought is not { } sought || sought.Count <= _steps.Count || _steps.Count < _soughtSteps || !IsOnTheWay()) return;
        Step next = sought[_steps.Count];
        if (next.Name is null && (uint)next.Index < count) (SoughtStart, _soughtSteps) = (first + (next.Index * size), _steps.Count + 1);
    }

    private bool IsOnTheWay()
    {
        if (_steps.Count > Sought!.Count) return false;
        for (int i = 0; i < _steps.Count; i++)
        {
            if (_steps[i] != Sought[i]) return false;
        }

        return true;
    }

    /// <summary>The steps so far lead to an object of a class, whose members begin at a position.</summary>
    public void NoteObject(int position) => _object = (_steps.Count, position);

    /// <summary>Leaves the path of the object that was noted last, without a member of it, where its members begin at the position. Where they do not, what was refused is inside of something that is stored when it is whole.</summary>
    public void CutToObject(int position)
    {
        if (_object.Position == position) _steps.RemoveRange(_object.Steps, _steps.Count - _object.Steps);
    }

    public void PushMember(string name) => _steps.Add(new Step(name, 0));

    public void PushIndex(int index) => _steps.Add(new Step(null, index));

    /// <summary>The pair that was pushed last by its number has the key that begins there. One that is no name keeps its number.</summary>
    public void NameKey(SchemaNode key, int start)
    {
        if (PlanNode.IsName(key.Kind)) _steps[^1] = new Step(null, start, key);
    }

    public void Pop() => _steps.RemoveAt(_steps.Count - 1);

    public override string ToString() => ToString([]);

    /// <summary>The path with the keys of maps, where it knows them, as they stand in the record: <c>Prices["EUR"].Value.Amount</c>.</summary>
    public string ToString(ReadOnlySpan<byte> record)
    {
        var text = new StringBuilder();
        for (int i = 0; i < Math.Min(_steps.Count, MaxStepsShown); i++)
        {
            (string? name, int index, SchemaNode? key) = _steps[i];
            if (name is not null) text.Append(text.Length == 0 ? "" : ".").Append(name);
            else if (key is not null) text.Append('[').Append(TextOf(key, record[index..])).Append(']');
            else text.Append(CultureInfo.InvariantCulture, $"[{index}]");
        }

        if (_steps.Count > MaxStepsShown) text.Append(CultureInfo.InvariantCulture, $"... ({_steps.Count - MaxStepsShown} deeper)");
        return text.ToString();
    }

    // The walk has moved over the key: it is whole.
    private static string TextOf(SchemaNode key, ReadOnlySpan<byte> bytes)
    {
        var node = new PlanNode(key) { Enum = key.Definition is EnumDefinition names ? new EnumNames(names) : null };
        var reader = new NinoReader(bytes);
        var sink = new ValueSink([]);
        RecordDecoder.Value(node, ref reader, ref sink);
        string text = sink.Result.ToString();
        if (text.Length > MaxKeyShown) text = text[..MaxKeyShown] + "...";
        if (node.Kind is not (SchemaKind.String or SchemaKind.Utf8String or SchemaKind.Char or SchemaKind.Rune)) return text;
        return $"\"{string.Create(text.Length, text, static (shown, all) => { for (int i = 0; i < all.Length; i++) shown[i] = char.IsControl(all[i]) ? '?' : all[i]; })}\"";
    }

    /// <summary>A member, an element by its number, or a pair by its number or by where its key begins.</summary>
    public readonly record struct Step(string? Name, int Index, SchemaNode? Key = null);
}
