// What filling a collection may change beside it (docs/types.md, "Collections without a setter"): a constructor or setter may have given it another member's collection, or have wrapped that, and whoever
// observes it may change other members. Told by what another member's collection holds before and behind the filling: how many elements, and, of one that is a collection which will be filled or has
// an element of one, by its encoding.

using System.Collections;
using System.Collections.Concurrent;
using System.ComponentModel;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Called by generated code, once for all collections of an object that are filled. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct NinoBeside
{
    // Of what SpendKeyComparisons counts: making and encoding a byte of text costs as much.
    private const int StepsPerByte = 4;

    private readonly ReadOnlySpan<object?> _filled;
    private readonly NinoLimits _limits;
    private readonly bool _isNew;

    private readonly bool _isCompared;

    // Of those that have elements before they are filled, which are few, the first one of each.
    private readonly List<object>? _first;

    /// <summary>Before the first one is filled.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="isNew">The object was just made. In one that is there, only the same collection in two members is looked at.</param>
    /// <param name="filled">The collections.</param>
    public NinoBeside(ref readonly NinoReader reader, bool isNew, ReadOnlySpan<object?> filled)
    {
        _filled = filled;
        _limits = reader.Limits;
        _isNew = isNew;
        // Where references are kept elements may not have all their members yet.
        _isCompared = isNew && reader.ReferenceCount == 0;
        if (_isCompared) _first = FirstOfThoseBehind(-1);
    }

    /// <summary>What another collection holds: that of a member that is not filled before the first filling, that of one that is behind its own.</summary>
    /// <param name="other">The other one.</param>
    /// <param name="position">Which of those that are filled it is; -1 for another.</param>
    public Content Of<TMember, TCodec>(TMember other, int position) where TCodec : struct, INinoCodec<TMember>
    {
        bool isSame = other is not null && IsAnotherFilled(other, position);
        if (!isSame && !_isNew) return default;
        int count = Count<TMember, TCodec>(other);
        return new(count, count != 0 && (isSame || HasElementOf(other, position)) ? DefaultFields.TryEncode<TMember, TCodec>(other, _limits) : null);
    }

    /// <summary>
    /// Counts what encoding it costs, now and behind the filling. Objects inside of one another are encoded with each that is around them, so input could make a hundred times its own length of that: counted is what is deeper inside
    /// than is ordinary.
    /// </summary>
    /// <param name="reader">The record.</param>
    /// <param name="content">What <see cref="Of"/> gave.</param>
    /// <returns>That.</returns>
    /// <exception cref="NinoSerializationException">The record has taken more than <see cref="NinoLimits.MaxKeyComparisons"/>.</exception>
    public static Content Counted(ref NinoReader reader, Content content)
    {
        if (content.Encoding is { } encoding && reader.IsDeep) reader.SpendKeyComparisons(2L * StepsPerByte * encoding.Length);
        return content;
    }

    /// <summary>Refuses an object of which filling collections has changed another, or one that was filled before.</summary>
    /// <param name="content">What <see cref="Of"/> gave.</param>
    /// <param name="other">That one.</param>
    /// <param name="type">The object's type, for messages.</param>
    /// <param name="name">The member's name.</param>
    /// <exception cref="NinoSerializationException">It was changed.</exception>
    public void Check<TMember, TCodec>(Content content, TMember other, string type, string name) where TCodec : struct, INinoCodec<TMember>
    {
        if (content.Count is not { } before) return;
        int count = Count<TMember, TCodec>(other);
        // Whoever takes elements out while others put them in may do so at any time.
        bool isTold = count >= 0 && before >= 0;
        if (isTold && (count > before || (count < before && !IsTakenFrom(other)))) throw NinoFillable.Changed(type, name);
        if ((isTold && count < before) || content.Encoding is null || DefaultFields.TryEncode<TMember, TCodec>(other, _limits) is not { } encoding || encoding.AsSpan().SequenceEqual(content.Encoding)) return;
        // The order of these says nothing: that of a concurrent one comes of how it grew.
        if (!IsOfPairs(other)) throw NinoFillable.Changed(type, name);
        NinoSchema schema = NinoViews.SchemaOf<TMember, TCodec>();
        if (UnorderedText.Of(schema, encoding, _limits) != UnorderedText.Of(schema, content.Encoding, _limits)) throw NinoFillable.Changed(type, name);
    }

    /// <summary>What a collection holds.</summary>
    public readonly struct Content
    {
        internal Content(int count, byte[]? encoding) => (Count, Encoding) = (count, encoding);

        // Null where nothing is compared; -1 where it does not tell.
        internal int? Count { get; }

        internal byte[]? Encoding { get; }
    }

    private bool IsAnotherFilled(object other, int position)
    {
        for (int i = 0; i < _filled.Length; i++)
        {
            if (i != position && ReferenceEquals(_filled[i], other)) return true;
        }

        return false;
    }

    /// <summary>A collection that will be filled is another member's, too, in an object that is there: reading into one would be reading into both.</summary>
    public static bool IsShared(ReadOnlySpan<object?> filled, ReadOnlySpan<object?> others)
    {
        foreach (object? one in filled)
        {
            foreach (object? other in others)
            {
                if (one is not null && ReferenceEquals(one, other)) return true;
            }
        }

        return false;
    }

    // What shows a collection that is not filled yet has an element of it: one that was filled just now may be shown by others since.
    private bool HasElementOf(object? other, int position)
    {
        if (!_isCompared || other is not IEnumerable elements || (position < 0 ? _first : FirstOfThoseBehind(position)) is not { } first) return false;
        try
        {
            foreach (object? element in elements)
            {
                foreach (object one in first)
                {
                    if (MayBeSame(element, one)) return true;
                }
            }
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            return true;
        }

        return false;
    }

    private List<object>? FirstOfThoseBehind(int position)
    {
        List<object>? all = null;
        for (int i = position + 1; i < _filled.Length; i++)
        {
            if (FirstOf(_filled[i]) is { } first) (all ??= []).Add(first);
        }

        return all;
    }

    // Objects are what they are wherever they are shown; structs, pairs among them, what their Equals says, where that says of one that it is itself.
    private static bool MayBeSame(object? element, object first) =>
        ReferenceEquals(element, first) || (first is ValueType && element?.GetType() == first.GetType() && (first.Equals(element) || !first.Equals(first)));

    private static object? FirstOf(object? filled)
    {
        try
        {
            if (filled is ICollection { Count: 0 } or not IEnumerable) return null;
            foreach (object? first in (IEnumerable)filled) return first;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            // Of what shows nothing, nothing is another's.
        }

        return null;
    }

    // -1 for what does not tell how many it holds.
    private static int Count<TMember, TCodec>(TMember collection) where TCodec : struct, INinoCodec<TMember>
    {
        if (collection is null) return 0;
        if (collection is string or not IEnumerable) return -1;
        try
        {
            if (default(TCodec) is ICountedElements codec && codec.Count(collection) is >= 0 and int told) return told;
            if (collection is ICollection known) return known.Count;
            int count = 0;
            foreach (object? _ in (IEnumerable)collection) count++;
            return count;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            return -1;
        }
    }

    private static bool IsTakenFrom(object? collection) =>
        collection?.GetType() is { IsGenericType: true } type && type.Namespace == typeof(ConcurrentQueue<>).Namespace && type.GetGenericTypeDefinition() != typeof(ConcurrentDictionary<,>);

    private static bool IsOfPairs(object? collection) =>
        collection?.GetType() is { IsGenericType: true } type && (type.GetGenericTypeDefinition() == typeof(ConcurrentDictionary<,>) || type.GetGenericTypeDefinition() == typeof(Dictionary<,>));
}
