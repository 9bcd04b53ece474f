using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Members of models that their own serializer hands to code: a converter or formatter that is named on the member.</summary>
public sealed class MemberCodeTests
{
    private const string Held = """
        public class Secret { public int A { get; set; } private int _b; }
        public sealed class Other : Secret; public struct Shown { public int A { get; set; } } public sealed class Secrets : List<int> { private int _b; }
        public sealed class UnixTimeAttribute : System.Text.Json.Serialization.JsonConverterAttribute; public sealed class SecretFormatterAttribute : MemoryPack.MemoryPackCustomFormatterAttribute<Secret>;

        """;

    private const string Registered = "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Secret))] [assembly: NinoSerializable(typeof(Other))] [assembly: NinoSerializable(typeof(Shown))]";

    [Theory]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Secret? S { get; set; } }", "'S'", "[JsonConverter]")]
    [InlineData("public class Model { [UnixTime] public Secret? S { get; set; } }", "'S'", "[JsonConverter]")]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Dictionary<int, Secret[]>? S; }", "'S'", "[JsonConverter]")]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public virtual Secret? S { get; set; } } public class Upper : Model { public override Secret? S { get; set; } }", "'S'", "[JsonConverter]")]
    [InlineData("[MessagePack.MessagePackObject] public class Model { [MessagePack.Key(0), MessagePack.MessagePackFormatter(typeof(int))] public Secret? S { get; set; } }", "'S'", "[MessagePackFormatter]")]
    [InlineData("public class Model { [MessagePack.MessagePackFormatter(typeof(int))] public Secret? S { get; set; } }", "'S'", "[MessagePackFormatter]")]
    [InlineData("[MemoryPack.MemoryPackable] public partial class Model { [SecretFormatter] public Secret? S { get; set; } }", "'S'", "[SecretFormatter]")]
    public void AConverterOfAMemberIsAWarningWhereWhatItHoldsIsNotAllShown(string model, string member, string attribute)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + Held + model, Registered, isReferenceAssembly));
            Assert.Equal("NINO020", told.Id);
            Assert.Contains($"The type 'Model' has the member {member}, which is written by code of its own ({attribute}), which is not asked: what 'Secret', 'Other' shows is stored", told.GetMessage());
        }
    }

    [Fact]
    public void ACollectionOfOnesOwnMayHideSomethingToo() => Assert.Contains("what 'Secrets' shows is stored", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + Held + "public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Secrets? S { get; set; } }", "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true)).GetMessage());

    /// <summary>A model of the program is a model, too: what its members hold may be another assembly's.</summary>
    [Fact]
    public void TheMemberItselfIsThePlaceWhereItIsInSource()
    {
        const string Program = Registered + " public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Secret? S { get; set; } }";
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + Held, Program, isReferenceAssembly: true));
        Assert.Equal("S", told.Location.SourceTree!.ToString().Substring(told.Location.SourceSpan.Start, told.Location.SourceSpan.Length));
    }

    [Theory]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public DayOfWeek Day { get; set; } [System.Text.Json.Serialization.JsonConverter(typeof(int))] public List<string>? Names { get; set; } }")]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Shown S { get; set; } }")]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int)), System.Text.Json.Serialization.JsonIgnore] public Secret? S { get; set; } public int A { get; set; } }")]
    [InlineData("[NinoType] public class Marked { public int A { get; set; } } public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Marked? S { get; set; } }")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember, System.Text.Json.Serialization.JsonConverter(typeof(int))] public Secret? S { get; set; } }")]
    [InlineData("[MemoryPack.MemoryPackable] public partial class Model { [MemoryPack.OrdinalIgnoreCaseStringDictionaryFormatter<Secret>] public Dictionary<string, Secret>? S { get; set; } }")]
    public void WhereNothingIsHiddenOrAnotherSerializerStoresTheModelThereIsNoWarning(string model)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
            Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(ForeignAttributes.Quiet + ForeignAttributes.Source + Held + model, Registered, isReferenceAssembly));
    }

    [Fact]
    public void ACodecOfOnesOwnForWhatItHoldsNeedsNoWarning() => Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(
        ForeignAttributes.Quiet + ForeignAttributes.Source + Held + "public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Secret? S { get; set; } }", """
        using Store.Serialization.Codecs;
        [assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Secret), Codec = typeof(SecretCodec))]
        public readonly struct SecretCodec : INinoCodec<Secret>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Secret value) => default(StringCodec).Write(ref writer, value is null ? null! : "s");
            public Secret Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is null ? null! : new Secret();
        }
        """, isReferenceAssembly: true));

    /// <summary>One on the type is told there.</summary>
    [Fact]
    public void WhatTheTypeSaysItselfIsToldOnce() => Assert.Contains("'Coded' is written by code", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(
        ForeignAttributes.Quiet + "[System.Text.Json.Serialization.JsonConverter(typeof(int))] public class Coded { public int A { get; set; } private int _b; } public class Model { [System.Text.Json.Serialization.JsonConverter(typeof(int))] public Coded? S { get; set; } }",
        "[assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Coded))]", isReferenceAssembly: true)).GetMessage());
}
