using Store.Serialization;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Values;

namespace Store.Tests.Generator.References;

public class ReferenceTests
{
    [Fact]
    public void AStructThatIsACaseOfABaseWithReferencesHasANumberAsAnyOther() => Programs.Run("""
        [NinoType(References = true)] public interface INode;
        [NinoType] public struct Point : INode { public int X { get; set; } }
        [NinoType] public struct Named : INode { public string? Name { get; set; } public INode? Next { get; set; } }
        [NinoType] public sealed class Node : INode { public int Id { get; set; } public INode? Next { get; set; } }
        [NinoType] public sealed class Use { public INode? A { get; set; } public INode? B { get; set; } public INode? C { get; set; } public INode? D { get; set; } public Node? E { get; set; } public INode? F { get; set; } public Named Own { get; set; } }
        """, """
        INode point = new Point { X = 1 };
        var first = new Node { Id = 2 };
        var second = new Node { Id = 3, Next = new Named { Name = "n", Next = first } };
        second.Next = new Named { Name = "n", Next = second };
        Use read = Copy(new Use { A = point, B = first, C = second, D = first, E = second, F = point, Own = new() { Next = first } });
        Equal((1, 2, 3, 2, 3, 1), (((Point)read.A!).X, ((Node)read.B!).Id, ((Node)read.C!).Id, ((Node)read.D!).Id, read.E!.Id, ((Point)read.F!).X));
        Equal((true, true, true, true, true), (ReferenceEquals(read.A, read.F), ReferenceEquals(read.B, read.D), ReferenceEquals(read.C, read.E), ReferenceEquals(read.E, ((Named)read.E.Next!).Next), ReferenceEquals(read.B, read.Own.Next)));
        """);

    [Fact]
    public void AnObjectMetTwiceIsOneObjectAfterReading()
    {
        var shared = new Person { Id = 1, Name = "shared" };
        var root = new Person { Id = 2, Friend = shared, Children = [shared, null, new Person { Id = 3, Friend = shared }], ByRole = new() { ["a"] = shared } };
        Person copy = RoundTrip.Of(root);
        Assert.Equal((2, 1, "shared"), (copy.Id, copy.Friend!.Id, copy.Friend.Name));
        Assert.Same(copy.Friend, copy.Children[0]);
        Assert.Null(copy.Children[1]);
        Assert.Same(copy.Friend, copy.Children[2]!.Friend);
        Assert.Same(copy.Friend, copy.ByRole!["a"]);
    }

    [Fact]
    public void EqualObjectsThatAreNotTheSameStayTwo()
    {
        Employee copy = RoundTrip.Of(new Employee(1, "a", null) { Staff = [new Employee(2, "b", null), new Employee(2, "b", null)] });
        Assert.Equal(copy.Staff[0].Id, copy.Staff[1].Id);
        Assert.NotSame(copy.Staff[0], copy.Staff[1]);
    }

    /// <summary>A member that another assembly declares knows none of the types that this one derives: what cannot be read there is not written, met before or not.</summary>
    [Fact]
    public void AnObjectThatWasWrittenBeforeIsRefusedWhereItsTypeIsNoneOfThoseDeclared() => Programs.Run("""
        [NinoType(References = true)] public class Named : Lib.Node { public string Name = ""; }
        [NinoType] public class Holder { public List<Lib.Node> Nodes = []; }
        """, """
        var named = new Named { Name = "n" };
        Refused(() => NinoSerializer.Serialize(new Holder { Nodes = [new Lib.Node { Next = named }] }), "member Nodes[0].Next", "'Named' was found where 'Lib.Node' is declared");
        Refused(() => NinoSerializer.Serialize(new Holder { Nodes = [named, new Lib.Node { Next = named }] }), "member Nodes[1].Next", "'Named' was found where 'Lib.Node' is declared");
        var node = new Lib.Node();
        node.Next = node;
        Holder copy = Copy(new Holder { Nodes = [named, named, node, new Lib.Node { Next = node }] });
        if (copy.Nodes[0] != copy.Nodes[1] || copy.Nodes[2].Next != copy.Nodes[2] || copy.Nodes[3].Next != copy.Nodes[2]) throw new InvalidOperationException("Other objects.");
        Equal("n", ((Named)copy.Nodes[1]).Name);
        """, "namespace Lib; [NinoType(References = true)] public class Node { public Node? Next; }");

    [Fact]
    public void CyclesEnd()
    {
        var person = new Person { Id = 1 };
        person.Friend = person;
        Person copy = RoundTrip.Of(person);
        Assert.Same(copy, copy.Friend);

        var parent = new Person { Id = 1 };
        for (int i = 2; i < 5; i++) parent.Children.Add(new Person { Id = i, Friend = parent });
        copy = RoundTrip.Of(parent);
        Assert.All(copy.Children, child => Assert.Same(copy, child!.Friend));
    }

    [Fact]
    public void AReferenceIsItsNumberAboveOne()
    {
        var person = new Person { Id = 7, Name = "p" };
        person.Friend = person;
        person.Children = [person, new Person { Id = 8, Friend = person }];
        Assert.Equal(
            "01" + "07000000" + "0370" + "02" + "03" + "02" + "01" + "08000000" + "00" + "02" + "01" + "00" + "00",
            Convert.ToHexString(NinoSerializer.Serialize(person)));
    }

    [Fact]
    public void WhatIsSetAfterTheConstructorMayLeadBackToIt()
    {
        var boss = new Employee(1, "boss", null);
        boss.Staff.Add(new Employee(2, "one", boss));
        boss.Staff.Add(new Employee(3, "two", boss) { Deputy = boss.Staff[0] });
        boss.Deputy = boss;
        Employee copy = RoundTrip.Of(boss);
        Assert.Same(copy, copy.Deputy);
        Assert.All(copy.Staff, one => Assert.Same(copy, one.Boss));
        Assert.Same(copy.Staff[0], copy.Staff[1].Deputy);
    }

    [Fact]
    public void ACycleMayBeBegunAtAnyObject()
    {
        // The one written first is its own boss's staff: its constructor takes the boss, whose list holds it.
        var boss = new Employee(1, "boss", null);
        var one = new Employee(2, "one", boss);
        boss.Staff.Add(one);
        Employee copy = RoundTrip.Of(one);
        Assert.Same(copy, copy.Boss!.Staff[0]);
        Assert.Equal((2, 1), (copy.Id, copy.Boss.Id));
        RoundTrip.Of(boss);
    }

    [Fact]
    public void RequiredAndInitMembersAreSetAfterConstruction()
    {
        var strict = new Strict { Label = "l", Self = null, Lock = new object() };
        strict.Hide(strict);
        Strict copy = RoundTrip.Of(new Strict { Label = "outer", Self = strict, Lock = new object() });
        Assert.Equal(("outer", "l"), (copy.Label, copy.Self!.Label));
        Assert.Same(copy.Self, copy.Self.Hidden());
        Assert.Null(copy.Hidden());
    }

    [Fact]
    public void IdentityIsKeptAcrossDeclaredTypes()
    {
        var crate = new Crate { Name = "c" };
        var tool = new Tool { Name = "t", In = crate, Weight = 2 };
        tool.Pair = (tool, 4);
        crate.Items = [tool, crate, null];
        var depot = new Depot { Any = tool, Crate = crate, Tools = [tool, new Tool { In = crate }], ByNumber = new() { [1] = tool, [2] = crate } };
        Depot copy = RoundTrip.Of(depot);
        Assert.Same(copy.Any, copy.Tools![0]);
        Assert.Same(copy.Crate, copy.Any!.In);
        Assert.Same(copy.Any, copy.Crate!.Items[0]);
        Assert.Same(copy.Crate, copy.Crate.Items[1]);
        Assert.Same(copy.Crate, copy.Tools[1]!.In);
        Assert.Same(copy.Any, copy.ByNumber![1]);
        Assert.Same(copy.Any, ((Tool)copy.Any).Pair.Item1);
        Assert.Same(RoundTrip.Of<Item>(crate).GetType(), typeof(Crate));
    }

    [Fact]
    public void ACaseMayKeepReferencesWhereItsBaseDoesNot()
    {
        var tracked = new TrackedHolder { Value = 3 };
        tracked.Next = tracked;
        LooseHolder copy = RoundTrip.Of(new LooseHolder { First = tracked, Second = new LooseHolder { First = tracked } });
        var first = (TrackedHolder)copy.First!;
        Assert.Same(first, first.Next);
        Assert.Same(first, ((LooseHolder)copy.Second!).First);

        // Null is the tag 0 of the base, and not a case that is null.
        byte[] bytes = NinoSerializer.Serialize<IHolder>(new TrackedHolder());
        Assert.Equal(1, bytes[4]);
        bytes[4] = 0;
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<IHolder>(bytes[..5]));
        Assert.Throws<NinoSerializationException>(() => RoundTrip.Walk(bytes.AsSpan(0, 5), NinoSerializer.SchemaOf<IHolder>()));
    }

    [Fact]
    public void EveryRecordCountsFromZero()
    {
        var shared = new Person { Id = 1 };
        byte[] once = NinoSerializer.Serialize(shared);
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        for (int i = 0; i < 3; i++) NinoCodec<Person>.Default.WriteRecord(ref writer, in shared);
        writer.Flush();
        Assert.Equal([.. once, .. once, .. once], output.WrittenSpan.ToArray());

        var reader = new NinoReader(output.WrittenSpan);
        Person[] read = [NinoCodec<Person>.Default.ReadRecord(ref reader), NinoCodec<Person>.Default.ReadRecord(ref reader), NinoCodec<Person>.Default.ReadRecord(ref reader)];
        Assert.Equal(3, read.Distinct().Count());
    }

    [Fact]
    public void GenericTypesKeepReferencesToo()
    {
        var cell = new Cell<string> { Value = "x" };
        cell.Next = cell;
        Cell<string> copy = RoundTrip.Of(new List<Cell<string>> { cell, cell })[1];
        Assert.Same(copy, copy.Next);
    }

    [Fact]
    public void AFailedWriteLeavesNoNumbersBehind()
    {
        var minted = Minted.Of(null);
        minted.Close();
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(minted));
        RoundTrip.Of(new Employee(5, "five", null));
        RoundTrip.Of(Minted.Of(Minted.Of(null)));
    }

    [Theory]
    [InlineData("03")]
    [InlineData("02")]
    [InlineData("FC")]
    [InlineData("FEFFFFFFFF")]
    public void AReferenceToAnObjectThatWasNotMetIsRefused(string reference)
    {
        byte[] bytes = Convert.FromHexString(reference + "00000000" + "00" + "00" + "00" + "00");
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Person>(bytes));
        Assert.Contains("object number", error.Message);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSerializer.SchemaOf<Person>(), bytes));
    }

    [Fact]
    public void AReferenceToAnObjectOfAnotherTypeIsRefused()
    {
        var crate = new Crate();
        byte[] bytes = NinoSerializer.Serialize(new Depot { Any = new Tool { In = crate }, Crate = crate });
        int changed = 0;
        for (int at = 0; at < bytes.Length; at++)
        {
            // The one back reference: number 1 is the crate, number 0 the tool, which cannot stand for a crate.
            if (bytes[at] != 3) continue;
            byte[] damaged = [.. bytes];
            damaged[at] = 2;
            Assert.Contains("refers to an object of", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Depot>(damaged)).Message);
            Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSerializer.SchemaOf<Depot>(), damaged));
            changed++;
        }

        Assert.Equal(1, changed);
    }

    [Fact]
    public void AnyFlippedBitIsRefusedOrIsAnotherGraphsOwnEncoding()
    {
        var crate = new Crate { Name = "c" };
        var tool = new Tool { Name = "t", In = crate, Weight = 2 };
        crate.Items = [tool, crate, null];
        byte[] bytes = NinoSerializer.Serialize(new Depot { Any = tool, Crate = crate, Tools = [tool, new Tool { In = crate }], Holder = new LooseHolder { First = new TrackedHolder() } });
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] damaged = [.. bytes];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            Exception? typed = Record.Exception(() => Assert.Equal(damaged, NinoSerializer.Serialize(NinoSerializer.Deserialize<Depot>(damaged))));
            Assert.True(typed is null or NinoSerializationException, typed?.ToString());
            Exception? untyped = Record.Exception(() => NinoValue.Decode(NinoSerializer.SchemaOf<Depot>(), damaged));
            Assert.Equal(typed?.GetType(), untyped?.GetType());
        }
    }

    [Fact]
    public void ALongChainIsRefusedByTheDepthLimitAndNotByTheStack()
    {
        var last = new Person();
        for (int i = 0; i < 100_000; i++) last = new Person { Friend = last };
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(last)).Message);

        byte[] hostile = [.. Enumerable.Repeat<byte[]>([1, 0, 0, 0, 0, 0], 100_000).SelectMany(static part => part)];
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Person>(hostile)).Message);
    }

    [Fact]
    public void AGraphIsReadWithoutItsTypes()
    {
        var person = new Person { Id = 1 };
        person.Friend = person;
        person.ByRole = new() { ["x"] = person, ["y"] = new Person { Id = 2, Friend = person } };
        byte[] bytes = NinoSerializer.Serialize(person);
        NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<Person>().CanonicalBytes.Span);
        Assert.Equal(
            """{"$id":"1","Id":1,"Name":null,"Friend":{"$ref":"1"},"Children":[],"ByRole":{"x":{"$ref":"1"},"y":{"$id":"2","Id":2,"Name":null,"Friend":{"$ref":"1"},"Children":[],"ByRole":null}}}""",
            Shapes.Json(schema, bytes));

        NinoValue value = NinoValue.Decode(schema, bytes);
        Assert.Equal(1, value.ObjectNumber);
        Assert.False(value.IsBackReference);
        Assert.True(value["Friend"].IsBackReference);
        Assert.Equal(1, value["Friend"].ObjectNumber);
        Assert.False(value["Friend"].IsNull);
        Assert.Empty(value["Friend"].Fields);
        Assert.Equal(2, value["ByRole"].Pairs[1].Value.ObjectNumber);
        Assert.Equal("Store.Tests.Generator.References.Person number 1", value["Friend"].ToString());
    }

    [Fact]
    public void ASecondWriteAllocatesNothing()
    {
        var person = new Person { Id = 1 };
        person.Friend = person;
        byte[] destination = new byte[100];
        for (int i = 0; i < 3; i++) NinoSerializer.TrySerialize(person, destination, out _);
        Assert.Equal(0, Allocated.Least(() => NinoSerializer.TrySerialize(person, destination, out _)));
    }

    [Fact]
    public void ASchemaThatCouldNotBeCountedIsRefused()
    {
        var tracked = new ObjectDefinition("T", isReference: true, keepsReferences: true);
        Assert.Throws<ArgumentException>(() => NinoSchema.Create(new SchemaBuilder().Union(typeof(object), "U", UnionForm.SkipsUnknown, cases => cases.Add(UnionDefinition.HashOf("T"), SchemaNode.Reference(tracked)))));
        Assert.Throws<ArgumentException>(() => NinoSchema.Create(new SchemaBuilder().Union(typeof(object), "U", UnionForm.SkipsUnknown | UnionForm.KeepsReferences, cases => cases.Add(UnionDefinition.HashOf("C"), Shapes.Class("C")))));
    }
}
