using System.Globalization;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>The names and numbers by which other serializers know members, as the identity of what is stored of their models.</summary>
public sealed class ContractNameTests
{
    [Theory]
    [InlineData("[MessagePackObject]", "[Key(\"w\")]", "[Key(\"n\")]")]
    [InlineData("[DataContract]", "[DataMember(Name = \"w\")]", "[DataMember(Name = \"n\")]")]
    [InlineData("", "[JsonPropertyName(\"w\")]", "[JsonPropertyName(\"n\")]")]
    public void AMemberIsFoundByTheNameOfItsContractWhateverItIsCalledNow(string mark, string first, string second)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true })
        {
            Run("""
                Equal("0:w:Int32 0:n:String", Fields<Lib.Old>());
                Equal("0:w:Int32 0:n:String 0:Added:String", Fields<Lib.New>());
                Lib.New now = Evolve<Lib.Old, Lib.New>(new Lib.Old { Width = 3, Name = "a" });
                Equal((3, "a", "was"), (now.Breadth, now.Title, now.Added));
                Equal((4, "b"), (Copy(new Lib.New { Breadth = 4, Title = "b" }).Breadth, Copy(new Lib.New { Title = "b" }).Title));
                """, $$"""
                {{mark}} public class Old { {{first}} public int Width { get; set; } {{second}} public string? Name { get; set; } }
                [NinoFormerName("Lib.Old")] {{mark}} public class New { {{first}} public int Breadth; {{second}} public string? Title { get; set; } {{(mark == "[DataContract]" ? "[DataMember]" : mark.Length > 0 ? "[Key(\"Added\")]" : "")}} public string Added { get; set; } = "was"; }
                """, seesReferenceAssembly, "Old", "New");
        }
    }

    /// <summary>The error names the member as the schema does.</summary>
    [Fact]
    public void AMemberWhoseNameIsNoIdentifierIsToldByIt() => Run("""
        Equal("0:first name:Int32 0:ß.\"x\":String", Fields<Lib.Odd>());
        Equal((1, "s"), (Copy(new Lib.Odd { First = 1, Sharp = "s" }).First, Copy(new Lib.Odd { Sharp = "s" }).Sharp));
        Refused(() => NinoSerializer.Deserialize<Lib.Odd>([1, 0, 0, 0, 0xFF]), "ß.\"x\"");
        """, """
        public class Odd { [JsonPropertyName("first name")] public int First { get; set; } [JsonPropertyName("ß.\"x\"")] public string? Sharp { get; set; } }
        """, false, "Odd");

    /// <summary>A setter finds what its serializer sets in front of it: what has no order of its own, and of DataContract what a base has.</summary>
    [Theory]
    [InlineData("[DataContract] public class Model { [DataMember(Order = 1)] public int Value { get; set => field = Math.Min(value, Max); } [DataMember] public int Max { get; set; } }")]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 9)] public int Max { get; set; } } [DataContract] public class Model : Base { [DataMember(Order = 1)] public int Value { get; set => field = Math.Min(value, Max); } }")]
    [InlineData("[DataContract] public class Base { [DataMember] public int Max { get; set; } } [DataContract] public class Model : Base { [DataMember(Order = 1)] public int Value { get; set => field = Math.Min(value, Max); } }")]
    [InlineData("public class Model { [JsonPropertyOrder(1)] public int Value { get; set => field = Math.Min(value, Max); } public int Max { get; set; } }")]
    [InlineData("public class Model { public int Value { get; set => field = Math.Min(value, Max); } [JsonPropertyOrder(-1)] public int Max { get; set; } }")]
    public void WhatHasNoOrderStandsWhereItsSerializerHasIt(string model) => Programs.Run($$"""
        using System.Runtime.Serialization; using System.Text.Json.Serialization;
        [assembly: NinoSerializable(typeof(Model))]
        {{model}}
        """, "Equal(7, Copy(new Model { Max = 10, Value = 7 }).Value);");

    [Fact]
    public void ANameGivenLaterFindsWhatWasStoredBefore() => Run("""
        Lib.New now = Evolve<Lib.Old, Lib.New>(new Lib.Old { Width = 3, Other = 4 });
        Equal((3, 4), (now.Width, now.Other));
        """, """
        public class Old { public int Width { get; set; } [JsonInclude] public int Other { get; set; } }
        [NinoFormerName("Lib.Old")] public class New { [JsonPropertyName("w")] public int Width { get; set; } public int Other { get; set; } }
        """, false, "Old", "New");

    /// <summary>Another serializer's attribute on the class makes the names of the former one count no more.</summary>
    [Fact]
    public void ANameThatNoLongerCountsFindsWhatWasStoredUnderIt() => Run("""
        Lib.New now = Evolve<Lib.Old, Lib.New>(new Lib.Old { A = 1, B = 2 });
        Equal((1, 2), (now.A, now.B));
        Lib.Later later = Evolve<Lib.Before, Lib.Later>(new Lib.Before { A = 1, B = 2 });
        Equal((1, 2), (later.A, later.B));
        """, """
        [DataContract] public class Old { [DataMember(Order = 1, Name = "b")] public int A { get; set; } [DataMember(Order = 2, Name = "a")] public int B { get; set; } }
        [NinoFormerName("Lib.Old"), DataContract, ProtoContract] public class New { [DataMember(Order = 1, Name = "b")] public int A { get; set; } [DataMember(Order = 2, Name = "a")] public int B { get; set; } }
        public class Before { [JsonPropertyName("b")] public int A { get; set; } [JsonPropertyName("a")] public int B { get; set; } }
        [NinoFormerName("Lib.Before"), DataContract] public class Later { [DataMember, JsonPropertyName("b")] public int A { get; set; } [DataMember, JsonPropertyName("a")] public int B { get; set; } }
        """, false, "Old", "New", "Before", "Later");

    /// <summary>What was stored under it may be that one's, which is left out now.</summary>
    [Fact]
    public void ANameThatIsTheNameOfAnotherMemberIsNone() => Run("""
        Equal(0, Evolve<Lib.Old, Lib.New>(new Lib.Old { Price = 7 }).PriceCents);
        Lib.Later later = Evolve<Lib.Before, Lib.Later>(new Lib.Before { A = 1 });
        Equal(1, later.A);
        """, """
        [DataContract] public class Old { [DataMember] public int Price { get; set; } }
        [NinoFormerName("Lib.Old"), DataContract] public class New { [IgnoreDataMember] public int Price { get; set; } [DataMember, JsonPropertyName("Price")] public int PriceCents { get; set; } }
        [DataContract] public struct Before { [field: DataMember(Name = "b")] public int A { get; set; } }
        [NinoFormerName("Lib.Before"), DataContract, ProtoContract] public struct Later { [ProtoMember(1)] [field: DataMember(Name = "b")] public int A { get; set; } }
        """, false, "Old", "New", "Before", "Later");

    /// <summary>Else the one would take what is the other's.</summary>
    [Fact]
    public void TheNameInCSharpFindsNothingWhereItIsTheNameOfAnother() => Run("""
        Equal("0:B:Int32 0:A:Int32", Fields<Lib.New>());
        Lib.New now = Evolve<Lib.Old, Lib.New>(new Lib.Old { B = 1 });
        Equal((1, 0), (now.A, now.B));
        """, """
        public class Old { [JsonInclude] public int B { get; set; } }
        [NinoFormerName("Lib.Old")] public class New { [JsonPropertyName("B")] public int A { get; set; } [JsonPropertyName("A")] public int B { get; set; } }
        """, false, "Old", "New");

    [Fact]
    public void NamesThatTellNothingApartAreNotUsed() => Run("""
        Equal("0:Inner:Int32 0:Outer:Int32 0:b:Int32", Fields<Lib.Derived>());
        Equal((1, 2, 3), (Copy(new Lib.Derived { Inner = 1, Outer = 2, Third = 3 }) is var copy ? (copy.Inner, copy.Outer, copy.Third) : default));
        Equal("0:First:Int32 0:Second:Int32 0:Third:Int32", Fields<Lib.Chain>());
        Equal("0:A:Int32 0:B:Int32", Fields<Lib.NoNames>());
        """, """
        [DataContract] public class Base { [DataMember(Name = "a")] public int Inner { get; set; } }
        [DataContract] public class Derived : Base { [DataMember(Name = "a")] public int Outer { get; set; } [DataMember(Name = "b")] public int Third { get; set; } }
        [DataContract] public class Chain { [DataMember(Name = "Third")] public int First { get; set; } [DataMember(Name = "First")] public int Second { get; set; } [DataMember(Name = "First")] public int Third { get; set; } }
        public class NoNames { [JsonPropertyName("")] public int A { get; set; } [JsonPropertyName("a\nb")] public int B { get; set; } }
        """, false, "Derived", "Chain", "NoNames");

    [Fact]
    public void AnOverrideHasTheNameOfWhatItOverrides() => Run("""
        Equal("0:a:Int32", Fields<Lib.Derived>());
        Equal(5, Copy(new Lib.Derived { Value = 5 }).Value);
        """, """
        public class Base { [JsonPropertyName("a")] public virtual int Value { get; set; } }
        public class Derived : Base { public override int Value { get; set; } }
        """, false, "Derived");

    /// <summary>In its usual form the order is the place and no identity.</summary>
    [Theory]
    [InlineData("VersionTolerant")]
    [InlineData("CircularReference")]
    public void TheOrderOfAVersionTolerantModelOfMemoryPackIsTheIdentityOfItsMembers(string form) => Run($$"""
        Equal("1:Width:Int32 3:Name:String", Fields<Lib.Old>());
        Lib.New now = Evolve<Lib.Old, Lib.New>(new Lib.Old { Width = 3, Name = "a" });
        Equal((3, "a", 7), (now.Breadth, now.Title, now.Added));
        Equal("0:B:Int32 0:A:Int32", Fields<Lib.Fixed>());
        """, $$"""
        [MemoryPackable(GenerateType.{{form}})] public partial class Old { [MemoryPackOrder(0)] public int Width { get; set; } [MemoryPackOrder(2)] public string? Name { get; set; } }
        [NinoFormerName("Lib.Old")] [MemoryPackable(GenerateType.{{form}})] public partial class New { [MemoryPackOrder(2)] public string? Title { get; set; } [MemoryPackOrder(1)] public int Added { get; set; } = 7; [MemoryPackOrder(0)] public int Breadth { get; set; } }
        [MemoryPackable] public partial class Fixed { [MemoryPackOrder(1)] public int A { get; set; } [MemoryPackOrder(0)] public int B { get; set; } }
        """, false, "Old", "New", "Fixed");

    /// <summary>As MessagePack calls it: by the order of numbers, by keys whatever their case, and by the members' own names.</summary>
    [Theory]
    [InlineData("[Key(4)] public int Height { get; } [Key(2)] public int Width { get; } public Two(int w, int h) { Width = w; Height = h; }", "3:Width:Int32 5:Height:Int32")]
    [InlineData("[Key(\"h\")] public int Height { get; } [Key(\"w\")] public int Width { get; } public Two(int W, int h) { Width = W; Height = h; }", "0:h:Int32 0:w:Int32")]
    [InlineData("[Key(\"h\")] public int Height { get; } [Key(\"w\")] public int Width { get; } public Two(int width, int h) { Width = width; Height = h; }", "0:h:Int32 0:w:Int32")]
    public void AConstructorOfAModelOfMessagePackTakesItsParametersByTheirKeysOrNames(string members, string fields) => Run($"""
        Equal("{fields}", Fields<Lib.Two>());
        Equal((1, 2), (Copy(new Lib.Two(1, 2)).Width, Copy(new Lib.Two(1, 2)).Height));
        """, $"[MessagePackObject] public class Two {{ {members} }}", false, "Two");

    /// <summary>Where names and keys say otherwise and nothing sets the members behind the constructor, it is what the constructor is seen to make of them; a parameter that has the name of none is what its key says.</summary>
    [Theory]
    [InlineData("[MessagePackObject] public class Two { [Key(1)] public int Width { get; } [Key(0)] public int Height { get; } public Two(int width, int height) { Height = width; Width = height; } }", "2, 1")]
    [InlineData("[MessagePackObject] public class Two { [Key(1)] public int Width { get; } [Key(0)] public int Height { get; } public Two(int width, int height) { Width = width; Height = Math.Max(height, 0); } }", "1, 2")]
    [InlineData("[MessagePackObject] public class Two { [Key(1)] public int Width { get; } [Key(0)] public int Height { get; } public Two(int width, int height) => (Width, Height) = (width, height); }", "1, 2")]
    [InlineData("[MessagePackObject] public class Two(int width, int height) { [Key(1)] public int Width { get; } = width; [Key(0)] public int Height => height; }", "1, 2")]
    [InlineData("[MessagePackObject] public class Two { [Key(\"height\")] public int Width { get; } [Key(\"width\")] public int Height { get; } public Two(int width, int height) { (this.Height, this.Width) = (width, height); } }", "2, 1")]
    [InlineData("[MessagePackObject] public class Two { [Key(0)] public int Width { get; } [Key(1)] public int Height { get; } public Two(int width, int h = 5) { Width = Math.Abs(width); Height = Math.Abs(h); } }", "1, 2")]
    [InlineData("[MessagePackObject] public record Two([property: Key(1)] int Width, [property: Key(0)] int Height);", "1, 2")]
    [InlineData("[MessagePackObject] public class Two { [Key(1)] public int Width { get; set; } [Key(0)] public int Height { get; set; } public Two(int width, int height) { Set(height, width); } void Set(int width, int height) { Width = width; Height = height; } }", "2, 1")]
    public void AParameterWhoseNameAndKeySayOtherwiseTakesWhatItIsFor(string model, string made) => Programs.Run(
        ForeignAttributes.Usings + "[assembly: NinoSerializable(typeof(Two))]\n" + ForeignAttributes.Source + model, $"Equal(({made}), (Copy(new Two(1, 2)).Width, Copy(new Two(1, 2)).Height));");

    /// <summary>Of another assembly, or by way of a method, it is not seen.</summary>
    [Theory]
    [InlineData("[Key(1)] public int Width { get; } [Key(0)] public int Height { get; } public Two(int width, int height) { Height = width; Width = height; }", true, "'width'")]
    [InlineData("[Key(1)] public int Width { get; } [Key(0)] public int Height { get; } public Two(int width, int height) : this(height, width, 0) { } private Two(int a, int b, int c) { Width = a; Height = b; }", false, "'width'")]
    [InlineData("[Key(1)] public int Width { get; } [Key(0)] public int Height { get; } [NinoConstructor] public Two(int width, int height) : this(height, width, 0) { } private Two(int a, int b, int c) { Width = a; Height = b; }", false, null)]
    [InlineData("[Key(1)] public int Width { get; set; } [Key(0)] public int Height { get; set; } public Two(int width, int height) { Height = width; Width = height; }", true, null)]
    [InlineData("[Key(0)] public int Width { get; } [Key(1)] public int Height { get; } public Two(int width, int height) { Height = height; Width = width; }", true, null)]
    [InlineData("[Key(1)] public int Width { get; } [Key(0)] public string? Height { get; } public Two(int width, string? height) { Height = height; Width = width; }", true, null)]
    public void WhereThatIsNotSeenItIsAnError(string members, bool isElsewhere, string? told)
    {
        string model = $"{ForeignAttributes.Source}namespace Lib {{ {ForeignAttributes.Usings} [MessagePackObject] public class Two {{ {members} }} }}", program = "[assembly: NinoSerializable(typeof(Lib.Two))]\n";
        List<Diagnostic> all = [.. isElsewhere ? GeneratorHarness.DiagnoseWithLibrary(model, program, isReferenceAssembly: false) : GeneratorHarness.Diagnose(program + model)];
        Assert.Equal(told is null ? [] : ["NINO006"], all.Select(static one => one.Id));
        if (told is not null) Assert.Contains(told, all[0].GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public void TwoParametersNeverTakeOneMember() => Assert.Contains(
        GeneratorHarness.DiagnoseWithLibrary($"{ForeignAttributes.Source}namespace Lib {{ {ForeignAttributes.Usings} [MessagePackObject] public class Twice {{ public Twice(string a, string b) => B = a + b; [Key(\"a\")] public string? B {{ get; }} }} }}", "[assembly: NinoSerializable(typeof(Lib.Twice))]", isReferenceAssembly: false),
        static told => told.Id == "NINO006");

    private static void Run(string run, string library, bool seesReferenceAssembly, params string[] registered) => Programs.Run(
        string.Concat(registered.Select(static name => $"[assembly: NinoSerializable(typeof(Lib.{name}))]\n")), run, $"{ForeignAttributes.Source}namespace Lib {{ {ForeignAttributes.Usings} {library} }}", seesReferenceAssembly);
}
