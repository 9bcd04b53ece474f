// The framework finds the shape of an ExpandoObject by the names that were set, one after the other: each shape has a table of the names that came next, and no name is ever taken out of one. The table of the
// empty shape lives as long as the process, and bytes may bring any number of names. So objects that are read begin with a name that is taken out of them again: the table is that of a shape which goes when
// nobody holds it.

using System.Dynamic;

namespace Store.Serialization.Codecs;

/// <summary>What objects that are read begin with, for some thousands of them: objects of the same names share a shape as long as it is the same. Safe for any number of threads.</summary>
internal sealed class ExpandoStart
{
    private const int MaxObjects = 1 << 14;

    private static ExpandoStart s_current = new(0);

    private readonly int _number;
    private readonly string _name;

    // Holds the shape.
    private readonly ExpandoObject _first;
    private int _objects;

    private ExpandoStart(int number)
    {
        _number = number;

        // No name of a program's.
        _name = $"\0{number}";
        _first = Create();
    }

    /// <summary>What an object of these members is to begin with; null where it has none, or one of that very name.</summary>
    public static ExpandoStart? For(KeyValuePair<string, object>[] members)
    {
        if (members.Length == 0) return null;
        ExpandoStart current = Volatile.Read(ref s_current);
        if (Interlocked.Increment(ref current._objects) > MaxObjects)
        {
            Interlocked.CompareExchange(ref s_current, new ExpandoStart(current._number + 1), current);
            current = Volatile.Read(ref s_current);
        }

        return Array.Exists(members, member => member.Key == current._name) ? null : current;
    }

    /// <summary>An object that <see cref="TakeFrom"/> makes an empty one.</summary>
    public ExpandoObject Create()
    {
        var map = new ExpandoObject();
        ((IDictionary<string, object?>)map)[_name] = null;
        return map;
    }

    /// <summary>Takes out what every object began with.</summary>
    public void TakeFrom(ExpandoObject map) => ((IDictionary<string, object?>)map).Remove(_name);
}
