// How reading makes an object: which constructor with which members, and what else an object initializer must mention.

namespace Store.Serialization.Generator.Model;

/// <param name="Arguments">Arguments of the constructor, by parameter name.</param>
/// <param name="IgnoredRequired">Names of <c>required</c> members that are not stored: the compiler wants them mentioned, they get their default.</param>
/// <param name="Accessor">For a constructor that generated code cannot call: how to reach it, else null.</param>
/// <param name="Factory">A static method that is called instead of a constructor, as C# source spells it; else null.</param>
/// <param name="IsProperty">The factory is a property: it is the only value.</param>
/// <param name="IsDefault">A struct without a constructor that could be called: it is made of zeros.</param>
/// <param name="Bare">Whether it is made without running a constructor.</param>
/// <param name="InPlace">For a class that keeps references and whose constructor takes what may lead back to the object: how that is run on an object that is there; else null, and where it cannot be.</param>
internal sealed record ConstructionModel(
    EquatableArray<ArgumentModel> Arguments,
    EquatableArray<string> IgnoredRequired,
    ConstructorAccessor? Accessor,
    string? Factory,
    bool IsProperty = false,
    bool IsDefault = false,
    BareModel Bare = BareModel.No,
    InPlaceModel? InPlace = null)
{
    /// <summary>Members can be set in an object initializer.</summary>
    public bool UsesInitializer => Accessor is null && Factory is null && !IsDefault && Bare == BareModel.No;

    /// <summary>A static method of the user's gives the object.</summary>
    public bool UsesFactory => Factory is not null || Accessor?.Factory is not null;
}

/// <param name="Parameter">Name of the parameter; null where all are passed in their order.</param>
/// <param name="Member">Index of the member whose value is passed, or -1.</param>
/// <param name="Default">What is passed when no member is: the default value of the parameter, else that of its type.</param>
/// <param name="Type">What the member is cast to, where the compiler could take another overload for its type; else null.</param>
internal sealed record ArgumentModel(string? Parameter, int Member, string Default, string? Type)
{
    /// <summary>What is passed for a value.</summary>
    public string Pass(string value) => Parameter is null ? value : Parameter + ": " + value;

    /// <summary>What is passed when members are read into variables.</summary>
    public string PassMember() => Pass(Member < 0 ? Default : (Type is null ? "" : $"({Type})") + "member" + Member);
}

/// <summary>Whether an object is made without running a constructor.</summary>
internal enum BareModel
{
    No,

    /// <summary>Where it has none without parameters. No compiler shows whether it has: that is seen when the program runs.</summary>
    WithoutEmpty,

    Always,
}

/// <param name="Accessor">How to reach the constructor.</param>
/// <param name="Arguments">What it is given, parameter by parameter.</param>
internal sealed record InPlaceModel(ConstructorAccessor Accessor, EquatableArray<ArgumentModel> Arguments);

/// <param name="Holder">The class that holds it.</param>
/// <param name="DeclaringType">The constructed type, as seen inside the holder.</param>
/// <param name="Factory">Name of the static method, or null for a constructor.</param>
/// <param name="ParameterTypes">Types of the parameters, as seen inside the holder.</param>
internal sealed record ConstructorAccessor(AccessorHolder Holder, string DeclaringType, string? Factory, EquatableArray<string> ParameterTypes);
