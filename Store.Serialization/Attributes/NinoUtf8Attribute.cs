namespace Store.Serialization;

/// <summary>
/// Stores the strings of a member as UTF-8 instead of Latin-1 or UTF-16: a string, or a collection of strings. Smaller for text that is mostly ASCII with
/// some other characters, slower than the default for everything else. Every string is kept as it is: one with half a surrogate pair, which UTF-8 cannot hold, is stored as UTF-16.
/// </summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class NinoUtf8Attribute : Attribute;
