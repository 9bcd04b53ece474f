// Looking into a snapshot without making objects: generated views over its mapped bytes, inside a callback. The view is a ref struct and the bytes are only lent, so
// neither can outlive the mapping.

using Store.Reading;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>Views of the values and items of a snapshot. Safe for any number of threads.</summary>
public static class SnapshotViews
{
    /// <summary>Lends a view of the value of a part, after verifying all of its bytes. A value that was stored in another shape of its type is rewritten in memory first.</summary>
    /// <typeparam name="TView">The generated view of the value's type.</typeparam>
    /// <typeparam name="TArgument">What the callback is given.</typeparam>
    /// <typeparam name="TResult">What it returns.</typeparam>
    /// <param name="part">The part.</param>
    /// <param name="argument">Handed to <paramref name="use"/>, so that it need not capture anything.</param>
    /// <param name="use">Gets the view, which is valid only inside it. What it asks of the view throws <see cref="NinoSerializationException"/> where the bytes are no record of the type.</param>
    /// <exception cref="InvalidOperationException">The part is a stream of items.</exception>
    /// <exception cref="SchemaMismatchException">It is of another type, or of a shape that cannot be read as the type is now.</exception>
    /// <exception cref="StoreCorruptException">The data is damaged.</exception>
    /// <exception cref="StoreException">The value has 2 GiB or more, which no span has; or the disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public static TResult UseView<TView, TArgument, TResult>(this SnapshotPart part, TArgument argument, Func<TView, TArgument, TResult> use)
        where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(part);
        ArgumentNullException.ThrowIfNull(use);
        if (part.HasItems) throw new InvalidOperationException($"'{part.Name}' is a stream of items; look at one with {nameof(UseItemView)}.");
        if (part.DataLengthBytes > int.MaxValue) throw new StoreException($"The value of the part '{part.Name}' has {part.DataLengthBytes} bytes; a view spans at most {int.MaxValue}. Look at its bytes piece by piece with {nameof(SnapshotPart.UseData)}.");
        NinoViewBuffer? buffer = BufferFor<TView>(part);
        TResult result = part.UseData(0, (int)part.DataLengthBytes, (Schema: part.Schema, Buffer: buffer, Argument: argument, Use: use),
            static (bytes, context) => context.Use(NinoView.Open<TView>(bytes, context.Schema, context.Buffer!, StoredLimits.Default), context.Argument));
        if (buffer is not null) part.GiveBack(buffer);
        return result;
    }

    /// <summary>Lends a view of an item, verified and not copied.</summary>
    /// <param name="part">The part.</param>
    /// <param name="index">Number of the item, from 0.</param>
    /// <param name="argument">Handed to <paramref name="use"/>.</param>
    /// <param name="use">As in <see cref="UseView"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such item.</exception>
    /// <exception cref="InvalidOperationException">The part is one value.</exception>
    /// <inheritdoc cref="UseView" path="/typeparam"/>
    /// <exception cref="SchemaMismatchException">The items are of another type, or of a shape that cannot be read as the type is now.</exception>
    /// <exception cref="StoreCorruptException">The item, or the index, is damaged.</exception>
    /// <exception cref="StoreException">The disk cannot read a sector that is needed: the exception names file and offset.</exception>
    public static TResult UseItemView<TView, TArgument, TResult>(this SnapshotPart part, long index, TArgument argument, Func<TView, TArgument, TResult> use)
        where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(part);
        ArgumentNullException.ThrowIfNull(use);
        NinoViewBuffer? buffer = BufferFor<TView>(part);
        TResult result = part.UseItem(index, (Schema: part.Schema, Buffer: buffer, Argument: argument, Use: use),
            static (bytes, context) => context.Use(NinoView.Open<TView>(bytes, context.Schema, context.Buffer!, StoredLimits.Default), context.Argument));
        if (buffer is not null) part.GiveBack(buffer);
        return result;
    }

    /// <summary>Counts the items that a filter lets through. No item is made.</summary>
    /// <param name="part">The part.</param>
    /// <param name="argument">Handed to <paramref name="filter"/>.</param>
    /// <param name="filter">Gets a view of each item, which is valid only inside it.</param>
    /// <inheritdoc cref="UseItemView" path="/exception"/>
    public static long CountItems<TView, TArgument>(this SnapshotPart part, TArgument argument, Func<TView, TArgument, bool> filter)
        where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(part);
        ArgumentNullException.ThrowIfNull(filter);
        long items = part.ItemCount, found = 0;
        var context = (Schema: part.Schema, Buffer: BufferFor<TView>(part), Argument: argument, Filter: filter);
        for (long i = 0; i < items; i++)
        {
            if (part.UseItem(i, context, static (bytes, context) => context.Filter(NinoView.Open<TView>(bytes, context.Schema, context.Buffer!, StoredLimits.Default), context.Argument))) found++;
        }

        if (context.Buffer is not null) part.GiveBack(context.Buffer);

        return found;
    }

    // Null where the stored shape is the view's own, which needs none. A mismatch is found here, before any byte is lent.
    private static NinoViewBuffer? BufferFor<TView>(SnapshotPart part) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        NinoSchema stored = part.Schema, own = TView.Schema;
        if (stored.Fingerprint == own.Fingerprint && stored.Name == own.Name) return null;
        if (!NinoView.IsOf<TView>(stored))
            throw new SchemaMismatchException($"The part '{part.Name}' of the snapshot holds '{stored.Name}', and the view is of '{own.Name}'. Take the view of its own type{FormerName.IfRenamed(stored, own)}.");
        try
        {
            NinoView.CheckReadable<TView>(stored);
            return part.TakeViewBuffer();
        }
        catch (NinoSchemaMismatchException error)
        {
            throw new SchemaMismatchException($"The part '{part.Name}' of the snapshot: {error.Message}", null, error);
        }
    }
}
