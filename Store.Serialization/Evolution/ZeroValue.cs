namespace Store.Serialization.Evolution;

/// <summary>The bytes of null, or of the zero of a type that has no null.</summary>
internal static class ZeroValue
{
    /// <summary>Zeros, as many as a value takes at least, but for kinds whose zero is no zeros, and what says so itself. Recursion ends with the structs inside the program's own type.</summary>
    public static byte[] Of(SchemaNode node) => node.Kind switch
    {
        _ when node.Zero is { } zero => zero(),
        SchemaKind.BigInteger => [1, 0],
        SchemaKind.Object when node.Definition is ObjectDefinition { IsReference: false, FixedBodySize: 0 } type => [.. type.Fields.SelectMany(static field => Of(field.Node))],
        _ => new byte[SchemaShape.MinSizeOf(node)],
    };
}
