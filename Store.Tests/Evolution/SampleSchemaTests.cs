using System.Reflection;
using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

/// <summary>The samples commit the schemas of what they store, as docs/evolution.md ("schema file") tells everybody to: a change of a sample's types fails here until it is in the file.</summary>
public sealed class SampleSchemaTests
{
    private const string FileName = "NinoSchemas.txt";

    [Theory]
    [InlineData("Quickstart")]
    [InlineData("EventSourcing")]
    [InlineData("OwnEngine")]
    public void TheStoredShapesOfASampleAreThoseOfItsSchemaFile(string sample) => NinoSchemaFile.Verify(Repository.Read($"samples/{sample}/{FileName}"), Sample(sample));

    [Fact]
    public void EverySampleThatStoresTypesOfItsOwnHasAFile()
    {
        foreach (string folder in Directory.EnumerateDirectories(Path.Combine(Repository.Root, "samples")).Where(static folder => Directory.EnumerateFiles(folder, "*.csproj").Any()))
        {
            bool storesTypes = NinoRegistry.SchemasOf(Sample(Path.GetFileName(folder)), out _).Count > 0;
            Assert.Equal((folder, storesTypes), (folder, Path.Exists(Path.Combine(folder, FileName))));
        }
    }

    /// <summary>The file as it would be if a flight had been another one before: its types today are what changed since.</summary>
    [Fact]
    public void AChangeOfASamplesTypesFailsAndTellsWhatItBreaks()
    {
        (string Before, string Told)[] cases =
        [
            (FileOf(static (name, node) => name == "DelayMinutes" ? (name, Of(SchemaKind.Guid)) : (name, node)), "BREAKING: existing records could not be read, or would mean something else.\n  Quickstart.Flight: "),
            (FileOf(static (name, node) => name == "DelayMinutes" ? (name, Of(SchemaKind.Int64)) : (name, node)), "NARROWING: existing records are read, but for those that hold what does not fit.\n  Quickstart.Flight: 'Quickstart.Flight.DelayMinutes' "),
            (FileOf(static (name, node) => name == "DelayMinutes" ? (name, Of(SchemaKind.Int16)) : (name, node)), "Compatible: existing records are read.\n  Quickstart.Flight: 'Quickstart.Flight.DelayMinutes' Int32, was Int16."),
            (FileOf(static (name, node) => name == "DelayMinutes" ? ("Delay", node) : (name, node)), "Compatible: existing records are read.\n  Quickstart.Flight: 'Quickstart.Flight.DelayMinutes' added, Int32.\n  Quickstart.Flight: 'Quickstart.Flight.Delay' removed; what is stored of it is left out."),
            (FileOf(static (name, node) => (name, node), type: "Quickstart.Leg"), "BREAKING: existing records could not be read, or would mean something else.\n  Quickstart.Leg: the type is gone"),
        ];
        foreach ((string before, string told) in cases)
            Assert.StartsWith(told, Assert.Throws<InvalidOperationException>(() => NinoSchemaFile.Verify(before, Sample("Quickstart"))).Message, StringComparison.Ordinal);

        NinoSchemaFile.Verify(FileOf(static (name, node) => (name, node)), Sample("Quickstart"));
    }

    /// <summary>Nobody makes the test pass by writing the new member into the file.</summary>
    [Fact]
    public void AFileThatWasEditedByHandIsTold()
    {
        string edited = Repository.Read($"samples/Quickstart/{FileName}").Replace("  DelayMinutes: Int32\n", "  DelayMinutes: Int64\n", StringComparison.Ordinal);
        Assert.Contains("fingerprint", Assert.Throws<FormatException>(() => NinoSchemaFile.Verify(edited, Sample("Quickstart"))).Message, StringComparison.Ordinal);
    }

    /// <summary>The file of Quickstart with other members of a flight.</summary>
    private static string FileOf(Func<string, SchemaNode, (string, SchemaNode)> member, string type = "Quickstart.Flight")
    {
        List<NinoSchema> committed = SchemaFileReader.Read(Repository.Read($"samples/Quickstart/{FileName}"));
        return NinoSchemaFile.Describe("Quickstart", [.. committed.Select(schema => schema.Name != "Quickstart.Flight" ? schema
            : NinoSchema.Create(Class(type, [.. ((ObjectDefinition)schema.Root.Definition!).Fields.Select(field => member(field.Name, field.Node))])))]);
    }

    private static Assembly Sample(string name) => Assembly.Load(new AssemblyName(name));
}
