namespace Store.Serialization;

/// <summary>
/// Says what a member or type was called in records that exist already, so that they can still be read. On a member: the name it had. On a type: the name
/// it had in schemas, which is the full name with namespace unless <see cref="NinoTypeAttribute.Name"/> set another; of a generic type without its type
/// arguments; names that hold a renamed type (<c>Pair&lt;Order&gt;</c>, a tuple) are found by its former names without an attribute of their own. On a case of an F# union (which is a method to everybody else): the name of the case. Give one attribute for each earlier name. Nothing of it is written: the fingerprint stays as it is. docs/evolution.md has the rules.
/// </summary>
/// <param name="name">The earlier name.</param>
[AttributeUsage(
    AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Interface | AttributeTargets.Method,
    AllowMultiple = true,
    Inherited = false)]
public sealed class NinoFormerNameAttribute(string name) : Attribute
{
    /// <summary>The earlier name.</summary>
    public string Name { get; } = name;
}
