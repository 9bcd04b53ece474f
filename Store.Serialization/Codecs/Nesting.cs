namespace Store.Serialization.Codecs;

/// <summary>
/// Whether the object that a codec of the framework's types writes can hold itself, such as the grid in <c>class Node { Node[,] Around; }</c>: only then it counts
/// depth, as all who read by the schema do. Generated codecs know it when they are compiled; here it depends on the type arguments.
/// </summary>
/// <typeparam name="T">What the codec writes.</typeparam>
/// <typeparam name="TCodec">The codec. Its schema is an object, or a list of objects.</typeparam>
internal static class Nesting<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    // 0 as long as nobody asked, 1 no, 2 yes. Not in a static constructor: a codec that cannot be described yet says so each time.
    private static int _counts;

    public static bool Counts => _counts != 0 ? _counts == 2 : Find();

    private static bool Find()
    {
        SchemaNode root = TCodec.Describe(new SchemaBuilder());
        SchemaCycles.Mark(SchemaShape.Collect(root));
        bool counts = (root.Kind == SchemaKind.List ? root.Element! : root).Definition!.IsRecursive;
        _counts = counts ? 2 : 1;
        return counts;
    }
}
