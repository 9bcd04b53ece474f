namespace Store.Serialization;

/// <summary>Says for all types of an assembly what an attribute of a single type would say, and the single type can say otherwise.</summary>
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class NinoDefaultsAttribute : Attribute
{
    /// <summary>False: no views are generated (docs/views.md), other than for types with <c>[NinoType(View = true)]</c>.</summary>
    public bool View { get; init; } = true;
}
