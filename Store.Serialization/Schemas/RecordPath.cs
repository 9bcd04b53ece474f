using System.Globalization;
using System.Text;

namespace Store.Serialization;

/// <summary>Where in a record a walk is: <c>Orders[3].Lines[0].Price</c>. Not popped when the walk throws or stops, so it names the place.</summary>
internal sealed class RecordPath
{
    // Longer paths are cut in the middle of their depth: a message must stay readable.
    private const int MaxStepsShown = 32;

    private readonly List<(string? Name, int Index)> _steps = [];

    /// <summary>Offset of the value, or header of a collection, that the walk reached last.</summary>
    public int ValueStart { get; set; }

    public void PushMember(string name) => _steps.Add((name, 0));

    public void PushIndex(int index) => _steps.Add((null, index));

    public void Pop() => _steps.RemoveAt(_steps.Count - 1);

    public override string ToString()
    {
        var text = new StringBuilder();
        for (int i = 0; i < Math.Min(_steps.Count, MaxStepsShown); i++)
        {
            (string? name, int index) = _steps[i];
            if (name is null) text.Append(CultureInfo.InvariantCulture, $"[{index}]");
            else text.Append(text.Length == 0 ? "" : ".").Append(name);
        }

        if (_steps.Count > MaxStepsShown) text.Append(CultureInfo.InvariantCulture, $"... ({_steps.Count - MaxStepsShown} deeper)");
        return text.ToString();
    }
}
