using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>
/// Attributes that leave a member out, on some declarations of a property that is overridden, or beside one that stores it: what a serializer stores all the same is stored here, and told (NINO026).
/// As each of the five does it.
/// </summary>
public sealed class IgnoredOverrideTests
{
    /// <summary>Models, and which attribute is told; null: it leaves the member out.</summary>
    public static TheoryData<string, string?> Models => new()
    {
        // System.Text.Json looks at the last declaration alone.
        { "public class Base { [JsonIgnore] public virtual int A { get; set; } [JsonInclude] public int B; } public class Model : Base { public override int A { get; set; } }", "[JsonIgnore]" },
        { "public class Base { [JsonIgnore] public virtual int A { get; set; } [JsonInclude] public int B; } public class Model : Base { [JsonInclude] public override int A { get; set; } }", "[JsonIgnore]" },
        { "public class Base { [JsonInclude] public virtual int A { get; set; } public int B; } public class Model : Base { [JsonIgnore] public override int A { get; set; } }", null },
        // MessagePack and protobuf-net store what one class stores by its own declaration.
        { "[MessagePackObject(true)] public class Base { [IgnoreMember] public virtual int A { get; set; } public int B; } [MessagePackObject(true)] public class Model : Base { public override int A { get; set; } }", "[IgnoreMember]" },
        { "[MessagePackObject(true)] public class Base { [IgnoreDataMember] public virtual int A { get; set; } public int B; } [MessagePackObject(true)] public class Model : Base { public override int A { get; set; } }", "[IgnoreDataMember]" },
        { "[MessagePackObject] public class Base { [Key(1)] public virtual int A { get; set; } [Key(0)] public int B; } [MessagePackObject] public class Model : Base { [IgnoreMember] public override int A { get; set; } }", "[IgnoreMember]" },
        { "[MessagePackObject(true)] public class Base { public virtual int A { get; set; } public int B; } [MessagePackObject(true)] public class Model : Base { [IgnoreMember] public override int A { get; set; } }", null },
        { "[ProtoContract] public class Base { [ProtoIgnore] public virtual int A { get; set; } [ProtoMember(1)] public int B; } [ProtoContract] public class Model : Base { [ProtoMember(2)] public override int A { get; set; } }", "[ProtoIgnore]" },
        { "[ProtoContract] public class Base { [ProtoMember(2)] public virtual int A { get; set; } [ProtoMember(1)] public int B; } [ProtoContract] public class Model : Base { [ProtoIgnore] public override int A { get; set; } }", "[ProtoIgnore]" },
        { "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Base { public virtual int A { get; set; } public int B; } [ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Model : Base { [ProtoIgnore] public override int A { get; set; } }", "[ProtoIgnore]" },
        { "[ProtoContract] public class Model { [ProtoMember(2), ProtoIgnore] public int A { get; set; } [ProtoMember(1)] public int B; }", null },
        // By AllFields the field of a property is stored, whatever is on the property.
        { "[ProtoContract(ImplicitFields = ImplicitFields.AllFields)] public class Model { [ProtoIgnore] public int A { get; set; } public int B; }", "[ProtoIgnore]" },
        // A contract goes by [DataMember], and without one DataContractSerializer by the first declaration.
        { "[DataContract] public class Model { [DataMember, IgnoreDataMember] public int A { get; set; } [DataMember] public int B; }", "[IgnoreDataMember]" },
        { "[DataContract] public class Model { [ProtoMember(2), IgnoreDataMember] public int A { get; set; } [DataMember] public int B; }", "[IgnoreDataMember]" },
        { "[DataContract] public class Base { [DataMember] public virtual int A { get; set; } [DataMember] public int B; } [DataContract] public class Model : Base { [IgnoreDataMember] public override int A { get; set; } }", "[IgnoreDataMember]" },
        { "public class Base { public virtual int A { get; set; } public int B; } public class Model : Base { [IgnoreDataMember] public override int A { get; set; } }", "[IgnoreDataMember]" },
        { "public class Base { [IgnoreDataMember] public virtual int A { get; set; } public int B; } public class Model : Base { public override int A { get; set; } }", null },
        // MemoryPack copies the memory of a struct without references, and refuses its attribute on an override.
        { "[MemoryPackable] public partial struct Model { [MemoryPackIgnore] public int A { get; set; } public int B; [MemoryPackIgnore] public int Both { get => B; set => B = value; } }", "[MemoryPackIgnore]" },
        { "[MemoryPackable] public partial struct Model { [MemoryPackIgnore] public int A { get; set; } public int B; public string? C; }", null },
        { "[MemoryPackable] public class Base { [MemoryPackIgnore] public virtual int A { get; set; } public int B; } [MemoryPackable] public class Model : Base { public override int A { get; set; } }", null },
    };

    [Theory]
    [MemberData(nameof(Models))]
    public void WhatItsSerializerStoresIsStoredWhereverTheModelIs(string model, string? told)
    {
        // The fields of AllFields are not seen in another assembly, which is told too.
        const string Register = "#pragma warning disable NINO020, NINO026\n[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);\n";
        string run = $"Copy(new Fine(1)); Model copy = Copy(new Model {{ A = 3, B = 1 }}); Equal(({(told is null ? 0 : 3)}, 1), (copy.A, copy.B));", library = Library(model);
        Programs.Run(Library(model, Register), run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, run, library, seesReferenceAssembly);
    }

    [Theory]
    [MemberData(nameof(Models))]
    public void ItIsToldWithWhatLeavesItOut(string model, string? told)
    {
        string[] expected = told is null ? [] : ["NINO026"];
        Diagnostic[] own = [.. GeneratorHarness.Diagnose(Library(model, "[assembly: NinoSerializable(typeof(Model))]\n"))];
        Assert.Equal(expected, own.Select(static one => one.Id));
        Diagnostic[] ofAnother = [.. GeneratorHarness.DiagnoseWithLibrary(Library(model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false)];
        Assert.Equal(expected, ofAnother.Select(static one => one.Id));
        if (told is null) return;
        Assert.StartsWith($"{told} is on the member 'Model.A', or on what it overrides, and it is stored all the same: ", own[0].GetMessage(), StringComparison.Ordinal);
        Assert.Contains("; leave it out with [NinoIgnore], or turn this warning off", own[0].GetMessage(), StringComparison.Ordinal);
        Assert.Matches("; (leave (the override|what it overrides|each declaration of it) out with |take \\[[A-Za-z]+\\] off it, or off what it overrides, there|write a codec of your own)", ofAnother[0].GetMessage());
    }

    [Theory]
    [MemberData(nameof(Models))]
    public void InOnesOwnProjectTheAdviceLeavesItOut(string model, string? told)
    {
        if (told is null) return;
        int last = model.LastIndexOf("public override int A", StringComparison.Ordinal) is >= 0 and int place ? place : model.IndexOf("public int A", StringComparison.Ordinal);
        string followed = Library(model.Insert(last, "[NinoIgnore] "), "[assembly: NinoSerializable(typeof(Model))]\n");
        Programs.Run(followed, "Model copy = Copy(new Model { A = 3, B = 1 }); Equal((0, 1), (copy.A, copy.B));");
        Assert.Empty(GeneratorHarness.Diagnose(followed));
    }

    /// <summary>As its owner would follow it, who has no reference to this package.</summary>
    [Theory]
    [MemberData(nameof(Models))]
    public void InAnotherAssemblyTheAdviceLeavesItOutThere(string model, string? told)
    {
        const string Register = "[assembly: NinoSerializable(typeof(Model))]";
        if (told is null) return;
        string advice = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library(model), Register, isReferenceAssembly: false)).GetMessage();
        if (advice.Contains("; write a codec of your own", StringComparison.Ordinal)) return;
        string followed = advice.Contains($"; leave the override out with {told} there", StringComparison.Ordinal) ? Insert(model, "public override int A", told)
            : advice.Contains($"; leave what it overrides out with {told} there", StringComparison.Ordinal) ? Insert(model, "public virtual int A", told)
            : advice.Contains($"; leave each declaration of it out with {told} there", StringComparison.Ordinal) ? Insert(Insert(model.Replace("[Key(1)] public virtual", "public virtual", StringComparison.Ordinal), "public override int A", told), "public virtual int A", told)
            : Regex.Match(advice, @"; take (\[[A-Za-z]+\]) off it") is { Success: true } taken ? Regex.Replace(model, $@"\{taken.Groups[1].Value[..^1]}(\(2\))?(\] (?=public (virtual )?int A)|, )", static match => match.Value.EndsWith(", ", StringComparison.Ordinal) ? "[" : "")
            : throw new InvalidOperationException(advice);
        Assert.NotEqual(model, followed);
        Programs.Run(Register, "Model copy = Copy(new Model { A = 3, B = 1 }); Equal((0, 1), (copy.A, copy.B));", Library(followed), seesReferenceAssembly: true);

        static string Insert(string model, string before, string mark) => model.Contains($"{mark} {before}", StringComparison.Ordinal) ? model : model.Replace(before, $"{mark} {before}", StringComparison.Ordinal);
    }

    [Fact]
    public void AHiddenMemberThatIsMarkedAndIgnoredIsRefusedWhereItsSerializerStoresIt() => Programs.Run("[assembly: NinoSerializable(typeof(Stored))] [assembly: NinoSerializable(typeof(Numbered))] [assembly: NinoSerializable(typeof(LeftOut))]", """
        Refused(() => NinoSerializer.Serialize(new Stored()), "'Stored._a': marked with [DataMember]");
        Refused(() => NinoSerializer.Serialize(new Numbered()), "'Numbered._a': marked with [ProtoMember]");
        Equal(1, Copy(new LeftOut { B = 1 }).B);
        """, Library("[DataContract] public class Stored { [DataMember, IgnoreDataMember] private int _a; [DataMember] public int B; } [DataContract] public class Numbered { [ProtoMember(2), IgnoreDataMember] private int _a; [DataMember] public int B; } [ProtoContract] public class LeftOut { [ProtoMember(2), ProtoIgnore] private int _a; [ProtoMember(1)] public int B; }"), seesReferenceAssembly: true);

    private static string Library(string models, string register = "") => ForeignAttributes.Usings + ForeignAttributes.Quiet + register + ForeignAttributes.Source + models;
}
