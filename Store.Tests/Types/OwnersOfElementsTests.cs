using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Collections of the user's whose Add does something to the element itself, such as giving it an owner or listening to it.</summary>
public sealed class OwnersOfElementsTests
{
    /// <summary>A second one is filled to see what it keeps, with copies of the elements.</summary>
    [Fact]
    public void WritingACollectionDoesNothingToItsElements() => Programs.Run("""
        [NinoType] public class Item
        {
            public static int Freed;
            public int Id { get; set; }
            [NinoIgnore] public object? Owner { get; set; }
            public event Action? Changed;
            public int Listening() => Changed?.GetInvocationList().Length ?? 0;
            ~Item() => Freed++;
        }
        [NinoType] public sealed class Other : Item { public string? Text { get; set; } }
        public sealed class Owned : System.Collections.ObjectModel.Collection<Item>
        {
            protected override void InsertItem(int index, Item item)
            {
                if (item is not null) { item.Owner = this; item.Changed += Clear; }
                base.InsertItem(index, item!);
            }
        }
        public sealed class OwnedMap : IDictionary<int, Item>
        {
            private readonly Dictionary<int, Item> _all = [];
            public Item this[int key] { get => _all[key]; set => Add(key, value); }
            public ICollection<int> Keys => _all.Keys;
            public ICollection<Item> Values => _all.Values;
            public int Count => _all.Count;
            public bool IsReadOnly => false;
            public void Add(int key, Item value) { value.Owner = this; value.Changed += Clear; _all.Add(key, value); }
            public void Add(KeyValuePair<int, Item> item) => Add(item.Key, item.Value);
            public void Clear() => _all.Clear();
            public bool Contains(KeyValuePair<int, Item> item) => _all.ContainsKey(item.Key);
            public bool ContainsKey(int key) => _all.ContainsKey(key);
            public void CopyTo(KeyValuePair<int, Item>[] array, int arrayIndex) => ((ICollection<KeyValuePair<int, Item>>)_all).CopyTo(array, arrayIndex);
            public bool Remove(int key) => _all.Remove(key);
            public bool Remove(KeyValuePair<int, Item> item) => _all.Remove(item.Key);
            public bool TryGetValue(int key, out Item value) => _all.TryGetValue(key, out value!);
            public IEnumerator<KeyValuePair<int, Item>> GetEnumerator() => _all.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public sealed record Holder(Owned List, OwnedMap Map);
        """, """
        var holder = new Holder([new Item { Id = 1 }, null!, new Other { Id = 2, Text = "x" }], new OwnedMap { [7] = new Item { Id = 3 } });
        NinoSerializer.Serialize(holder);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Equal(0, Item.Freed);
        foreach (Holder one in new[] { holder, Copy(holder) })
        {
            Item[] items = [one.List[0], one.List[2], one.Map[7]];
            Equal((1, 2, 3), (items[0].Id, items[1].Id, items[2].Id));
            Equal((1, 1, 1), (items[0].Listening(), items[1].Listening(), items[2].Listening()));
            Equal(true, ReferenceEquals(one.List, items[0].Owner) && ReferenceEquals(one.List, items[1].Owner) && ReferenceEquals(one.Map, items[2].Owner));
        }
        """);

    [Fact]
    public void AnAddThatRefusesWhatHasAnOwnerIsRefusedOnWriting() => Programs.Run("""
        [NinoType] public sealed class Item { [NinoIgnore] public object? Owner { get; set; } }
        public sealed class Owned : System.Collections.ObjectModel.Collection<Item>
        {
            protected override void InsertItem(int index, Item item)
            {
                if (item.Owner is not null) throw new InvalidOperationException("it has an owner");
                item.Owner = this;
                base.InsertItem(index, item);
            }
        }
        [NinoType] public sealed record Holder(Owned List);
        """, """
        Copy(new Holder([]));
        Refused(() => Copy(new Holder([new Item()])), "Element 0 was refused by the Add", "it has an owner");
        """);
}
