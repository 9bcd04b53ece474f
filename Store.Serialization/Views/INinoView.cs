// What every view is: a ref struct over the bytes of one value, made without looking at more of them than it needs. Views of collections are put together from
// views of their elements by these static members, so a loop over NinoListView<OrderLineView> is compiled with direct calls and allocates nothing.

namespace Store.Serialization;

/// <summary>
/// A value as it lies in the bytes of a record (docs/views.md). Implemented by the views of this assembly and by generated ones; called by them. Every access is
/// checked against the bytes: what does not fit is a <see cref="NinoSerializationException"/>, never memory outside of them.
/// </summary>
/// <typeparam name="TSelf">The view itself.</typeparam>
public interface INinoView<TSelf> where TSelf : struct, INinoView<TSelf>, allows ref struct
{
    /// <summary>The bytes of every value, or 0 where values differ.</summary>
    static abstract int FixedSize { get; }

    /// <summary>The least bytes of a value, at least 1.</summary>
    static abstract int MinSize { get; }

    /// <summary>Objects of a reference type: the least bytes of a body, at least 1; else 0.</summary>
    static abstract int MinBodySize { get; }

    /// <summary>Objects of a reference type: the bytes of every body where all are equally long; else 0.</summary>
    static abstract int FixedBodySize { get; }

    /// <summary>A view of the value that the bytes begin with. They may go on behind it.</summary>
    static abstract TSelf At(ReadOnlySpan<byte> value);

    /// <summary>Objects of a reference type: a view of the body that the bytes begin with.</summary>
    static abstract TSelf AtBody(ReadOnlySpan<byte> body);

    /// <summary>Moves over a value.</summary>
    static abstract void Skip(ref NinoReader reader);

    /// <summary>Objects of a reference type: moves over a body.</summary>
    static abstract void SkipBody(ref NinoReader reader);
}

/// <summary>The view of a record type: what a record as a whole can be looked at through.</summary>
/// <typeparam name="TSelf">The view itself.</typeparam>
public interface INinoRecordView<TSelf> : INinoView<TSelf> where TSelf : struct, INinoRecordView<TSelf>, allows ref struct
{
    /// <summary>The schema of the records that the view understands.</summary>
    static abstract NinoSchema Schema { get; }

    /// <summary>A view of the record that the bytes begin with.</summary>
    /// <exception cref="NinoSerializationException">There are fewer bytes than the fixed part of any such record.</exception>
    static abstract TSelf Over(ReadOnlySpan<byte> record);
}
