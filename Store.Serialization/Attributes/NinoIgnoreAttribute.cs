namespace Store.Serialization;

/// <summary>Leaves a public field or property out of the record. It keeps its default value after reading. On a non-public one, which is left out anyway, it says that this is meant (NINO017). What overrides the property is left out, too, where it carries no <see cref="NinoIncludeAttribute"/> or <see cref="NinoMemberAttribute"/>.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class NinoIgnoreAttribute : Attribute;
