// Streams of items whose type is known at run time only. The bytes are those of the typed verbs.

using System.IO.Pipelines;
using Store.Serialization.Streaming;

namespace Store.Serialization;

/// <content>Items whose type is known at run time only.</content>
public static partial class NinoSerializer
{
    /// <summary>As <see cref="SerializeItemsAsync{T}(PipeWriter, IAsyncEnumerable{T}, NinoLimits?, CancellationToken)"/>, of a type that is known at run time only. Returns the number of items.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="items">The items: none of them null, all of that type or, where it is a base, of its cases.</param>
    /// <param name="type">A registered type, or an array or list of one.</param>
    /// <param name="limits">Bounds of one item.</param>
    /// <param name="cancellationToken">Stops between items and during a flush.</param>
    /// <exception cref="ArgumentException">An item is not of that type. The items before it are in the pipe.</exception>
    /// <inheritdoc cref="SerializeItemsAsync{T}(PipeWriter, IAsyncEnumerable{T}, NinoLimits?, CancellationToken)" path="/exception"/>
    public static ValueTask<long> SerializeItemsAsync(PipeWriter output, IAsyncEnumerable<object> items, Type type, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(items);
        return ItemWriter.WriteAsync(output, items, new UntypedItemCodec(UntypedRecord.Of(type)), limits, cancellationToken);
    }

    /// <summary>As <see cref="SerializeItemsAsync(PipeWriter, IAsyncEnumerable{object}, Type, NinoLimits?, CancellationToken)"/>, to a stream, which stays open and is flushed. After an exception the stream lacks up to 64 KiB of the items before, and the mark for their end.</summary>
    /// <exception cref="ArgumentException">An item is not of that type.</exception>
    /// <inheritdoc cref="SerializeItemsAsync{T}(Stream, IAsyncEnumerable{T}, NinoLimits?, CancellationToken)" path="/exception"/>
    public static ValueTask<long> SerializeItemsAsync(Stream output, IAsyncEnumerable<object> items, Type type, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(items);
        return ItemWriter.WriteAsync(output, items, new UntypedItemCodec(UntypedRecord.Of(type)), limits, cancellationToken);
    }

    /// <summary>As <see cref="DeserializeItemsAsync{T}(PipeReader, NinoLimits?, CancellationToken)"/>, of a type that is known at run time only.</summary>
    /// <param name="type">The type they were written as.</param>
    /// <param name="source">The pipe.</param>
    /// <param name="limits">Bounds of one item.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    /// <inheritdoc cref="DeserializeItemsAsync{T}(PipeReader, NinoLimits?, CancellationToken)" path="/exception"/>
    public static IAsyncEnumerable<object> DeserializeItemsAsync(Type type, PipeReader source, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return ItemReader.ReadAsync<object, UntypedItemCodec>(source, new UntypedItemCodec(UntypedRecord.Of(type)), limits, cancellationToken);
    }

    /// <summary>As <see cref="DeserializeItemsAsync(Type, PipeReader, NinoLimits?, CancellationToken)"/>, from a stream, which stays open. Its position afterwards may be behind the last item: the stream is read ahead.</summary>
    /// <inheritdoc cref="DeserializeItemsAsync{T}(Stream, NinoLimits?, CancellationToken)" path="/exception"/>
    public static IAsyncEnumerable<object> DeserializeItemsAsync(Type type, Stream source, NinoLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return ItemReader.ReadAsync<object, UntypedItemCodec>(source, new UntypedItemCodec(UntypedRecord.Of(type)), limits, cancellationToken);
    }
}
