// Names that a program of ordinary names would never try: keywords, names of the framework and of the library, and of what generated code calls its own.

namespace Store.Tests.Generator.RandomPrograms;

internal static class Names
{
    public static readonly string[] Namespaces = ["", "Shop", "Shop.Inner", "Shop.@namespace", "Shop.Store", "Store", "Überall.世界"];

    /// <summary>What types with other types in them are declared as.</summary>
    public static readonly string[] Outers = ["static partial class", "abstract partial class", "partial struct", "partial record", "partial interface"];

    public static readonly string[] Types =
    [
        "Order", "Line", "@class", "@event", "String", "Object", "List", "Int32Codec", "NinoCodec", "Codec", "NinoWriter", "NinoReader", "Attribute", "Task", "Größe", "Item", "Pair", "Node", "Record", "Value", "@global", "Unsafe",
        "Nullable", "Guid", "Accessors", "Cases", "Shape", "Circle", "@record", "@file", "名前", "Type", "Enum", "IsExternalInit", "Reader", "SchemaNode", "Box", "Tuple", "ValueTuple", "Span", "Exception", "NinoSerializer", "NinoTypeAttribute",
    ];

    public static readonly string[] Members =
    [
        "Id", "Name", "@class", "@event", "writer", "reader", "value", "codec", "Count", "Read", "IsNull", "Größe", "Key", "Item1", "@this", "_hidden", "Next", "Type", "Object", "System", "Fields", "Default", "Schema", "Store", "__a", "名前", "@new",
        "result", "made", "tag", "global", "Length", "Bytes", "Write", "Describe", "MinSize", "FixedSize", "Skip", "At", "body", "depth", "@base", "state", "Has", "X", "Y", "Z", "A1", "B2", "C3", "copy", "instance", "Over", "Values", "index", "@in",
        "destination", "source", "offset", "_view", "_bytes", "Instance", "Fill", "arguments", "@out", "member0", "Case", "Tag", "CaseBytes", "_x", "field1", "init", "source1", "capacity", "item", "list", "into",
    ];

    public static readonly string[] Numbers = ["None", "One", "@default", "Two", "Größte", "value__1", "All", "Least", "Most", "Same"];
}
