// Types that are values themselves: what an assembly knows where object is declared, by name.

using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>The types that a value declared as <see cref="Type"/> can be in one assembly, and what they are called.</summary>
internal sealed class CaseTypes
{
    private readonly Dictionary<Type, string> _names = [];
    private readonly Dictionary<string, Type> _types = new(StringComparer.Ordinal);

    public CaseTypes(IReadOnlyList<ObjectCase> cases, IEnumerable<(Type Type, string[] Names)> bases)
    {
        (Type Type, IReadOnlyList<string> Names)[] all = [.. cases.Select(static one => (one.Type, one.Names)), .. bases.Select(static one => (one.Type, (IReadOnlyList<string>)one.Names))];
        foreach ((Type type, IReadOnlyList<string> names) in all)
        {
            // A name that two have tells neither: the second cannot be written.
            if (_types.TryAdd(names[0], type)) _names.TryAdd(type, names[0]);
        }

        // What a type is called now comes before what another one was.
        foreach ((Type type, IReadOnlyList<string> names) in all)
        {
            foreach (string former in names.Skip(1)) _types.TryAdd(former, type);
        }

        Shown = NinoObjectCases.Shown(_names.Values);
    }

    /// <summary>Some of the names, for messages.</summary>
    public string Shown { get; }

    public string? NameOf(Type type) => _names.GetValueOrDefault(type);

    public Type? Of(string name) => _types.GetValueOrDefault(name);
}
