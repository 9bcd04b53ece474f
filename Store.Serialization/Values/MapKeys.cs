using System.Buffers;
using System.Runtime.InteropServices;

namespace Store.Serialization.Values;

/// <summary>Looks ahead over a map, to tell whether its keys can be the names of a JSON object without losing one.</summary>
internal static class MapKeys
{
    /// <summary>
    /// True when no key is null, half a surrogate pair or overlong, and no two are equal. Keys are compared by 64-bit hash: should two different keys ever
    /// share one, the answer is no, and the map is written the other way, still without loss.
    /// </summary>
    public static bool AreDistinctNames(PlanNode map, int count, ref NinoReader ahead)
    {
        int references = ahead.ReferenceCount;
        ulong[] hashes = ArrayPool<ulong>.Shared.Rent(Math.Max(1, count));
        try
        {
            var silent = new SilentSink();
            var key = new KeySink();
            for (int i = 0; i < count; i++)
            {
                RecordDecoder.Value(map.Key!, ref ahead, ref key);
                if (!key.IsName) return false;
                hashes[i] = key.Hash;
                if (count > 1) RecordDecoder.Value(map.Element!, ref ahead, ref silent);
            }

            Span<ulong> all = hashes.AsSpan(0, count);
            all.Sort();
            for (int i = 1; i < all.Length; i++)
            {
                if (all[i] == all[i - 1]) return false;
            }

            return true;
        }
        finally
        {
            ahead.ForgetReferences(references);
            ArrayPool<ulong>.Shared.Return(hashes);
        }
    }

    /// <summary>Hears one key.</summary>
    private struct KeySink : IRecordSink
    {
        private const ulong Basis = 14695981039346656037, Prime = 1099511628211;

        public bool IsName;
        public ulong Hash;

        public void Null(PlanNode node) => IsName = false;

        public void Scalar(PlanNode node, ReadOnlySpan<byte> bytes)
        {
            IsName = node.Kind != SchemaKind.Char || !char.IsSurrogate(MemoryMarshal.Read<char>(bytes));
            Hash = Basis;
            foreach (byte b in bytes) Hash = (Hash ^ b) * Prime;
        }

        public void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16)
        {
            // A string has one form only: Latin-1 where that is enough.
            Hash = Basis;
            if (isUtf16)
            {
                ReadOnlySpan<char> text = MemoryMarshal.Cast<byte, char>(characters);
                IsName = text.Length <= JsonText.MaxNameLength && !JsonText.HasHalfPair(text);
                foreach (char c in text) Hash = (Hash ^ c) * Prime;
            }
            else
            {
                IsName = characters.Length <= JsonText.MaxNameLength;
                foreach (byte c in characters) Hash = (Hash ^ c) * Prime;
            }
        }

        public readonly void Bytes(PlanNode node, ReadOnlySpan<byte> bytes) { }
        public readonly void BeginObject(PlanNode node, bool isCase, int number) { }
        public readonly void Field(PlanNode node, int index) { }
        public readonly void EndObject(PlanNode node, bool isCase, int number) { }
        public readonly void Reference(PlanNode node, int number) { }
        public readonly void BeginList(PlanNode node, int count) { }
        public readonly void Item(int index) { }
        public readonly void EndList(PlanNode node, int count) { }
        public readonly bool BeginMap(PlanNode node, int count, NinoReader ahead) => false;
        public readonly void Key(int index, bool reminder) { }
        public readonly void Value(bool reminder) { }
        public readonly void EndPair(bool reminder) { }
        public readonly void EndMap(PlanNode node, int count, bool reminder) { }
    }
}
