// A member without a setter whose collection is filled: the object has made the collection, and keeps it.

namespace Store.Serialization.Generator.Model;

/// <param name="Kind">How it is filled.</param>
/// <param name="Arguments">Its element, or its key and value, as C# source names them between angle brackets; of a <see cref="FillKind.Loose"/> the name of the method.</param>
/// <param name="Member">Type and name, for messages.</param>
/// <param name="IsUnseen">Nothing shows that the getter gives the same collection each time: it is asked twice.</param>
internal sealed record FillModel(FillKind Kind, string Arguments, string Member, bool IsUnseen);

internal enum FillKind
{
    /// <summary>An ICollection&lt;T&gt;.</summary>
    Elements,

    /// <summary>An IDictionary&lt;TKey, TValue&gt;.</summary>
    Pairs,

    /// <summary>An ICollection&lt;KeyValuePair&lt;TKey, TValue&gt;&gt;, which may be a dictionary.</summary>
    Entries,

    /// <summary>A queue, stack or bag: NinoFillOther has a method for each.</summary>
    Other,

    /// <summary>A collection of the user's without type arguments: NinoFillLoose has a method for each kind.</summary>
    Loose,
}
