namespace Store.Serialization;

/// <summary>Takes a non-public field or property into the record. Of a class that other assemblies derive from, or a generic type that they close, it has to be protected at least; only its setter may be hidden (NINO019).</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class NinoIncludeAttribute : Attribute;
