namespace Store.Serialization;

/// <summary>What stands in front of a record that travels on its own (docs/formats/record.md, "with something in front"). Writer and reader have to agree on it.</summary>
public enum NinoHeader
{
    /// <summary>Nothing: the bare record. The reader has to know that its type is the writer's.</summary>
    None,

    /// <summary>The schema's fingerprint, eight bytes: the reader notices a type of another shape and refuses it.</summary>
    Fingerprint,

    /// <summary>The whole schema: the reader reads records of other shapes by docs/evolution.md, and a tool reads them without the type.</summary>
    Schema,
}
