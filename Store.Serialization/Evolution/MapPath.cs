using System.Text;

namespace Store.Serialization.Evolution;

internal enum MapStep : byte
{
    Member,
    Element,
    Key,
    Value,
    Case,
}

/// <summary>
/// Where in a schema the builder of a plan is, as a link to where it came from. In words a path is as long as the schema is deep, and there is one for every pair of
/// types: words are made where an error needs them. Null is the record itself.
/// </summary>
internal sealed class MapPath(MapPath? from, MapStep step, string name = "")
{
    // A path of more steps is shown by its ends.
    private const int MaxShown = 64;

    /// <summary><c>Lines[].Price</c>, <c>Shape(Circle).Radius</c>; empty for the record itself.</summary>
    public static string Text(MapPath? path)
    {
        var steps = new List<MapPath>();
        for (MapPath? level = path; level is not null; level = level.From) steps.Add(level);
        var text = new StringBuilder();
        for (int i = steps.Count - 1; i >= 0; i--)
        {
            if (steps.Count > MaxShown && i == steps.Count - 1 - (MaxShown / 2))
            {
                text.Append(".…");
                i = (MaxShown / 2) - 1;
            }

            steps[i].AppendTo(text);
        }

        return text.ToString();
    }

    private MapPath? From { get; } = from;

    private void AppendTo(StringBuilder text)
    {
        switch (step)
        {
            case MapStep.Member:
                if (text.Length > 0) text.Append('.');
                text.Append(name);
                break;
            case MapStep.Element:
                text.Append("[]");
                break;
            case MapStep.Key:
                text.Append("[key]");
                break;
            case MapStep.Value:
                text.Append("[value]");
                break;
            case MapStep.Case:
                text.Append('(').Append(name).Append(')');
                break;
        }
    }
}
