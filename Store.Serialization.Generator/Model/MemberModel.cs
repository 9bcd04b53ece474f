// One stored field or property: its codec, its place in the encoding, how it is got from an object and put into one.

namespace Store.Serialization.Generator.Model;

/// <param name="Name">The name as C# source spells it (<c>@class</c>).</param>
/// <param name="SchemaName">The name in the schema.</param>
/// <param name="Id">The identity given by [NinoMember], or 0.</param>
/// <param name="Codec">How its value is encoded.</param>
/// <param name="Offset">Fixed-width members: the distance from the start of the body. Others: -1.</param>
/// <param name="Set">How reading puts the value into the object.</param>
/// <param name="Accessor">How to reach a member that generated code cannot name, else null.</param>
/// <param name="IsRequired">The member is <c>required</c>: records without it cannot be read.</param>
/// <param name="FormerNames">What it was called in older records.</param>
/// <param name="Reset">How reading into an object that is there sets it, or that it cannot be.</param>
/// <param name="IsStored">A field, or a property that is nothing but one: what it holds may be filled and put back, since no code of the user's sees that.</param>
/// <param name="IsDynamic">Declared as <c>dynamic</c>: an object to everybody but the compiler, which would bind calls with it when they run.</param>
/// <param name="Holder">The class that an object has to be cast to, to have the member: that of a case of a union of F#; else null.</param>
/// <param name="Fill">How the collection is filled that a member without a setter has; else null.</param>
/// <param name="LooksIn">The type in which generated code looks for the setter of the member, or its field, when the program runs; null where it is known whether there is one.</param>
/// <param name="LooksForField">It looks for the field of the property, and leaves what the constructor made where there is none.</param>
/// <param name="Content">What its value is to a collection that is filled beside it.</param>
/// <param name="IsValue">A number, time or text, or a struct of such: two are the same where their encodings are.</param>
/// <param name="IsObject">An object of a class that is neither that nor a collection.</param>
internal sealed record MemberModel(
    string Name,
    string SchemaName,
    int Id,
    CodecModel Codec,
    int Offset,
    MemberSet Set,
    AccessorModel? Accessor,
    bool IsRequired,
    EquatableArray<string> FormerNames,
    MemberReset Reset,
    bool IsStored,
    bool IsDynamic,
    string? Holder = null,
    FillModel? Fill = null,
    string? LooksIn = null,
    bool LooksForField = false,
    MemberContent Content = MemberContent.Other,
    bool IsValue = false,
    bool IsObject = false)
{
    public bool IsFixed => Offset >= 0;

    /// <summary>A string that is stored as one byte a char, or two.</summary>
    public bool IsPlainString => Codec.Expression == "global::Store.Serialization.Codecs.StringCodec";

    /// <summary>A string of the engine's own encoding: never changed, so any object may have it.</summary>
    public bool IsString => IsPlainString || Codec.Expression == "global::Store.Serialization.Codecs.Utf8StringCodec";
}

/// <param name="TypeName">The C# name of the member's type.</param>
/// <param name="Expression">The C# name of the codec type.</param>
internal sealed record CodecModel(string TypeName, string Expression)
{
    private const string OfEngine = "global::Store.Serialization.Codecs.";

    /// <summary>The engine's own codec of one type or of an enum. Of those with a fixed width, and of the one of strings, none refuses to write a value.</summary>
    public bool NeverRefuses => Expression.StartsWith(OfEngine + "EnumCodec<", StringComparison.Ordinal) || (Expression.StartsWith(OfEngine, StringComparison.Ordinal) && !Expression.Contains('<'));
}

internal enum MemberContent
{
    Other,

    /// <summary>A collection that may be, or show, the one that is filled.</summary>
    Collection,

    /// <summary>Any object, which may be such a collection.</summary>
    Object,
}

internal enum MemberSet
{
    /// <summary>Passed to the constructor.</summary>
    Constructor,

    /// <summary>Set in the object initializer (or assigned, where the constructor is reached by an accessor).</summary>
    Initializer,

    /// <summary>Passed to the constructor, and set as <see cref="Initializer"/>: what the constructor makes of it may be something else, and <c>required</c> members must be set.</summary>
    ConstructorAndInitializer,

    /// <summary>Passed to the constructor, and set as <see cref="Accessor"/>.</summary>
    ConstructorAndAccessor,

    /// <summary>Set through <see cref="MemberModel.Accessor"/> after construction.</summary>
    Accessor,

    /// <summary>Never set: the collection that the object has is filled, as <see cref="MemberModel.Fill"/> says.</summary>
    Fill,
}

internal enum MemberReset
{
    /// <summary>Only its constructor or an object initializer sets it.</summary>
    Never,

    /// <summary>By name.</summary>
    ByName,

    /// <summary>Through <see cref="MemberModel.Accessor"/>.</summary>
    ByAccessor,

    /// <summary>As reading a new object does: <see cref="MemberModel.Fill"/>.</summary>
    ByFilling,
}

/// <summary>An [UnsafeAccessor] for a member or constructor that is not accessible from generated code.</summary>
/// <param name="Kind">What it reaches.</param>
/// <param name="Holder">The class that holds it; the run time wants accessors of a generic type inside a class with the same type parameters.</param>
/// <param name="DeclaringType">The type that declares the member, as seen inside the holder (open, if generic).</param>
/// <param name="MemberType">Type of the member, as seen inside the holder.</param>
/// <param name="MetadataName">The field's or property's own name.</param>
/// <param name="Get">The getter needs the accessor; else the member is read directly.</param>
/// <param name="Set">The setter needs the accessor.</param>
/// <param name="DeclaredInStruct">Structs are passed by reference.</param>
/// <param name="Backing">The field that the compiler gave the property, which is set: without <paramref name="Set"/> always, with it where the property turns out to have no setter. Else null.</param>
internal sealed record AccessorModel(
    AccessorKind Kind,
    AccessorHolder Holder,
    string DeclaringType,
    string MemberType,
    string MetadataName,
    bool Get,
    bool Set,
    bool DeclaredInStruct,
    string? Backing = null);

internal enum AccessorKind
{
    Field,
    Property,
}

/// <param name="TypeParameters">For a generic declaring type <c>&lt;T, U&gt;</c>, else empty.</param>
/// <param name="Constraints">The where clauses of these parameters, or empty.</param>
/// <param name="Arguments">What the parameters stand for in the serialized type, <c>&lt;int, string&gt;</c>, or empty.</param>
internal sealed record AccessorHolder(string TypeParameters, string Constraints, string Arguments);
