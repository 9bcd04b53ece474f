// Methods of a record type that the generated code calls around writing and reading: instance methods without parameters that return nothing, of any
// accessibility. Those of base classes run first. A struct is copied first: what a callback of writing changes stays in the copy.

namespace Store.Serialization;

/// <summary>Calls the method before the members of an object are written. What it throws ends the writing.</summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class NinoOnSerializingAttribute : Attribute;

/// <summary>Calls the method after the members of an object were written; not where writing them ended with an exception, so what a method with <see cref="NinoOnSerializingAttribute"/> changed stays changed then. What it throws ends the writing.</summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class NinoOnSerializedAttribute : Attribute;

/// <summary>Calls the method when an object was made, before the members are set that its constructor does not take. What it throws becomes the inner exception of a <see cref="NinoSerializationException"/>.</summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class NinoOnDeserializingAttribute : Attribute;

/// <summary>
/// Calls the method when all members of an object were set. What it throws becomes the inner exception of a <see cref="NinoSerializationException"/>. In a cycle
/// of references, objects that hold this one may not be whole yet.
/// </summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class NinoOnDeserializedAttribute : Attribute;
