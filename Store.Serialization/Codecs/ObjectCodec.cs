namespace Store.Serialization.Codecs;

/// <summary>
/// A value declared as <c>object</c>: null, or a value of one of the types that the assembly of the declaration knows (docs/types.md, "object"). In the
/// schema it is a union of all of them. Which type it is, the bytes say by the hash of its name; only types of the list are ever made.
/// </summary>
/// <typeparam name="TCases">The generated list.</typeparam>
public readonly struct ObjectCodec<TCases> : INinoCodec<object> where TCases : struct, INinoObjectCases
{
    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => TCases.Cases.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in object value) => TCases.Cases.Write(ref writer, value);

    /// <inheritdoc/>
    public object Read(ref NinoReader reader) => TCases.Cases.Read(ref reader)!;
}

/// <summary>
/// As <see cref="ObjectCodec{TCases}"/>, for what a collection hashes or orders. A key that holds objects to which references are kept and that may lead back to themselves is refused: code of theirs that
/// asks them for a hash code or an order could be sent around without end by what is read. Where the type is declared the compiler tells (docs/diagnostics/NINO022.md).
/// </summary>
/// <typeparam name="TCases">The generated list.</typeparam>
public readonly struct ObjectKeyCodec<TCases> : INinoCodec<object> where TCases : struct, INinoObjectCases
{
    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => TCases.Cases.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in object value) => TCases.Cases.Write(ref writer, value, isKey: true);

    /// <inheritdoc/>
    public object Read(ref NinoReader reader) => TCases.Cases.Read(ref reader, isKey: true)!;
}
