// Items from a pipe: as many as have arrived are decoded, one is in the caller's hands at a time, and no more is waited for than the item at hand needs.

using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Streaming;

internal static class ItemReader
{
    /// <summary>From a stream, which stays open and is read ahead.</summary>
    public static async IAsyncEnumerable<T> ReadAsync<T, TCodec>(Stream input, TCodec codec, NinoLimits? limits, [EnumeratorCancellation] CancellationToken cancellationToken) where TCodec : struct, IItemCodec<T>
    {
        PipeReader pipe = PipeReader.Create(new CheckedReads(input), new StreamPipeReaderOptions(leaveOpen: true));
        try
        {
            await foreach (T item in ReadAsync<T, TCodec>(pipe, codec, limits, cancellationToken).ConfigureAwait(false)) yield return item;
        }
        finally
        {
            await pipe.CompleteAsync().ConfigureAwait(false);
        }
    }

    public static async IAsyncEnumerable<T> ReadAsync<T, TCodec>(PipeReader input, TCodec codec, NinoLimits? limits, [EnumeratorCancellation] CancellationToken cancellationToken) where TCodec : struct, IItemCodec<T>
    {
        NinoSchema? stored = null;
        long count = 0, taken = 0;
        bool isEnd = false;
        bool isWithCaller = false;
        while (!isEnd)
        {
            ReadResult result = await input.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> rest = result.Buffer;
            SequencePosition examined = rest.Start;
            long arrived = taken + rest.Length;
            try
            {
                if (result.IsCanceled) throw new OperationCanceledException("The read was cancelled by PipeReader.CancelPendingRead.");
                stored ??= TryReadHeader<T, TCodec>(codec, ref rest);
                examined = rest.Start;
                while (stored is not null && TryReadItem(codec, stored, ref rest, limits, count, arrived, out T item, out isEnd))
                {
                    if (isEnd) break;
                    count++;
                    examined = rest.Start;
                    isWithCaller = true;
                    yield return item;
                    isWithCaller = false;
                    cancellationToken.ThrowIfCancellationRequested();
                }

                if (!isEnd && result.IsCompleted) throw Truncated(codec.Schema.Name, isHeader: stored is null, count, arrived);

                // Without the rest of what is under way there is nothing to do. A caller that stops earlier has seen no more than its items.
                examined = isEnd ? rest.Start : result.Buffer.End;
            }
            finally
            {
                taken = arrived - rest.Length;
                try
                {
                    input.AdvanceTo(rest.Start, examined);
                }
                catch (InvalidOperationException) when (isWithCaller)
                {
                    // Who has the item has completed the pipe, or read on from it by himself, and stops: there is nothing to hand back, and an exception of his own would be lost behind this one. That he left by
                    // break and not by an exception is not to be seen here, so a pipe that refuses for another reason is not told from it: it tells whoever reads on. What else fails, such as what lies
                    // behind the pipe, is no InvalidOperationException and comes through.
                }
            }
        }
    }

    private static NinoSerializationException Truncated(string name, bool isHeader, long count, long offset) =>
        new($"Items '{name}', byte {offset}: they end {(isHeader ? "before their header does" : $"after {count} without the mark for their end")}. The stream is truncated.") { TypeName = name, ByteOffset = offset };

    /// <summary>Takes the header off, which is the first of the bytes. Null, and nothing is taken, when it has not arrived as a whole.</summary>
    private static NinoSchema? TryReadHeader<T, TCodec>(TCodec codec, ref ReadOnlySequence<byte> rest) where TCodec : struct, IItemCodec<T>
    {
        long part = 0;
        try
        {
            return TryReadHeader<T, TCodec>(codec, ref rest, ref part);
        }
        catch (NinoSerializationException error) when (error is not NinoSchemaMismatchException)
        {
            // What is wrong with the schema tells where in it.
            string name = codec.Schema.Name;
            long offset = part + Math.Max(error.ByteOffset, 0);
            throw new NinoSerializationException($"Header of items '{name}', byte {offset}: {error.Message}", error.InnerException ?? error) { TypeName = name, ByteOffset = offset };
        }
    }

    private static NinoSchema? TryReadHeader<T, TCodec>(TCodec codec, ref ReadOnlySequence<byte> rest, ref long part) where TCodec : struct, IItemCodec<T>
    {
        var reader = new SequenceReader<byte>(rest);
        Span<byte> start = stackalloc byte[ItemFormat.Magic.Length + 1];
        ReadOnlySequence<byte> seen = rest.Slice(0, Math.Min(rest.Length, start.Length));
        seen.CopyTo(start);
        int compared = (int)Math.Min(seen.Length, ItemFormat.Magic.Length);
        part = start[..compared].CommonPrefixLength(ItemFormat.Magic);
        if (part < compared) throw new NinoSerializationException("The bytes do not start like a stream of items.");
        if (seen.Length < start.Length) return null;
        if (start[^1] != ItemFormat.Version) throw new NinoSerializationException($"The stream of items has the version {start[^1]}; this engine knows version {ItemFormat.Version}.");
        reader.Advance(start.Length);
        part = reader.Consumed;
        if (!TryReadCompact(ref reader, out uint length)) return null;
        if (length > SchemaEncoding.MaxBytes) throw new NinoSerializationException($"A schema of {length} bytes is longer than the {SchemaEncoding.MaxBytes} allowed.");
        if (reader.Remaining < length) return null;

        part = reader.Consumed;
        NinoSchema stored = codec.StoredSchema(rest.Slice(reader.Position, length).ToArray());
        codec.CheckReadable(stored);
        rest = rest.Slice(rest.GetPosition(length, reader.Position));
        return stored;
    }

    /// <summary>Takes the next item off, or the mark for the end. False, and nothing is taken, when it has not arrived as a whole.</summary>
    /// <param name="codec">Reads it.</param>
    /// <param name="stored">The schema of the items.</param>
    /// <param name="rest">What has arrived and was not taken.</param>
    /// <param name="limits">Bounds of one item.</param>
    /// <param name="index">The number of the item.</param>
    /// <param name="arrived">How many bytes of the items have arrived, to the end of <paramref name="rest"/>: for the place in messages.</param>
    /// <param name="item">The item.</param>
    /// <param name="isEnd">It was the mark.</param>
    private static bool TryReadItem<T, TCodec>(TCodec codec, NinoSchema stored, ref ReadOnlySequence<byte> rest, NinoLimits? limits, long index, long arrived, out T item, out bool isEnd) where TCodec : struct, IItemCodec<T>
    {
        item = default!;
        isEnd = false;
        var reader = new SequenceReader<byte>(rest);
        try
        {
            if (!TryReadCompact(ref reader, out uint header)) return false;
            if (header == 0)
            {
                isEnd = true;
                rest = rest.Slice(reader.Position);
                return true;
            }

            // Before anything is waited for.
            int maxBytes = (limits ?? NinoLimits.Default).MaxRecordBytes;
            if (header - 1 > (uint)maxBytes) throw new NinoSerializationException($"it has {header - 1} bytes; the limit is {maxBytes} (NinoLimits.MaxRecordBytes).");
            if (reader.Remaining < header - 1) return false;
            item = Decode<T, TCodec>(codec, stored, rest.Slice(reader.Position, header - 1), limits);
            rest = rest.Slice(rest.GetPosition(header - 1, reader.Position));
            return true;
        }
        catch (NinoSerializationException error)
        {
            // A record that is refused tells its own place, in itself.
            long start = arrived - rest.Length;
            throw new NinoSerializationException($"Item {index}, byte {start} of the items: {error.Message}", error.InnerException ?? error)
            {
                TypeName = error.TypeName ?? stored.Name,
                MemberPath = error.MemberPath,
                ByteOffset = error.ByteOffset >= 0 ? error.ByteOffset : start,
            };
        }
    }

    private static T Decode<T, TCodec>(TCodec codec, NinoSchema stored, in ReadOnlySequence<byte> record, NinoLimits? limits) where TCodec : struct, IItemCodec<T>
    {
        if (record.IsSingleSegment) return codec.Decode(record.FirstSpan, stored, limits);
        int length = (int)record.Length;
        byte[] copy = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            record.CopyTo(copy);
            return codec.Decode(copy.AsSpan(0, length), stored, limits);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    /// <summary>A compact number (docs/formats/record.md). False when its bytes have not all arrived.</summary>
    private static bool TryReadCompact(ref SequenceReader<byte> reader, out uint value)
    {
        value = 0;
        if (!reader.TryRead(out byte first)) return false;
        if (first < CompactNumber.Marker16)
        {
            value = first;
            return true;
        }

        int more = first == CompactNumber.Marker16 ? 2 : 4;
        if (first > CompactNumber.Marker32) Throw.BadCompactMarker(first);
        for (int i = 0; i < more; i++)
        {
            if (!reader.TryRead(out byte next)) return false;
            value |= (uint)next << (8 * i);
        }

        if (CompactNumber.SizeOf(value) != 1 + more) Throw.NotShortestForm();
        return true;
    }
}
