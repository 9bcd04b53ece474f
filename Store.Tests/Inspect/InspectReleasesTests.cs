// Years of one store: releases of a program that had other types under the same names, and the same types under other names. Each record is shown as the schema says that it was written with.

using System.Text.Json;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Values;

namespace Store.Tests.Inspect;

public sealed class InspectReleasesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>They have one fingerprint, because they encode alike; what the numbers mean only the schema tells.</summary>
    [Fact]
    public void SchemasThatDifferOnlyInTheNamesOfEnumMembersAreListedEach()
    {
        string path = _folder["doors"];
        foreach (NinoSchema release in new[] { Door(("Open", 1), ("Shut", 2)), Door(("Shut", 1), ("Open", 2)), Door(("Open", 1), ("Shut", 2)) })
        {
            using NinoStore store = NinoStore.Open(path, SampleLog.Options());
            store.AppendRecord(release, [1]);
        }

        Assert.Equal(["Open", "Shut", "Open"], ToolRun.Of("cat", "--json", path).Lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("value").GetProperty("State").GetString()));
        Assert.Equal(["Open=1 Shut=2", "Shut=1 Open=2"], ToolRun.Of("schema", "--json", path).Lines.Select(MembersOf));
        Assert.Equal(2, ToolRun.Of("schema", path).Lines.Count(static line => line.StartsWith("Shop.Door ", StringComparison.Ordinal)));
        using StoreReader reader = StoreReader.Open(path);
        Assert.Equal([(2, 1, 3), (1, 2, 2)], reader.Verify().Types.Select(static type => (type.Records, type.FirstSequence, type.LastSequence)));

        static string MembersOf(string line) => string.Join(' ', JsonDocument.Parse(line).RootElement.GetProperty("types")[1].GetProperty("members").EnumerateObject().Select(static member => $"{member.Name}={member.Value}"));
    }

    private static NinoSchema Door(params (string Name, long Value)[] members) => NinoSchema.Create(Shapes.Class("Shop.Door", ("State", Shapes.Enum("Shop.State", SchemaKind.Byte, isFlags: false, members))));
}
