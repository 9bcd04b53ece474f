// A constructor or setter may hand what it is given to a collection that is filled (docs/types.md, "Collections without a setter"): a class that passes its list to its base, wraps it, or takes it out of
// another object. Filling would then change what another member stores. Whether it did is told by what is stored of that member, written before and behind the filling.

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
        if (target is null || given is null) return null;
        // Where references are kept, what is stored of a member may lead back to the object whose collection is filled, and to all others: only the collection itself is looked for.
        if (reader.ReferenceCount > 0 && !ReferenceEquals(target, given)) return null;
        return Write<T, TCodec>(in reader, given);
    }

    /// <summary>Refuses an object in which filling the collection has changed the other member.</summary>
    /// <param name="reader">The record.</param>
    /// <param name="stored">What <see cref="Stored"/> gave.</param>
    /// <param name="given">The other member's value.</param>
    /// <param name="member">The member that was filled, for messages.</param>
    /// <param name="other">The other one's name.</param>
    /// <exception cref="NinoSerializationException">It has.</exception>
    public static void Check<T, TCodec>(ref readonly NinoReader reader, byte[]? stored, T given, string member, string other) where TCodec : struct, INinoCodec<T>
    {
        if (stored is not null && !stored.AsSpan().SequenceEqual(Write<T, TCodec>(in reader, given))) throw NinoFillable.IsGiven(member, other);
    }

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
