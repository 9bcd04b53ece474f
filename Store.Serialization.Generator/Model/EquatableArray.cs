// An immutable array that compares by its elements. The arrays of the framework compare by reference, which would make every model of
// every compilation look new to the incremental engine.

using System.Collections;
using System.Collections.Immutable;

namespace Store.Serialization.Generator.Model;

internal readonly struct EquatableArray<T>(ImmutableArray<T> items) : IEquatable<EquatableArray<T>>, IEnumerable<T> where T : IEquatable<T>
{
    private readonly ImmutableArray<T> _items = items;

    public EquatableArray(IEnumerable<T> items) : this(items.ToImmutableArray()) { }

    public int Count => AsImmutableArray().Length;

    public T this[int index] => _items[index];

    public ImmutableArray<T> AsImmutableArray() => _items.IsDefault ? ImmutableArray<T>.Empty : _items;

    public bool Equals(EquatableArray<T> other) => AsImmutableArray().SequenceEqual(other.AsImmutableArray());

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode()
    {
        int hash = 17;
        foreach (T item in AsImmutableArray()) hash = unchecked((hash * 31) + (item?.GetHashCode() ?? 0));
        return hash;
    }

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)AsImmutableArray()).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
