// What a random model program declares: types with the attributes of one serializer, as texts that name each other by their number, so that some can be left out.

using Store.Tests.Generator.RandomModels.Marks;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Whose attributes the types carry.</summary>
internal enum OtherSerializer
{
    Json,
    DataContract,
    MemoryPack,
    MessagePack,
    ProtobufNet,
}

/// <summary>What a type is declared as.</summary>
internal enum ModelKind
{
    Class,
    Struct,
    Record,
    RecordStruct,
    Interface,
    Enum,
}

/// <summary>What DataContractSerializer goes by.</summary>
internal enum ContractMode
{
    Contract,
    Serializable,
    Plain,
}

/// <summary>Which constructors a type has.</summary>
internal enum ConstructorForm
{
    None,
    Empty,
    Full,
    Both,
    Primary,
}

/// <summary>A type of a member.</summary>
/// <param name="Name">As it is declared.</param>
/// <param name="Value">An expression that makes a value, of <c>r</c> and <c>d</c>.</param>
internal sealed record MemberType(string Name, string Value)
{
    /// <summary>What is done to fill a collection that is there; <c>$</c> is the collection.</summary>
    public string? Fill { get; init; }

    /// <summary>An expression that makes an empty one.</summary>
    public string Empty { get; init; } = "new()";

    public bool IsValue { get; init; }

    public bool IsNumber { get; init; }

    public bool IsEnum { get; init; }

    /// <summary>The declared types in it.</summary>
    public IReadOnlyList<ModelType> Uses { get; init; } = [];
}

/// <summary>A member, or a few that belong together.</summary>
internal sealed class ModelMember
{
    public required int Number { get; init; }

    public required string Name { get; init; }

    public required MemberType Type { get; init; }

    /// <summary>The declaration; <c>@</c> is where the marks of <see cref="Marks"/> stand.</summary>
    public string Declaration { get; set; } = "";

    public string Marks { get; set; } = "";

    /// <summary>What an object initializer sets it to.</summary>
    public string? Init { get; set; }

    /// <summary>What a method of its type does to give it a value.</summary>
    public string? Set { get; set; }

    /// <summary>A constructor sets it with this statement, from a parameter of its name.</summary>
    public string? Assign { get; set; }

    /// <summary>What a constructor does with a parameter that is the base's.</summary>
    public string? Taken { get; set; }

    /// <summary>What a constructor without parameters does.</summary>
    public string? Begin { get; set; }

    /// <summary>The member of a base that it overrides.</summary>
    public ModelMember? Overrides { get; set; }

    /// <summary>It is one that each type that is not abstract has to override.</summary>
    public bool IsAbstract { get; set; }

    /// <summary>A parameter in the head of a record.</summary>
    public bool IsPositional { get; set; }

    /// <summary>Another member that its text names.</summary>
    public ModelMember? Needs { get; set; }

    /// <summary>The parameter that sets it has a name of its own.</summary>
    public bool IsOtherwiseNamed { get; set; }

    public string Parameter => (IsOtherwiseNamed ? "given" : "m") + Name[1..];
}

/// <summary>A declared type.</summary>
internal sealed class ModelType
{
    public required int Index { get; init; }

    public ModelKind Kind { get; set; }

    public ContractMode Mode { get; set; }

    /// <summary>The way of its serializer, where that is one of a package.</summary>
    public PeerStyle Style { get; set; }

    public ModelType? Base { get; set; }

    /// <summary>The argument of a generic base.</summary>
    public MemberType? BaseArgument { get; set; }

    public List<ModelType> Interfaces { get; } = [];

    public bool IsAbstract { get; set; }

    public bool IsSealed { get; set; }

    public bool IsGeneric { get; set; }

    /// <summary>Its serializer is told of the derived types.</summary>
    public bool IsPolymorphic { get; set; }

    /// <summary>A collection of the framework that it is derived from or holds, or null.</summary>
    public MemberType? Collection { get; set; }

    /// <summary>It holds a list and implements the collection by it.</summary>
    public bool IsWrapper { get; set; }

    public ConstructorForm Form { get; set; }

    /// <summary>What the constructors and the marks on them are like: several small draws.</summary>
    public int Turns { get; set; }

    public ModelType? NestedIn { get; set; }

    public string Attributes { get; set; } = "";

    /// <summary>It puts one member into another before it is written, as System.Text.Json lets it.</summary>
    public bool Packs { get; set; }

    /// <summary>Callbacks and whatever is no member.</summary>
    public string Extra { get; set; } = "";

    public List<ModelMember> Members { get; } = [];

    public bool IsValue => Kind is ModelKind.Struct or ModelKind.RecordStruct or ModelKind.Enum;

    public bool IsConcrete => !IsAbstract && Kind is not (ModelKind.Interface or ModelKind.Enum);

    public string SimpleName => (Kind == ModelKind.Enum ? "E" : Kind == ModelKind.Interface ? "I" : "T") + Index;

    public string Name => NestedIn is { } outer ? $"{outer.Name}.{SimpleName}" : SimpleName;

    public IEnumerable<ModelType> Chain
    {
        get
        {
            for (ModelType? one = this; one is not null; one = one.Base) yield return one;
        }
    }

    public bool IsBelow(ModelType other) => this != other && Chain.Any(one => one == other || one.Interfaces.Contains(other));

    /// <summary>It can be made without arguments.</summary>
    public bool HasEmpty => Effective is ConstructorForm.None or ConstructorForm.Empty or ConstructorForm.Both;

    /// <summary>The form that its base allows.</summary>
    public ConstructorForm Effective => Form is ConstructorForm.None or ConstructorForm.Empty && Base is { HasEmpty: false } ? ConstructorForm.Full : Form;

    public IEnumerable<ModelMember> OwnParameters => Effective is ConstructorForm.Full or ConstructorForm.Both or ConstructorForm.Primary ? Members.Where(static one => one.Assign is not null || one.IsPositional) : [];

    /// <summary>Those for its base's constructor, then its own.</summary>
    public IEnumerable<ModelMember> Parameters => Effective is ConstructorForm.Full or ConstructorForm.Both or ConstructorForm.Primary ? [.. Base?.Parameters ?? [], .. OwnParameters] : [];
}

/// <summary>A program.</summary>
internal sealed class ModelProgram(OtherSerializer serializer)
{
    public OtherSerializer Serializer => serializer;

    /// <summary>The marks of a serializer of a package, or null for one of the framework.</summary>
    public PeerMarks? Marks { get; } = PeerMarks.Of(serializer);

    public List<ModelType> Types { get; } = [];

    /// <summary>Constructions of generic types that are stored.</summary>
    public List<MemberType> Constructions { get; } = [];

    public IEnumerable<ModelType> CasesOf(ModelType type) => Types.Where(one => one.IsConcrete && !one.IsGeneric && (one == type || ((type.IsPolymorphic || type.IsAbstract) && one.IsBelow(type))));

    /// <summary>Leaves out types and members, and what cannot do without them.</summary>
    public void Cut(ModelCut cut)
    {
        Types.RemoveAll(type => cut.Types.Contains(type.Index));
        int before;
        do
        {
            before = Types.Count + Types.Sum(static type => type.Members.Count);
            Types.RemoveAll(type => type.NestedIn is { } outer && !Types.Contains(outer));
            Types.RemoveAll(type => type.Collection is { } of && !IsWhole(of));
            Types.RemoveAll(type => type.Base is { IsGeneric: true } parent && (!Types.Contains(parent) || !IsWhole(type.BaseArgument!)));
            foreach (ModelType type in Types)
            {
                if (type.Base is { } parent && !Types.Contains(parent)) type.Base = null;
                type.Interfaces.RemoveAll(one => !Types.Contains(one));
                type.Members.RemoveAll(member => cut.Members.Contains(member.Number) || !IsWhole(member.Type));
                type.Members.RemoveAll(member => member.Overrides is { } of && !type.Chain.Skip(1).Any(one => one.Members.Contains(of)));
                type.Members.RemoveAll(member => member.Needs is { } of && !type.Chain.Any(one => one.Members.Contains(of)));
            }
        }
        while (before != Types.Count + Types.Sum(static type => type.Members.Count));

        Constructions.RemoveAll(of => !IsWhole(of));
    }

    private bool IsWhole(MemberType type) => type.Uses.All(Types.Contains);
}

/// <summary>What is left out of a drawn program.</summary>
internal sealed record ModelCut(IReadOnlyList<int> Types, IReadOnlyList<int> Members)
{
    public static ModelCut Nothing { get; } = new([], []);

    public ModelCut WithoutType(int type) => this with { Types = [.. Types, type] };

    public ModelCut WithoutMember(int member) => this with { Members = [.. Members, member] };
}
