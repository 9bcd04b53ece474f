using Store.Tests.Generator.References;
using Store.Tests.Inspect;
using Store.Tests.Log;

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Through a store and back, and into its files without the types.</summary>
public sealed class StoredUnionTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void RecordsOfABaseComeBackFromALogAsTheirCases()
    {
        string path = Fill();
        using NinoStore store = NinoStore.Open(path);
        Shape[] shapes = [.. store.Read<Shape>().Select(static record => record.Value)];
        Assert.Equal<Shape>([new Circle("c", 2), new Box("b", 3, 4), new Cube("q", 1, 2, 3)], shapes);
        Person person = Assert.Single(store.Read<Person>().Select(static record => record.Value));
        Assert.Same(person, person.Friend);
    }

    [Fact]
    public void InspectDecodesThemWithoutTheirTypes()
    {
        string path = Fill();
        ToolRun cat = ToolRun.Of("cat", "--json", path);
        Assert.Equal(0, cat.ExitCode);
        Assert.Equal(4, cat.Lines.Length);
        Assert.Contains("\"value\":{\"$type\":\"Store.Tests.Generator.Polymorphism.Circle\",\"Radius\":2,\"Name\":\"c\"}", cat.Lines[0]);
        Assert.Contains("\"value\":{\"$id\":\"1\",\"Id\":5,\"Name\":null,\"Friend\":{\"$ref\":\"1\"}", cat.Lines[3]);

        string terminal = ToolRun.OnTerminal(160, "cat", path, "--color", "never").Output;
        Assert.Contains("Circle", terminal);
        Assert.Contains("Person #1", terminal);
        Assert.Equal(0, ToolRun.OnTerminal(160, path, "--color", "never").ExitCode);

        string schema = ToolRun.Of("schema", path).Output;
        Assert.Contains("0x708A631E", schema);
        Assert.Contains("class that keeps references", schema);
        Assert.Contains("{\"tag\":\"0x708A631E\",\"kind\":\"Store.Tests.Generator.Polymorphism.Circle\"}", ToolRun.Of("schema", "--json", path).Output);
        Assert.Equal(0, ToolRun.Of("verify", path).ExitCode);
    }

    private string Fill()
    {
        string path = _folder["store"];
        using NinoStore store = NinoStore.Open(path);
        store.Append<Shape>(new Circle("c", 2));
        store.AppendBatch<Shape>([new Box("b", 3, 4), new Cube("q", 1, 2, 3)]);
        var person = new Person { Id = 5 };
        person.Friend = person;
        store.Append(person);
        return path;
    }
}
