// Packages of attributes alone are often left out of what is deployed. The runtime then reads none of the attributes of a member that has one of theirs.

using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models of other assemblies with attributes whose assembly is not there.</summary>
public class MissingAttributeTests
{
    private const string Marks = "namespace MemoryPack { public sealed class MemoryPackableAttribute : Attribute; public sealed class MemoryPackIncludeAttribute : Attribute; public sealed class MemoryPackIgnoreAttribute : Attribute; }";

    private const string Notes = "namespace Tools { public sealed class NoteAttribute : Attribute; }";

    private static (string, string, int)[] Libraries(string members) =>
        [("Marks", Marks, 0), ("Notes", Notes, 0), ("Models", $"namespace Lib {{ using MemoryPack; using Tools; [MemoryPackable] public class Model {{ public int A {{ get; set; }} {members} public int B() => _b; public void Set(int b) => _b = b; }} }}", 2)];

    [Theory]
    [InlineData("[Note] private int _b;")]
    [InlineData("[Note, MemoryPackInclude] private int _b;")]
    [InlineData("private int _b; [Note] private int C { get => _b; set => _b = value; }")]
    public void AHiddenMemberOfWhichNobodyKnowsWhetherItIsMarkedIsRefusedByNameWithTheAssembly(string member) => Programs.RunWith(Libraries(member), "using Lib; [assembly: NinoSerializable(typeof(Model))]", """
        Copy(1);
        try { NinoSerializer.Serialize(new Model { A = 1 }); }
        catch (NinoSerializationException error) when (error.TypeName == "Lib.Model" && error.Message.Contains("'Lib.Model.") && error.Message.Contains("'Notes, Version=") && error.Message.Contains("marked with [MemoryPackInclude]") && error.Message.Contains("Deploy the assembly")) { return; }
        throw new InvalidOperationException("It was written.");
        """, missing: "Notes", seesReferenceAssemblies: true);

    [Theory]
    [InlineData("[MemoryPackIgnore] private int _b;")]
    [InlineData("[Note] public int C { get; set; } private int _b;")]
    public void OfMembersThatGeneratedCodeStoresAndOfOtherAssembliesAllIsKnown(string members) => Programs.RunWith(Libraries(members), "using Lib; [assembly: NinoSerializable(typeof(Model))]", """
        Equal(3, Copy(new Model { A = 3 }).A);
        """, missing: "Notes");

    /// <summary>The error that is told is not that of looking at it.</summary>
    [Fact]
    public void AnUnknownTypeWithAnAttributeThatIsNotThereIsToldAsOne() => Programs.RunWith(
        [("Marks", Marks, 0), ("Notes", Notes, 0), ("Models", "namespace Lib { [Tools.Note] public class Model { public int A { get; set; } } }", 2)], "using Lib;", """
        Copy(1);
        try { NinoSerializer.Serialize(new Model { A = 1 }); }
        catch (NinoTypeNotRegisteredException error) when (error.Message.Contains("The type 'Lib.Model' is not registered. Put [NinoType] on it") && error.Message.Contains("'Notes, Version=")) { return; }
        throw new InvalidOperationException("It was written.");
        """, missing: "Notes");

    [Fact]
    public void WithItsAssemblyTheMarkIsSeen() => Programs.RunWith(Libraries("[Note, MemoryPackInclude] private int _b;"), "using Lib; [assembly: NinoSerializable(typeof(Model))]", """
        Copy(1);
        try { NinoSerializer.Serialize(new Model { A = 1 }); }
        catch (NinoSerializationException error) when (error.Message.Contains("'Lib.Model._b': marked with [MemoryPackInclude] to be stored")) { return; }
        throw new InvalidOperationException("It was written.");
        """, seesReferenceAssemblies: true);
}
