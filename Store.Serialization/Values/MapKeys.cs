using System.Runtime.InteropServices;

namespace Store.Serialization.Values;

/// <summary>
/// Looks ahead over maps, to tell whether their keys can be the names of a JSON object without losing one. A look over an outermost map decides on all that are
/// inside of it too, so that every byte is looked at once, however deep maps nest.
/// </summary>
internal sealed class MapKeys
{
    private const int MaxKept = 4096;

    [ThreadStatic]
    private static MapKeys? t_spare;

    // In the order in which maps begin, in the look ahead as in the walk that asks.
    private readonly List<bool> _areNames = [];
    private int _next;

    // Of the maps that have begun in the look and not ended, the inner ones last: the hashes of their keys one behind the other.
    private readonly List<ulong> _hashes = [];
    private readonly Stack<(int Map, int Hashes, bool CanBeNames)> _open = new();

    private MapKeys() { }

    /// <summary>How many pairs were looked at.</summary>
    public long PairsSeen { get; private set; }

    /// <summary>One for a record.</summary>
    public static MapKeys Rent()
    {
        MapKeys keys = t_spare ?? new MapKeys();
        t_spare = null;
        return keys;
    }

    /// <summary>Lets the thread use it again, unless it grew large. Not after an exception.</summary>
    public void Return()
    {
        if (_areNames.Capacity > MaxKept || _hashes.Capacity > MaxKept) return;
        _areNames.Clear();
        _next = 0;
        PairsSeen = 0;
        t_spare = this;
    }

    /// <summary>
    /// True when no key is null, half a surrogate pair or overlong, and no two are equal. Keys are compared by 64-bit hash: should two different keys ever
    /// share one, the answer is no, and the map is written the other way, still without loss.
    /// </summary>
    /// <param name="map">The map that begins now: every one must be asked for.</param>
    /// <param name="count">Number of its pairs.</param>
    /// <param name="ahead">A reader before its first key.</param>
    public bool AreDistinctNames(PlanNode map, int count, ref NinoReader ahead)
    {
        if (_next == _areNames.Count)
        {
            // Those inside look for themselves.
            if (!map.Key!.CanBeName) return false;
            _areNames.Clear();
            _next = 0;
            Look(map, count, ref ahead);
        }

        return _areNames[_next++];
    }

    private void Look(PlanNode map, int count, ref NinoReader ahead)
    {
        int references = ahead.ReferenceCount;
        try
        {
            var sink = new LookSink(this);
            sink.BeginMap(map, count, ahead);
            for (int i = 0; i < count; i++)
            {
                sink.Key(i, false);
                RecordDecoder.Value(map.Key!, ref ahead, ref sink);
                RecordDecoder.Value(map.Element!, ref ahead, ref sink);
            }

            sink.EndMap(map, count, false);
        }
        finally
        {
            ahead.ForgetReferences(references);
        }
    }

    /// <summary>Hears the keys of a map and of those inside of it.</summary>
    private struct LookSink(MapKeys owner) : IRecordSink
    {
        private const ulong Basis = 14695981039346656037, Prime = 1099511628211;

        private bool _isKey;

        public bool BeginMap(PlanNode node, int count, NinoReader ahead)
        {
            owner._open.Push((owner._areNames.Count, owner._hashes.Count, node.Key!.CanBeName));
            owner._areNames.Add(node.Key.CanBeName);
            return false;
        }

        public void Key(int index, bool reminder)
        {
            owner.PairsSeen++;
            _isKey = owner._open.Peek().CanBeNames;
        }

        public readonly void EndMap(PlanNode node, int count, bool reminder)
        {
            (int map, int start, _) = owner._open.Pop();
            Span<ulong> all = CollectionsMarshal.AsSpan(owner._hashes)[start..];
            all.Sort();
            for (int i = 1; i < all.Length; i++)
            {
                if (all[i] == all[i - 1]) owner._areNames[map] = false;
            }

            owner._hashes.RemoveRange(start, all.Length);
        }

        public void Null(PlanNode node)
        {
            if (_isKey) Hear(isName: false, 0);
        }

        public void Scalar(PlanNode node, ReadOnlySpan<byte> bytes)
        {
            if (!_isKey) return;
            ulong hash = Basis;
            foreach (byte b in bytes) hash = (hash ^ b) * Prime;
            Hear(node.Kind != SchemaKind.Char || !char.IsSurrogate(MemoryMarshal.Read<char>(bytes)), hash);
        }

        public void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16)
        {
            if (!_isKey) return;
            // A string has one form only: Latin-1 where that is enough.
            ulong hash = Basis;
            bool isName;
            if (isUtf16)
            {
                ReadOnlySpan<char> text = MemoryMarshal.Cast<byte, char>(characters);
                isName = text.Length <= JsonText.MaxNameLength && !JsonText.HasHalfPair(text);
                foreach (char c in text) hash = (hash ^ c) * Prime;
            }
            else
            {
                isName = characters.Length <= JsonText.MaxNameLength;
                foreach (byte c in characters) hash = (hash ^ c) * Prime;
            }

            Hear(isName, hash);
        }

        public readonly void Bytes(PlanNode node, ReadOnlySpan<byte> bytes) { }
        public readonly void BeginObject(PlanNode node, bool isCase, int number) { }
        public readonly void Field(PlanNode node, int index) { }
        public readonly void EndObject(PlanNode node, bool isCase, int number) { }
        public readonly void Reference(PlanNode node, int number) { }
        public readonly void BeginList(PlanNode node, int count) { }
        public readonly void Item(int index) { }
        public readonly void EndList(PlanNode node, int count) { }
        public readonly void Value(bool reminder) { }
        public readonly void EndPair(bool reminder) { }

        private void Hear(bool isName, ulong hash)
        {
            _isKey = false;
            owner._hashes.Add(hash);
            if (!isName) owner._areNames[owner._open.Peek().Map] = false;
        }
    }
}
