// What is true of a type and of all that hold one, at any depth: found against the arrows of the type graph.

namespace Store.Serialization.Generator.Parser;

internal static class Reaching
{
    /// <summary>The types that were found, and all among the nodes that reach one.</summary>
    public static HashSet<ParsedType> WithUsers(IEnumerable<ParsedType> found, IEnumerable<ParsedType> nodes)
    {
        Dictionary<ParsedType, List<ParsedType>> users = [];
        foreach (ParsedType type in nodes)
        {
            foreach (ParsedType reached in type.Reaches())
            {
                if (!users.TryGetValue(reached, out List<ParsedType> list)) users.Add(reached, list = []);
                list.Add(type);
            }
        }

        HashSet<ParsedType> all = [.. found];
        Queue<ParsedType> work = new(all);
        while (work.Count > 0)
        {
            if (!users.TryGetValue(work.Dequeue(), out List<ParsedType> affected)) continue;
            foreach (ParsedType type in affected)
            {
                if (all.Add(type)) work.Enqueue(type);
            }
        }

        return all;
    }
}
