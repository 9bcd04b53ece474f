// What adding keys to a hashed collection costs: a key is compared with all that are in its bucket. The framework's Dictionary, HashSet and OrderedDictionary
// have as many buckets as their Capacity and choose one by hash code modulo that; BucketTests holds them to it.
//
// To count every key would make reading honest ones slower by half. One in 64, at distances that nobody can foresee, is looked at; when four of these fall
// into one bucket, as keys without a plan hardly ever do, all are counted, those before too. So a bucket of many keys is found when it has about 256, and one
// of 2,048 is missed once in ten thousand million times.

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>How many keys each bucket of a collection has. Pooled arrays: <see cref="Return"/> gives them back; those that an exception leaves behind are collected.</summary>
internal struct KeyChains
{
    /// <summary>Collections of up to so many keys are not counted: each of their keys takes half as many steps at most.</summary>
    public const int FreeKeys = 1024;

    /// <summary>So many keys in one bucket are ordinary, and free.</summary>
    public const int FreeLength = 16;

    private const int MeanDistance = 64;
    private const int Suspicious = 4;

    // Of the keys that are looked at, and of all.
    private byte[]? _some;
    private int[]? _all;
    private uint _buckets;
    private uint _random;

    /// <summary>How many buckets there are.</summary>
    public readonly int Buckets => (int)_buckets;

    /// <summary>True when all keys are counted.</summary>
    public readonly bool CountsAll => _all is not null;

    /// <summary>True when so many keys of this type are looked at. Strings are not, by any comparer that records keep: the runtime gives them another hash code in each process.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool AreCounted<TKey>(int count) => count > FreeKeys && typeof(TKey) != typeof(string);

    /// <summary>The hash code that collections with the default comparer find a key by.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint HashOf<TKey>(TKey key) => key is null ? 0 : (uint)key.GetHashCode();

    /// <summary>Begins with empty buckets, to look at some keys.</summary>
    /// <param name="buckets">How many, 1 or more: the capacity of a collection.</param>
    public void Begin(int buckets)
    {
        Return();
        _some = ArrayPool<byte>.Shared.Rent(buckets);
        _some.AsSpan(0, buckets).Clear();
        _buckets = (uint)buckets;
        if (_random == 0) _random = (uint)Random.Shared.Next() | 1;
    }

    /// <summary>Begins with empty buckets, to count all keys.</summary>
    /// <inheritdoc cref="Begin" path="/param"/>
    public void BeginAll(int buckets)
    {
        Return();
        _all = ArrayPool<int>.Shared.Rent(buckets);
        _all.AsSpan(0, buckets).Clear();
        _buckets = (uint)buckets;
    }

    /// <summary>How many keys further on the next one is to be looked at: 1 to 127, or 1 when all are counted.</summary>
    public int Distance()
    {
        if (CountsAll) return 1;
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return 1 + (int)(_random % (2 * MeanDistance - 1));
    }

    /// <summary>Begins anew where a collection has grown, as it does with the key that finds it full. True when all that are there have to be counted again (<see cref="Count"/>).</summary>
    public bool BeginIfGrown(int count, int capacity)
    {
        if (count <= Buckets) return false;
        bool countsAll = CountsAll;
        if (countsAll) BeginAll(capacity);
        else Begin(capacity);
        return countsAll;
    }

    /// <summary>Looks at one of some keys. True when from now on all have to be counted.</summary>
    public readonly bool Look(uint hash) => ++_some![hash % _buckets] == Suspicious;

    /// <summary>Counts a key that is there already.</summary>
    public readonly void Count(uint hash) => _all![hash % _buckets]++;

    /// <summary>Counts a key that is added, and the steps that this takes beyond the ordinary.</summary>
    /// <exception cref="NinoSerializationException">The record has taken more than it may.</exception>
    public readonly void Add(ref NinoReader reader, uint hash)
    {
        int length = _all![hash % _buckets]++;
        if (length > FreeLength) reader.SpendKeyComparisons(length - FreeLength);
    }

    /// <summary>Gives the arrays back.</summary>
    public void Return()
    {
        if (_some is not null) ArrayPool<byte>.Shared.Return(_some);
        if (_all is not null) ArrayPool<int>.Shared.Return(_all);
        _some = null;
        _all = null;
    }
}
