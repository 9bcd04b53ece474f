using System.Globalization;
using System.Text;

namespace Store.Serialization;

/// <summary>One line of a schema file, taken apart from the front.</summary>
/// <param name="text">The line, without its end.</param>
/// <param name="number">Its number, from 1.</param>
internal sealed class SchemaFileLine(string text, int number)
{
    private const string Remedy = "Take the file from the last commit, finish the merge that it comes from, or accept the present state with NinoSchemaFile.Describe.";

    private int _at;

    public string Text => text;

    public bool IsAtEnd => _at == text.Length;

    /// <summary>Goes past a text that stands here.</summary>
    /// <returns>False where it does not: nothing is passed then.</returns>
    public bool Take(string words)
    {
        if (string.CompareOrdinal(text, _at, words, 0, words.Length) != 0) return false;
        _at += words.Length;
        return true;
    }

    /// <summary>Goes past a text that has to stand here.</summary>
    public void Expect(string words)
    {
        if (!Take(words)) throw Unreadable($"'{words.Trim()}' is missing behind '{text[.._at].Trim()}'");
    }

    /// <summary>Goes past what can be part of a name without quotes.</summary>
    public string TakeWord()
    {
        int start = _at;
        _at = SchemaFileWords.EndOfWord(text, start);
        return _at > start ? text[start.._at] : throw Unreadable($"a word is missing behind '{text[.._at].Trim()}'");
    }

    /// <summary>Goes past a name.</summary>
    public string TakeName()
    {
        if (!Take("\"")) return TakeWord();
        var name = new StringBuilder();
        for (; _at < text.Length; _at++)
        {
            if (text[_at] == '"')
            {
                _at++;
                return name.Length > 0 ? name.ToString() : throw Unreadable("a name is empty");
            }

            if (text[_at] == '\\' && ++_at == text.Length) break;
            name.Append(text[_at]);
        }

        throw Unreadable("a name in quotes does not end");
    }

    /// <summary>Goes past what stands before a mark, which has to come.</summary>
    public string TakeUntil(char first, char other)
    {
        int end = text.AsSpan(_at).IndexOfAny(first, other);
        if (end < 0) throw Unreadable($"'{other}' is missing");
        string taken = text.Substring(_at, end);
        _at += end;
        return taken;
    }

    /// <summary>Goes past a number as <see cref="SchemaFileWriter"/> writes it.</summary>
    public T TakeNumber<T>(NumberStyles style = NumberStyles.None, string? format = null)
        where T : struct, System.Numerics.INumber<T>
    {
        string word = TakeWord();
        return T.TryParse(word, style, CultureInfo.InvariantCulture, out T value) && value.ToString(format, CultureInfo.InvariantCulture) == word ? value : throw Unreadable($"'{word}' is no number that can stand here");
    }

    public void ExpectEnd()
    {
        if (!IsAtEnd) throw Unreadable($"'{text[_at..].Trim()}' cannot stand here");
    }

    public FormatException Unreadable(string what, Exception? error = null) => new($"The schema file cannot be read from line {number.ToString(CultureInfo.InvariantCulture)} on, '{text.Trim()}': {what}. {Remedy}", error);
}
