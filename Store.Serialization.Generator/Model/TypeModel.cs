// What the emitter needs to know of one serialized type. Sizes and offsets are decided here, in the model; the emitter only prints them.

namespace Store.Serialization.Generator.Model;

/// <param name="TypeName">The C# name, fully qualified: <c>global::Shop.Box&lt;int&gt;</c>.</param>
/// <param name="CodecName">Name of the generated struct, unique in the assembly.</param>
/// <param name="HintName">Name of the generated file, unique in the assembly without regard to case.</param>
/// <param name="SchemaName">The name records carry in files.</param>
/// <param name="Shape">How the codec is built.</param>
/// <param name="ChecksRunTimeType">True for a class that may be derived from: a derived object would lose what the derived class adds.</param>
/// <param name="IsRecursive">True when a value can contain values of its own type, so that depth must be limited.</param>
/// <param name="FixedBytes">Total size of the fixed-width members that come first.</param>
/// <param name="MinBytes">The least size of a value, or of a class's body; at least 1.</param>
/// <param name="Members">Stored members in the order of the encoding.</param>
/// <param name="Construction">How reading makes an object from the members.</param>
/// <param name="KeepsReferences">Objects are numbered; one that occurs again is a number.</param>
/// <param name="MadeAfter">The object is made when so many members, in the order of the encoding, are read; the others are set one by one. -1: when all are read, with an object initializer.</param>
/// <param name="Callbacks">Methods called around writing and reading, in the order of the calls.</param>
/// <param name="FormerNames">Names that records of the type carry in older files.</param>
/// <param name="Memory">A struct of plain fields whose encodings are their memory: size and limit of each field (INinoCodec.Memory). Else empty.</param>
/// <param name="IsCase">A case of a union of F#: <paramref name="TypeName"/> is the union, of which there are as many codecs as cases.</param>
/// <param name="MakesMore">What the constructor is given may be in more than the stored members: setting those does not make the same object.</param>
/// <param name="UsesObsolete">The type, its constructor or a stored member is [Obsolete] as an error: only what is obsolete may name it.</param>
/// <param name="HiddenLevels">The type and its bases, as far as they may mark members that no compiler sees; those of the bases first.</param>
/// <param name="HasDefaults">A new object may have members that are not zero: older records that lack a member get its value.</param>
internal sealed record TypeModel(
    string TypeName,
    string CodecName,
    string HintName,
    string SchemaName,
    TypeShape Shape,
    bool ChecksRunTimeType,
    bool IsRecursive,
    int FixedBytes,
    int MinBytes,
    EquatableArray<MemberModel> Members,
    ConstructionModel Construction,
    bool KeepsReferences,
    int MadeAfter,
    EquatableArray<CallbackModel> Callbacks,
    EquatableArray<string> FormerNames,
    bool HasDefaults,
    EquatableArray<byte> Memory,
    bool MakesMore,
    bool UsesObsolete,
    EquatableArray<HiddenLevel> HiddenLevels,
    bool IsCase = false)
{
    /// <summary>A class whose members all have a fixed width, written and read without ceremony: every body has <see cref="MinBytes"/> bytes and nothing else happens.</summary>
    public bool HasFixedBody => Shape == TypeShape.Class && !KeepsReferences && Callbacks.Count == 0 && Members.All(static member => member.IsFixed);

    /// <summary>Members of a fixed width and a few strings, and nothing else happens: a value is written in one go where there is room for it (INinoCodec.WriteAt). The strings' room is added up, of at most eight.</summary>
    public bool IsFlat => Shape is TypeShape.Class or TypeShape.ValueStruct && !KeepsReferences && !IsRecursive && MadeAfter < 0 && Callbacks.Count == 0 && HiddenLevels.Count == 0
        && Members.Count(static member => !member.IsFixed) is > 0 and <= 8 && Members.All(static member => member.IsFixed || member is { IsPlainString: true, Fill: null });

    /// <summary>Writing a value fails only where it is an object of a derived type (INinoCodec.IsSimple).</summary>
    public bool IsSimple => (HasFixedBody || IsFlat) && !IsCase && HiddenLevels.Count == 0 && Members.All(static member => member.IsStored && member.Codec.NeverRefuses);

    /// <summary>A member that is read before the object is made may lead back to it: it is made without its constructor then, which runs in place.</summary>
    public bool IsMadeEarly => Construction.InPlace is not null;

    /// <summary>Every pattern of bits in <see cref="Memory"/> is a value.</summary>
    public bool IsMemoryUnlimited => Memory.Count > 0 && Memory.Where(static (_, i) => i % 2 == 1).All(static limit => limit == 0);

    /// <summary>
    /// A class whose every member can be set in an object that is there, which then has what one made of them would have. Objects with references to them are made anew: one may have been in two places; so are
    /// those that a factory gives, which may be everybody's, and those whose constructor may have put one collection into two members.
    /// </summary>
    public bool CanRefill => Shape == TypeShape.Class && !KeepsReferences && !Construction.UsesFactory && !MakesMore && !MayShare && Members.Count > 0 && Members.All(static member => member.Reset != MemberReset.Never);

    /// <summary>Reading can use what a variable holds: the object, the members of a struct, or the strings of an object that is made anew.</summary>
    public bool CanReadInto => CanRefill
        || (Shape == TypeShape.ValueStruct && Members.Any(static member => !member.IsFixed && member.IsStored))
        || (Shape == TypeShape.Class && !KeepsReferences && Members.Any(static member => member.IsString && member.IsStored));

    /// <summary>The first of those members at the end that are all filled: they are read when the object is made, into what it has. As many as there are members where the last one is not filled.</summary>
    public int FilledFrom
    {
        get
        {
            int first = Members.Count;
            while (first > 0 && Members[first - 1].Set == MemberSet.Fill) first--;
            return first;
        }
    }

    /// <summary>Reading fills collections that have no setter.</summary>
    public bool Fills => Members.Any(static member => member.Fill is not null);

    // The constructor is given a collection.
    private bool MayShare => Fills && Construction.Arguments.Any(argument => argument.Member >= 0 && Members[argument.Member].Content != MemberContent.Other);

    /// <summary>Setters that are code of the user's may empty what is filled: that is done behind all of them.</summary>
    public bool FillsLast => Members.Any(static member => member.Fill is null && !member.IsStored);

    /// <summary>Reading calls setters that are code of the user's.</summary>
    public bool RunsSetters => Members.Any(static member => member is { Fill: null, IsStored: false } && member.Set != MemberSet.Constructor);

    /// <summary>
    /// Members that are set once more behind what is filled, whose observers may have changed them: those that are only stored, which nobody sees, and, where their getters give something else than what was stored, those
    /// with setters that are code. Of these not collections, to which a setter may add, and objects only where they are there or not.
    /// </summary>
    public IEnumerable<int> SetAgain => Fills ? Enumerable.Range(0, Members.Count).Where(i => CanBeSetAgain(Members[i]) && (Members[i].IsStored || Members[i].IsValue || Members[i].IsObject || Members[i].Content == MemberContent.Object)) : [];

    /// <summary>Behind what is filled a setter that is code of the user's may be called.</summary>
    public bool CallsSettersBehind => SetAgain.Any(i => !Members[i].IsStored);

    // What a factory was given is its own affair: the object may be everybody's. A setter that is code is not called for what the constructor took as it is.
    private bool CanBeSetAgain(MemberModel member) => member is { Fill: null, LooksIn: null }
        && (member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor || (member.Reset != MemberReset.Never && (member.Set != MemberSet.Constructor || (member.IsStored && !Construction.UsesFactory))));

    /// <summary>Reading goes on when the object is made.</summary>
    public bool ReadsWhenMade => KeepsReferences || FilledFrom < Members.Count;

    /// <summary>What new objects have can be looked at: they are made without any member's value, and by no method of the user's.</summary>
    public bool CanProbe => !Construction.UsesFactory && Construction.Arguments.All(static argument => argument.Member < 0) && Fills;

    /// <summary>
    /// New objects tell which collections any object has that reading fills (<see cref="CanProbe"/>): nothing that is stored decides it, and no code of the user's that runs when the object is made.
    /// </summary>
    public bool AreMadeAlike => CanProbe && !FillsLast && !Calls(CallbackTime.Deserializing);

    public bool Calls(CallbackTime time) => Callbacks.Any(callback => callback.Time == time);
}

internal enum TypeShape
{
    /// <summary>A struct whose members all have a fixed width: so has the struct.</summary>
    FixedStruct,

    /// <summary>A struct whose members have a fixed width, but for structs of other assemblies, of which that is known at run time.</summary>
    OpenStruct,

    /// <summary>Any other struct.</summary>
    ValueStruct,

    /// <summary>A class: a presence byte, then the body.</summary>
    Class,
}
