namespace Store.Serialization.Evolution;

/// <summary>What the length of a stored value depends on.</summary>
internal enum LengthForm : byte
{
    /// <summary>On more than the others say.</summary>
    Other,

    /// <summary>On nothing.</summary>
    Fixed,

    /// <summary>On a header in front of characters.</summary>
    String,

    /// <summary>On a count alone: elements or pairs of a fixed width.</summary>
    Run,

    /// <summary>On a count and the strings of a map, all else in it being of a fixed width.</summary>
    Pairs,
}
