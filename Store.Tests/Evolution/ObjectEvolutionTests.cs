using System.Buffers;
using Store.Serialization;
using Store.Tests.Generator;
using Store.Tests.Generator.Objects;
using Store.Tests.Generator.Polymorphism;

namespace Store.Tests.Evolution;

/// <summary>Members declared as object in records of other shapes.</summary>
public sealed class ObjectEvolutionTests
{
    [Fact]
    public void RecordsWithObjectsAreReadInANewShape()
    {
        byte[] stored = NinoSerializer.Serialize(new OldBag(1, new Circle("c", 2), new Shelf("s")), NinoHeader.Schema);
        NewBag read = NinoSerializer.Deserialize<NewBag>(stored, NinoHeader.Schema);
        // Types of this assembly keep references, which an object may be; a member that may hold none has what a new object has (docs/evolution.md).
        Assert.Equal(new NewBag(1, new Circle("c", 2), new Shelf("s"), "new"), read);
        Assert.Null(NinoSerializer.Deserialize<NewBag>(NinoSerializer.Serialize(new OldBag(1, null, null), NinoHeader.Schema), NinoHeader.Schema).Only);
    }

    /// <summary>What is no object of the schema is in a box of its name, and that holds the names of what it is made of.</summary>
    [Fact]
    public void WhatIsMadeOfARenamedTypeIsFoundByTheNamesThatItHad() => Store.Tests.Generator.Programs.Run("""
        [assembly: NinoSerializable(typeof(Line[]))]
        [assembly: NinoSerializable(typeof(List<Line>))]
        [assembly: NinoSerializable(typeof(List<List<Line>>))]
        [assembly: NinoSerializable(typeof(Dictionary<State, Line>))]
        [assembly: NinoSerializable(typeof(State))]
        [NinoType, NinoFormerName("Lib.OldLine")] public sealed record Line(long Number, string Note = "new");
        [NinoFormerName("Lib.OldState")] public enum State : short { Open, Shut }
        [NinoType, NinoFormerName("Lib.Envelope")] public sealed class Envelope { public object? Of { get; set; } public Type? Named { get; set; } }
        """, """
        Envelope Read(object of) => Evolve<Lib.Envelope, Envelope>(new Lib.Envelope { Of = of, Named = of.GetType() });
        var line = new Lib.OldLine(7);
        Equal(new Line(7), ((Line[])Read(new[] { line }).Of!)[0]);
        Equal(new Line(7), ((List<Line>)Read(new List<Lib.OldLine> { line }).Of!)[0]);
        Equal(new Line(7), ((List<List<Line>>)Read(new List<List<Lib.OldLine>> { new() { line } }).Of!)[0][0]);
        Equal(new Line(7), ((Dictionary<State, Line>)Read(new Dictionary<Lib.OldState, Lib.OldLine> { [Lib.OldState.Shut] = line }).Of!)[State.Shut]);
        Equal((object)State.Shut, Read(Lib.OldState.Shut).Of!);
        Equal(typeof(List<Line>), Read(new List<Lib.OldLine>()).Named!);
        Equal(typeof(State), Read(Lib.OldState.Open).Named!);
        """, """
        [assembly: NinoSerializable(typeof(Lib.OldLine[]))]
        [assembly: NinoSerializable(typeof(List<Lib.OldLine>))]
        [assembly: NinoSerializable(typeof(List<List<Lib.OldLine>>))]
        [assembly: NinoSerializable(typeof(Dictionary<Lib.OldState, Lib.OldLine>))]
        [assembly: NinoSerializable(typeof(Lib.OldState))]
        namespace Lib;
        [NinoType] public sealed record OldLine(int Number);
        public enum OldState : byte { Open, Shut }
        [NinoType] public sealed class Envelope { public object? Of { get; set; } public Type? Named { get; set; } }
        """);

    /// <summary>The types that such a record may be are those of an assembly, and its name is in the schema: another name of it makes no other record.</summary>
    [Fact]
    public async Task RecordsThatAreObjectsAreFoundWhenTheirAssemblyIsCalledOtherwise()
    {
        NinoSchema own = NinoSerializer.SchemaOf<object>();
        byte[] bytes = own.CanonicalBytes.ToArray();
        int name = bytes.AsSpan().IndexOf("System.Object@NinoStore.Tests"u8);
        "System.Object@NinoStore.Older"u8.CopyTo(bytes.AsSpan(name));
        NinoSchema stored = NinoSchema.Parse(bytes);
        Assert.NotEqual(own.Fingerprint, stored.Fingerprint);
        Assert.Equal(("System.Object", "System.Object"), (own.Name, stored.Name));
        Assert.Equal("Map<String, List<System.Object>>", NinoSchema.Create(SchemaNode.Map(SchemaNode.Primitive(SchemaKind.String), SchemaNode.List(stored.Root))).Name);

        await using NinoStore store = Log.Simulated.Open(new Simulation.SimDirectory());
        store.AppendRecord(stored, NinoSerializer.Serialize<object>(new Circle("c", 2)));
        store.Append<object>(5);
        Assert.Equal([new Circle("c", 2), 5], store.Read<object>().Select(static record => record.Value));
        await using Store.State.StateStore<After.Total> state = await store.OpenStateAsync<After.Total>(static on => on.On<object>(static (total, _) => total.Orders++));
        Assert.Equal(2, state.Read(static total => total.Orders));
    }

    [Fact]
    public void ATypeThatChangedTooMuchIsRefusedOnlyWhereAValueOfItIs()
    {
        NinoSchema Schema(SchemaKind kind, string extra)
        {
            var builder = new SchemaBuilder();
            return NinoSchema.Create(builder.Object(typeof(Bag), "Bag", true, fields => fields.Add("X", 0, fields.Builder.Union(typeof(object), "System.Object@Shop", UnionForm.Hashed, cases =>
            {
                cases.Add(UnionDefinition.HashOf("A"), cases.Builder.Object(typeof(int), "A", true, a => a.Add("V", 0, SchemaNode.Primitive(kind))));
                cases.Add(UnionDefinition.HashOf("B"), cases.Builder.Object(typeof(long), "B", true, b => b.Add("W", 0, SchemaNode.Primitive(SchemaKind.Int32))));
                cases.Add(UnionDefinition.HashOf(extra), cases.Builder.Object(typeof(byte), extra, true, b => b.Add("W", 0, SchemaNode.Primitive(SchemaKind.Int32))));
            }))));
        }

        NinoRecordMapper mapper = NinoRecordMapper.Create(Schema(SchemaKind.String, "C"), Schema(SchemaKind.Guid, "D"));
        byte[] ofB = [.. BitConverter.GetBytes(UnionDefinition.HashOf("B")), 1, 0, 0, 0];
        Assert.Equal(ofB, Map(mapper, ofB));
        Assert.Contains("is stored as String", Assert.Throws<NinoSerializationException>(() => Map(mapper, [.. BitConverter.GetBytes(UnionDefinition.HashOf("A")), 1])).Message);
        Assert.Contains("no case of", Assert.Throws<NinoSerializationException>(() => Map(mapper, [.. BitConverter.GetBytes(UnionDefinition.HashOf("C")), 1, 0, 0, 0])).Message);
    }

    /// <summary>A number, an enum or a collection lies in an object of one field, which an object with members has not: all of it would be left out.</summary>
    [Fact]
    public void AValueThatBecomesAnObjectOfItsNameIsRefusedWhereItStandsForAnObjectAndTheOtherWayRound()
    {
        static NinoSchema Schema(bool isReference, string field, params string[] former)
        {
            var builder = new SchemaBuilder();
            return NinoSchema.Create(builder.Object(typeof(Bag), "Bag", true, fields => fields.Add("X", 0, fields.Builder.Union(typeof(object), "System.Object@Shop", UnionForm.Hashed, cases =>
            {
                cases.Add(UnionDefinition.HashOf("A"), cases.Builder.Object(typeof(int), "A", isReference, a => a.Add(field, 0, SchemaNode.Primitive(SchemaKind.Int32), false, former)));
                cases.Add(UnionDefinition.HashOf("B"), cases.Builder.Object(typeof(long), "B", true, b => b.Add("W", 0, SchemaNode.Primitive(SchemaKind.Int32))));
            }))));
        }

        NinoSchema value = Schema(false, "Value"), other = Schema(true, "Code");
        byte[] record = [.. BitConverter.GetBytes(UnionDefinition.HashOf("A")), 1, 0, 0, 0];
        Assert.Contains("One of them is a value and the other an object", Assert.Throws<NinoSerializationException>(() => Map(NinoRecordMapper.Create(value, other), record)).Message, StringComparison.Ordinal);
        Assert.Contains("One of them is a value and the other an object", Assert.Throws<NinoSerializationException>(() => Map(NinoRecordMapper.Create(other, value), record)).Message, StringComparison.Ordinal);
        Assert.Equal(record, Map(NinoRecordMapper.Create(value, Schema(true, "Value")), record));
        Assert.Equal(record, Map(NinoRecordMapper.Create(value, Schema(false, "Code", "Value")), record));
        Assert.Equal(record, Map(NinoRecordMapper.Create(other, Schema(false, "Value", "Code")), record));
    }

    /// <summary>What stands for an object is of the assembly's own list: the older release is another assembly.</summary>
    [Fact]
    public void AnEnumAndACollectionThatBecomeClassesAreRefusedWhereTheyStoodForAnObject() => Programs.Run("""
        [NinoType, NinoFormerName("Lib.Kind")] public record Kind(int Code, string? Name);
        [NinoType, NinoFormerName("Lib.Tags")] public class Tags { public List<string> Items = []; }
        [NinoType, NinoFormerName("Lib.Envelope")] public class Envelope { public object? Content; }
        """, """
        Refused(() => Evolve<Lib.Envelope, Envelope>(new Lib.Envelope { Content = Lib.Kind.B }), "One of them is a value and the other an object");
        Refused(() => Evolve<Lib.Envelope, Envelope>(new Lib.Envelope { Content = new Lib.Tags { "a" } }), "One of them is a value and the other an object");
        Equal("x", (string)Evolve<Lib.Envelope, Envelope>(new Lib.Envelope { Content = "x" }).Content!);
        """, """
        [assembly: NinoSerializable(typeof(Lib.Kind))] [assembly: NinoSerializable(typeof(Lib.Tags))]
        namespace Lib { public enum Kind : short { A, B } public class Tags : List<string>; [NinoType] public class Envelope { public object? Content; } }
        """);

    [Fact]
    public void ACaseThatHoldsWhatChangedTooMuchIsRefusedWithItAndTheOthersAreRead()
    {
        NinoSchema Schema(SchemaKind kind, bool isHeld)
        {
            SchemaNode bad = Values.Shapes.Class("Bad", ("V", SchemaNode.Primitive(kind)));
            SchemaNode holder = Values.Shapes.Class("Holder", ("Bads", SchemaNode.List(bad)));
            SchemaNode above = Values.Shapes.Recursive("Above", self => [("Self", self), ("Holder", holder)]);
            SchemaNode good = Values.Shapes.Class("Good", ("W", SchemaNode.Primitive(SchemaKind.Int32)));
            var union = new UnionDefinition("System.Object@Shop", UnionForm.Hashed);
            foreach (SchemaNode one in new[] { bad, holder, above, good }) union.Add(new UnionCase(UnionDefinition.HashOf(one.Definition!.Name), one));
            union.Sort();
            (string, SchemaNode) any = ("X", SchemaNode.Reference(union));
            return NinoSchema.Create(isHeld ? Values.Shapes.Class("Bag", any, ("Held", above)) : Values.Shapes.Class("Bag", any));
        }

        NinoRecordMapper mapper = NinoRecordMapper.Create(Schema(SchemaKind.String, isHeld: false), Schema(SchemaKind.Guid, isHeld: false));
        byte[] good = [.. BitConverter.GetBytes(UnionDefinition.HashOf("Good")), 1, 0, 0, 0];
        Assert.Equal(good, Map(mapper, good));
        foreach (string name in new[] { "Bad", "Holder", "Above" })
        {
            string message = Assert.Throws<NinoSerializationException>(() => Map(mapper, [.. BitConverter.GetBytes(UnionDefinition.HashOf(name)), 1, 1])).Message;
            Assert.Contains($"A stored object is a '{name}', which has changed too much", message, StringComparison.Ordinal);
            Assert.Contains("is stored as String", message, StringComparison.Ordinal);
        }

        // Where it is held by a member that is no object, no record can be read.
        Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(Schema(SchemaKind.String, isHeld: true), Schema(SchemaKind.Guid, isHeld: true)));
    }

    private static byte[] Map(NinoRecordMapper mapper, byte[] stored)
    {
        var bytes = new ArrayBufferWriter<byte>();
        var reader = new NinoReader(stored);
        var writer = new NinoWriter(bytes);
        mapper.Map(ref reader, ref writer);
        writer.Flush();
        return bytes.WrittenSpan.ToArray();
    }
}
