namespace Store.Serialization;

/// <summary>Gives a member an identity that survives renaming. Members without it are identified by their name.</summary>
/// <param name="id">A number above 0, unique in the type.</param>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class NinoMemberAttribute(int id) : Attribute
{
    /// <summary>The identity, above 0.</summary>
    public int Id { get; } = id;
}
