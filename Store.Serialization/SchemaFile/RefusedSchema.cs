namespace Store.Serialization;

/// <summary>A record type that an assembly registers and that has no schema.</summary>
/// <param name="Name">Its name in files.</param>
/// <param name="Why">The message of its refusal, which a newer version may say in other words.</param>
/// <param name="IsOfHiddenMembers">It, or what it is made of, hides members that would be lost; otherwise assemblies that are loaded contradict each other about it.</param>
internal readonly record struct RefusedSchema(string Name, string Why, bool IsOfHiddenMembers);
