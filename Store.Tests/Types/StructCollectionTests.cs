using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Store.Serialization;

namespace Store.Tests.Types;

/// <summary>Collections that are structs: what Add puts into a struct is in the struct that is returned, and in no copy of it.</summary>
public sealed class StructCollectionTests
{
    [Fact]
    public void AStructThatMakesItsListWhenItIsFirstNeededIsReadAsItWas()
    {
        var value = new HoldsStructs { Numbers = [1, 2, 2], Names = new() { ["a"] = 1, ["b"] = 2 }, Many = [[3], [], [4, 5]], Maybe = [6], Counted = [7, 8] };
        HoldsStructs copy = NinoSerializer.Clone(value);
        Assert.Equal([1, 2, 2], copy.Numbers);
        Assert.Equal([("a", 1), ("b", 2)], copy.Names.Select(static pair => (pair.Key, pair.Value)));
        Assert.Equal([[3], [], [4, 5]], copy.Many.Select(static one => one.ToArray()));
        Assert.Equal([6], copy.Maybe!.Value);
        Assert.Equal((2, 8), (copy.Counted.Count, copy.Counted.Last));
    }

    [Fact]
    public void AnEmptyOneAndNoneAreReadAsTheyWere()
    {
        HoldsStructs copy = NinoSerializer.Clone(new HoldsStructs());
        Assert.Equal((0, 0, null, 0), (copy.Numbers.Count, copy.Names.Count, copy.Maybe, copy.Counted.Count));
    }

    [Fact]
    public void ARecordIsReadIntoOneThatIsThere()
    {
        byte[] bytes = NinoSerializer.Serialize(new HoldsStructs { Numbers = [1], Names = new() { ["a"] = 1 } });
        HoldsStructs? value = new() { Numbers = [5, 6], Names = new() { ["b"] = 2 } };
        NinoSerializer.Deserialize(bytes, ref value);
        Assert.Equal([1], value.Numbers);
        Assert.Equal(["a"], value.Names.Keys);
    }

    [Fact]
    public void OneThatKeepsLessThanIsAddedIsStillRefusedOnWriting() =>
        Assert.Contains("has 2 elements, and 1 once they are added", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new HoldsStructs { Counted = LastOnly.Of(2, 3) })).Message, StringComparison.Ordinal);

    [NinoType]
    public sealed class HoldsStructs
    {
        public StructList Numbers;
        public StructMap Names;
        public List<StructList> Many = [];
        public StructList? Maybe;
        public LastOnly Counted;
    }

    /// <summary>Keeps no object beside itself: how many, and the last.</summary>
    public struct LastOnly : ICollection<int>
    {
        private int _count;
        private int _first;
        private bool _isFull;

        [NinoIgnore] public int Last { get; private set; }

        public readonly int Count => _count;

        public readonly bool IsReadOnly => false;

        public static LastOnly Of(int first, int last) => new() { _count = 2, _first = first, Last = last, _isFull = true };

        public void Add(int item)
        {
            if (_count == 2 || item == 3) return;
            if (_count++ == 0) _first = item;
            Last = item;
        }

        public void Clear() => this = default;

        public readonly bool Contains(int item) => throw new NotSupportedException();

        public readonly void CopyTo(int[] array, int arrayIndex) => throw new NotSupportedException();

        public readonly bool Remove(int item) => throw new NotSupportedException();

        public readonly IEnumerator<int> GetEnumerator()
        {
            if (_count > 0 || _isFull) yield return _first;
            if (_count > 1) yield return Last;
        }

        readonly IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public struct StructList : ICollection<int>
    {
        private List<int>? _all;

        public readonly int Count => _all?.Count ?? 0;

        public readonly bool IsReadOnly => false;

        public void Add(int item) => (_all ??= []).Add(item);

        public void Clear() => _all = null;

        public readonly bool Contains(int item) => _all?.Contains(item) ?? false;

        public readonly void CopyTo(int[] array, int arrayIndex) => _all?.CopyTo(array, arrayIndex);

        public readonly bool Remove(int item) => _all?.Remove(item) ?? false;

        public readonly IEnumerator<int> GetEnumerator() => (_all ?? []).GetEnumerator();

        readonly IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public struct StructMap : IDictionary<string, int>
    {
        private Dictionary<string, int>? _all;

        public readonly int Count => _all?.Count ?? 0;

        public readonly bool IsReadOnly => false;

        public readonly ICollection<string> Keys => Known.Keys;

        public readonly ICollection<int> Values => Known.Values;

        private readonly Dictionary<string, int> Known => _all ?? [];

        public int this[string key]
        {
            readonly get => Known[key];
            set => (_all ??= [])[key] = value;
        }

        public void Add(string key, int value) => (_all ??= []).Add(key, value);

        public void Add(KeyValuePair<string, int> item) => Add(item.Key, item.Value);

        public void Clear() => _all = null;

        public readonly bool Contains(KeyValuePair<string, int> item) => Known.Contains(item);

        public readonly bool ContainsKey(string key) => Known.ContainsKey(key);

        public readonly void CopyTo(KeyValuePair<string, int>[] array, int arrayIndex) => ((ICollection<KeyValuePair<string, int>>)Known).CopyTo(array, arrayIndex);

        public readonly bool Remove(string key) => Known.Remove(key);

        public readonly bool Remove(KeyValuePair<string, int> item) => Known.Remove(item.Key);

        public readonly bool TryGetValue(string key, [MaybeNullWhen(false)] out int value) => Known.TryGetValue(key, out value);

        public readonly IEnumerator<KeyValuePair<string, int>> GetEnumerator() => Known.GetEnumerator();

        readonly IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
