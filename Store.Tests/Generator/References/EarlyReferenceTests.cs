using Store.Serialization;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Values;

namespace Store.Tests.Generator.References;

/// <summary>Objects that are met again inside of what their constructor takes.</summary>
public class EarlyReferenceTests
{
    private static Parent Family(out Child second)
    {
        var parent = new Parent("p", []);
        second = new Child { Name = "b", Parent = parent };
        parent.Children.AddRange([new Child { Name = "a", Parent = parent }, second]);
        return parent;
    }

    [Fact]
    public void ChildrenKnowTheRecordWhoseConstructorTakesThem()
    {
        Parent copy = RoundTrip.Of(Family(out _));
        Assert.Equal(("p", 2, "a", "b"), (copy.Name, copy.Children.Count, copy.Children[0].Name, copy.Children[1].Name));
        Assert.All(copy.Children, child => Assert.Same(copy, child.Parent));
    }

    [Fact]
    public void AnEarlyReferenceIsANumberAsAnyOther()
    {
        Assert.Equal(
            "01" + "0370" + "03" + "01" + "0361" + "02" + "01" + "0362" + "02",
            Convert.ToHexString(NinoSerializer.Serialize(Family(out Child child))));
        // The child first: the parent is met inside of it, and refers to it in turn.
        Assert.Equal("01" + "0362" + "01" + "0370" + "03" + "01" + "0361" + "03" + "02", Convert.ToHexString(NinoSerializer.Serialize(child)));
    }

    [Fact]
    public void WhicheverObjectOfACycleIsWrittenFirstItIsTheSameGraph()
    {
        Family(out Child child);
        Child copy = RoundTrip.Of(child);
        Assert.Equal(["a", "b"], copy.Parent!.Children.Select(static one => one.Name));
        Assert.Same(copy, copy.Parent.Children[1]);
        Assert.All(copy.Parent.Children, one => Assert.Same(copy.Parent, one.Parent));
    }

    [Fact]
    public void TwoConstructorsMayWaitForEachOther()
    {
        var left = new Left(1, null);
        var right = new Right(2, left);
        left.Join(right);
        Left copy = RoundTrip.Of(left);
        Assert.Equal((1, 2), (copy.Id, copy.Right!.Id));
        Assert.True(ReferenceEquals(copy, copy.Right.Left));
        Right other = RoundTrip.Of(right);
        Assert.True(ReferenceEquals(other, other.Left!.Right));
    }

    [Fact]
    public void APrivateConstructorOfAGenericTypeRunsOnTheObjectThatIsThere()
    {
        Knot<string> copy = RoundTrip.Of(Knot<string>.Of("v"));
        Assert.Equal(("v", "l", true, 1), (copy.Value, copy.Label, copy.IsMade, copy.Loop.Turns));
        Assert.Same(copy, copy.Loop.Knot);

        Knot<Parent> family = RoundTrip.Of(Knot<Parent>.Of(Family(out _)));
        Assert.Same(family, family.Loop.Knot);
        Assert.All(family.Value!.Children, child => Assert.Same(family.Value, child.Parent));
    }

    [Fact]
    public void CasesOfABaseAreMadeAsWhatTheyAre()
    {
        List<Part?> parts = [];
        var whole = new Whole(parts, null, 1);
        parts.AddRange([new Wheel(whole, 2, 2.5), whole, null, new Whole([], whole, 3)]);
        whole.Spare.Add(parts[0]!);
        Whole copy = RoundTrip.Of(whole);
        Assert.Same(copy, copy.Parts[1]);
        Assert.Equal((2, 2.5), (copy.Parts[0]!.Number, ((Wheel)copy.Parts[0]!).Size));
        Assert.Same(copy, copy.Parts[0]!.Whole);
        Assert.Same(copy, copy.Parts[3]!.Whole);
        Assert.Same(copy.Parts[0], copy.Spare[0]);
        Assert.Same(copy.GetType(), RoundTrip.Of<Part>(whole).GetType());
    }

    [Fact]
    public void TheConstructorOfAnEarlyObjectRunsWhenItsMembersAreReadAndCallbacksComeBehindIt()
    {
        var first = new Witness("first", null) { Later = 1 };
        first.Meet(new Witness("second", first) { Later = 2 });
        byte[] bytes = NinoSerializer.Serialize(first);
        Witness.Log = [];
        Witness copy = NinoSerializer.Deserialize<Witness>(bytes);
        Assert.Equal(
            ["second made, other is not made", "second begins, later 0", "second ends, later 2, other is not made", "first made, other is second", "first begins, later 0", "first ends, later 1, other is second"],
            Witness.Log);
        Witness.Log = null;
        Assert.Same(copy, copy.Other!.Other);
    }

    [Fact]
    public void ObjectsThatAreToldApartByIdentityAreKeysBeforeTheirConstructorRan()
    {
        var clique = new Clique("c", [], []);
        var other = new Clique("o", [clique], new() { [clique] = 3 });
        clique.Friends.UnionWith([other, clique]);
        clique.Since[clique] = 1;
        clique.Since[other] = 2;
        Clique copy = RoundTrip.Of(clique), friend = copy.Friends.Single(one => one != copy);
        Assert.True(copy.Friends.Contains(copy) && friend.Friends.Contains(copy));
        Assert.Equal((1, 2, 3, "c", "o"), (copy.Since[copy], copy.Since[friend], friend.Since[copy], copy.Name, friend.Name));
    }

    [Fact]
    public void CodeInsideOfACycleSeesAnObjectThatHasNothingYet()
    {
        var first = new Curious("first", null);
        first.Meet(new Curious("second", first));
        Curious copy = NinoSerializer.Deserialize<Curious>(NinoSerializer.Serialize(first));
        Assert.Equal(("nothing yet", "second"), (copy.Other!.Saw, copy.Saw));
        // Not even the field's initializer ran when the second one's setter was called.
        first.Other!.Note = "n";
        byte[] bytes = NinoSerializer.Serialize(first);
        Assert.IsType<NullReferenceException>(Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Curious>(bytes)).InnerException);
        Assert.Equal("n", NinoSerializer.Deserialize<Curious>(NinoSerializer.Serialize(first.Other)).Note);
    }

    [Fact]
    public void WhatAFactoryMethodTakesCannotLeadBack()
    {
        var minted = Minted.Of(null);
        minted.Close();
        string message = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(minted)).Message;
        Assert.Contains("factory method", message);
        Assert.Contains("[NinoConstructor]", message);
        message = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Minted>(Convert.FromHexString("0102"))).Message;
        Assert.Contains("factory method", message);
        RoundTrip.Of(Minted.Of(Minted.Of(null)));
    }

    [Fact]
    public void AConstructorThatRefusesIsTheErrorThatItIsWithoutACycle()
    {
        var guarded = new Guarded("allowed", null);
        guarded.Close();
        byte[] bytes = NinoSerializer.Serialize(guarded);
        string refused = Convert.ToHexString(bytes).Replace(Convert.ToHexString("allowed"u8), Convert.ToHexString("refused"u8), StringComparison.Ordinal);
        var early = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guarded>(Convert.FromHexString(refused)));
        Assert.IsType<ArgumentException>(early.InnerException);
        var plain = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guarded>(Convert.FromHexString(refused[..^2] + "00")));
        Assert.IsType<ArgumentException>(plain.InnerException);
        Guarded copy = RoundTrip.Of(guarded);
        Assert.Same(copy, copy.Inner);
    }

    [Fact]
    public void AnObjectWhoseConstructorDidNotRunIsNeverFinalized()
    {
        // The outer one is referred to by the inner one, whose constructor refuses: it is never made.
        byte[] refused = [1, 3, (byte)'n', 1, 15, .. "refused"u8, 2];
        byte[] cut = [1, 3, (byte)'n', 1, 3, (byte)'m', 2];
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal("m", NinoSerializer.Deserialize<Guarded>(cut).Inner!.Name);
            Assert.IsType<ArgumentException>(Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guarded>(refused)).InnerException);
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guarded>(cut.AsSpan(0, 6)));
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal(0, Guarded.Broken);
    }

    [Fact]
    public void AnEarlyReferenceToAnObjectOfAnotherTypeIsRefused()
    {
        // The first child's parent is the number of the child itself.
        byte[] bytes = Convert.FromHexString("01" + "0370" + "03" + "01" + "0361" + "03" + "01" + "0362" + "02");
        Assert.Contains("refers to an object of", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Parent>(bytes)).Message);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSerializer.SchemaOf<Parent>(), bytes));
        // A wheel whose whole is the wheel.
        Whole whole = new([new Wheel(null, 2, 1)], null, 1);
        byte[] other = NinoSerializer.Serialize(whole);
        int at = other.AsSpan().LastIndexOf((byte)0);
        Assert.True(at > 0);
        int refused = 0;
        for (int i = 0; i < other.Length; i++)
        {
            if (other[i] != 0) continue;
            byte[] damaged = [.. other];
            damaged[i] = 3;
            if (Record.Exception(() => NinoSerializer.Deserialize<Whole>(damaged)) is NinoSerializationException { Message: { } message } && message.Contains("refers to an object of", StringComparison.Ordinal)) refused++;
        }

        Assert.True(refused > 0);
    }

    [Fact]
    public void AnyFlippedBitOfACycleIsRefusedOrIsAnotherGraphsOwnEncoding()
    {
        List<Part?> parts = [];
        var whole = new Whole(parts, null, 1);
        parts.AddRange([new Wheel(whole, 2, 2.5), whole, new Whole([], whole, 3)]);
        byte[] bytes = NinoSerializer.Serialize(whole);
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] damaged = [.. bytes];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            Exception? typed = Record.Exception(() => Assert.Equal(damaged, NinoSerializer.Serialize(NinoSerializer.Deserialize<Whole>(damaged))));
            Assert.True(typed is null or NinoSerializationException, typed?.ToString());
            Exception? untyped = Record.Exception(() => NinoValue.Decode(NinoSerializer.SchemaOf<Whole>(), damaged));
            Assert.Equal(typed?.GetType(), untyped?.GetType());
        }
    }

    [Fact]
    public void ADeepCycleIsRefusedByTheDepthLimit()
    {
        // Each is the parent of the next one's parent, and the last refers to the first.
        byte[] hostile = [.. Enumerable.Repeat<byte[]>([1, 3, (byte)'n'], 100_000).SelectMany(static part => part), 2];
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guarded>(hostile)).Message);
    }

    [Fact]
    public void WhatReadsBytesOtherwiseTakesTheSameCycles()
    {
        Parent parent = Family(out _);
        byte[] bytes = NinoSerializer.Serialize(parent);
        Assert.Equal(
            """{"$id":"1","Name":"p","Children":[{"$id":"2","Name":"a","Parent":{"$ref":"1"}},{"$id":"3","Name":"b","Parent":{"$ref":"1"}}]}""",
            Shapes.Json(NinoSchema.Parse(NinoSerializer.SchemaOf<Parent>().CanonicalBytes.Span), bytes));
        Assert.True(NinoValue.Decode(NinoSerializer.SchemaOf<Parent>(), bytes)["Children"].Items[0]["Parent"].IsBackReference);

        Parent? into = new("old", [new Child()]);
        Parent old = into;
        NinoSerializer.Deserialize(bytes, ref into);
        Assert.NotSame(old, into);
        Assert.Same(into, into!.Children[1].Parent);
        Assert.Equal("old", old.Name);

        Parent clone = NinoSerializer.Clone(parent);
        Assert.NotSame(parent, clone);
        Assert.Same(clone, clone.Children[0].Parent);

        using var stream = new MemoryStream();
        NinoSerializer.Serialize(stream, parent);
        stream.Position = 0;
        Parent streamed = NinoSerializer.Deserialize<Parent>(stream);
        Assert.Same(streamed, streamed.Children[1].Parent);
    }

    [Fact]
    public void EveryRecordOfAReaderHasEarlyObjectsOfItsOwn()
    {
        byte[] once = NinoSerializer.Serialize(Family(out _));
        var reader = new NinoReader([.. once, .. once]);
        Parent first = NinoCodec<Parent>.Default.ReadRecord(ref reader), second = NinoCodec<Parent>.Default.ReadRecord(ref reader);
        Assert.NotSame(first, second);
        Assert.Same(first, first.Children[0].Parent);
        Assert.Same(second, second.Children[0].Parent);
    }

    [Fact]
    public void AnOlderShapeIsReadAsOneWhoseConstructorTakesWhatLeadsBack() => Programs.Run(
        """
        [NinoType(References = true)] public sealed class Old { public string? Name { get; set; } public int Gone { get; set; } public Old? Next { get; set; } }
        [NinoType(References = true), NinoFormerName("Old")] public sealed class New
        {
            public New(string? name, New? next, List<int>? added, int level = 7) { Name = name; Next = next; Added = added; Level = level; }
            public string? Name { get; }
            public New? Next { get; }
            public List<int>? Added { get; }
            public int Level { get; }
        }
        """,
        """
        var one = new Old { Name = "a", Gone = 1 };
        one.Next = new Old { Name = "b", Next = one };
        New now = Evolve<Old, New>(one);
        Equal(true, ReferenceEquals(now, now.Next!.Next));
        Equal(("a", "b", 7, null), (now.Name, now.Next.Name, now.Level, now.Added));
        New again = Copy(now);
        Equal(true, ReferenceEquals(again, again.Next!.Next));
        """);

    [Fact]
    public void TypesOfAnotherAssemblyAreMadeEarlyToo() => Programs.Run(
        """
        [NinoType] public sealed class Tray : Shelf { public Tray(string name, List<Shelf>? below, Shelf? above) : base(name, below) { Above = above; } public Shelf? Above { get; } }
        [NinoType] public sealed class Uses { public Ring<string>? Ring { get; set; } public Ring<Tray>? Trays { get; set; } }
        """,
        """
        var ring = Ring<string>.Of("r");
        Uses copy = Copy(new Uses { Ring = ring });
        Equal(true, ReferenceEquals(copy.Ring, copy.Ring!.Next));
        Equal("r", copy.Ring.Value);
        var tray = new Tray("t", [], null);
        tray.Below!.Add(new Tray("u", null, tray));
        tray.Below.Add(tray);
        Tray again = Copy(tray);
        Equal(true, ReferenceEquals(again, again.Below![1]));
        Equal(true, ReferenceEquals(again, ((Tray)again.Below[0]).Above));
        Equal(("t", "u"), (again.Name, again.Below[0].Name));
        Uses both = Copy(new Uses { Trays = Ring<Tray>.Of(tray) });
        Equal(true, ReferenceEquals(both.Trays!.Value, both.Trays.Value!.Below![1]));
        """,
        """
        [NinoType(References = true)] public abstract class Shelf { protected Shelf(string name, List<Shelf>? below) { Name = name; Below = below; } public string Name { get; } public List<Shelf>? Below { get; } }
        [NinoType(References = true)] public sealed class Ring<T> where T : class
        {
            [NinoConstructor] public Ring(T? value, Ring<T>? next) { Value = value; Next = next; }
            public T? Value { get; }
            [NinoInclude] public Ring<T>? Next { get; private set; }
            public static Ring<T> Of(T value) { var ring = new Ring<T>(value, null); ring.Next = ring; return ring; }
        }
        """);
}
