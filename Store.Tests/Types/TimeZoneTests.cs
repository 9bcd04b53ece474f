using Store.Serialization;

namespace Store.Tests.Types;

/// <summary>Zones of the system are their Id, others their rules: never other rules than were written, and no name that leads elsewhere is looked up.</summary>
public sealed class TimeZoneTests
{
    [Fact]
    public void EveryZoneOfThisMachineIsReadWithItsRules()
    {
        TimeZoneInfo[] zones = [.. TimeZoneInfo.GetSystemTimeZones(), TimeZoneInfo.Utc];
        byte[][] stored = [.. zones.Select(static zone => NinoSerializer.Serialize(zone))];
        // So that the zones that are read are other objects: what the system says anew.
        TimeZoneInfo.ClearCachedData();
        for (int i = 0; i < zones.Length; i++)
        {
            TimeZoneInfo zone = zones[i], copy = NinoSerializer.Deserialize<TimeZoneInfo>(stored[i]);
            Assert.Equal(zone.Id, copy.Id);
            Assert.True(copy.HasSameRules(zone), zone.Id);
            for (var moment = new DateTime(1900, 1, 1, 0, 0, 0, DateTimeKind.Utc); moment.Year <= 2100; moment = moment.AddHours((11 * 24) + 5))
            {
                if (zone.GetUtcOffset(moment) != copy.GetUtcOffset(moment) || zone.IsDaylightSavingTime(moment) != copy.IsDaylightSavingTime(moment)) Assert.Fail($"{zone.Id} at {moment:O}");
            }

            Assert.Equal(zone.Id, NinoSerializer.Deserialize<string>(stored[i]));
            // The zone that was there before is the same value still, and has the same bytes.
            Assert.Equal(stored[i], NinoSerializer.Serialize(zone));
        }
    }

    [Fact]
    public void UtcIsTheOneObjectThatTheFrameworkHas() => Assert.Same(TimeZoneInfo.Utc, Copy(TimeZoneInfo.Utc));

    [Fact]
    public void TheLocalZoneIsReadWithItsRules()
    {
        // Its Id is that of a zone of the system, unless the machine does not say which it is.
        TimeZoneInfo local = TimeZoneInfo.Local;
        if (local.Id != "Local") Assert.True(Copy(local).HasSameRules(local));
    }

    [Fact]
    public void AZoneOfOnesOwnIsReadWithItsRules()
    {
        TimeZoneInfo fix = TimeZoneInfo.CreateCustomTimeZone("Deck;[2]", TimeSpan.FromMinutes(-75), "D", "S"), moving = Own(DateTimeKind.Unspecified);
        Assert.Equal((@"Deck\;\[2\];-75;D;S;S;;", "D", true), (NinoSerializer.Deserialize<string>(NinoSerializer.Serialize(fix)), Copy(fix).DisplayName, Copy(fix).HasSameRules(fix)));
        TimeZoneInfo copy = Copy(moving);
        Assert.True(copy.HasSameRules(moving));
        for (var moment = new DateTime(1999, 1, 1, 0, 0, 0, DateTimeKind.Utc); moment.Year < 2022; moment = moment.AddHours(1)) Assert.Equal(moving.GetUtcOffset(moment), copy.GetUtcOffset(moment));
    }

    /// <summary>It changes its clock in the first hours of the calendar: asked for a moment there the framework throws (.NET 10.0).</summary>
    [Fact]
    public void AZoneThatHasNoAnswerAtTheEndOfTheCalendarIsReadWithItsRules()
    {
        TimeZoneInfo.TransitionTime march = TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 2), newYear = TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 2, 0, 0), 1, 1);
        TimeZoneInfo zone = TimeZoneInfo.CreateCustomTimeZone("t", TimeSpan.FromHours(1), "X", "Y", "Y", [TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(DateTime.MinValue.Date, DateTime.MaxValue.Date, TimeSpan.FromHours(1), march, newYear)]);
        Assert.True(Copy(zone).HasSameRules(zone));
    }

    /// <summary>The framework's text has whole days; these begin at midnight of UTC.</summary>
    [Theory]
    [InlineData(-9)]
    [InlineData(0)]
    [InlineData(9)]
    public void RulesThatTheTextDoesNotKeepAreRefusedOnWriting(int hours) =>
        Assert.Contains("'own' has rules that its text does not keep", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(Own(DateTimeKind.Utc, hours))).Message, StringComparison.Ordinal);

    [Fact]
    public void AZoneOfOnesOwnUnderAnIdOfTheSystemIsStoredByItsOwnRules()
    {
        TimeZoneInfo own = TimeZoneInfo.CreateCustomTimeZone("UTC", TimeSpan.FromHours(1), "", "");
        Assert.Equal(TimeSpan.FromHours(1), Copy(own).BaseUtcOffset);
        TimeZoneInfo other = TimeZoneInfo.CreateCustomTimeZone("Europe/Berlin", TimeSpan.FromHours(3), "", "");
        Assert.Equal(TimeSpan.FromHours(3), Copy(other).BaseUtcOffset);
    }

    [Fact]
    public void TheNormalFormOfUtcIsItsId() => AssertRefused(TimeZoneInfo.Utc.ToSerializedString(), "normal form");

    [Fact]
    public void AZoneThatThisMachineDoesNotKnowIsATypedError() => AssertRefused("Atlantis/Poseidonis", "knows no time zone 'Atlantis/Poseidonis'");

    /// <summary>The system would open a file of that name: some of these exist, and it finds a zone in them or waits for one.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("../zoneinfo/Europe/Berlin")]
    [InlineData("Europe/../Europe/Berlin")]
    [InlineData("/usr/share/zoneinfo/Europe/Berlin")]
    [InlineData("./Europe/Berlin")]
    [InlineData("Europe//Berlin")]
    [InlineData("Europe/Berlin/")]
    [InlineData("Europe\\Berlin")]
    [InlineData("/dev/stdin")]
    [InlineData("tzdata.zi")]
    [InlineData("W.")]
    [InlineData("Europe/Berlin\0")]
    [InlineData("Europ\u00E9")]
    [InlineData("localtime")]
    [InlineData("posixrules")]
    [InlineData("Local")]
    public void WhatIsNoNameOfAZoneIsNotLookedUp(string id) => AssertRefused(id, "is not the text of");

    [Fact]
    public void ANameThatIsTooLongIsNotLookedUp() => AssertRefused(new string('A', 256), "is not the text of");

    [Fact]
    public void AFolderOfZonesIsATypedError() => AssertRefused("Europe", "knows no time zone");

    /// <summary>The system also looks without regard to case, and under the names of Windows.</summary>
    [Fact]
    public void OtherSpellingsOfAZonesIdAreRefused()
    {
        foreach (TimeZoneInfo zone in TimeZoneInfo.GetSystemTimeZones().Take(5))
        {
            if (zone.Id.ToLowerInvariant() != zone.Id) AssertRefused(zone.Id.ToLowerInvariant(), "knows no time zone");
        }
    }

    [Fact]
    public void NamesOfWindowsAreKeptWhereTheSystemKnowsThem()
    {
        foreach (string id in new[] { "W. Europe Standard Time", "Central Standard Time (Mexico)", "UTC-11" })
        {
            if (TimeZoneInfo.TryFindSystemTimeZoneById(id, out TimeZoneInfo? zone)) Assert.Equal(id, Copy(zone).Id);
        }
    }

    private static TimeZoneInfo Own(DateTimeKind kind, int hours = -9)
    {
        var begin = TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday);
        var end = TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 5);
        var rule = TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(new DateTime(2000, 1, 1, 0, 0, 0, kind), new DateTime(2020, 12, 31, 0, 0, 0, kind), TimeSpan.FromHours(1), begin, end, TimeSpan.FromMinutes(30));
        return TimeZoneInfo.CreateCustomTimeZone("own", TimeSpan.FromHours(hours), "d", "s", "l", [rule]);
    }

    private static TimeZoneInfo Copy(TimeZoneInfo zone) => NinoSerializer.Deserialize<TimeZoneInfo>(NinoSerializer.Serialize(zone));

    private static void AssertRefused(string text, string message)
    {
        byte[] bytes = NinoSerializer.Serialize(text);
        Assert.Contains(message, Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<TimeZoneInfo>(bytes)).Message, StringComparison.Ordinal);
    }
}
