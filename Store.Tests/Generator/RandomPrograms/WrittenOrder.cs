// Which types of a program may be written in another order after they were read? Those that reach a collection that says so in docs/types.md.

using System.Collections.Concurrent;
using System.Collections.Frozen;

namespace Store.Tests.Generator.RandomPrograms;

internal static class WrittenOrder
{
    private static readonly Type[] Undefined = [typeof(FrozenDictionary<,>), typeof(FrozenSet<>), typeof(ConcurrentDictionary<,>), typeof(PriorityQueue<,>)];

    /// <summary>True where what was read is written in the bytes that it was read from.</summary>
    public static bool IsDefined(LoadedProgram program, Type type)
    {
        HashSet<Type> seen = [];
        Stack<Type> open = new([type]);
        while (open.TryPop(out Type? next))
        {
            if (!seen.Add(next)) continue;
            if (next.IsGenericType && Undefined.Contains(next.GetGenericTypeDefinition())) return false;
            if (next == typeof(object)) foreach (Type root in program.Roots) open.Push(root);
            if (next.HasElementType) open.Push(next.GetElementType()!);
            foreach (Type argument in next.GetGenericArguments()) open.Push(argument);
            if (program.ModelOf(next) is not { } model || model.Form == TypeForm.Enum) continue;
            foreach (Type one in program.CasesOf(next)) open.Push(one);
            foreach ((System.Reflection.FieldInfo field, _) in program.FieldsOf(next)) open.Push(field.FieldType);
        }

        return true;
    }
}
