namespace Store.Serialization;

/// <summary>
/// The one exception of the engine for bytes or values it cannot read or write: damaged, truncated or hostile input, a limit exceeded,
/// a value that has no encoding. Programmer mistakes (null arguments, a type that was never registered) use the framework's exceptions or derived ones.
/// </summary>
public class NinoSerializationException : Exception
{
    /// <summary>Creates the exception with a message that says what is wrong and what to do.</summary>
    public NinoSerializationException(string message) : base(message) { }

    /// <summary>Creates the exception with its cause.</summary>
    public NinoSerializationException(string message, Exception? innerException) : base(message, innerException) { }

    /// <summary>Name of the record type being read or written, where known.</summary>
    public string? TypeName { get; init; }

    /// <summary>
    /// Path of the member that could not be read or written, for example <c>Orders[3].Lines[0].Price</c>, where known. Of what could not be written, pairs of a dictionary have their keys, <c>Prices["EUR"].Value.Amount</c>, where those
    /// are strings, characters, integers, enums or Guids, else their number; a member without a setter that reading could not fill is told by its type and name, <c>Shop.Line.Prices</c>. Null for the record itself. What a setter, constructor or callback refuses on reading is told with the object that has it and the member of that object that was read last, which need not be the one refused.
    /// </summary>
    public string? MemberPath { get; init; }

    /// <summary>
    /// Offset in bytes from the start of the record at which reading stopped, or -1 where it is not known. Where a record of another shape was rewritten and the type refused it: where in the stored record the value is, or the nearest one that holds it. Of what stands in front of a
    /// record, or around the items of a stream: from the start of that input. Of a schema that is read alone: from its start.
    /// </summary>
    public long ByteOffset { get; init; } = -1;

    /// <summary>True when the value is larger than <see cref="NinoLimits.MaxRecordBytes"/>: whoever sets the limit says what to do.</summary>
    internal bool IsTooLarge { get; init; }

    /// <summary>True when an object is refused because of its own type, before any of its members is written.</summary>
    internal bool RefusesWholeObject { get; init; }

    /// <summary>True when a codec that somebody wrote is refused for what it did with its writer.</summary>
    internal bool BlamesCodec { get; init; }

    /// <summary>True when a stored value is whole and has no place in the type as it is now: nothing is to be looked for but the place.</summary>
    internal bool IsUnfit { get; init; }

    /// <summary>True when a type keeps members to itself that would be lost: it is neither described nor written nor read, and others are.</summary>
    internal bool IsOfHiddenMembers { get; init; }

    /// <summary>How many bytes reading had taken beyond the first of the value that it failed at: values of fixed width are taken as blocks.</summary>
    internal int TakenBeyond { get; init; }

    /// <summary>How far in the stored record the reading had come that failed, or -1 where that is where its reader stands: members in another order are read by a copy of it.</summary>
    internal int ReadTo { get; private set; } = -1;

    /// <summary>Notes where the reader stands that read what failed. The innermost one counts.</summary>
    internal void Stopped(int position)
    {
        if (ReadTo < 0) ReadTo = position - TakenBeyond;
    }
}
