using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>A decoded value as one short line: for people, shortened where it is long. For every value whole there is JSON.</summary>
internal static class ValueText
{
    private const int MaxWidth = 400;
    private const int MaxStringLength = 80;
    private const int MaxItems = 20;

    /// <summary>A record: the fields of an object side by side, any other value as itself.</summary>
    public static StyledText OfRecord(NinoValue value)
    {
        var text = new StyledText();
        if (value.IsCase) text.Add(Format.ShortName(value.TypeName!), Theme.Name).Add("  ");
        if (value.Kind == SchemaKind.Object && !value.IsNull) Fields(text, value, "  ");
        else Append(text, value);
        return text;
    }

    /// <summary>A value in a column of its own.</summary>
    public static StyledText OfCell(NinoValue value)
    {
        var text = new StyledText();
        if (value.Kind is SchemaKind.String or SchemaKind.Utf8String && !value.IsNull) text.Add(Shorten(value.AsString()!), Theme.Text);
        else Append(text, value);
        return text;
    }

    private static void Append(StyledText text, NinoValue value)
    {
        if (value.IsNull)
        {
            text.Add("null", Theme.Quiet);
            return;
        }

        switch (value.Kind)
        {
            case SchemaKind.String or SchemaKind.Utf8String or SchemaKind.Char or SchemaKind.Rune:
                text.Add($"\"{Shorten(value.AsString()!)}\"", Theme.Text);
                break;
            case SchemaKind.DateTime:
                DateTime time = value.AsDateTime();
                text.Add(Trim(time.ToString("yyyy-MM-dd HH:mm:ss.fffffff", System.Globalization.CultureInfo.InvariantCulture)) + (time.Kind == DateTimeKind.Utc ? "Z" : ""));
                break;
            case SchemaKind.DateTimeOffset:
                DateTimeOffset moment = value.AsDateTimeOffset();
                text.Add(Trim(moment.ToString("yyyy-MM-dd HH:mm:ss.fffffff", System.Globalization.CultureInfo.InvariantCulture)) + moment.ToString("zzz", System.Globalization.CultureInfo.InvariantCulture));
                break;
            case SchemaKind.Enum:
                text.Add(value.ToString(), Theme.Name);
                break;
            case SchemaKind.Object when value.IsBackReference:
                text.Add($"{Format.ShortName(value.TypeName!)} #{value.ObjectNumber}", Theme.Quiet);
                break;
            case SchemaKind.Object:
                if (value.IsCase) text.Add(Format.ShortName(value.TypeName!), Theme.Name).Add(" ");
                if (value.ObjectNumber > 0) text.Add($"#{value.ObjectNumber} ", Theme.Quiet);
                text.Add("{");
                Fields(text, value, " ");
                text.Add("}");
                break;
            case SchemaKind.List when value.Schema!.Element!.Kind == SchemaKind.Byte:
                text.Add($"<{Format.Count(value.AsBytes().Length, "byte")}>", Theme.Quiet);
                break;
            case SchemaKind.List:
                Items(text, value.Items.Count, '[', ']', i => Append(text, value.Items[i]));
                break;
            case SchemaKind.Map:
                Items(text, value.Pairs.Count, '{', '}', i =>
                {
                    Append(text, value.Pairs[i].Key);
                    text.Add(": ", Theme.Quiet);
                    Append(text, value.Pairs[i].Value);
                });
                break;
            default:
                text.Add(value.ToString());
                break;
        }
    }

    private static void Fields(StyledText text, NinoValue value, string separator)
    {
        bool first = true;
        foreach (NinoField field in value.Fields)
        {
            if (!first) text.Add(separator);
            first = false;
            if (text.Width > MaxWidth)
            {
                text.Add("…", Theme.Quiet);
                return;
            }

            text.Add(field.Name + "=", Theme.Quiet);
            Append(text, field.Value);
        }
    }

    private static void Items(StyledText text, int count, char open, char close, Action<int> item)
    {
        text.Add(open.ToString());
        int shown = 0;
        for (; shown < count && shown < MaxItems && text.Width <= MaxWidth; shown++)
        {
            if (shown > 0) text.Add(", ");
            item(shown);
        }

        if (shown < count) text.Add($" … {Format.Count(count)} in all", Theme.Quiet);
        text.Add(close.ToString());
    }

    private static string Shorten(string text) => text.Length <= MaxStringLength ? text : $"{text.AsSpan(0, MaxStringLength)}… ({Format.Count(text.Length)} characters)";

    private static string Trim(string time) => time.TrimEnd('0').TrimEnd('.') is { } t && t.Length >= "yyyy-MM-dd HH:mm:ss".Length ? t : time[.."yyyy-MM-dd HH:mm:ss".Length];
}
