namespace Store.Serialization;

/// <summary>
/// Names one case of a polymorphic base by a number of its own, on the base: <c>[NinoUnion(0, typeof(Circle)), NinoUnion(1, typeof(Square))]</c>. A base with
/// this attribute has exactly the cases it names, each under one or a few bytes. Without it every derived [NinoType] in reach of the compilation is a case,
/// under the four-byte hash of its schema name.
/// </summary>
/// <param name="tag">The number, 0 or more, unique on the base. Never give the number of a removed case to another.</param>
/// <param name="type">The case: a class or struct that can be assigned to the base, or the base itself when it is not abstract. Of a generic case that the base's type arguments determine, the open type.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class NinoUnionAttribute(int tag, Type type) : Attribute
{
    /// <summary>The number of the case, 0 or more.</summary>
    public int Tag { get; } = tag;

    /// <summary>The case.</summary>
    public Type Type { get; } = type;
}
