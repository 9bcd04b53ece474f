// A constructor or setter may hand what it is given to a collection that is filled (docs/types.md, "Collections without a setter"): a class that passes its list to its base, wraps it, or takes it out of
// another object. Filling would then change what another member stores. Whether it did is told by what is stored of that member, written before and behind the filling.

using System.Collections;
using System.Collections.Concurrent;
using System.ComponentModel;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoGiven
{
    /// <summary>Before a collection is filled that code of the type may have been given in another member: what is stored of that member.</summary>
    /// <typeparam name="T">The other member's type.</typeparam>
    /// <typeparam name="TCodec">Its codec.</typeparam>
    /// <param name="reader">The record.</param>
    /// <param name="target">The collection.</param>
    /// <param name="given">The other member's value.</param>
    /// <returns>Null where nothing is to be compared.</returns>
    public static byte[]? Stored<T, TCodec>(ref readonly NinoReader reader, object? target, T given) where TCodec : struct, INinoCodec<T>
    {
        // Where references are kept, what is stored of a member may lead back to the object whose collection is filled, and to all others: only the collection itself is looked for.
        if (target is null || given is null || (reader.ReferenceCount > 0 && !ReferenceEquals(target, given))) return null;
        return TryWrite<T, TCodec>(in reader, target, given);
    }

    /// <summary>What is stored of a member whose value code of the type makes of what was read, before it does: a setter may change that. Null where it is not known.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="read">What was read.</param>
    public static byte[]? Read<T, TCodec>(ref readonly NinoReader reader, T read) where TCodec : struct, INinoCodec<T> => reader.ReferenceCount > 0 ? null : TryWrite<T, TCodec>(in reader, target: null, read);

    /// <summary>As <see cref="Stored"/>, of a member that is filled too: only the same collection is looked for.</summary>
    /// <inheritdoc cref="Stored" path="/param|/returns"/>
    public static byte[]? StoredIfSame<T, TCodec>(ref readonly NinoReader reader, object? target, T given) where TCodec : struct, INinoCodec<T> =>
        ReferenceEquals(target, given) ? Stored<T, TCodec>(in reader, target, given) : null;

    /// <summary>Refuses an object in which filling the collection has made something else of the other member than it was, and than was read.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="target">The collection.</param>
    /// <param name="before">What <see cref="Stored"/> gave.</param>
    /// <param name="read">What <see cref="Read"/> gave, where code makes the other member's value of what was read; else null.</param>
    /// <param name="given">The other member's value.</param>
    /// <param name="member">The member that was filled, for messages.</param>
    /// <param name="other">The other one's name.</param>
    /// <exception cref="NinoSerializationException">It has.</exception>
    public static void Check<T, TCodec>(ref readonly NinoReader reader, object? target, byte[]? before, byte[]? read, T given, string member, string other) where TCodec : struct, INinoCodec<T>
    {
        if (before is null) return;
        byte[] behind = Write<T, TCodec>(in reader, target, given);
        if (behind.AsSpan().SequenceEqual(before) || (read is not null && behind.AsSpan().SequenceEqual(read))) return;
        // A codec that writes a value now so and now so tells nothing.
        if (behind.AsSpan().SequenceEqual(Write<T, TCodec>(in reader, target, given))) throw NinoFillable.IsGiven(member, other);
    }

    private static byte[]? TryWrite<T, TCodec>(ref readonly NinoReader reader, object? target, T value) where TCodec : struct, INinoCodec<T>
    {
        try
        {
            return Write<T, TCodec>(in reader, target, value);
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            // What cannot be written, as by a codec that only reads, or of an object of which not all is read, cannot be compared.
            return null;
        }
    }

    // The order of a concurrent dictionary comes of how it grew: the pairs are written one by one, and sorted.
    private static byte[] Write<T, TCodec>(ref readonly NinoReader reader, object? target, T value) where TCodec : struct, INinoCodec<T>
    {
        if (!ReferenceEquals(target, value) || target is not IDictionary map || !IsConcurrent(target.GetType())) return Write<T, TCodec>(in reader, value);
        List<DictionaryEntry> entries = [];
        // As a dictionary it gives entries, as an enumerable pairs.
        foreach (DictionaryEntry entry in map) entries.Add(entry);
        List<byte[]> written = [];
        try
        {
            foreach (DictionaryEntry entry in entries)
            {
                map.Clear();
                map.Add(entry.Key, entry.Value);
                written.Add(Write<T, TCodec>(in reader, value));
            }
        }
        finally
        {
            map.Clear();
            foreach (DictionaryEntry entry in entries) map.Add(entry.Key, entry.Value);
        }

        written.Sort(static (one, other) => one.AsSpan().SequenceCompareTo(other));
        return [.. written.SelectMany(static one => one)];
    }

    private static bool IsConcurrent(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ConcurrentDictionary<,>);

    // Nobody asked for it: callbacks are not run.
    private static byte[] Write<T, TCodec>(ref readonly NinoReader reader, T value) where TCodec : struct, INinoCodec<T>
    {
        NinoLimits limits = reader.Limits;
        return NinoGenerated.Unasked(() =>
        {
            ScratchBuffer scratch = ScratchBuffer.Rent();
            try
            {
                var writer = new NinoWriter(scratch, limits, Array.MaxLength) { IsUnasked = true };
                default(TCodec).Write(ref writer, in value);
                return scratch.ToArray(ref writer);
            }
            finally
            {
                scratch.Return();
            }
        });
    }
}
