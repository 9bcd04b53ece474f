namespace Store.Tests.Generator.RandomModels.Marks;

/// <inheritdoc/>
internal sealed class ProtobufMarks : PeerMarks
{
    private const int FirstCase = 500;

    public static ProtobufMarks Instance { get; } = new();

    public override string Usings => "using ProtoBuf;";

    public override string Ignore => "[ProtoIgnore] ";

    public override (string Before, string After)? Around => ("[ProtoBeforeSerialization]", "[ProtoAfterDeserialization]");

    protected override IReadOnlyList<string> Unknown => ["JsonElement", "Int128", "Version", "DateTimeOffset", "LinkedList", "ReadOnlyCollection", "Collection", "ObservableCollection", "OrderedDictionary", "SortedSet", "IReadOnlySet", "SortedList", "Tuple"];

    public override bool TakesAnyElement => false;

    public override bool TakesCasesOfConcrete => true;

    public override PeerStyle DrawStyle(Random random) => random.Next(10) switch { < 5 => PeerStyle.Members, < 7 => PeerStyle.AllPublic, < 9 => PeerStyle.AllFields, _ => PeerStyle.Contract };

    public override string OfType(ModelType type, Random random)
    {
        if (type.Style == PeerStyle.Contract) return type.Kind == ModelKind.Interface ? "[ProtoContract]" : "[DataContract]";
        if (type.Collection is not null) return random.Next(2) == 0 ? "" : "[ProtoContract(IgnoreListHandling = true)]";
        List<string> settings = [];
        if (type.Style is PeerStyle.AllPublic or PeerStyle.AllFields && type.Kind != ModelKind.Interface) settings.Add($"ImplicitFields = ImplicitFields.{type.Style}, ImplicitFirstTag = {Text(1 + (40 * type.Index))}");
        if (!type.HasEmpty ? random.Next(100) < 95 : !type.IsValue && type.Kind != ModelKind.Interface && random.Next(100) < 12) settings.Add("SkipConstructor = true");
        if (random.Next(100) < 8) settings.Add($"Name = \"n{Text(type.Index)}\"");
        bool isContractToo = type.Style == PeerStyle.Members && type.Kind != ModelKind.Interface && random.Next(100) < 15;
        if (isContractToo && random.Next(3) == 0) settings.Add("DataMemberOffset = 1000");
        return (settings.Count == 0 ? "[ProtoContract]" : $"[ProtoContract({string.Join(", ", settings)})]") + (isContractToo ? "[DataContract]" : "");
    }

    public override string OfMember(ModelType type, int number, MemberType of, bool isOpen, Random random)
    {
        if (type.Style is PeerStyle.AllPublic or PeerStyle.AllFields)
        {
            return random.Next(100) switch { < 8 => "[ProtoIgnore]", < 14 => $"[ProtoMember({Text(number + 400)})]", _ => "" };
        }

        if (random.Next(100) < 10) return random.Next(3) == 0 ? type.Style == PeerStyle.Contract ? "[IgnoreDataMember]" : "[ProtoIgnore]" : "";
        if (type.Style == PeerStyle.Contract) return Include(type, number);
        if (type.Attributes.Contains("[DataContract]", StringComparison.Ordinal) && random.Next(3) == 0) return $"[DataMember(Order = {Text(number + 200)})]";
        // Each class of a hierarchy may count from one on.
        List<string> settings = [Text(type.Turns % 2 == 0 ? number + 1 : type.Members.Count + 1)];
        if (random.Next(100) < 12) settings.Add($"Name = \"n{Text(number)}\"");
        if (random.Next(100) < 8) settings.Add("IsRequired = true");
        if (random.Next(100) < 10 && of.Name is "int" or "long") settings.Add("DataFormat = DataFormat.ZigZag");
        if (random.Next(100) < 25 && of.Fill is not null) settings.Add("OverwriteList = true");
        if (random.Next(100) < 25 && of.Name is "List<int>" or "int[]") settings.Add("IsPacked = true");
        return $"[ProtoMember({string.Join(", ", settings)})]";
    }

    public override string Include(ModelType type, int number) => type.Style switch
    {
        PeerStyle.Members => $"[ProtoMember({Text(number + 100)})] ",
        PeerStyle.Contract => $"[DataMember(Order = {Text(number + 1)})] ",
        _ => "",
    };

    public override IEnumerable<string> OfCases(ModelProgram program, ModelType type) => type.Kind is ModelKind.Enum ? [] : [.. Derived(program, type), .. type.Members.Where(one => !type.IsValue).Where(static one => one is { Marks: "", IsPositional: false } && one.Number % 11 == 5).Select(one => Partial(type, one))];

    // The class says it of its member.
    private static string Partial(ModelType type, ModelMember member) => type.Style switch
    {
        PeerStyle.Members => $"[ProtoPartialMember({Text(member.Number + 300)}, \"{member.Name}\")]",
        PeerStyle.AllPublic or PeerStyle.AllFields => $"[ProtoPartialIgnore(\"{member.Name}\")]",
        _ => "",
    };

    // Each class names what is derived from it directly.
    private static IEnumerable<string> Derived(ModelProgram program, ModelType type) => program.Types.Where(one => one != type && !one.IsGeneric && (one.Base == type || one.Interfaces.Contains(type)) && (type.IsPolymorphic || type.IsAbstract)).Select(one => $"[ProtoInclude({Text(FirstCase + one.Index)}, typeof({one.Name}))]");

    public override string Callbacks(ModelType type, Random random) => random.Next(4) switch
    {
        0 => $"[ProtoAfterDeserialization] private void After{type.Index}() {{ Seen{type.Index} = true; }} [ProtoIgnore] internal bool Seen{type.Index};",
        1 => $"[ProtoBeforeSerialization] private void Before{type.Index}() {{ }} [ProtoAfterSerialization] private void Behind{type.Index}() {{ }}",
        2 => $"[ProtoBeforeDeserialization] internal void Begin{type.Index}() {{ }}",
        _ => $"[OnDeserialized] internal void Behind{type.Index}(StreamingContext context) {{ }}",
    };
}
