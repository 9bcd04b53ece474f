// Which types of a schema can hold themselves: the cycles in the graph of its types (Tarjan's strongly connected components). The generator finds the same in the
// program's types (Recursion.cs), so whoever reads by the schema counts depth where the codecs do. No recursion: a hostile schema may chain very many types.

namespace Store.Serialization;

internal static class SchemaCycles
{
    /// <summary>Marks every type that lies on a cycle, and no other: not one that merely leads from one cycle to another.</summary>
    /// <param name="definitions">All types that are reached from any of them.</param>
    public static void Mark(List<SchemaDefinition> definitions)
    {
        List<int>[] held = Held(definitions);
        int[] order = new int[held.Length];
        int[] low = new int[held.Length];
        bool[] isOnPath = new bool[held.Length];
        int seen = 0;
        var path = new Stack<int>();
        var work = new Stack<(int Type, int Next)>();
        for (int root = 0; root < held.Length; root++)
        {
            if (order[root] == 0) Open(root);
            while (work.TryPop(out (int Type, int Next) at))
            {
                if (at.Next < held[at.Type].Count)
                {
                    work.Push((at.Type, at.Next + 1));
                    int reached = held[at.Type][at.Next];
                    if (order[reached] == 0) Open(reached);
                    else if (isOnPath[reached]) low[at.Type] = Math.Min(low[at.Type], order[reached]);
                    continue;
                }

                if (work.TryPeek(out (int Type, int Next) holder)) low[holder.Type] = Math.Min(low[holder.Type], low[at.Type]);
                if (low[at.Type] == order[at.Type]) Close(at.Type);
            }
        }

        void Open(int type)
        {
            order[type] = low[type] = ++seen;
            isOnPath[type] = true;
            path.Push(type);
            work.Push((type, 0));
        }

        void Close(int first)
        {
            bool isCycle = path.Peek() != first || held[first].Contains(first);
            int member;
            do
            {
                member = path.Pop();
                isOnPath[member] = false;
                definitions[member].IsRecursive = isCycle;
            }
            while (member != first);
        }
    }

    /// <summary>What each type holds, at any depth of collections, by position.</summary>
    private static List<int>[] Held(List<SchemaDefinition> definitions)
    {
        var positions = new Dictionary<SchemaDefinition, int>(definitions.Count, ReferenceEqualityComparer.Instance);
        foreach (SchemaDefinition definition in definitions) positions.Add(definition, positions.Count);
        var held = new List<int>[definitions.Count];
        for (int i = 0; i < held.Length; i++)
        {
            List<int> list = held[i] = [];
            if (definitions[i] is ObjectDefinition type) foreach (SchemaField field in type.Fields) Add(list, field.Node);
            if (definitions[i] is UnionDefinition union) foreach (UnionCase one in union.Cases) Add(list, one.Node);
        }

        return held;

        void Add(List<int> list, SchemaNode node)
        {
            if (node.Key is { } key) Add(list, key);
            if (node.Element is { } element) Add(list, element);
            if (node.Definition is { } definition) list.Add(positions[definition]);
        }
    }
}
