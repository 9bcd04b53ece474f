using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Members that are not public, of classes of which no serializer of the table is seen, and that another one stores by a mark: stored where they are seen, and else refused by name.</summary>
public sealed class MarksOfOthersTests
{
    private const string Attributes = ForeignAttributes.Quiet + """
        namespace Newtonsoft.Json
        {
            public enum MemberSerialization { OptOut, OptIn, Fields } public sealed class JsonObjectAttribute(MemberSerialization form = MemberSerialization.OptOut) : Attribute { public MemberSerialization Form => form; }
            public sealed class JsonPropertyAttribute : Attribute { public int Order { get; set; } } public sealed class JsonRequiredAttribute : Attribute; public sealed class JsonExtensionDataAttribute : Attribute; public sealed class JsonIgnoreAttribute : Attribute;
        }
        namespace Orleans { public sealed class IdAttribute(uint id) : Attribute { public uint Id => id; } }
        namespace Nerdbank.MessagePack { public sealed class KeyAttribute(int index) : Attribute { public int Index => index; } }
        namespace PolyType { public sealed class PropertyShapeAttribute : Attribute { public bool Ignore { get; set; } } }
        namespace MongoDB.Bson.Serialization.Attributes { public sealed class BsonElementAttribute : Attribute; public sealed class BsonExtraElementsAttribute : Attribute; public sealed class BsonIdAttribute : Attribute; public sealed class BsonRepresentationAttribute(int type) : Attribute { public int Type => type; } public sealed class BsonIgnoreIfNullAttribute : Attribute; public sealed class BsonIgnoreAttribute : Attribute; }
        namespace Google.Cloud.Firestore { public sealed class FirestorePropertyAttribute : Attribute; }
        namespace MsgPack.Serialization { public sealed class MessagePackMemberAttribute(int id) : Attribute { public int Id => id; } }
        namespace Ceras
        {
            public enum TargetMember { None, PublicFields, PrivateFields, AllFields, PublicProperties, PrivateProperties = 8, AllProperties = 12, All = 15 } public enum ReadonlyFieldHandling { ExcludeFromSerialization, Members, ForcedOverwrite }
            public sealed class MemberConfigAttribute(TargetMember targets = TargetMember.PublicFields, ReadonlyFieldHandling form = 0) : Attribute { public TargetMember TargetMembers { get; set; } = targets; public ReadonlyFieldHandling ReadonlyFieldHandling { get; set; } = form; }
            public sealed class ReadonlyConfigAttribute(ReadonlyFieldHandling form = 0) : Attribute { public ReadonlyFieldHandling ReadonlyFieldHandling { get; set; } = form; }
            public sealed class IncludeAttribute : Attribute; public sealed class ExcludeAttribute : Attribute;
        }
        namespace UnityEngine { public sealed class SerializeField : Attribute; public sealed class SerializeReference : Attribute; }
        namespace Sirenix.Serialization { public sealed class OdinSerializeAttribute : Attribute; }
        namespace OdinSerializer { public sealed class OdinSerializeAttribute : Attribute; }
        namespace FullSerializer { public sealed class fsPropertyAttribute : Attribute; }
        namespace Dahomey.Cbor.Attributes { public sealed class CborPropertyAttribute(string? name = null) : Attribute { public string? Name => name; } }
        namespace Hagar { public sealed class IdAttribute(uint id) : Attribute { public uint Id => id; } }

        """;

    public static TheoryData<string> Marks => new()
    {
        "[Newtonsoft.Json.JsonProperty]", "[Newtonsoft.Json.JsonProperty(Order = -2)]", "[Newtonsoft.Json.JsonRequired]", "[Newtonsoft.Json.JsonExtensionData]", "[Orleans.Id(0)]", "[Nerdbank.MessagePack.Key(0)]",
        "[PolyType.PropertyShape]", "[MongoDB.Bson.Serialization.Attributes.BsonElement]", "[MongoDB.Bson.Serialization.Attributes.BsonExtraElements]", "[MsgPack.Serialization.MessagePackMember(0)]", "[Ceras.Include]",
        "[MongoDB.Bson.Serialization.Attributes.BsonId]", "[MongoDB.Bson.Serialization.Attributes.BsonRepresentation(2)]", "[MongoDB.Bson.Serialization.Attributes.BsonIgnoreIfNull]", "[Google.Cloud.Firestore.FirestoreProperty]",
        "[UnityEngine.SerializeField]", "[UnityEngine.SerializeReference]", "[Sirenix.Serialization.OdinSerialize]", "[OdinSerializer.OdinSerialize]", "[FullSerializer.fsProperty]", "[Dahomey.Cbor.Attributes.CborProperty(\"a\")]", "[Hagar.Id(0)]",
    };

    private static string Models(string mark) => $$"""
        namespace Lib
        {
            public class Model { {{mark}} private int _a; {{mark}} internal string? B { get; set; } {{mark}} public int C { get; private set; } public int D { get; set; } {{mark}} public int Sum => _a + C; public (int, string?) Both() => (_a, B); public Model Be(int a, string b, int c) { (_a, B, C) = (a, b, c); return this; } }
            public class Below : Model;
            public class Fine { {{mark}} public int A { get; private set; } {{mark}} public int B { get; set; } public Fine Be(int a) { A = a; return this; } }
        }
        """;

    private const string FineRun = """
        Lib.Fine fine = Copy(new Lib.Fine { B = 2 }.Be(1));
        Equal((1, 2), (fine.A, fine.B));
        """;

    private const string Registered = "#pragma warning disable NINO020\n[assembly: NinoSerializable(typeof(Lib.Fine))] ";

    [Theory]
    [MemberData(nameof(Marks))]
    public void WhatOthersMarkIsStoredWhereItIsSeen(string mark) => Programs.Run(Registered + "[assembly: NinoSerializable(typeof(Lib.Below))]\n" + Attributes + Models(mark), FineRun + """
        var below = (Lib.Below)new Lib.Below { D = 4 }.Be(1, "b", 3);
        below = Copy(below);
        Equal((1, "b", 3, 4), (below.Both().Item1, below.Both().Item2, below.C, below.D));
        """);

    [Theory]
    [MemberData(nameof(Marks))]
    public void OfAnotherAssemblyItIsToldByItsMark(string mark)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Registered, FineRun, Attributes + Models(mark), seesReferenceAssembly);
        AssertToldOf(mark, Models(mark));
    }

    // Where fields are seen, by the compiler; of a reference assembly, when the program runs.
    private static void AssertToldOf(string mark, string models)
    {
        string text = $"[{mark.Split('.').Last().Split('(')[0].TrimEnd(']')}]";
        Diagnostic[] told = [.. GeneratorHarness.DiagnoseWithLibrary(Attributes + models, "[assembly: NinoSerializable(typeof(Lib.Below))]", isReferenceAssembly: false)];
        Assert.Equal(["NINO019", "NINO019"], told.Select(static one => one.Id));
        Assert.Contains($"'Lib.Model._a', which {text} stores", told[0].GetMessage(), StringComparison.Ordinal);
        Programs.Run(Registered + "[assembly: NinoSerializable(typeof(Lib.Below))]", $"Refused(() => NinoSerializer.Serialize(new Lib.Below()), \"'Lib.Model._a'\", \"'Lib.Model.B'\", \"{text}\");" + FineRun, Attributes + models, seesReferenceAssembly: true);
    }

    /// <summary>Unity's stands nowhere else on a property; an attribute of a property that may stand on fields too can be written so.</summary>
    [Theory]
    [InlineData("[field: UnityEngine.SerializeField]")]
    [InlineData("[field: Orleans.Id(0)]")]
    public void OnTheFieldOfAPropertyItStoresThat(string mark)
    {
        string model = $$"""
            namespace Lib { public class Model { {{mark}} public int A { get; private set; } {{mark}} private int B { get; set; } public int C { get; set; } public int Hidden() => B; public Model Be(int a, int b) { (A, B) = (a, b); return this; } } }
            """;
        const string Register = "#pragma warning disable NINO020\n[assembly: NinoSerializable(typeof(Lib.Model))]\n";
        Programs.Run(Register + Attributes + model, "Lib.Model copy = Copy(new Lib.Model { C = 3 }.Be(1, 2)); Equal((1, 2, 3), (copy.A, copy.Hidden(), copy.C));");
        Assert.Contains(GeneratorHarness.DiagnoseWithLibrary(Attributes + model, "[assembly: NinoSerializable(typeof(Lib.Model))]", isReferenceAssembly: true), static told => told.Id == "NINO009" && told.GetMessage().Contains("'Lib.Model.A'"));
        Programs.Run(Register + "[NinoType] public sealed record Fine(int A);", "Refused(() => NinoSerializer.Serialize(new Lib.Model()), \"'Lib.Model.<B>k__BackingField'\"); Copy(new Fine(1));", Attributes + model.Replace("private set", "set"), seesReferenceAssembly: true);
        Programs.Run(Register, "Equal((1, 3), (Copy(new Lib.Model { A = 1, C = 3 }).A, Copy(new Lib.Model { A = 1, C = 3 }).C));", Attributes + model.Replace("private set", "set").Replace($"{mark} private int B", "private int B"), seesReferenceAssembly: true);
        Assert.Contains(GeneratorHarness.DiagnoseWithLibrary(Attributes + model, "[assembly: NinoSerializable(typeof(Lib.Model))]", isReferenceAssembly: false), static told => told.Id == "NINO019" && told.GetMessage().Contains("'Lib.Model.B'"));
    }

    /// <summary>Fields that Unity is told to leave to Odin.</summary>
    [Theory]
    [InlineData("Sirenix.Serialization")]
    [InlineData("OdinSerializer")]
    public void WhatUnityLeavesToOdinIsStored(string space)
    {
        string model = $"namespace Lib {{ [Serializable] public class Model {{ [NonSerialized, {space}.OdinSerialize] private int _a; [NonSerialized, {space}.OdinSerialize] public int B; [NonSerialized] public int C; public int A() => _a; public Model Be(int a) {{ _a = a; return this; }} }} }}";
        string shown = model.Replace("private int _a", "public int _a");
        const string Register = "#pragma warning disable NINO020\n[assembly: NinoSerializable(typeof(Lib.Model))]\n";
        const string Run = "Lib.Model copy = Copy(new Lib.Model { B = 2, C = 3 }.Be(1)); Equal((1, 2, 0), (copy.A(), copy.B, copy.C));";
        Programs.Run(Register + Attributes + model, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, Attributes + shown, seesReferenceAssembly);
        Programs.Run(Register + "[NinoType] public sealed record Fine(int A);", "Refused(() => NinoSerializer.Serialize(new Lib.Model()), \"'Lib.Model._a'\"); Copy(new Fine(1));", Attributes + model, seesReferenceAssembly: true);
    }

    /// <summary>Where no field can be set the mark changes nothing for what has a getter only.</summary>
    [Theory]
    [MemberData(nameof(Marks))]
    public void WhatHasAGetterOnlyIsToldAsWithoutTheMark(string mark) => Assert.Equal("NINO009", Assert.Single(GeneratorHarness.Diagnose(
        $"[assembly: NinoSerializable(typeof(Lib.Plain))]\n{Attributes}namespace Lib {{ public class Plain {{ {mark} public int Kind {{ get; }} = System.Environment.ProcessId; public int B {{ get; set; }} }} }}")).Id);

    private static string Contracts(string mark) => $$"""
        namespace Lib
        {
            [System.Runtime.Serialization.DataContract] public class Model { {{mark}} private int _a; {{mark}} internal string? B { get; set; } {{mark}} public int C { get; private set; } [System.Runtime.Serialization.DataMember] public int D { get; set; } public int No { get; set; } public (int, string?) Both() => (_a, B); public Model Be(int a, string b, int c) { (_a, B, C) = (a, b, c); return this; } }
            [System.Runtime.Serialization.DataContract] public class Below : Model;
            [System.Runtime.Serialization.DataContract] public class Fine { {{mark}} public int A { get; private set; } [System.Runtime.Serialization.DataMember] public int B { get; set; } public Fine Be(int a) { A = a; return this; } }
        }
        """;

    /// <summary>Newtonsoft.Json takes [DataContract] for a mark of its own, beside which its attributes count; the others do not ask whether it is there.</summary>
    [Theory]
    [MemberData(nameof(Marks))]
    public void OfAClassOfDataContractItIsStoredToo(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Below))]\n" + Attributes + Contracts(mark), """
        var below = (Lib.Below)new Lib.Below { D = 4, No = 5 }.Be(1, "b", 3);
        below = Copy(below);
        Equal((1, "b", 3, 4, 0), (below.Both().Item1, below.Both().Item2, below.C, below.D, below.No));
        """);

    [Theory]
    [MemberData(nameof(Marks))]
    public void OfAClassOfDataContractThatIsOfAnotherAssemblyItIsToldByItsMark(string mark) => AssertToldOf(mark, Contracts(mark));

    /// <summary>Newtonsoft.Json asks for [JsonObject] before it asks for [DataContract], and stores what is public then.</summary>
    [Fact]
    public void OfAClassOfDataContractAndJsonObjectWhatIsPublicIsStored() => Programs.Run("""
        #pragma warning disable NINO020
        [assembly: NinoSerializable(typeof(Lib.Open))] [assembly: NinoSerializable(typeof(Lib.Below))] [assembly: NinoSerializable(typeof(Lib.Chosen))]
        """ + "\n" + Attributes + """
        namespace Lib
        {
            [System.Runtime.Serialization.DataContract, Newtonsoft.Json.JsonObject] public class Open
            {
                public int A { get; set; }
                public string? B;
                [System.Runtime.Serialization.DataMember] public int C;
                public int Kept { get; }
                public Action? Changed;
                [Newtonsoft.Json.JsonIgnore] public int No { get; set; }
                [System.Runtime.Serialization.IgnoreDataMember] public int Nor { get; set; }
                [Newtonsoft.Json.JsonProperty, System.Runtime.Serialization.IgnoreDataMember] public int Nothing { get; set; }
                public Open() { }
                public Open(int kept) => Kept = kept;
            }
            [System.Runtime.Serialization.DataContract] public class Below : Open { public int D { get; set; } }
            [System.Runtime.Serialization.DataContract, Newtonsoft.Json.JsonObject(Newtonsoft.Json.MemberSerialization.OptIn)] public class Chosen { public int E { get; set; } [System.Runtime.Serialization.DataMember] public int F { get; set; } }
        }
        """, """
        Lib.Open open = Copy(new Lib.Open(6) { A = 1, B = "b", C = 2, No = 3, Nor = 4, Nothing = 5 });
        Equal((1, "b", 2, 6), (open.A, open.B, open.C, open.Kept));
        Equal((0, 0, 0), (open.No, open.Nor, open.Nothing));
        Lib.Below below = Copy(new Lib.Below { A = 1, D = 5 });
        Equal((1, 5), (below.A, below.D));
        Lib.Chosen chosen = Copy(new Lib.Chosen { E = 3, F = 4 });
        Equal((0, 4), (chosen.E, chosen.F));
        """);

    private static void AssertCountsBesideIgnore(string model, string why, string run)
    {
        string source = "[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + model;
        Diagnostic told = Assert.Single(GeneratorHarness.Diagnose(source));
        Assert.Equal("NINO026", told.Id);
        Assert.Contains(why, told.GetMessage(), StringComparison.Ordinal);
        Programs.Run("#pragma warning disable NINO026\n" + source, run);
    }

    /// <summary>As [DataMember] does beside [IgnoreDataMember]; Newtonsoft.Json does not ask for that where a class is opt-in.</summary>
    [Fact]
    public void OfAClassOfDataContractItCountsBesideIgnoreDataMember()
    {
        const string Model = "[System.Runtime.Serialization.DataContract] public class Model { [Newtonsoft.Json.JsonProperty, System.Runtime.Serialization.IgnoreDataMember] public int A; [System.Runtime.Serialization.IgnoreDataMember] public int B; }";
        AssertCountsBesideIgnore(Model, "[JsonProperty] counts", "Model copy = Copy(new Model { A = 1, B = 2 }); Equal((1, 0), (copy.A, copy.B));");
    }

    [Theory]
    [InlineData("[Newtonsoft.Json.JsonProperty, Newtonsoft.Json.JsonIgnore]")]
    [InlineData("[MongoDB.Bson.Serialization.Attributes.BsonElement, MongoDB.Bson.Serialization.Attributes.BsonIgnore]")]
    [InlineData("[NinoIgnore, Newtonsoft.Json.JsonProperty]")]
    public void WhatIsLeftOutBesideTheMarkIsNot(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + $"public class Model {{ {mark} private int _a; public int B; public int A() => _a; public Model Be(int a) {{ _a = a; return this; }} }}", "Equal(0, Copy(new Model { B = 1 }.Be(2)).A());");

    /// <summary>In the database and not in JSON, or the other way round: each library ignores what its own attribute says.</summary>
    [Theory]
    [InlineData("[MongoDB.Bson.Serialization.Attributes.BsonId, Newtonsoft.Json.JsonIgnore]")]
    [InlineData("[Newtonsoft.Json.JsonProperty, MongoDB.Bson.Serialization.Attributes.BsonIgnore]")]
    [InlineData("[Newtonsoft.Json.JsonProperty, Newtonsoft.Json.JsonIgnore, MongoDB.Bson.Serialization.Attributes.BsonElement]")]
    public void WhatAnotherLibraryIgnoresIsStoredAllTheSame(string mark)
    {
        string model = Attributes + $"public class Model {{ {mark} private int _a; public int B; public int A() => _a; public Model Be(int a) {{ _a = a; return this; }} }}";
        Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + model, "Equal(2, Copy(new Model { B = 1 }.Be(2)).A());");
        Programs.Run("[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);", "Refused(() => NinoSerializer.Serialize(new Model()), \"'Model._a'\"); Copy(new Fine(1));", model, seesReferenceAssembly: true);
    }

    /// <summary>Taking one of them off would not leave the member out.</summary>
    [Fact]
    public void OfAClassOfDataContractAllAttributesThatStoreAMemberAreNamed()
    {
        const string Model = "[System.Runtime.Serialization.DataContract] public class Model { [Newtonsoft.Json.JsonProperty, System.Runtime.Serialization.DataMember, MongoDB.Bson.Serialization.Attributes.BsonElement, System.Runtime.Serialization.IgnoreDataMember] public int A; TYPE }";
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Attributes + Model.Replace("TYPE", ""), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Equal("NINO026", told.Id);
        Assert.Contains("[DataMember], [JsonProperty] and [BsonElement] count", told.GetMessage());
        Assert.Contains("take [DataMember], [JsonProperty] and [BsonElement] off it", told.GetMessage());
        told = Assert.Single(GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + Model.Replace("TYPE", "[System.Runtime.Serialization.DataMember, Newtonsoft.Json.JsonProperty] public System.IO.Stream? B;")), static told => told.Id == "NINO011");
        Assert.Contains("take [DataMember] and [JsonProperty] off", told.GetMessage());
        told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Attributes + "namespace ProtoBuf { public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } }" + Model.Replace("TYPE", "").Replace("System.Runtime.Serialization.DataMember, MongoDB", "ProtoBuf.ProtoMember(1), MongoDB"), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Contains("[ProtoMember], [JsonProperty] and [BsonElement] count", told.GetMessage());
    }

    /// <summary>[IgnoreDataMember] leaves nothing out of a [Serializable] class (NINO026), so a mark beside it is not lost where it is hidden.</summary>
    [Fact]
    public void IgnoreDataMemberBesideAMarkCountsWhereItCountsOtherwise()
    {
        const string Library = Attributes + """
            namespace Lib
            {
                using System.Runtime.Serialization;
                [Serializable] public class Sold { [MongoDB.Bson.Serialization.Attributes.BsonElement, IgnoreDataMember] private int _a; public int B; public int A() => _a; public Sold Be(int a) { _a = a; return this; } }
                public class Plain { [MongoDB.Bson.Serialization.Attributes.BsonElement, IgnoreDataMember] private int _a; public int B; public int A() => _a; public Plain Be(int a) { _a = a; return this; } }
            }
            """, Register = "#pragma warning disable NINO020, NINO026\n[assembly: NinoSerializable(typeof(Lib.Sold))] [assembly: NinoSerializable(typeof(Lib.Plain))]\n", Plain = "Equal((0, 1), (Copy(new Lib.Plain { B = 1 }.Be(2)).A(), Copy(new Lib.Plain { B = 1 }).B));";
        Programs.Run(Register + Library, Plain + "Equal((2, 1), (Copy(new Lib.Sold { B = 1 }.Be(2)).A(), Copy(new Lib.Sold { B = 1 }).B));");
        Programs.Run(Register, Plain + "Refused(() => NinoSerializer.Serialize(new Lib.Sold()), \"'Lib.Sold._a'\");", Library, seesReferenceAssembly: true);
    }

    private const string Shown = Attributes + """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [Serializable] public class Model
            {
                public string? Name { get; set; }
                [Newtonsoft.Json.JsonProperty] private string? Old { set => Name = value; }
                [Newtonsoft.Json.JsonProperty] public string? Older { set => Name = value; }
                [Newtonsoft.Json.JsonProperty] private string Kind => "k";
                [PolyType.PropertyShape(Ignore = true)] private int P { get; set; }
                [Newtonsoft.Json.JsonProperty, NonSerialized] private int _n;
                [Newtonsoft.Json.JsonProperty, System.Xml.Serialization.XmlIgnore] private int X { get; set; }
                [MongoDB.Bson.Serialization.Attributes.BsonId, MongoDB.Bson.Serialization.Attributes.BsonIgnore] private int M { get; set; }
                [Newtonsoft.Json.JsonProperty, Newtonsoft.Json.JsonIgnore] private int J { get; set; }
                public int All() => P + _n + X + M + J;
            }
        }
        """;

    /// <summary>What is computed, another name under which something is only read, and what is left out beside the mark: of these no serializer stores anything.</summary>
    [Fact]
    public void WhatHoldsNoStateIsNotMissedWhereverItIs()
    {
        const string Register = "#pragma warning disable NINO017, NINO020\n[assembly: NinoSerializable(typeof(Lib.Model))]\n", Run = "Equal(\"n\", Copy(new Lib.Model { Name = \"n\" }).Name);";
        Programs.Run(Register + Shown, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, Shown, seesReferenceAssembly);
    }

    [Fact]
    public void ACollectionWithoutASetterIsFilledWhereItIsSeenAndElseRefused()
    {
        const string Library = Attributes + "namespace Lib { public class Model { [Newtonsoft.Json.JsonProperty] private List<int> Items { get; } = new(); public int B { get; set; } public List<int> Get() => Items; } }";
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))]\n" + Library, "var model = new Lib.Model(); model.Get().Add(3); Equal(3, Copy(model).Get()[0]);");
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Model))] [NinoType] public sealed record Fine(int A);", "Refused(() => NinoSerializer.Serialize(new Lib.Model()), \"'Lib.Model.Items'\"); Copy(new Fine(1));", Library, seesReferenceAssembly: true);
    }

    private static string BesideJson(string mark) => $$"""
        namespace Lib
        {
            using System.Text.Json.Serialization;
            public class Model { {{mark}} private int _a; {{mark}} internal string? B { get; set; } {{mark}} public int C { get; private set; } [JsonPropertyName("d")] public int D { get; set; } [JsonIgnore] public int No { get; set; } public (int, string?) Both() => (_a, B); public Model Be(int a, string b, int c) { (_a, B, C) = (a, b, c); return this; } }
            public class Below : Model;
            public class Fine { {{mark}} public int A { get; private set; } [JsonInclude] public int B { get; set; } public Fine Be(int a) { A = a; return this; } }
        }
        """;

    /// <summary>As in models that are on their way from one library to the other, or are for both. System.Text.Json has no mark on a class.</summary>
    [Theory]
    [MemberData(nameof(Marks))]
    public void BesideAttributesOfSystemTextJsonItIsStoredToo(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Lib.Below))]\n" + Attributes + BesideJson(mark), """
        var below = (Lib.Below)new Lib.Below { D = 4, No = 5 }.Be(1, "b", 3);
        below = Copy(below);
        Equal((1, "b", 3, 4, 0), (below.Both().Item1, below.Both().Item2, below.C, below.D, below.No));
        """);

    [Theory]
    [MemberData(nameof(Marks))]
    public void BesideAttributesOfSystemTextJsonItIsToldByItsMarkThere(string mark) => AssertToldOf(mark, BesideJson(mark));

    [Theory]
    [InlineData("[System.Text.Json.Serialization.JsonIgnore, Newtonsoft.Json.JsonProperty]")]
    [InlineData("[Newtonsoft.Json.JsonIgnore, Newtonsoft.Json.JsonProperty]")]
    public void WhatSystemTextJsonLeavesOutBesideTheMarkIsNotStored(string mark) => Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + $"public class Model {{ {mark} private int _a; [System.Text.Json.Serialization.JsonInclude] public int B; public int A() => _a; public Model Be(int a) {{ _a = a; return this; }} }}", "Equal(0, Copy(new Model { B = 1 }.Be(2)).A());");

    /// <summary>Newtonsoft.Json stores the members of a collection with [JsonObject]; the code that Orleans generates, both.</summary>
    [Theory]
    [InlineData("[Newtonsoft.Json.JsonObject]", "[Newtonsoft.Json.JsonProperty]", "NINO019")]
    [InlineData("[Newtonsoft.Json.JsonObject(Newtonsoft.Json.MemberSerialization.Fields)]", "", "NINO020")]
    [InlineData("[Orleans.GenerateSerializer]", "[Orleans.Id(0)]", "NINO019")]
    [InlineData("", "[Newtonsoft.Json.JsonProperty]", null)]
    public void WhatACollectionHasBesideItsElementsIsAnErrorWhereItIsStored(string type, string member, string? ofWhole)
    {
        string library = Attributes + "namespace Orleans { public sealed class GenerateSerializerAttribute : Attribute; }\n" + $"{type} public class Model : List<int> {{ {member} private int _kind; }}";
        Assert.Equal(ofWhole is null ? [] : ["NINO002"], GeneratorHarness.Diagnose("[assembly: NinoSerializable(typeof(Model))]\n" + library).Select(static one => one.Id));
        Assert.Equal(ofWhole is null ? [] : [ofWhole], GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false).Select(static one => one.Id));
        Assert.Equal(ofWhole is null ? [] : ["NINO020"], GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true).Select(static one => one.Id));
    }

    [Fact]
    public void AllFieldsOfNewtonsoftAreStoredToo()
    {
        const string Library = Attributes + "[Newtonsoft.Json.JsonObject(Newtonsoft.Json.MemberSerialization.Fields)] public class Model { private int _a; private int B { get; set; } public int C; public (int, int) Both() => (_a, B); public Model Be(int a, int b) { (_a, B) = (a, b); return this; } }";
        Programs.Run("[assembly: NinoSerializable(typeof(Model))]\n" + Library, "Equal((1, 2), Copy(new Model().Be(1, 2)).Both());");
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Equal("NINO020", told.Id);
            Assert.Contains("stores all its fields ([JsonObject(MemberSerialization.Fields)])", told.GetMessage(), StringComparison.Ordinal);
        }
    }

    /// <summary>What the class says of its fields is said of those of its bases, which Newtonsoft.Json asks the class of the object.</summary>
    [Theory]
    [InlineData("[Newtonsoft.Json.JsonObject(Newtonsoft.Json.MemberSerialization.Fields)]", "[JsonObject(MemberSerialization.Fields)]")]
    [InlineData("[Ceras.MemberConfig(Ceras.TargetMember.AllFields)]", "[MemberConfig]")]
    public void AllFieldsAreThoseOfTheBasesToo(string mark, string text)
    {
        string library = Attributes + $"namespace Lib {{ public class Base {{ private int _a; public int A() => _a; public void Be(int a) => _a = a; }} {mark} public class Model : Base {{ private int _b; public int C; public int B() => _b; public Model Be(int a, int b) {{ Be(a); _b = b; return this; }} }} public class Below : Model; }}";
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Below))]\n" + library, "var below = Copy((Lib.Below)new Lib.Below { C = 3 }.Be(1, 2)); Equal((1, 2, 3), (below.A(), below.B(), below.C));");
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            string[] told = [.. GeneratorHarness.DiagnoseWithLibrary(library, "[assembly: NinoSerializable(typeof(Lib.Model))]", isReferenceAssembly).Select(static one => one.Id + one.GetMessage())];
            foreach (string level in new[] { "Lib.Base", "Lib.Model" }) Assert.Contains(told, one => one.StartsWith("NINO020", StringComparison.Ordinal) && one.Contains($"'{level}' stores all its fields ({text})", StringComparison.Ordinal));
        }
    }

    /// <summary>By kind and access, of a property the getter's; not the field of an auto-property, nor one that is readonly where nothing says so.</summary>
    [Theory]
    [InlineData("Ceras.TargetMember.AllFields", 1, 0, 0, 0)]
    [InlineData("Ceras.TargetMember.PrivateProperties", 0, 2, 0, 0)]
    [InlineData("TargetMembers = Ceras.TargetMember.All", 1, 2, 0, 0)]
    [InlineData("Ceras.TargetMember.All, Ceras.ReadonlyFieldHandling.ForcedOverwrite", 1, 2, 3, 0)]
    [InlineData("Ceras.TargetMember.PublicFields", 0, 0, 0, 0)]
    [InlineData("", 0, 0, 0, 0)]
    public void WhatAClassOfCerasTargetsIsStored(string config, int a, int b, int c, int d) => Programs.Run("#pragma warning disable NINO017\n[assembly: NinoSerializable(typeof(Model))]\n" + Attributes + $$"""
        [Ceras.MemberConfig({{config}})] public class Model
        {
            private int _a; private int B { get; set; } private readonly int _c; [Ceras.Exclude] private int _d; private Action? _e; public int F;
            public Model() { } public Model(int a, int b, int c, int d) { (_a, B, _c, _d) = (a, b, c, d); _e = () => { }; }
            public (int, int, int, int) All() => (_a, B, _c, _d); public bool HasCode() => _e != null;
        }
        """, $"Model copy = Copy(new Model(1, 2, 3, 4) {{ F = 5 }}); Equal(({a}, {b}, {c}, {d}), copy.All()); Equal((false, 5), (copy.HasCode(), copy.F));");

    [Fact]
    public void WhatAClassOfCerasTargetsIsStoredBesideDataContractToo()
    {
        const string Model = "[System.Runtime.Serialization.DataContract, Ceras.MemberConfig(Ceras.TargetMember.All)] public record Model { [System.Runtime.Serialization.IgnoreDataMember] private int _a; [System.Runtime.Serialization.DataMember] public int B; [Ceras.Exclude] private int _c; private static int s_d; public (int, int) Both() => (_a, _c); public Model Be(int a, int c) { (_a, _c, s_d) = (a, c, c); return this; } }";
        AssertCountsBesideIgnore(Model, "[MemberConfig] of its class counts", "Model copy = Copy(new Model { B = 2 }.Be(1, 3)); Equal((1, 0), copy.Both()); Equal(2, copy.B); Equal(\"0:_a:Int32 0:B:Int32\", Fields<Model>());");
    }

    /// <summary>The last word is that of the class itself.</summary>
    [Fact]
    public void WhatADerivedClassOfCerasSaysCountsForAllOfIt() => Programs.Run("#pragma warning disable NINO017\n[assembly: NinoSerializable(typeof(Below))] [assembly: NinoSerializable(typeof(Same))]\n" + Attributes + """
        [Ceras.MemberConfig(Ceras.TargetMember.AllFields)] public class Model { private int _a; public int B; public int A() => _a; public Model Be(int a) { _a = a; return this; } }
        [Ceras.MemberConfig(Ceras.TargetMember.PublicFields)] public class Below : Model;
        public class Same : Model;
        """, "Equal((0, 2), (Copy((Below)new Below { B = 2 }.Be(1)).A(), Copy(new Below { B = 2 }).B)); Equal(1, Copy((Same)new Same().Be(1)).A());");

    /// <summary>With [NinoType] the marks are not read.</summary>
    [Fact]
    public void ATypeWithSuchMembersIsToBeRegisteredAndNotMarked() =>
        Assert.Contains("add [assembly: NinoSerializable(typeof(Part))]", Assert.Single(GeneratorHarness.Diagnose(Attributes + "public class Part { [Newtonsoft.Json.JsonProperty] private int _a; public int B; } [NinoType] public class A { public Part? P; }")).GetMessage(), StringComparison.Ordinal);
}
