// Two forms, told apart by the semicolon that ends the Id of the second: a zone of the system is its Id, one of the program's own is its rules. The framework's text of
// rules does not keep those that systems have (whole days instead of moments, and most zones not at all), so a zone of the system cannot be its rules.

using System.Security;

namespace Store.Serialization.Codecs;

/// <summary>
/// A <see cref="TimeZoneInfo"/>: its Id where the system has a zone of that Id with the same rules, and read as what the reader's system has under it; else its rules, as
/// <see cref="TimeZoneInfo.ToSerializedString"/> spells them, and refused where that text does not keep them.
/// </summary>
public readonly struct TimeZoneText : ITextForm<TimeZoneInfo>
{
    private const int MaxIdChars = 255;

    /// <inheritdoc/>
    public static bool IsNormal => true;

    /// <inheritdoc/>
    public static string ToText(TimeZoneInfo value)
    {
        if (TryFind(value.Id, out TimeZoneInfo? known) && (ReferenceEquals(known, value) || known.HasSameRules(value))) return known.Id;
        string text = value.ToSerializedString();
        if (!TryParseRules(text, out TimeZoneInfo again) || !again.HasSameRules(value) || !HasSameOffsets(again, value)) Throw.TimeZoneNotKept(value.Id, known is not null);
        return text;
    }

    /// <inheritdoc/>
    /// <exception cref="NinoSerializationException">It is an Id, and this system has no zone of it.</exception>
    public static bool TryParse(string text, out TimeZoneInfo value)
    {
        if (text.Contains(';')) return TryParseRules(text, out value);
        value = TimeZoneInfo.Utc;
        if (!IsId(text)) return false;
        if (!TryFind(text, out TimeZoneInfo? known)) Throw.UnknownTimeZone(text);
        value = known;
        return true;
    }

    // What the system has under that Id, spelled exactly so: it also looks without regard to case, and then its zone has another Id.
    private static bool TryFind(string id, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out TimeZoneInfo? zone)
    {
        zone = null;
        if (!IsId(id)) return false;
        try
        {
            zone = TimeZoneInfo.FindSystemTimeZoneById(id);
            if (zone.Id == id) return true;
        }
        catch (Exception error) when (error is TimeZoneNotFoundException or InvalidTimeZoneException or SecurityException)
        {
            // None, no zone, or a folder of zones: an answer.
        }

        zone = null;
        return false;
    }

    // The system opens a file or a key of the registry under this name, and the name may come from a stranger: only what names of zones are made of, and no way to
    // anywhere else. Each part between slashes begins with a letter, and a point stands only in front of a space ("W. Europe Standard Time").
    private static bool IsId(string text)
    {
        // These three are another zone on each machine.
        if (text.Length is 0 or > MaxIdChars || text is "Local" or "localtime" or "posixrules") return false;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            bool begins = i == 0 || text[i - 1] == '/', ends = i + 1 == text.Length;
            if (!(char.IsAsciiLetter(c) || (!begins && (char.IsAsciiDigit(c) || c is '_' or '+' or '-' or ' ' or '(' or ')' || (!ends && (c == '/' || (c == '.' && text[i + 1] == ' '))))))) return false;
        }

        return true;
    }

    // Rules that this system has under an Id are taken too: where they were written, it may have had others or none. Only UTC is known everywhere.
    private static bool TryParseRules(string text, out TimeZoneInfo value)
    {
        value = TimeZoneInfo.Utc;
        try
        {
            TimeZoneInfo made = TimeZoneInfo.FromSerializedString(text);
            if (made.ToSerializedString() != text || (made.Id == value.Id && made.HasSameRules(value))) return false;
            value = made;
            return true;
        }
        catch (Exception error) when (error is System.Runtime.Serialization.SerializationException or ArgumentException or FormatException or OverflowException or IndexOutOfRangeException)
        {
            return false;
        }
    }

    // HasSameRules does not compare whether a rule's dates are UTC, and the text does not say it. It shows where one rule gives way to the next.
    private static bool HasSameOffsets(TimeZoneInfo one, TimeZoneInfo other)
    {
        foreach (TimeZoneInfo.AdjustmentRule rule in other.GetAdjustmentRules())
        {
            if (!AreAlikeAround(rule.DateStart, one, other) || !AreAlikeAround(rule.DateEnd, one, other)) return false;
        }

        return true;
    }

    // Zones are 14 hours from UTC at most, and a date is a day.
    private static bool AreAlikeAround(DateTime date, TimeZoneInfo one, TimeZoneInfo other)
    {
        for (int hours = -40; hours <= 40; hours++)
        {
            long ticks = date.Ticks + (hours * TimeSpan.TicksPerHour);
            if (ticks < DateTime.MinValue.Ticks || ticks > DateTime.MaxValue.Ticks) continue;
            var moment = new DateTime(ticks, DateTimeKind.Utc);
            if (At(one, moment) != At(other, moment)) return false;
        }

        return true;
    }

    // Null where the zone has no answer: the framework reckons past the end of the calendar in its first or last year, where the clock changes in the first or last hours of that.
    private static (TimeSpan Offset, bool IsDaylight)? At(TimeZoneInfo zone, DateTime moment)
    {
        try
        {
            return (zone.GetUtcOffset(moment), zone.IsDaylightSavingTime(moment));
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }
}
