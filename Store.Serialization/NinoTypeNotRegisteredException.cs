namespace Store.Serialization;

/// <summary>A record type for which no generated code exists.</summary>
public sealed class NinoTypeNotRegisteredException : InvalidOperationException
{
    internal NinoTypeNotRegisteredException(Type type) : base($"The type '{type}' is not registered. {CaseAdvice.Looked(ElementOf(type), () => CaseAdvice.NeverStored(type) ?? CaseAdvice.WithoutCodec(ElementOf(type)) ?? $"{Remedy(type)}, in a project that references the NinoStore package (which brings the generator).")}") => Type = type;

    /// <summary>The type.</summary>
    public Type Type { get; }

    // An array or list has no mark of its own.
    private static Type ElementOf(Type type) => type.IsSZArray ? type.GetElementType()! : type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>) ? type.GetGenericArguments()[0] : type;

    // A mark on a generic type says nothing of its constructions, and a collection or T? can carry none: asking for one would send its reader in a circle.
    private static string Remedy(Type type)
    {
        if (CSharpNames.Of(type) is null && !type.ContainsGenericParameters) return $"{CaseAdvice.NoName}, or is made of what is. Convert it to a type that can be named (an array or List<T> for a query), and put [NinoType] or [assembly: NinoSerializable(typeof(...))] on that";
        string register = CaseAdvice.Register(type);
        if (!type.IsGenericType && !type.IsArray) return CaseAdvice.Mark(type);
        return CaseAdvice.IsMarked(type)
            ? $"Its [NinoType] serves members of this construction; to be a record of its own it needs {register}"
            : $"To be a record of its own it needs {register}, and the types of yours that it is made of need [NinoType]";
    }
}
