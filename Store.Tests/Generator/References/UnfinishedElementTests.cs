using Store.Serialization;

namespace Store.Tests.Generator.References;

/// <summary>Collections that ask their elements for a key or an order, in records that begin at an element.</summary>
public class UnfinishedElementTests
{
    private static readonly string[] Names = ["Cruyff", "Beckenbauer", "Eusebio"];

    private static Player[] Playing()
    {
        var team = new Team { Roster = [], Ranking = [], Named = [], Goals = [] };
        Player[] players = [.. Names.Select((name, i) => new Player { Name = name, Number = 14 - i, Team = team })];
        foreach (Player player in players)
        {
            team.Roster.Add(player);
            team.Bench.Add(player);
            team.Ranking.Add(player);
            team.Named.Add(player);
            team.Goals.Add(player, player.Number * 10);
            team.Known.Add(player);
            team.Fouls.Add(player, player.Number);
            team.Marks.Add(player, player);
        }

        return players;
    }

    private static void AssertFound(Team team)
    {
        Assert.Equal(Names, team.Roster!.Select(static player => player.Name));
        Assert.Equal(Names, team.Bench.Select(static player => player.Name));
        Assert.Equal([6, 7, 11], team.Ranking!.Select(static player => player.Name.Length));
        Assert.Equal(Names.Order(StringComparer.Ordinal), team.Named!.Select(static player => player.Name));
        foreach (Player player in team.Roster!)
        {
            Assert.Same(team, player.Team);
            Assert.Same(player, team.Roster[player.Name.ToLowerInvariant()]);
            Assert.Same(player, team.Bench[player.Name.ToLowerInvariant()]);
            Assert.True(team.Named!.Contains(player) && team.Known.Contains(player) && team.Known.Count == Names.Length);
            Assert.Equal((player.Number * 10, player.Number), (team.Goals![player], team.Fouls[player]));
            Assert.Same(player, team.Marks[player]);
        }
    }

    [Fact]
    public void AParentFindsTheChildAtWhichTheRecordBegins()
    {
        foreach (Player player in Playing())
        {
            Player copy = NinoSerializer.Deserialize<Player>(NinoSerializer.Serialize(player));
            Assert.Equal((player.Name, player.Number), (copy.Name, copy.Number));
            AssertFound(copy.Team!);
        }
    }

    /// <summary>Not left out for the time being: who is given the collection may copy it.</summary>
    [Fact]
    public void WhatACollectionRefusesOfThoseThatHaveNothingYetIsAnError()
    {
        Player[] players = Playing();
        // The first is not finished before the second, and this not before the third: all three have the same name when the team is read.
        players[0].Team = players[1].Team = null;
        (players[0].Friend, players[1].Friend) = (players[1], players[2]);
        byte[] bytes = NinoSerializer.Serialize(players[0]);
        Assert.Contains("Element 1 was refused by the Add of a new 'Store.Tests.Generator.References.Roster'", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Player>(bytes)).Message);
    }

    [Fact]
    public void SeveralChildrenMayLeadToTheParent()
    {
        Player[] players = Playing();
        Team team = players[0].Team!;
        (team.Roster, team.Ranking, team.Named, team.Goals) = (null, null, null, null);
        team.Bench.Clear();
        team.Known.Clear();
        team.Fouls.Clear();
        team.Marks.Clear();
        team.Known.UnionWith([players[0], new Player { Name = "Yashin" }]);
        team.Goals = [];
        team.Goals.Add(players[1], 5);
        players[0].Team = null;
        players[0].Friend = players[1];
        Player copy = NinoSerializer.Deserialize<Player>(NinoSerializer.Serialize(players[0]));
        Team read = copy.Friend!.Team!;
        Assert.True(read.Known.Contains(copy) && read.Known.Count == 2);
        Assert.Equal(5, read.Goals![copy.Friend]);
    }

    [Fact]
    public void CallbacksOfTheChildFindItAndThoseBeforeSeeWhatTheCollectionTook()
    {
        Player first = Playing()[0];
        byte[] bytes = NinoSerializer.Serialize(first);
        List<string> found = [];
        Player.Done = player => found.Add($"{player.Name}: {player.Team!.Ranking?.Count} {player.Team.Roster is { } roster && roster.Contains("cruyff")}");
        NinoSerializer.Deserialize<Player>(bytes);
        Player.Done = null;
        // The two others are read before the team has its ranking; the first has all.
        Assert.Equal(["Beckenbauer:  False", "Eusebio:  False", "Cruyff: 3 True"], found);
    }

    [Fact]
    public void ACollectionWhoseElementsHaveAllIsFilledOnce()
    {
        Team team = Playing()[0].Team!;
        Team copy = NinoSerializer.Deserialize<Team>(NinoSerializer.Serialize(team));
        AssertFound(copy);
        Assert.Equal(3, copy.Ranking!.Added);
    }

    [Fact]
    public void WhatACollectionDoesNotTakeThenIsRefused()
    {
        Player first = Playing()[0];
        byte[] bytes = NinoSerializer.Serialize(first);
        // The name of the first stands at the end. With one letter more it is as long as that of the third.
        bytes = [.. bytes, (byte)'s'];
        bytes[^8] += 2;
        Assert.Contains("was refused by the Add of a new 'Store.Tests.Generator.References.ByLength': There is a name of 7 letters.", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Player>(bytes)).Message);
    }

    [Fact]
    public void ACollectionThatCannotBeEmptiedIsRefusedWhereItWouldHaveToBe()
    {
        var entry = new Entry { Text = "t" };
        entry.Log = [entry];
        byte[] bytes = NinoSerializer.Serialize(entry);
        Assert.Contains("refused to be emptied for that: It only grows. Let its Clear empty it", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Entry>(bytes)).Message);
        Assert.Equal("t", Assert.Single(NinoSerializer.Deserialize<Entry>(NinoSerializer.Serialize(new Entry { Log = [new Entry { Text = "t" }] })).Log!).Text);
    }

    /// <summary>It is no list for that: its Add looks at the elements.</summary>
    [Fact]
    public void AListThatImplementsItsInterfaceAgainFindsWhatItAsksFor() => Programs.Run("""
        [NinoType(References = true)] public sealed class Child { public ByName? All { get; set; } public string? Name { get; set; } }
        public sealed class ByName : List<Child>, ICollection<Child> { void ICollection<Child>.Add(Child item) { int at = FindIndex(one => string.CompareOrdinal(one.Name, item.Name) > 0); Insert(at < 0 ? Count : at, item); } }
        """, """
        Child a = new() { Name = "a" }, b = new() { Name = "b" };
        a.All = b.All = [a, b];
        foreach (Child child in new[] { a, b })
        {
            Child copy = Copy(child);
            Equal("a b", string.Join(' ', copy.All!.ConvertAll(static one => one.Name)));
            Equal(true, ReferenceEquals(copy, copy.All![child == a ? 0 : 1]));
        }
        """);

    /// <summary>A reader may go on with the next record, whose objects have the same numbers.</summary>
    [Fact]
    public void WhatWaitsInARecordThatWasGivenUpIsNotDoneInTheNextOne()
    {
        var reader = new NinoReader([]);
        reader.BeginRecord();
        int given = 0, done = 0;
        int first = reader.AddReference();
        reader.Await(first, (ref NinoReader _) => given++);
        reader.BeginRecord();
        int next = reader.AddReference();
        Assert.Equal(first, next);
        reader.Await(next, (ref NinoReader _) => done++);
        reader.EndReference(next);
        Assert.Equal((0, 1), (given, done));
    }
}
