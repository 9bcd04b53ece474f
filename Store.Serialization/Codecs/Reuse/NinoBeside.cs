// What filling a collection may change beside it (docs/types.md, "Collections without a setter"): a constructor or setter may have given it another member's collection, or have wrapped that, and whoever
// observes it may change other members. Told by what another member's collection holds before and behind the filling: how many elements, and, of one that has an element of a collection that
// will be filled, by its encoding.

using System.Collections;
using System.ComponentModel;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Called by generated code, once for all collections of an object that are filled. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct NinoBeside
{
    private readonly ReadOnlySpan<object?> _filled;
    private readonly NinoLimits _limits;
    private readonly bool _isNew;
    private readonly bool _isCompared;

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
    }

    /// <summary>What another collection holds: that of a member that is not filled before the first filling, that of one that is behind its own.</summary>
    /// <param name="other">The other one.</param>
    /// <param name="position">Which of those that are filled it is; -1 for another.</param>
    public Content Of<TMember, TCodec>(TMember other, int position) where TCodec : struct, INinoCodec<TMember>
    {
        if (other is null) return default;
        bool isSame = false, mayShow = false;
        for (int i = 0; i < _filled.Length; i++)
        {
            isSame |= i != position && ReferenceEquals(_filled[i], other);
            // One that is not filled yet, and shows the other, has an element of it.
            mayShow |= i > position && _isCompared && HasFirstOf(other, _filled[i]);
        }

        if (!isSame && !_isNew) return default;
        int count = Count<TMember, TCodec>(other);
        return new(count, count != 0 && (isSame || mayShow) ? DefaultFields.TryEncode<TMember, TCodec>(other) : null);
    }

    /// <summary>Refuses an object of which filling collections has changed another, or one that was filled before.</summary>
    /// <param name="content">What <see cref="Of"/> gave.</param>
    /// <param name="other">That one.</param>
    /// <param name="type">The object's type, for messages.</param>
    /// <param name="name">The member's name.</param>
    /// <exception cref="NinoSerializationException">It was changed.</exception>
    public void Check<TMember, TCodec>(Content content, TMember other, string type, string name) where TCodec : struct, INinoCodec<TMember>
    {
        if (content.Count is null) return;
        if (Count<TMember, TCodec>(other) != content.Count) throw NinoFillable.Changed(type, name);
        if (content.Encoding is null || DefaultFields.TryEncode<TMember, TCodec>(other) is not { } encoding || encoding.AsSpan().SequenceEqual(content.Encoding)) return;
        // The order of a concurrent dictionary comes of how it grew.
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

    private static bool HasFirstOf(object other, object? filled)
    {
        if (other is not IEnumerable elements || filled is not IEnumerable some) return false;
        foreach (object? first in some)
        {
            foreach (object? element in elements)
            {
                if (Equals(first, element)) return true;
            }

            return false;
        }

        return false;
    }

    // Of what does not tell how many it holds nothing is known.
    private static int Count<TMember, TCodec>(TMember collection) where TCodec : struct, INinoCodec<TMember>
    {
        switch (collection)
        {
            case null: return 0;
            case ICollection known: return known.Count;
            case not IEnumerable: return -1;
        }

        if (default(TCodec) is ICountedElements codec && codec.Count(collection) is >= 0 and int told) return told;
        int count = 0;
        foreach (object? _ in (IEnumerable)collection) count++;
        return count;
    }
}
