// A random program as it is before it is spelled: types, their members, and what each looks like.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>A program of a few types.</summary>
internal sealed class ProgramModel
{
    /// <summary>Nullable annotations are on.</summary>
    public bool IsAnnotated { get; init; }

    /// <summary>Some class keeps the identity of its objects: then nothing of it has a view, and no base skips unknown cases.</summary>
    public bool HasReferences { get; init; }

    public List<TypeModel> Types { get; init; } = [];

    /// <summary>Constructions and collections that the assembly registers.</summary>
    public List<TypeRef> Registered { get; init; } = [];

    /// <summary>Another type of the program derives from it.</summary>
    public bool HasDerived(TypeModel type) => Types.Any(other => other.DerivesFrom(type));

    /// <summary>The types that a base with numbers for its cases names.</summary>
    public IReadOnlyList<TypeModel> NamedCases(TypeModel type)
    {
        TypeModel[] all = [.. Types.Where(other => other.IsConcrete && (other == type || (other.DerivesFrom(type) && (other.Arity == 0 || type.Arity > 0))))];
        return all.All(one => type.Unnamed.Contains(one.Index)) ? all : [.. all.Where(one => !type.Unnamed.Contains(one.Index))];
    }

    /// <summary>Objects of another type of the program may stand where it is declared.</summary>
    public bool HasCases(TypeModel type) => Types.Any(other => other.IsConcrete && (other.Arity == 0 || type.Arity > 0) && other.DerivesFrom(type));
}

/// <summary>What a type is declared as.</summary>
internal enum TypeForm
{
    Class,
    Record,
    Struct,
    RecordStruct,
    ReadonlyStruct,
    ReadonlyRecordStruct,
    Interface,
    Enum,
}

/// <summary>How reading makes an object.</summary>
internal enum Making
{
    /// <summary>A constructor without parameters.</summary>
    Plain,

    /// <summary>A constructor in the head of the type.</summary>
    Head,

    /// <summary>A constructor in its body.</summary>
    Constructor,

    /// <summary>A static method.</summary>
    Factory,
}

/// <summary>A type that has nothing but one that is nested in it.</summary>
/// <param name="Kind">What it is declared as.</param>
/// <param name="Name">Its own name.</param>
/// <param name="Arity">The number of its own type parameters.</param>
internal sealed record Outer(string Kind, string Name, int Arity);

/// <summary>A type that a random program declares.</summary>
internal sealed class TypeModel
{
    public static readonly string[] ParameterNames = ["T", "TValue"];

    public required int Index { get; init; }

    public required TypeForm Form { get; set; }

    public required string Name { get; set; }

    public required string Namespace { get; set; }

    /// <summary>The types that it is nested in, the outermost first: they have nothing else.</summary>
    public IReadOnlyList<Outer> Outers { get; set; } = [];

    /// <summary>The number of its type parameters, those of the types that it is nested in first.</summary>
    public int Arity { get; init; }

    public Making Making { get; set; }

    /// <summary>What makes its objects is marked, and no other code can call it.</summary>
    public bool HidesMaking { get; set; }

    /// <summary>Its constructor says that it sets the required members.</summary>
    public bool SetsRequired { get; set; }

    public bool IsAbstract { get; set; }

    public bool IsSealed { get; set; }

    public bool IsPartial { get; init; }

    public bool IsInternal { get; init; }

    public bool KeepsReferences { get; set; }

    public bool SkipsUnknownCases { get; set; }

    public bool HasCallbacks { get; init; }

    /// <summary>Cases have the numbers of <see cref="Index"/>.</summary>
    public bool HasTags { get; set; }

    /// <summary>The numbers of those derived types that have none there: they are never stored where this one is declared.</summary>
    public HashSet<int> Unnamed { get; } = [];

    public string? SchemaName { get; init; }

    public List<string> FormerNames { get; init; } = [];

    public TypeRef.Declared? Base { get; set; }

    public List<TypeModel> Interfaces { get; init; } = [];

    public List<MemberModel> Members { get; set; } = [];

    /// <summary>Virtual members of bases that it overrides.</summary>
    public List<Override> Overrides { get; init; } = [];

    /// <summary>Of an enum: its underlying type and its members.</summary>
    public string Underlying { get; set; } = "int";

    public List<(string Name, string Number)> Numbers { get; init; } = [];

    /// <summary>Of a record or struct of plain keys: what it can do as a key.</summary>
    public Keys Keys { get; set; }

    public bool IsValue => Form is TypeForm.Struct or TypeForm.RecordStruct or TypeForm.ReadonlyStruct or TypeForm.ReadonlyRecordStruct or TypeForm.Enum;

    public bool IsRecord => Form is TypeForm.Record or TypeForm.RecordStruct or TypeForm.ReadonlyRecordStruct;

    public bool IsReadonly => Form is TypeForm.ReadonlyStruct or TypeForm.ReadonlyRecordStruct;

    public bool IsConcrete => !IsAbstract && Form is not (TypeForm.Interface or TypeForm.Enum);

    /// <summary>It and the types that it is nested in, the outermost first, with the numbers of their own type parameters.</summary>
    public IEnumerable<(string Name, int Arity)> Levels => Outers.Select(static outer => (outer.Name, outer.Arity)).Append((Name, Arity - Outers.Sum(static outer => outer.Arity)));

    /// <summary>Its own part of its name, with its own type parameters.</summary>
    public string Self => Spell(Name, ParameterNames.Take(Arity).Skip(Outers.Sum(static outer => outer.Arity)));

    /// <summary>The name that reflection gives.</summary>
    public string ReflectedName => Space.Replace("@", "") + string.Join('+', Levels.Select(static level => level.Name.Replace("@", "") + (level.Arity == 0 ? "" : $"`{level.Arity}")));

    /// <summary>The name in schemas, without arguments.</summary>
    public string BareName => Space.Replace("@", "") + string.Join('+', Levels.Select(static level => level.Name.Replace("@", "")));

    private string Space => Namespace.Length == 0 ? "" : Namespace + ".";

    /// <summary>The type and the classes that it derives from.</summary>
    public IEnumerable<TypeModel> Chain => (Base?.Type.Chain ?? []).Prepend(this);

    /// <summary>All members, those of bases first.</summary>
    public IEnumerable<MemberModel> AllMembers => (Base?.Type.AllMembers ?? []).Concat(Members);

    /// <summary>What its constructor or method takes, with the arguments of its base put in.</summary>
    public IEnumerable<(MemberModel Member, TypeRef Type)> Passed => InheritedPassed.Concat(Members.Where(static member => member.IsPassed).Select(static member => (member, member.Type)));

    /// <summary>The same in the order of its parameters, which is another one in every second type.</summary>
    public IEnumerable<(MemberModel Member, TypeRef Type)> Parameters => Index % 2 == 0 ? Passed.Reverse() : Passed;

    public IEnumerable<(MemberModel Member, TypeRef Type)> InheritedPassed => Base is null ? [] : Base.Type.Passed.Select(passed => (passed.Member, passed.Type.With(Base.Arguments)));

    /// <summary>Members that are abstract still where a type derives from this one.</summary>
    public IEnumerable<MemberModel> Unmade => AllMembers.Where(member => member.IsAbstract && !Chain.Any(one => one.Overrides.Any(other => other.Member == member)));

    /// <summary>The type that has the state of a member in objects of this one; null where no override has it.</summary>
    public TypeModel? OverriderOf(MemberModel member) => Chain.FirstOrDefault(one => one.Overrides.Any(other => other.Member == member && !other.IsPassedOn));

    /// <summary>The type of a member of a base, with the arguments of the bases put in.</summary>
    public TypeRef TypeOf(MemberModel member) => Members.Contains(member) ? member.Type : Base!.Type.TypeOf(member).With(Base.Arguments);

    /// <summary>The name as C# spells it.</summary>
    /// <param name="arguments">Those of the types that it is nested in first.</param>
    public string FullName(params IReadOnlyList<string> arguments)
    {
        int used = 0;
        return "global::" + Space + string.Join('.', Levels.Select(level => Spell(level.Name, arguments.Skip((used += level.Arity) - level.Arity).Take(level.Arity))).ToArray());
    }

    /// <summary>A name with its arguments.</summary>
    public static string Spell(string name, IEnumerable<string> arguments) => name + (arguments.Any() ? $"<{string.Join(", ", arguments)}>" : "");

    /// <summary>Drops overrides of what no base has any more.</summary>
    public void DropOverrides()
    {
        Overrides.RemoveAll(one => Base is null || !Base.Type.AllMembers.Contains(one.Member) || !one.Member.IsVirtual);
        foreach (MemberModel member in Members) member.IsAbstract &= IsAbstract;
    }

    public bool DerivesFrom(TypeModel other) => Base is { } parent && (parent.Type == other || parent.Type.DerivesFrom(other)) || Interfaces.Any(one => one == other || one.DerivesFrom(other));

    /// <summary>Looked through bases: it, or a class that it derives from, keeps references.</summary>
    public bool IsTracked => KeepsReferences || Base is { } parent && parent.Type.IsTracked;
}

/// <summary>That a type overrides a member of a base.</summary>
/// <param name="Member">The member of the base.</param>
/// <param name="IsPassedOn">The override has no state of its own: it gets and sets that of the base.</param>
/// <param name="IsSealed">No type below overrides it again.</param>
internal sealed record Override(MemberModel Member, bool IsPassedOn, bool IsSealed);

/// <summary>How a member is declared.</summary>
internal enum MemberForm
{
    Set,
    Init,
    Required,
    RequiredField,
    GetOnly,
    Field,
    ReadonlyField,
    PrivateField,
    PrivateReadonlyField,
    PrivateSet,
    InternalIncluded,
    Backed,
    FieldKeyword,
    Filled,
    FilledField,
    Ignored,
}

/// <summary>A member of a type.</summary>
internal sealed class MemberModel
{
    /// <summary>Number among the members that its type was drawn with: what shrinking calls it by.</summary>
    public required int Index { get; init; }

    public required string Name { get; set; }

    public required TypeRef Type { get; set; }

    public required MemberForm Form { get; set; }

    public int? Id { get; set; }

    /// <summary>Derived types may override it.</summary>
    public bool IsVirtual { get; set; }

    /// <summary>Derived types have to.</summary>
    public bool IsAbstract { get; set; }

    public bool IsUtf8 { get; set; }

    /// <summary>Callbacks turn it around before it is written, and back when it was written or read.</summary>
    public bool IsTurned { get; set; }

    /// <summary>The codec that it names.</summary>
    public OwnCodec? Codec { get; set; }

    public string? Initializer { get; set; }

    public List<string> FormerNames { get; init; } = [];

    /// <summary>The same member of another type, where it is of this type.</summary>
    public MemberModel In(TypeRef type) => new() { Index = Index, Name = Name, Type = type, Form = Form, Id = Id, IsUtf8 = IsUtf8, Codec = Codec, Initializer = Initializer };

    /// <summary>Only a constructor or factory sets it.</summary>
    public bool IsPassed => Form is MemberForm.GetOnly or MemberForm.ReadonlyField;

    public bool IsStored => Form != MemberForm.Ignored;

    /// <summary>The name of what holds its value, as <see cref="Shapes"/> names it.</summary>
    public string State => (Form == MemberForm.Backed ? "_" : "") + Name.TrimStart('@');
}
