// What generated code has decided of a class of which it does not see everything.

using System.ComponentModel;

namespace Store.Serialization;

/// <summary>What generated code sees of a class, and what it takes to be there without seeing it. Used by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoSeenMembers
{
    /// <summary>Names of members that it stores, and of those that the type itself leaves out.</summary>
    public string[] Known { get; init; } = [];

    /// <summary>Names of properties that it sets by setters which it does not see.</summary>
    public string[] SetUnseen { get; init; } = [];

    /// <summary>Names of properties that it sets by such setters or, where they have none, by the fields that the compiler gave them.</summary>
    public string[] SetUnseenOrBacked { get; init; } = [];

    /// <summary>False where it makes objects by a constructor without parameters that it does not see, and there is none (<see cref="NinoHiddenMembers.HasConstructor"/>).</summary>
    public bool CanBeMade { get; init; } = true;

    /// <summary>It stores nothing, because it sees nothing.</summary>
    public bool IsEmpty { get; init; }
}
