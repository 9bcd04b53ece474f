namespace Store.Tests.Generator.RandomModels.Marks;

/// <inheritdoc/>
internal sealed class MessagePackMarks : PeerMarks
{
    public static MessagePackMarks Instance { get; } = new();

    public override string Usings => "using MessagePack;";

    public override string Ignore => "[IgnoreMember] ";

    protected override IReadOnlyList<string> Unknown => ["JsonElement", "Immutable", "OrderedDictionary"];

    public override PeerStyle DrawStyle(Random random) => random.Next(10) switch { < 3 => PeerStyle.NumberKeys, < 5 => PeerStyle.AllNumberKeys, < 6 => PeerStyle.TextKeys, < 8 => PeerStyle.Names, _ => PeerStyle.AllNames };

    public override string OfType(ModelType type, Random random)
    {
        if (type.Kind == ModelKind.Interface || (type.Collection is not null && random.Next(100) < 70)) return "";
        return type.Style switch
        {
            PeerStyle.Names => "[MessagePackObject(true)]",
            PeerStyle.AllNames => "[MessagePackObject(true, AllowPrivate = true)]",
            PeerStyle.AllNumberKeys => "[MessagePackObject(AllowPrivate = true)]",
            _ => "[MessagePackObject]",
        };
    }

    public override string OfMember(ModelType type, int number, MemberType of, bool isOpen, Random random)
    {
        if (random.Next(100) < (isOpen ? 10 : 20)) return random.Next(4) == 0 ? "[IgnoreDataMember]" : "[IgnoreMember]";
        if (type.Style is PeerStyle.Names or PeerStyle.AllNames) return random.Next(100) < 10 && isOpen ? $"[Key(\"k{Text(number)}\")]" : "";
        return Include(type, number);
    }

    public override string OfHidden(ModelType type) => type.Style == PeerStyle.AllNumberKeys ? Ignore : "";

    public override string Callbacks(ModelType type, Random random) => $"void IMessagePackSerializationCallbackReceiver.OnBeforeSerialize() {{ }} void IMessagePackSerializationCallbackReceiver.OnAfterDeserialize() {{ Seen{type.Index} = true; }} [IgnoreMember] internal bool Seen{type.Index};";

    public override IEnumerable<string> Bases(ModelType type) => type.Extra.Contains("OnAfterDeserialize", StringComparison.Ordinal) ? ["IMessagePackSerializationCallbackReceiver"] : [];

    public override string Include(ModelType type, int number) => type.Style switch
    {
        PeerStyle.NumberKeys or PeerStyle.AllNumberKeys => $"[Key({Text(number)})]",
        PeerStyle.TextKeys => $"[Key(\"k{Text(number)}\")]",
        _ => "",
    };

    public override string OfConstructor(bool isChosen) => isChosen ? "[SerializationConstructor] " : "";

    public override IEnumerable<string> OfCases(ModelProgram program, ModelType type) => type.IsAbstract || type.Kind == ModelKind.Interface ? Cases(program, type, "[Union({0}, typeof({1}))]") : [];
}
