namespace Store.Serialization;

/// <summary>Names the constructor that reading uses when a type has several. Parameters match members by name, ignoring case.</summary>
[AttributeUsage(AttributeTargets.Constructor)]
public sealed class NinoConstructorAttribute : Attribute;
