using System.Reflection;

namespace Store.Serialization;

/// <summary>A record type for which no generated code exists.</summary>
public sealed class NinoTypeNotRegisteredException : InvalidOperationException
{
    internal NinoTypeNotRegisteredException(Type type) : base($"The type '{type}' is not registered. {(MarkedIn(type) is { } marked ? Missing(marked) : $"{Remedy(type)}, in a project that references the NinoStore package (which brings the generator).")}") => Type = type;

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <summary>The type, or what it is an array or list of, where that has the mark which makes the generator write a codec. Asked when there is none. (Of F# no generator writes any.)</summary>
    private static Type? MarkedIn(Type type)
    {
        Type marked = type.IsSZArray ? type.GetElementType()! : type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>) ? type.GetGenericArguments()[0] : type;
        return !marked.IsGenericType && marked.IsDefined(typeof(NinoTypeAttribute), inherit: false) && !IsOfFSharp(marked) && NinoRegistry.VerbsOf(marked) is null ? marked : null;
    }

    private static bool IsOfFSharp(Type type) => type.CustomAttributes.Any(static attribute => attribute.AttributeType.FullName == "Microsoft.FSharp.Core.CompilationMappingAttribute");

    private static string Missing(Type marked) =>
        $"'{marked}' has [NinoType], and '{marked.Assembly.GetName().Name}' has no codec for it: none was generated when that was compiled, or it is not registered yet. Look there for an error NINO... of this type or of what it is made of that is turned off (#pragma warning disable, .editorconfig, NoWarn), " +
        "for the warning NINO024, and whether the project references the NinoStore package (which brings the generator). Or one of its module initializers uses the type: they run before the generated one, which registers the codecs.";

    // A mark on a generic type says nothing of its constructions, and a collection or T? can carry none: asking for one would send its reader in a circle.
    private static string Remedy(Type type)
    {
        string? name = CSharpNames.Of(type);
        if (name is null && !type.ContainsGenericParameters) return "No other code can name it: it is private, anonymous, of one file or hidden by the framework, or is made of what is. Convert it to a type that can be named (an array or List<T> for a query), and put [NinoType] or [assembly: NinoSerializable(typeof(...))] on that";
        string register = $"[assembly: NinoSerializable(typeof({name ?? "..."}))]";
        if (!type.IsGenericType && !type.IsArray) return $"Put [NinoType] on it, or {register} for a type you cannot change";
        return type.IsGenericType && type.GetGenericTypeDefinition().GetCustomAttribute<NinoTypeAttribute>(inherit: false) is not null
            ? $"Its [NinoType] serves members of this construction; to be a record of its own it needs {register}"
            : $"To be a record of its own it needs {register}, and the types of yours that it is made of need [NinoType]";
    }
}
