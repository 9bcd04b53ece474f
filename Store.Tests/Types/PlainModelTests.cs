using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models without a mark on the type, as DataContractSerializer and the formatters of [Serializable] types take them: what they leave out is left out.</summary>
public sealed class PlainModelTests
{
    private const string Models = """
        namespace Lib
        {
            using System.Runtime.Serialization;
            public class Node { public int Id { get; set; } public List<Node> Children { get; set; } = []; [IgnoreDataMember] public Node? Parent { get; set; } [IgnoreDataMember] public object? Tag; }
            public class Upper { public virtual int A { get; set; } [IgnoreDataMember] public virtual int B { get; set; } }
            public class Lower : Upper { public override int A { get; set; } public override int B { get; set; } }
            [Serializable] public class Old { public int Id; [NonSerialized] public Old? Parent; [NonSerialized] public Action? Changed; public int After { get; set; } }
            [Serializable] public struct Small { public int A; [NonSerialized] public int B; }
            [Serializable] public class Closed<T> { public T? Kept; [NonSerialized] public T? Left; }
            #pragma warning disable SYSLIB0050
            public class NotMarked { public int A; [NonSerialized] public int B; }
            public class Taken { public Taken(int a, string log) { A = a; Log = log; } public int A { get; } [IgnoreDataMember] public string Log { get; } }
        }
        """;

    private const string Run = """
        Lib.Node parent = new() { Id = 1 };
        parent.Children.Add(new() { Id = 2, Parent = parent, Tag = parent });
        Lib.Node copy = Copy(parent);
        Equal((1, 2, true, true), (copy.Id, copy.Children[0].Id, copy.Children[0].Parent is null, copy.Children[0].Tag is null));
        Lib.Lower lower = Copy(new Lib.Lower { A = 1, B = 2 });
        Equal((1, 0), (lower.A, lower.B));
        Lib.Old old = new() { Id = 3, After = 4, Changed = Console.WriteLine };
        old.Parent = old;
        old = Copy(old);
        Equal((3, 4, true, true), (old.Id, old.After, old.Parent is null, old.Changed is null));
        Lib.Small small = Copy(new Lib.Small { A = 5, B = 6 });
        Equal((5, 0), (small.A, small.B));
        Lib.Closed<int> closed = Copy(new Lib.Closed<int> { Kept = 7, Left = 8 });
        Equal((7, 0), (closed.Kept, closed.Left));
        Lib.NotMarked notMarked = Copy(new Lib.NotMarked { A = 9, B = 10 });
        Equal((9, 10), (notMarked.A, notMarked.B));
        Lib.Taken taken = Copy(new Lib.Taken(11, "log"));
        Equal((11, true), (taken.A, taken.Log is null));
        """;

    private static readonly string s_registered = string.Concat(new[] { "Node", "Lower", "Old", "Small", "Closed<int>", "NotMarked", "Taken" }.Select(static name => $"[assembly: NinoSerializable(typeof(Lib.{name}))]\n"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatTheFrameworksSerializersLeaveOutOfAModelWithoutAContractIsLeftOut(bool seesReferenceAssembly) => Programs.Run(s_registered, Run, Models, seesReferenceAssembly);

    [Fact]
    public void ItIsLeftOutOfModelsOfTheProgramItself() => Programs.Run(s_registered + Models, Run);

    private const string XmlModels = """
        namespace Lib
        {
            using System.Runtime.Serialization; using System.Text.Json.Serialization; using System.Xml.Serialization;
            [XmlRoot("order"), Serializable] public class Order
            {
                [XmlAttribute("id")] public int Id { get; set; }
                [XmlIgnore] public TimeSpan Wait { get; set; }
                [XmlElement("wait")] public string WaitText { get => Wait.ToString(); set => Wait = TimeSpan.Parse(value); }
                [XmlIgnore] public Order? Parent { get; set; }
                [XmlIgnore] public Action? Changed;
                public int Count { get; set; }
                [XmlIgnore] public bool CountSpecified { get; set; }
                [XmlIgnore] public bool UnSpecified { get; set; }
                [XmlIgnore] public virtual int Left { get; set; }
            }
            public class Later : Order { public override int Left { get; set; } }
            [DataContract] public class Contract { [DataMember, XmlIgnore] public int A { get; set; } }
            public class Json { [JsonPropertyName("a"), XmlIgnore] public int A { get; set; } [XmlIgnore] public int B { get; set; } }
        }
        """;

    private const string XmlRun = """
        Lib.Order order = new() { Id = 1, Wait = TimeSpan.FromDays(2), Count = 3, CountSpecified = true, UnSpecified = true, Left = 4, Changed = Console.WriteLine };
        order.Parent = order;
        order = Copy(order);
        Equal((1, 2, 3, true, false, 0), (order.Id, order.Wait.Days, order.Count, order.CountSpecified, order.UnSpecified, order.Left));
        Equal((true, true), (order.Parent is null, order.Changed is null));
        Equal("0:Id:Int32 0:Count:Int32 0:CountSpecified:Boolean 0:WaitText:String", Fields<Lib.Later>());
        Equal((0, 5), (Copy(new Lib.Later { Id = 5, Left = 6 }).Left, Copy(new Lib.Later { Id = 5, Left = 6 }).Id));
        Equal(7, Copy(new Lib.Contract { A = 7 }).A);
        Equal((8, 9), (Copy(new Lib.Json { A = 8, B = 9 }).A, Copy(new Lib.Json { A = 8, B = 9 }).B));
        Equal(10, Copy(new Own { A = 10 }).A);
        """;

    /// <summary>Alone its mark is heeded; beside those of another serializer, and with [NinoType], that decides. What tells it whether an element was given is stored.</summary>
    [Fact]
    public void WhatXmlSerializerLeavesOutOfAModelWithoutAnotherMarkIsLeftOut()
    {
        const string Registered = "[assembly: NinoSerializable(typeof(Lib.Order))] [assembly: NinoSerializable(typeof(Lib.Later))] [assembly: NinoSerializable(typeof(Lib.Contract))] [assembly: NinoSerializable(typeof(Lib.Json))]\n";
        const string Own = "[NinoType] public class Own { [System.Xml.Serialization.XmlIgnore] public int A { get; set; } }\n";
        Programs.Run(Registered + Own + XmlModels, XmlRun);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Registered + Own, XmlRun, XmlModels, seesReferenceAssembly);
    }

    /// <summary>As tools write models of a schema: the element that a member was is told by another one, which XmlSerializer sets by the name of the element.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatTellsXmlSerializerWhichElementAMemberIsIsStored(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Reached))]", """
        Lib.Reached copy = Copy(new Lib.Reached { Item = "a", ItemElementName = Lib.Way.Mail, Items = ["b", "c"], ItemsElementName = [Lib.Way.Mail, Lib.Way.Phone], Left = 1 });
        Equal(("a", Lib.Way.Mail, "c", Lib.Way.Mail, Lib.Way.Phone, 0), (copy.Item, copy.ItemElementName, copy.Items![1], copy.ItemsElementName![0], copy.ItemsElementName[1], copy.Left));
        """, """
        namespace Lib;
        using System.Xml.Serialization;
        public enum Way { Phone, Mail }
        public class Contact
        {
            [XmlElement("Phone", typeof(string)), XmlElement("Mail", typeof(string)), XmlChoiceIdentifier("ItemElementName")] public string? Item { get; set; }
            [XmlIgnore] public Way ItemElementName { get; set; }
            [XmlIgnore] public int Left { get; set; }
        }
        public class Reached : Contact
        {
            [XmlElement("Phone", typeof(string)), XmlElement("Mail", typeof(string)), XmlChoiceIdentifier(MemberName = "ItemsElementName")] public string[]? Items;
            [XmlElement("ItemsElementName"), XmlIgnore] public Way[]? ItemsElementName;
        }
        """, seesReferenceAssembly);

    private const string SerializableModels = """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [Serializable] public class Sold { [IgnoreDataMember] public int Field; [IgnoreDataMember] public int Property { get; set; } [IgnoreDataMember] public virtual int Virtual { get; set; } [NonSerialized, IgnoreDataMember] public int Left; }
            [Serializable] public class Again : Sold { public override int Virtual { get; set; } }
            public class Below : Sold { [IgnoreDataMember] public int LeftToo; public int Own; }
            [Serializable] public struct Small { [IgnoreDataMember] public int Kept; [NonSerialized] public int Left; }
        }
        """;

    private const string SerializableRun = """
        Lib.Sold sold = Copy(new Lib.Sold { Field = 1, Property = 2, Virtual = 3, Left = 4 });
        Equal((1, 2, 3, 0), (sold.Field, sold.Property, sold.Virtual, sold.Left));
        Lib.Again again = Copy(new Lib.Again { Field = 1, Virtual = 3 });
        Equal((1, 3), (again.Field, again.Virtual));
        Lib.Below below = Copy(new Lib.Below { Field = 1, LeftToo = 5, Own = 6 });
        Equal((1, 0, 6), (below.Field, below.LeftToo, below.Own));
        Equal((7, 0), (Copy(new Lib.Small { Kept = 7, Left = 8 }).Kept, Copy(new Lib.Small { Kept = 7, Left = 8 }).Left));
        """;

    /// <summary>DataContractSerializer and the formatters take every field of a [Serializable] class, whatever stands on it or on its property, but [NonSerialized].</summary>
    [Fact]
    public void WhatASerializableClassMarksWithIgnoreDataMemberIsStored()
    {
        string registered = "#pragma warning disable NINO026\n" + string.Concat(new[] { "Sold", "Again", "Below", "Small" }.Select(static name => $"[assembly: NinoSerializable(typeof(Lib.{name}))]\n"));
        Programs.Run(registered + SerializableModels, SerializableRun);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(registered, SerializableRun, SerializableModels, seesReferenceAssembly);
    }

    /// <summary>Whoever wrote it may have meant it, so it is told (NINO026), but where something else says what is meant.</summary>
    [Theory]
    [InlineData("[IgnoreDataMember] public int B;", true)]
    [InlineData("[IgnoreDataMember] public int B { get; set; }", true)]
    [InlineData("[IgnoreDataMember, NinoInclude] public int B;", false)]
    [InlineData("[IgnoreDataMember, NinoIgnore] public int B;", false)]
    [InlineData("[IgnoreDataMember, NonSerialized] public int B;", false)]
    [InlineData("[IgnoreDataMember, System.Xml.Serialization.XmlIgnore] public int B { get; set; }", false)]
    [InlineData("[IgnoreDataMember] public int B => A;", false)]
    [InlineData("[IgnoreDataMember] public int B; [System.Text.Json.Serialization.JsonInclude] public int C;", false)]
    public void ThatItIsStoredAllTheSameIsAWarning(string member, bool isTold) =>
        ItIsTheClassOfTheMemberThatDecides($"[Serializable] public class Model {{ public int A; {member} }}", isTold);

    /// <summary>An override is what it overrides, a struct a class, and above a contract a base keeps what is its own; with [NinoType] nothing of it is read.</summary>
    [Theory]
    [InlineData("[Serializable] public class Base { public int A; [IgnoreDataMember] public virtual int B { get; set; } } [Serializable] public class Model : Base { public override int B { get; set; } }", true)]
    [InlineData("[Serializable] public struct Model { public int A; [IgnoreDataMember] public int B; }", true)]
    [InlineData("[Serializable] public class Base { public int A; [IgnoreDataMember] public int B; } [DataContract] public class Model : Base { [DataMember] public int C; }", true)]
    [InlineData("[NinoType, Serializable] public class Model { public int A; [IgnoreDataMember] public int B; }", false)]
    [InlineData("public class Model { public int A; [IgnoreDataMember] public int B; }", false)]
    public void ItIsTheClassOfTheMemberThatDecides(string model, bool isTold) =>
        Assert.Equal(isTold ? ["NINO026"] : [], GeneratorHarness.Diagnose($"using System.Runtime.Serialization; {(model.StartsWith("[NinoType", StringComparison.Ordinal) ? "" : "[assembly: NinoSerializable(typeof(Model))] ")}{model}").Select(static one => one.Id));

    [Theory]
    [InlineData("[System.Runtime.Serialization.IgnoreDataMember] public int B;", "leave it out with [NonSerialized] there")]
    [InlineData("[System.Runtime.Serialization.IgnoreDataMember] public int B { get; set; }", "leave it out with [XmlIgnore] there")]
    public void OfAnotherAssemblyItIsAtTheRegistration(string member, string advice)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary($"[Serializable] public class Model {{ public int A; {member} }}", "[assembly: NinoSerializable(typeof(Model))]", seesReferenceAssembly));
            Assert.Equal("NINO026", told.Id);
            Assert.Contains("NinoSerializable(typeof(Model))", told.Location.SourceTree!.GetText().ToString(told.Location.SourceSpan));
            Assert.Contains(advice, told.GetMessage());
        }
    }

    /// <summary>Where an auto-property keeps its value only its own assembly sees.</summary>
    [Fact]
    public void TheMarkOnTheFieldOfAnAutoPropertyCounts() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Own))]
        [Serializable] public class Own { public int Id { get; set; } [field: NonSerialized] public Own? Parent { get; set; } }
        """, """
        Own own = new() { Id = 1 };
        own.Parent = own;
        Equal((1, true), (Copy(own).Id, Copy(own).Parent is null));
        """);

    /// <summary>The first contract that a type has counts, and a [NinoType] has none.</summary>
    [Fact]
    public void NoneOfItIsReadWhereATypeHasAnotherContract() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Json))]
        public class Json { [System.Text.Json.Serialization.JsonPropertyName("a")] public int A { get; set; } [System.Runtime.Serialization.IgnoreDataMember] public int B { get; set; } }
        [NinoType, Serializable] public class Own { [System.Runtime.Serialization.IgnoreDataMember] public int A { get; set; } [NonSerialized] public int B; }
        """, """
        Json json = Copy(new Json { A = 1, B = 2 });
        Equal((1, 2), (json.A, json.B));
        Own own = Copy(new Own { A = 3, B = 4 });
        Equal((3, 4), (own.A, own.B));
        """);
}
