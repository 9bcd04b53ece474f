using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>
/// What a base declares and its own contract stores is stored of a class that is derived from it, whatever contract that has: protobuf-net takes the contracts of others for its own, what [ProtoInclude] names needs none,
/// and options of a mark are said of one class.
/// </summary>
public sealed class BaseContractTests
{
    private const string Register = "[assembly: NinoSerializable(typeof(Model))] [NinoType] public sealed record Fine(int A);\n";

    [Theory]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1)] public int A { get; set; } } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1)] public int A; } [ProtoContract] public class Middle : Base { } [ProtoContract] public class Model : Middle { [ProtoMember(1)] public int B; }")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1)] public int A; } [DataContract] public class Model : Base { [DataMember] public int B; }")]
    [InlineData("[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Base { public int A { get; set; } } [DataContract] public class Model : Base { [DataMember] public int B; }")]
    [InlineData("[MemoryPackable] public partial class Base { public int A { get; set; } } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1)] public virtual int A { get; set; } } [ProtoContract] public class Model : Base { public override int A { get; set; } [ProtoMember(1)] public int B; }")]
    [InlineData("[MemoryPackable] public partial class Base { public virtual int A { get; set; } } public class Middle : Base { public override int A { get; set; } } [DataContract] public class Model : Middle { public override int A { get; set; } [DataMember] public int B; }")]
    [InlineData("[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Base { public int A { get; } public Base() { } public Base(int a) => A = a; } [DataContract] public class Model : Base { [DataMember] public int B; public Model() { } public Model(int x, int y) : base(x) => B = y; }", "new Model(3, 1)")]
    [InlineData("[DataContract] public class Base { [DataMember] public int A { get; private set; } public static implicit operator Base(int a) => new() { A = a }; public Base Take(Base other) { A = other.A; return this; } } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }", "new Model { B = 1 }.Take(3)")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1)] public int A { get; } public Base() { } public Base(int a) => A = a; } [DataContract] public class Model : Base { [DataMember] public int B; public Model() { } public Model(int x, int y) : base(x) => B = y; }", "new Model(3, 1)")]
    public void WhatIsPublicIsStoredWhereverTheModelIs(string model, string made = "new Model { A = 3, B = 1 }")
    {
        string run = $"Copy(new Fine(1)); Model copy = Copy((Model){made}); Equal((3, 1), (copy.A, copy.B));";
        Programs.Run(Library(model, Register), run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, run, Library(model), seesReferenceAssembly);
    }

    /// <summary>Of another assembly it is told where it is seen that it is there, and refused where that is not known.</summary>
    [Theory]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1)] private int _a; public int A() => _a; public void Be(int a) => _a = a; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }", "NINO019")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1)] private int _a; public int A() => _a; public void Be(int a) => _a = a; } [MemoryPackable] public partial class Model : Base { public int B; }", "NINO019")]
    [InlineData("[MemoryPackable] public partial class Base { [MemoryPackInclude] private int _a; public int A() => _a; public void Be(int a) => _a = a; } [DataContract] public class Model : Base { [DataMember] public int B; }", "NINO019")]
    // None of them has a mark that could be looked for.
    [InlineData("[MessagePackObject(true, AllowPrivate = true)] public class Base { private int _a; public int A() => _a; public void Be(int a) => _a = a; } [MessagePackObject(true)] public class Model : Base { public int B; }", "NINO020")]
    [InlineData("[ProtoContract(ImplicitFields = ImplicitFields.AllFields)] public class Base { private int _a; public int A() => _a; public void Be(int a) => _a = a; } [DataContract] public class Model : Base { [DataMember] public int B; }", "NINO020")]
    public void WhatIsPrivateIsStoredInOneProjectAndIsNotLostInSilenceInAnother(string model, string told)
    {
        Programs.Run(Library(model, Register), "Copy(new Fine(1)); var one = new Model { B = 1 }; one.Be(3); Model copy = Copy(one); Equal((3, 1), (copy.A(), copy.B));");
        Assert.Equal([told], GeneratorHarness.DiagnoseWithLibrary(Library(model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false).Select(static one => one.Id));
        if (told == "NINO019") Programs.Run(Register, "Refused(() => NinoSerializer.Serialize(new Model()), \"'Base._a'\"); Copy(new Fine(1));", Library(model), seesReferenceAssembly: true);
        else Assert.Equal([told], GeneratorHarness.DiagnoseWithLibrary(Library(model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: true).Select(static one => one.Id));
    }

    [Theory]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1), ProtoIgnore] private int _a; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }", null)]
    [InlineData("[MemoryPackable] public partial class Base { [MemoryPackInclude, IgnoreDataMember] private int _a; } [DataContract] public class Model : Base { [DataMember] public int B; }", null)]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), JsonIgnore] private int _a; } public class Model : Base { public int B; }", "'Base._a'")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), JsonIgnore] private int _a; [JsonIgnore] public int C; } public class Model : Base { public int B; }", "'Base._a'")]
    [InlineData("[ProtoContract, DataContract, ProtoPartialIgnore(\"_a\")] public class Base { [DataMember] private int _a; } [DataContract] public class Model : Base { [DataMember] public int B; }", "'Base._a'")]
    public void AHiddenMemberIsRefusedUnlessTheTypesOwnSerializerLeavesItOut(string model, string? refused)
    {
        if (refused is null) Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(Library(model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Programs.Run(Register, refused is null ? "Copy(new Fine(1)); Equal(1, Copy(new Model { B = 1 }).B);" : $"Copy(new Fine(1)); Refused(() => NinoSerializer.Serialize(new Model()), \"{refused}\");", Library(model), seesReferenceAssembly: true);
    }

    [Theory]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1), ProtoIgnore] public int A; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    [InlineData("[DataContract] public class Base { public int A; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    [InlineData("public class Base { public int A; [JsonIgnore] public int C; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1), NinoIgnore] public int A; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    public void WhatTheTypesOwnSerializerLeavesOutOrNeitherStoresIsNotStored(string model) =>
        Programs.Run(Library(model, Register), "Copy(new Fine(1)); Model copy = Copy(new Model { A = 3, B = 1 }); Equal((0, 1), (copy.A, copy.B));");

    /// <summary>The derived class has no contract, and its serializer is not known: what another one stores of it by the base's is not lost, and told.</summary>
    [Theory]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), XmlIgnore] public int A; } public class Model : Base { public int B; }", "[XmlIgnore]", "leave 'Base.A' out with [ProtoIgnore] there")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), IgnoreDataMember] public int A { get; set; } } public class Model : Base { public int B; }", "[IgnoreDataMember]", "leave 'Base.A' out with [ProtoIgnore] there")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), JsonIgnore] public int A { get; set; } } public class Model : Base { public int B; }", "[JsonIgnore]", "leave 'Base.A' out with [ProtoIgnore] there")]
    [InlineData("[DataContract] public class Base { [DataMember, XmlIgnore] public int A { get; set; } } public class Model : Base { public int B; }", "[XmlIgnore]", "take [DataMember] off 'Base.A' there")]
    [InlineData("[MemoryPackable] public partial class Base { [XmlIgnore] public int A { get; set; } } public class Model : Base { public int B; }", "[XmlIgnore]", "leave 'Base.A' out with [MemoryPackIgnore] there")]
    [InlineData("[Serializable, ProtoContract] public class Base { [ProtoMember(1), NonSerialized] public int A; } [Serializable] public class Model : Base { public int B; }", "[NonSerialized]", "leave 'Base.A' out with [ProtoIgnore] there")]
    public void WhatTheContractOfABaseStoresIsStoredThoughAnAttributeOfAnotherIgnoresIt(string model, string mark, string leaveOut)
    {
        const string Run = "Copy(new Fine(1)); Model copy = Copy(new Model { A = 3, B = 1 }); Equal((3, 1), (copy.A, copy.B));";
        Programs.Run("#pragma warning disable NINO026\n" + Register, Run, Library(model));
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library(model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false));
        Assert.Equal($"{mark} is on the member 'Base.A', or on what it overrides, and it is stored all the same: the contract of 'Base' stores it, and 'Model' has none of its own; {leaveOut}, or turn this warning off where it is meant", told.GetMessage());
        // As told, it is left out.
        string ignore = leaveOut.Split('[')[1].Split(']')[0];
        string without = leaveOut.StartsWith("take", StringComparison.Ordinal) ? model.Replace(ignore + ", ", "", StringComparison.Ordinal) : model.Replace(mark.Trim('[', ']'), mark.Trim('[', ']') + ", " + ignore, StringComparison.Ordinal);
        Programs.Run(Register, "Copy(new Fine(1)); Model copy = Copy(new Model { A = 3, B = 1 }); Equal((0, 1), (copy.A, copy.B));", Library(without));
    }

    /// <summary>What leaves an override out is on what it overrides.</summary>
    [Fact]
    public void WhatLeavesAnOverrideOutIsSaidOfTheDeclarationThatIsStored()
    {
        const string Model = "[ProtoContract] public class Base { [ProtoMember(1)] public virtual int A { get; set; } } public class Model : Base { [JsonIgnore] public override int A { get; set; } public int B; }";
        Assert.Contains("'Model.A', or on what it overrides, and it is stored all the same: the contract of 'Base' stores it, and 'Model' has none of its own; leave 'Base.A' out with [ProtoIgnore] there", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library(Model), "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly: false)).GetMessage());
        Programs.Run(Register, "Copy(new Fine(1)); Equal((0, 1), (Copy(new Model { A = 3, B = 1 }).A, Copy(new Model { A = 3, B = 1 }).B));", Library(Model.Replace("[ProtoMember(1)]", "[ProtoMember(1), ProtoIgnore]", StringComparison.Ordinal)));
    }

    /// <summary>Whatever serializer's mark is beside it, and whatever assembly it is in.</summary>
    [Theory]
    [InlineData("[DataContract] public class Model { [ProtoMember(2), NinoIgnore] private int _a; [DataMember] public int B; }")]
    [InlineData("[DataContract] public class Model { [DataMember, NinoIgnore] private int _a; [DataMember] public int B; }")]
    [InlineData("[ProtoContract] public class Model { [ProtoMember(2), NinoIgnore] private int _a; [ProtoMember(1)] public int B; }")]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1), NinoIgnore] private int _a; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }")]
    public void AHiddenMemberWithNinoIgnoreIsLeftOut(string model)
    {
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, "Copy(new Fine(1)); Equal(1, Copy(new Model { B = 1 }).B);", Library(model), seesReferenceAssembly);
    }

    /// <summary>As where it is seen: an override takes the attribute from what it overrides. Compilers show overrides, so one that is hidden came with a later version of its assembly.</summary>
    [Theory]
    [InlineData("[DataContract] public class Base { [NinoIgnore] internal virtual int A { get; set; } [DataMember] public int B; } [DataContract] public class Model : Base { [DataMember] internal override int A { get; set; } }", null)]
    [InlineData("[DataContract] public class Base { [NinoIgnore] internal virtual int A { get; set; } [DataMember] public int B; } [DataContract] public class Model : Base { internal int Between { get; set; } [DataMember] internal sealed override int A { set => Between = value; } }", null)]
    [InlineData("[DataContract] public class Base { [NinoIgnore] internal virtual int A { get; set; } [DataMember] public int B; } [DataContract] public class Model : Base { [DataMember] internal new int A { get; set; } }", "'Model.A'")]
    [InlineData("[DataContract] public class Base { internal virtual int A { get; set; } [DataMember] public int B; } [DataContract] public class Model : Base { [DataMember] internal override int A { get; set; } }", "'Model.A'")]
    public void AHiddenOverrideOfWhatNinoIgnoreLeavesOutIsLeftOut(string model, string? refused) => Programs.Run(
        Register, refused is null ? "Copy(new Fine(1)); Equal(1, Copy(new Model { B = 1 }).B);" : $"Copy(new Fine(1)); Refused(() => NinoSerializer.Serialize(new Model()), \"{refused}\");",
        Library("[DataContract] public class Base { [DataMember] public int B; } [DataContract] public class Model : Base;"), laterLibrary: Library(model));

    [Theory]
    [InlineData("[DataContract] public class Base { [DataMember(Order = 1), ProtoMember(1)] private int _a; } [ProtoContract] public class Model : Base { [ProtoMember(1)] public int B; }", "[ProtoMember]")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), MemoryPackInclude] private int _a; } [MemoryPackable] public partial class Model : Base { public int B; }", "[MemoryPackInclude]")]
    [InlineData("[ProtoContract] public class Base { [ProtoMember(1), MemoryPackInclude] private int _a; } [DataContract] public class Model : Base { [DataMember] public int B; }", "[ProtoMember]")]
    public void AHiddenMemberWithTheMarksOfTwoSerializersIsNamedOnce(string model, string mark) => Programs.Run(Register, $$"""
        Copy(new Fine(1));
        try { NinoSerializer.Serialize(new Model()); }
        catch (NinoSerializationException error)
        {
            Equal(true, error.Message.StartsWith("'Base._a': marked with {{mark}} to be stored"));
            Equal(2, error.Message.Split("'Base._a'").Length);
            return;
        }
        throw new InvalidOperationException("It was written.");
        """, Library(model), seesReferenceAssembly: true);

    /// <summary>That it is left out under a condition only does not say that it is stored.</summary>
    [Fact]
    public void AConditionAloneIsNoMarkOfAHiddenMember() =>
        Programs.Run(Register, "Copy(new Fine(1)); Equal(1, Copy(new Model { B = 1 }).B);", Library("[DataContract] public class Base { [System.Text.Json.Serialization.JsonIgnore(Condition = System.Text.Json.Serialization.JsonIgnoreCondition.WhenWritingDefault)] private int _a; } public class Model : Base { [System.Text.Json.Serialization.JsonInclude] public int B; }"), seesReferenceAssembly: true);

    private static string Library(string models, string register = "") => ForeignAttributes.Usings + ForeignAttributes.Quiet + register + ForeignAttributes.Source + models;
}
