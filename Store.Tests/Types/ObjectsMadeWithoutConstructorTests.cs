using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>DataContractSerializer runs no constructor, nor does protobuf-net where it is told so: models of theirs are made without one where none can be called.</summary>
public sealed class ObjectsMadeWithoutConstructorTests
{
    private const string Registered = "[assembly: NinoSerializable(typeof(Lib.Event))] ";

    private const string DataContract = "[System.Runtime.Serialization.DataContract]";

    private const string Kept = """
        var one = new Lib.Event(new Uri("http://h:81"), "t"); one.Codes.AddRange([1, 2]);
        Lib.Event copy = Copy(one);
        Equal((81, "t!", 2), (copy.Port, copy.Text, copy.Codes[1]));
        var into = new Lib.Event(new Uri("http://h:5"), "u");
        NinoSerializer.Deserialize(NinoSerializer.Serialize(one), ref into!);
        Equal((81, "t!", 1), (into.Port, into.Text, into.Codes[0]));
        """;

    public static TheoryData<string, string> Contracts => new()
    {
        { DataContract, "[System.Runtime.Serialization.DataMember]" },
        { "[ProtoBuf.ProtoContract(SkipConstructor = true)]", "[ProtoBuf.ProtoMember(#)]" },
    };

    [Theory]
    [MemberData(nameof(Contracts))]
    public void InTheirOwnProjectTheyAre(string contract, string member) => Programs.Run(Registered + Event(contract, member), Kept, ForeignAttributes.Source);

    [Theory]
    [MemberData(nameof(Contracts))]
    public void InAnotherAssemblyTheyAreToo(string contract, string member)
    {
        Programs.Run(Registered, Kept, ForeignAttributes.Source + Event(contract, member));
        // That a collection has no setter, and which field is behind it, is not seen there.
        Programs.Run(Registered, Kept, ForeignAttributes.Source + Event(contract, member).Replace("Codes { get; } = []", "Codes { get; private set; } = []"), seesReferenceAssembly: true);
    }

    /// <summary>No constructor at all is shown, and there may be one without parameters or not.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AModelThatShowsNoConstructorIsMadeByItsEmptyOneOrWithout(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.With))] [assembly: NinoSerializable(typeof(Lib.Without))]", """
        Equal((5, "made"), (Copy(Lib.With.Of(5)).A, Copy(Lib.With.Of(5)).How));
        Equal((5, null), (Copy(Lib.Without.Of(5)).A, Copy(Lib.Without.Of(5)).How));
        """, """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [DataContract] public class With { private With() => _how = "made"; private readonly string _how; [IgnoreDataMember] public string How => _how; public static With Of(int a) => new() { A = a }; [DataMember] public int A { get; private set; } }
            [DataContract] public class Without { private Without(string how) => _how = how; private readonly string _how; [IgnoreDataMember] public string? How => _how; public static Without Of(int a) => new("x") { A = a }; [DataMember] public int A { get; private set; } }
        }
        """, seesReferenceAssembly);

    /// <summary>One that can be called is, as for any type: what is not stored is what it makes it.</summary>
    [Fact]
    public void AConstructorThatCanBeCalledIs() => Programs.Run(Registered + "namespace Lib { using System.Runtime.Serialization; [DataContract] public class Event { public Event(int a) { A = a; Made = true; } [DataMember] public int A { get; } public bool Made; } }", "Equal((5, true), (Copy(new Lib.Event(5)).A, Copy(new Lib.Event(5)).Made));");

    /// <summary>One class whose constructor takes something else does not stop the others.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ACaseOfAKnownTypeIs(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.HistoryEvent))]", """
        List<Lib.HistoryEvent> copy = Copy(new List<Lib.HistoryEvent> { new Lib.Continued(4, "in"), new Lib.Started { EventId = 5 } });
        var continued = (Lib.Continued)copy[0];
        Equal((4, "in", "continued", 5), (continued.EventId, continued.Result, continued.Status, copy[1].EventId));
        """, """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [DataContract, KnownType(typeof(Completed)), KnownType(typeof(Continued)), KnownType(typeof(Started))] public abstract class HistoryEvent { protected HistoryEvent() { } protected HistoryEvent(int id) => EventId = id; [DataMember] public int EventId { get; set; } }
            [DataContract] public class Completed : HistoryEvent { public Completed(int eventId, string result, string status) : base(eventId) { Result = result; Status = status; } [DataMember] public string Result { get; private set; } [DataMember] public string Status { get; private set; } }
            [DataContract] public class Continued : Completed { public Continued(int eventId, string input) : base(eventId, input, "continued") { } }
            [DataContract] public class Started : HistoryEvent { }
        }
        """, seesReferenceAssembly);

    /// <summary>What is to be there before members are set, callbacks put there.</summary>
    [Fact]
    public void CallbacksRunAroundTheirMembers() => Programs.Run(Registered + """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [DataContract] public class Event
            {
                private string _log = "";
                public Event(System.Uri from) => A = from.Port;
                [OnDeserializing] private void Begin(StreamingContext context) => _log = "begun";
                [OnDeserialized] private void End(StreamingContext context) => _log += " " + A;
                [DataMember] public int A { get; set; }
                public string Log() => _log;
            }
        }
        """, """
        Equal("begun 81", Copy(new Lib.Event(new Uri("http://h:81"))).Log());
        """);

    [Fact]
    public void TheyLeadBackToThemselves() => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Node))]" + """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [DataContract(IsReference = true)] public class Node { public Node(System.Uri from) => A = from.Port; [DataMember] public int A { get; private set; } [DataMember] public Node? Next { get; set; } [DataMember] public List<Node> All { get; private set; } = []; }
        }
        """, """
        var one = new Lib.Node(new Uri("http://h:81")); one.Next = new Lib.Node(new Uri("http://h:82")) { Next = one }; one.All.Add(one);
        Lib.Node copy = Copy(one);
        Equal((true, true, 82), (ReferenceEquals(copy, copy.Next!.Next), ReferenceEquals(copy, copy.All[0]), copy.Next.A));
        """);

    /// <summary>A member that an older record lacks is zero, as in a new object, whose getters may not be made for that.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatAnOlderRecordLacksIsZero(bool seesReferenceAssembly) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Now))]", """
        Lib.Now now = Evolve<Lib.Before, Lib.Now>(new Lib.Before { A = 1, Gone = "g" });
        Equal((1, 0, null), (now.A, now.B, now.Text));
        """, """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [NinoType(Name = "Lib.Now")] public sealed class Before { public int A { get; set; } public string? Gone { get; set; } }
            [DataContract] public class Now
            {
                private readonly List<int> _lengths;
                private string? _text;
                public Now(List<int> lengths) => _lengths = lengths;
                [DataMember] public int A { get; init; }
                [DataMember] public int B { get; set; } = 7;
                [DataMember] public string? Text { get => _text?.Substring(0, _lengths.Count); set => _text = value; }
            }
        }
        """, seesReferenceAssembly);

    /// <summary>In such an object there is no collection that could be filled.</summary>
    [Fact]
    public void ACollectionThatOnlyTheConstructorMakesIsAnError() =>
        Assert.Equal("NINO010", Assert.Single(GeneratorHarness.Diagnose(Registered + """
            namespace Lib
            {
                using System.Runtime.Serialization;
                [DataContract] public class Event { private readonly System.Collections.Generic.List<int> _codes = []; public Event(System.Uri from) => A = from.Port; [DataMember] public int A { get; set; } [DataMember] public System.Collections.Generic.List<int> Codes => _codes; }
            }
            """), static diagnostic => diagnostic.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error).Id);

    /// <summary>In another assembly nobody sees that.</summary>
    [Fact]
    public void InAnotherAssemblyItIsRefused() => Programs.Run(Registered, """
        var one = new Lib.Event(new Uri("http://h:81")); one.Codes.Add(4);
        Refused(() => NinoSerializer.Clone(one), "'Lib.Event.Codes'");
        Equal(5, Copy(5));
        """, "namespace Lib { using System.Runtime.Serialization; [DataContract] public class Event { private readonly List<int> _codes = []; public Event(System.Uri from) => A = from.Port; [DataMember] public int A { get; set; } [DataMember] public List<int> Codes => _codes; } }", seesReferenceAssembly: true);

    /// <summary>Other serializers, and protobuf-net where nothing tells it to, call a constructor.</summary>
    [Theory]
    [InlineData("[ProtoBuf.ProtoContract]", "[ProtoBuf.ProtoMember(1)]")]
    [InlineData("[MessagePack.MessagePackObject]", "[MessagePack.Key(0)]")]
    [InlineData("[System.Serializable]", "")]
    public void ModelsOfOthersAreNot(string contract, string member) => Assert.Equal("NINO006", Assert.Single(GeneratorHarness.Diagnose(ForeignAttributes.Source, Registered + $$"""namespace Lib { {{contract}} public class Event { public Event(System.Uri from) => A = from.Port; {{member}} public int A { get; set; } } }""")).Id);

    private static string Event(string contract, string member) => $$"""
        namespace Lib
        {
            {{contract}} public class Event
            {
                public Event(System.Uri from, string given) { Port = from.Port; Text = given + "!"; }
                {{member.Replace('#', '1')}} public int Port { get; private set; }
                {{member.Replace('#', '2')}} public string Text { get; }
                {{member.Replace('#', '3')}} public System.Collections.Generic.List<int> Codes { get; } = [];
            }
        }
        """;
}
