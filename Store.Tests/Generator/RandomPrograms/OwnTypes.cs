// Collections that a program declares itself, stored as their elements without any mark (docs/types.md).

using System.Collections;
using System.Reflection;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What every random program has beside its types.</summary>
internal static class OwnTypes
{
    public const string Source = """
        namespace Own {
        public class Basket<T> : global::System.Collections.Generic.List<T>;
        public class Line<T> : global::System.Collections.Generic.Queue<T>;
        public class Pile<T> : global::System.Collections.Generic.Stack<T>;
        public class Tags<T> : global::System.Collections.Generic.HashSet<T>;
        public class Register<TKey, TValue> : global::System.Collections.Generic.Dictionary<TKey, TValue> where TKey : notnull;
        [global::System.Runtime.CompilerServices.InlineArray(3)] public struct Three<T> { private T _first; }
        }
        """;

    /// <summary>Makes one of them.</summary>
    public static object Make(Type type, int count, RandomValues values, int depth)
    {
        Type[] arguments = type.GetGenericArguments();
        string name = type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)];
        object made = Activator.CreateInstance(type)!;
        if (name == "Three") return typeof(OwnTypes).GetMethod(nameof(Three), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(type, arguments[0]).Invoke(null, [values, depth])!;
        MethodInfo add = type.GetMethod(name switch { "Line" => "Enqueue", "Pile" => "Push", "Register" => "TryAdd", _ => "Add" })!;
        bool isKeyed = name is "Register" or "Tags";
        for (int i = 0; i < count; i++)
            add.Invoke(made, [values.Make(arguments[0], depth, isNeeded: isKeyed, isKey: isKeyed), .. arguments.Skip(1).Select(argument => values.Make(argument, depth))]);
        return made;
    }

    /// <summary>The elements of an inline array.</summary>
    public static IEnumerable ElementsOf(object three) =>
        (IEnumerable)typeof(OwnTypes).GetMethod(nameof(Elements), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(three.GetType(), three.GetType().GetGenericArguments()[0]).Invoke(null, [three])!;

    private static TThree Three<TThree, T>(RandomValues values, int depth) where TThree : struct
    {
        TThree made = default;
        foreach (ref T one in System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref System.Runtime.CompilerServices.Unsafe.As<TThree, T>(ref made), 3)) one = (T)values.Make(typeof(T), depth)!;
        return made;
    }

    private static T[] Elements<TThree, T>(TThree three) where TThree : struct =>
        System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref System.Runtime.CompilerServices.Unsafe.As<TThree, T>(ref three), 3).ToArray();
}
