namespace Store.Tests.Generator.RandomModels.Marks;

/// <inheritdoc/>
internal sealed class MemoryPackMarks : PeerMarks
{
    public static MemoryPackMarks Instance { get; } = new();

    public override string Usings => "using MemoryPack;";

    public override string Ignore => "[MemoryPackIgnore] ";

    public override (string Before, string After)? Around => ("[MemoryPackOnSerializing]", "[MemoryPackOnDeserialized]");

    protected override IReadOnlyList<string> Unknown => ["OrderedDictionary", "JsonElement"];

    public override PeerStyle DrawStyle(Random random) => random.Next(10) switch { < 6 => PeerStyle.Places, < 9 => PeerStyle.VersionTolerant, _ => PeerStyle.CircularReference };

    public override string OfType(ModelType type, Random random)
    {
        if (type.Collection is not null) return "[MemoryPackable(GenerateType.Collection)]";
        return type.Style switch
        {
            _ when type.IsValue || type.IsAbstract || type.Kind == ModelKind.Interface => "[MemoryPackable]",
            PeerStyle.VersionTolerant => "[MemoryPackable(GenerateType.VersionTolerant)]",
            PeerStyle.CircularReference => "[MemoryPackable(GenerateType.CircularReference)]",
            _ => "[MemoryPackable]",
        };
    }

    // Members of an abstract class have orders for what is derived from it.
    public override string OfMember(ModelType type, int number, MemberType of, bool isOpen, Random random)
    {
        if (random.Next(100) < 10) return isOpen ? "[MemoryPackIgnore]" : "";
        return (isOpen || random.Next(100) < 15 ? "" : "[MemoryPackInclude]") + Order(type, number);
    }

    public override string Include(ModelType type, int number) => "[MemoryPackInclude] " + Order(type, number + 60);

    public override string OfConstructor(bool isChosen) => isChosen ? "[MemoryPackConstructor] " : "";

    public override IEnumerable<string> OfCases(ModelProgram program, ModelType type) => type.IsAbstract || type.Kind == ModelKind.Interface ? Cases(program, type, "[MemoryPackUnion({0}, typeof({1}))]") : [];

    public override string Callbacks(ModelType type, Random random) => random.Next(4) switch
    {
        0 => $"[MemoryPackOnDeserialized] private void After{type.Index}() {{ Seen{type.Index} = true; }} [MemoryPackIgnore] internal bool Seen{type.Index};",
        1 => $"[MemoryPackOnSerializing] private void Before{type.Index}() {{ }} [MemoryPackOnSerialized] private void Behind{type.Index}() {{ }}",
        2 => $"[MemoryPackOnDeserializing] private void Begin{type.Index}() {{ }}",
        _ => $"[MemoryPackOnSerializing] private static void Static{type.Index}() {{ }}",
    };

    private static string Order(ModelType type, int number) => type.Style == PeerStyle.Places || type.IsValue ? "" : $"[MemoryPackOrder({Text(number)})]";
}
