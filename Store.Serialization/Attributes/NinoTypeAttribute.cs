namespace Store.Serialization;

/// <summary>
/// Marks a class, struct, record or record struct of your own as a record type: the generator writes its codec at compile time.
/// A member that cannot be serialized is a compile-time error, never silence. On an interface, an abstract class or a class that others derive from it makes
/// a polymorphic base: wherever it is declared, any derived [NinoType] in reach of the compilation may stand.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface, Inherited = false)]
public sealed class NinoTypeAttribute : Attribute
{
    /// <summary>The name written into schemas instead of the type's full name. Set it when the type moves to another namespace but old files must stay readable.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// On a polymorphic base: a case that the reading program does not know is read as null instead of being an error. Costs a length in front of each case.
    /// At the root of a record, which is never null, an unknown case stays an error. Changing it changes the format.
    /// </summary>
    public bool SkipUnknownCases { get; init; }

    /// <summary>
    /// Keeps references to objects of this class, and of all that derive from it: an object that is met twice in a record is stored once and read back as one
    /// object, and cycles end. Costs a look-up an object on writing. Changing it changes the format. A cycle may lead through
    /// what a constructor takes, of a record too; one through what a factory method takes is an error (docs/types.md, "References").
    /// </summary>
    public bool References { get; init; }

    /// <summary>
    /// Stores the fields and auto-properties that this class or struct declares and that are not public, and sets auto-properties whose setter is not, as if each carried [NinoInclude]; not delegates, locks, lazy values, nor a
    /// private field that a public property gets and sets. Where no public constructor can be called, reading calls the one without parameters, whatever its access. A base says so for itself (docs/types.md, "Members").
    /// </summary>
    public bool NonPublic { get; init; }

    /// <summary>
    /// False: no view is generated (docs/views.md). Without it every type gets one, named as the type with <c>View</c> behind it, in its namespace and as accessible,
    /// unless it keeps references or holds objects that do. True: that it gets none is a warning.
    /// </summary>
    public bool View { get; init; } = true;
}
