namespace Store.Serialization;

/// <summary>Takes a non-public field or property into the record.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class NinoIncludeAttribute : Attribute;
