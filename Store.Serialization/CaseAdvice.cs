// What makes a type known to code that met an object of it and does not know it, for messages. Nobody is sent to put a mark where it is: what is looked at is the type that has, or has not, the mark, and where it is.

using System.Reflection;

namespace Store.Serialization;

internal static class CaseAdvice
{
    /// <summary>Of a type that no source can spell. Begins a sentence, and does not end it.</summary>
    public const string NoName = "No other code can name it: it is private, anonymous, of one file or hidden by the framework";

    /// <summary>The type, or the definition of the generic one, has <c>[NinoType]</c>.</summary>
    public static bool IsMarked(Type type) => Definition(type).IsDefined(typeof(NinoTypeAttribute), inherit: false);

    /// <summary>How a type is registered that cannot carry the mark.</summary>
    public static string Register(Type type) => $"[assembly: NinoSerializable(typeof({CSharpNames.Of(type) ?? "..."}))]";

    /// <summary>What makes a type known that has no mark. Begins a sentence, and does not end it.</summary>
    public static string Mark(Type type) => type.IsEnum ? $"Register it with {Register(type)}" : $"Put [NinoType] on it, or {Register(type)} where you cannot change it";

    /// <summary>For an object where a base or class of another type is declared, which was compiled without knowing it as a case. Whole sentences.</summary>
    public static string ForCase(Type actual, Type declared) => Looked(actual, () => OfCase(actual, declared));

    private static string OfCase(Type actual, Type declared)
    {
        if (actual.Assembly.IsDynamic) return $"{NotCompiled(actual)}: store a copy of that.";
        if (CSharpNames.Of(actual) is null) return $"{NoName}. Make it internal or public, with [NinoType], or store another '{declared}'.";
        if (WithoutCodec(actual) is { } missing) return missing;
        NinoUnionAttribute[] named = [.. Definition(declared).GetCustomAttributes<NinoUnionAttribute>(inherit: false)];
        return named.Length > 0 ? ForNamed(actual, declared, named) : $"{Known(actual)}{Reach(actual, declared)}";
    }

    /// <summary>For a value that stands where <c>object</c> is declared. Whole sentences.</summary>
    /// <param name="actual">Its type.</param>
    /// <param name="assembly">The assembly that declares object there.</param>
    public static string ForObject(Type actual, string assembly) => Looked(actual, () => OfObject(actual, assembly));

    private static string OfObject(Type actual, string assembly)
    {
        if (actual == typeof(object)) return "An object that is of no other class has nothing to store, and cannot be registered: store null there, or an object of a type of your own.";
        string? unnamed = actual.Assembly.IsDynamic ? NotCompiled(actual) : CSharpNames.Of(actual) is null ? NoName : null;
        if (unnamed is not null) return $"{unnamed}. Convert it to one that can be named (an array or List<T> for a query), and put [NinoType] on that or register it.";
        if (WithoutCodec(actual) is { } missing) return missing;
        string home = actual.Assembly.GetName().Name!;
        string late = NinoRegistry.VerbsOf(actual) is null ? "" : $", or call NinoObjects.Register<{CSharpNames.Of(actual)}>() before the first such value is met";
        string into = $"{Register(actual)} into '{assembly}'{late}.{Unknown(actual)}";
        if (IsMarked(actual)) return $"Its [NinoType] adds {(actual.IsGenericType ? "no construction of it to what assemblies know" : $"it to what '{home}' knows")}: put {into}";
        return home == assembly && !actual.IsGenericType && !actual.HasElementType ? $"{Mark(actual)}{late}." : $"Put {into}";
    }

    /// <summary>A type that nobody can register, because there are no objects of it; null for all others. Whole sentences.</summary>
    public static string? NeverStored(Type type)
    {
        if (type.ContainsGenericParameters) return "Its type parameters are open: only a construction of it, with types in their place, can be stored.";
        Type inner = type;
        while (inner.IsArray) inner = inner.GetElementType()!;
        return inner == typeof(void) || inner.IsByRefLike || inner.IsByRef || inner.IsPointer || inner.IsFunctionPointer ? $"There are no objects of '{inner}' (it is void, a pointer, a reference or a ref struct), so nothing of it can be stored: use an array, or a type of your own." : null;
    }

    /// <summary>A type that has the mark and no codec where it is declared; null for all others.</summary>
    public static string? WithoutCodec(Type type) => type.IsGenericType || !IsMarked(type) || NinoRegistry.VerbsOf(type) is not null || IsOfFSharp(type) ? null
        : $"'{type}' has [NinoType], and '{type.Assembly.GetName().Name}' has no codec for it: none was generated when that was compiled, or it is not registered yet. Look there for an error NINO... of this type or of what it is made of that is turned off (#pragma warning disable, .editorconfig, NoWarn), " +
        "for the warning NINO024, and whether the project references the NinoStore package (which brings the generator). Or one of its module initializers uses the type: they run before the generated one, which registers the codecs.";

    /// <summary>What looking at a type gives, whose attributes may be of an assembly that is not deployed: the error that is told must not become another one.</summary>
    public static string Looked(Type type, Func<string> look)
    {
        try
        {
            return look();
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or TypeLoadException)
        {
            return $"{Mark(type)}. (What it carries cannot be looked at: {error.Message})";
        }
    }

    private static string NotCompiled(Type type) => $"The type was made at run time, from '{type.BaseType}'";

    private static string Known(Type actual)
    {
        if (actual.IsGenericType) return $"{(IsMarked(actual) ? "Its [NinoType] serves the constructions of it that are met when the declaration is compiled: register this one with " : "Register this construction of it with ")}{Register(actual)}.{Unknown(actual)}";
        return IsMarked(actual) ? "It has [NinoType]." : $"{Mark(actual)}.";
    }

    // Where both are of one project, whoever sees the base sees the case: then it was compiled before there was the case, or the mark.
    private static string Reach(Type actual, Type declared)
    {
        string type = CSharpNames.Of(actual)!;
        if (actual.Assembly == declared.Assembly) return IsMarked(actual) && !actual.IsGenericType ? $" Compile again what declares the '{declared}': it was compiled when '{type}' was no such case." : "";
        return $" A member knows what the project that declares it has in reach, itself and what it references: declare the member, or the type, so that it has. For a root or its elements, put {Register(declared)} into the program, which must reference the project of '{type}'.";
    }

    private static string ForNamed(Type actual, Type declared, NinoUnionAttribute[] named)
    {
        Type definition = Definition(actual);
        if (named.Any(one => one.Type == actual || one.Type == definition)) return $"'{declared}' names it with [NinoUnion]: compile again what declares the '{declared}', which was compiled when that was not so.";
        string open = actual.IsGenericType ? ", or the open type where the base determines its type arguments" : "";
        string elsewhere = actual.Assembly == declared.Assembly ? "" : $" For that '{declared.Assembly.GetName().Name}' must reference '{actual.Assembly.GetName().Name}', or the type be declared where it can be named.";
        return $"'{declared}' has the cases that it names with [NinoUnion], and no others: add [NinoUnion(..., typeof({CSharpNames.Of(actual)}))]{open} to it, under a number that no case has had.{(IsMarked(actual) ? "" : " The type needs [NinoType], too.")}{elsewhere}";
    }

    // Of what a construction is closed over, or an array made of: what nobody marked or registered, and of which a codec cannot be generated either.
    private static string Unknown(Type type)
    {
        Type? unknown = Parts(type).FirstOrDefault(static part => !part.IsGenericType && !part.IsArray && !part.IsEnum && !NinoObjects.IsFramework(part.Assembly) && !IsMarked(part) && NinoRegistry.VerbsOf(part) is null);
        return unknown is null ? "" : $" It is made of '{unknown}', which is not known either. {Mark(unknown)}.";

        static IEnumerable<Type> Parts(Type type) =>
            (type.HasElementType ? [type.GetElementType()!] : type.GetGenericArguments()).SelectMany(static part => Parts(part).Prepend(part));
    }

    private static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    // Of F# no generator writes any.
    private static bool IsOfFSharp(Type type) => type.CustomAttributes.Any(static attribute => attribute.AttributeType.FullName == "Microsoft.FSharp.Core.CompilationMappingAttribute");
}
