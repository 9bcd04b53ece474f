// A constructor or setter may hand what it is given to a collection that is filled (docs/types.md, "Collections without a setter"): a class that passes its list to its base, wraps it, or takes it out of
// another object. Filling would then change what another member stores. Whether it did is told by what is stored of that member, written before the first and behind the last filling.

using System.Collections;
using System.Collections.Concurrent;
using System.ComponentModel;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
/// <typeparam name="T">A type with collections that are filled and may be, or show, what other members have.</typeparam>
/// <param name="given">Those other members. What <see cref="Read"/> and <see cref="Before"/> give has as many places, in that order.</param>
/// <param name="filled">The collections.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoGiven<T>(NinoGivenMember<T>[] given, NinoFilledMember<T>[] filled)
{
    /// <summary>Room for what was read, by member; a member stays null whose value nobody but the codec has made.</summary>
    public byte[]?[] Read() => new byte[]?[given.Length];

    /// <summary>Before the first collection is filled, and when all other members are set: what is stored of each of those, or null where that is not known.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="value">The object.</param>
    public byte[]?[] Before(ref readonly NinoReader reader, ref T value)
    {
        byte[]?[] before = new byte[]?[given.Length];
        for (int i = 0; i < given.Length; i++) before[i] = TryWrite(given[i], in reader, ref value);
        return before;
    }

    /// <summary>Refuses an object in which filling has made something else of another member than it was, and than was read.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="value">The object.</param>
    /// <param name="before">What <see cref="Before"/> gave.</param>
    /// <param name="read">What was read, where code of the type makes the member's value of that.</param>
    /// <exception cref="NinoSerializationException">It has.</exception>
    public void Check(ref readonly NinoReader reader, ref T value, byte[]?[] before, byte[]?[] read)
    {
        for (int i = 0; i < given.Length; i++)
        {
            if (before[i] is not { } first) continue;
            byte[]? behind = TryWrite(given[i], in reader, ref value);
            if (IsOne(given[i], first, behind, ref value, reader.Limits) || IsOne(given[i], read[i], behind, ref value, reader.Limits)) continue;
            // What is written now so and now so tells nothing.
            if (behind is null || IsOne(given[i], behind, TryWrite(given[i], in reader, ref value), ref value, reader.Limits)) throw NinoFillable.IsGiven(string.Join("' or '", filled.Select(static one => one.Name)), given[i].Name);
        }
    }

    private byte[]? TryWrite(NinoGivenMember<T> member, ref readonly NinoReader reader, ref T value)
    {
        try
        {
            // Where references are kept, what is stored of a member may lead back to the object whose collection is filled, and to all others: only the collection itself is looked for.
            return reader.ReferenceCount == 0 || IsFilled(member, ref value) ? member.Write(ref value, reader.Limits) : null;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            // What cannot be written, as by a codec that only reads, or of an object of which not all is read, cannot be compared.
            return null;
        }
    }

    // The order of a concurrent dictionary comes of how it grew.
    private bool IsOne(NinoGivenMember<T> member, byte[]? one, byte[]? other, ref T value, NinoLimits limits)
    {
        if (one is null || other is null) return false;
        if (one.AsSpan().SequenceEqual(other)) return true;
        foreach (NinoFilledMember<T> each in filled)
        {
            if (each.Get(ref value) is IDictionary map && map.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(ConcurrentDictionary<,>)) return UnorderedText.Of(member.Schema, one, limits) == UnorderedText.Of(member.Schema, other, limits);
        }

        return false;
    }

    private bool IsFilled(NinoGivenMember<T> member, ref T value)
    {
        foreach (NinoFilledMember<T> each in filled)
        {
            if (each.Get(ref value) is { } collection && member.Is(ref value, collection)) return true;
        }

        return false;
    }
}

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoGiven
{
    /// <summary>What is stored of a member whose value code of the type makes of what was read, before it does: a setter may change that. Null where it is not known.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="read">What was read.</param>
    public static byte[]? Read<TMember, TCodec>(ref readonly NinoReader reader, TMember read) where TCodec : struct, INinoCodec<TMember>
    {
        if (reader.ReferenceCount > 0) return null;
        try
        {
            return Write<TMember, TCodec>(read, reader.Limits);
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            return null;
        }
    }

    /// <summary>Before a collection is filled that may be, or show, one that was filled: what is stored of that. Null where it is seen that it is none.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="target">The collection that will be filled.</param>
    /// <param name="filled">The one that was.</param>
    public static byte[]? Filled<TMember, TCodec>(ref readonly NinoReader reader, object? target, TMember filled) where TCodec : struct, INinoCodec<TMember> =>
        target is not null && filled is not null && (ReferenceEquals(target, filled) || (reader.ReferenceCount == 0 && (!IsEmpty(target) || IsEmpty(filled)))) ? Read<TMember, TCodec>(in reader, filled) : null;

    /// <summary>Refuses an object of which one collection was filled and changed by filling another.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="before">What <see cref="Filled"/> gave.</param>
    /// <param name="filled">The one that was filled first.</param>
    /// <param name="member">The one that was filled now, for messages.</param>
    /// <param name="other">The first one's name.</param>
    /// <exception cref="NinoSerializationException">It was changed.</exception>
    public static void CheckFilled<TMember, TCodec>(ref readonly NinoReader reader, byte[]? before, TMember filled, string member, string other) where TCodec : struct, INinoCodec<TMember>
    {
        if (before is null || Read<TMember, TCodec>(in reader, filled) is not { } behind || before.AsSpan().SequenceEqual(behind)) return;
        NinoSchema schema = NinoViews.SchemaOf<TMember, TCodec>();
        if (UnorderedText.Of(schema, before, reader.Limits) != UnorderedText.Of(schema, behind, reader.Limits)) throw NinoFillable.IsGiven(member, other);
    }

    // Nobody asked for it: callbacks are not run.
    internal static byte[] Write<TMember, TCodec>(TMember value, NinoLimits limits) where TCodec : struct, INinoCodec<TMember> => NinoGenerated.Unasked(() => NinoGenerated.Encode<TMember, TCodec>(value, limits));

    // What has no elements cannot show what has some. Of a priority queue nothing is asked.
    private static bool IsEmpty(object collection)
    {
        if (collection is not IEnumerable some) return false;
        IEnumerator elements = some.GetEnumerator();
        try
        {
            return !elements.MoveNext();
        }
        finally
        {
            (elements as IDisposable)?.Dispose();
        }
    }
}
