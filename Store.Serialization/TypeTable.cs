// What is known of types for as long as there are such types: none of a collectible AssemblyLoadContext is kept by being known here.

using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>A table by type, of which nothing is taken out but what is unloaded. Its values may hold the type, and what is unloaded with it. Safe for any number of threads.</summary>
internal sealed class TypeTable<TValue> where TValue : class
{
    // Two, because what must hold nothing is slower to look into. That one is of objects: it can make values, and so would have the trimmer keep the constructors of TValue.
    private readonly ConcurrentDictionary<Type, TValue> _lasting = new();
    private readonly ConditionalWeakTable<Type, object> _collectible = [];

    /// <summary>The types that are there now.</summary>
    public IEnumerable<Type> Types => [.. _lasting.Keys, .. _collectible.Select(static one => one.Key)];

    public bool TryGetValue(Type type, [NotNullWhen(true)] out TValue? value)
    {
        if (_lasting.TryGetValue(type, out value)) return true;
        value = _collectible.TryGetValue(type, out object? found) ? (TValue)found : null;
        return value is not null;
    }

    /// <summary>Adds a value, unless the type has one.</summary>
    /// <returns>The one that it has.</returns>
    public TValue GetOrAdd(Type type, TValue value) => type.IsCollectible ? (TValue)_collectible.GetOrAdd(type, value) : _lasting.GetOrAdd(type, value);

    public void Set(Type type, TValue value)
    {
        if (type.IsCollectible) _collectible.AddOrUpdate(type, value);
        else _lasting[type] = value;
    }
}
