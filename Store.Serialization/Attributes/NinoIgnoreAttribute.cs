namespace Store.Serialization;

/// <summary>Leaves a public field or property out of the record. It keeps its default value after reading.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class NinoIgnoreAttribute : Attribute;
