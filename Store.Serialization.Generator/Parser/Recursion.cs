// Which types can contain themselves: the cycles of the type graph (Tarjan's strongly connected components). Only their codecs count depth.

namespace Store.Serialization.Generator.Parser;

internal static class Recursion
{
    public static HashSet<ParsedType> Find(IEnumerable<ParsedType> types)
    {
        HashSet<ParsedType> recursive = [];
        Dictionary<ParsedType, int> index = [];
        Dictionary<ParsedType, int> low = [];
        HashSet<ParsedType> onPath = [];
        Stack<ParsedType> path = new();
        Stack<(ParsedType Type, IEnumerator<ParsedType> Next)> work = new();

        foreach (ParsedType root in types)
        {
            if (index.ContainsKey(root)) continue;
            Open(root);

            // A stack of our own: a long chain of types must not overflow the compiler's.
            while (work.Count > 0)
            {
                (ParsedType type, IEnumerator<ParsedType> next) = work.Peek();
                if (next.MoveNext())
                {
                    ParsedType reached = next.Current;
                    if (reached == type) recursive.Add(type);
                    if (!index.ContainsKey(reached)) Open(reached);
                    else if (onPath.Contains(reached)) low[type] = Math.Min(low[type], index[reached]);
                    continue;
                }

                work.Pop();
                if (work.Count > 0) low[work.Peek().Type] = Math.Min(low[work.Peek().Type], low[type]);
                if (low[type] == index[type]) Close(type);
            }
        }

        return recursive;

        void Open(ParsedType type)
        {
            index[type] = low[type] = index.Count;
            path.Push(type);
            onPath.Add(type);
            work.Push((type, type.Reaches().GetEnumerator()));
        }

        void Close(ParsedType first)
        {
            bool isCycle = path.Peek() != first;
            ParsedType member;
            do
            {
                member = path.Pop();
                onPath.Remove(member);
                if (isCycle) recursive.Add(member);
            }
            while (member != first);
        }
    }
}
