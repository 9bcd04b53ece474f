namespace Store.Serialization;

/// <summary>
/// Names the constructor that reading uses when a type has several, or a static method of the type that returns it and is used instead of a constructor.
/// Parameters match members by name, ignoring case. Any accessibility.
/// </summary>
[AttributeUsage(AttributeTargets.Constructor | AttributeTargets.Method, Inherited = false)]
public sealed class NinoConstructorAttribute : Attribute;
