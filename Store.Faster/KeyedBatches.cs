// How are several changes one step? One frame of the log, appended and applied while the stripes of all their keys are held: no checkpoint's line comes in between.

using System.Buffers;
using Store.Buffers;
using Store.Faster.Engine;
using Store.KeyValue.Changes;
using Store.Serialization;

namespace Store.Faster;

/// <summary>The batches of one keyed state. Safe for any number of threads.</summary>
/// <param name="core">The state.</param>
/// <param name="writer">Changes the engine.</param>
/// <param name="automatic">Counts changes.</param>
/// <param name="prefetch">Asked for what the keys will need.</param>
internal sealed class KeyedBatches(KeyedCore core, KeyedWriter writer, KeyedAutoCheckpoints automatic, MemoryPrefetch prefetch)
{
    /// <summary>Applies changes that set values as one step.</summary>
    /// <param name="records">The change records, each with its length in front, as the log takes a batch.</param>
    /// <param name="count">How many.</param>
    /// <returns>Sequence of the first.</returns>
    public long Put(ReadOnlySpan<byte> records, int count)
    {
        core.Health.ThrowIfInCallback();
        UInt128 stripes = StripesOf(records, out _);
        long last = 0;
        core.Stripes.Enter(stripes);
        try
        {
            core.Health.ThrowIfUnusable();
            long first = core.Log.AppendBatch(core.Format.Schema, records, count);
            if (count == 0) return first;
            last = first + count - 1;
            try
            {
                for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
                {
                    ReadOnlySpan<byte> record = TakeRecord(ref rest);
                    Change change = core.Format.Parse(record);
                    ulong hash = KeyHash.Compute(change.Key);
                    writer.PutLocked(hash, change.Key, change.Value, KeySighting.None);
                    automatic.NoteLocked(ref core.Stripes.Of(hash), record.Length);
                }
            }
            catch (Exception e)
            {
                throw core.Health.Fail(e);
            }

            return first;
        }
        finally
        {
            core.Stripes.Exit(stripes, last);
        }
    }

    /// <summary>Removes keys as one step, each once; those that are not there cost nothing.</summary>
    /// <param name="records">The change records, each with its length in front, as the log takes a batch.</param>
    /// <returns>How many were there.</returns>
    public int Delete(ReadOnlySpan<byte> records)
    {
        core.Health.ThrowIfInCallback();
        UInt128 stripes = StripesOf(records, out int asked);
        long last = 0;
        var keys = new DistinctKeys(records, asked);
        RecordBuffer present = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        core.Stripes.Enter(stripes);
        try
        {
            core.Health.ThrowIfUnusable();
            int count = 0;
            for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
            {
                ReadOnlySpan<byte> before = rest, record = TakeRecord(ref rest);
                ChangeParts parts = core.Format.Locate(record);
                if (!keys.TryAdd(records.Length - rest.Length - record.Length + parts.KeyStart, parts.KeyEnd - parts.KeyStart)) continue;
                if (!writer.LookLocked(record[parts.KeyStart..parts.KeyEnd]).IsThere) continue;
                present.Write(before[..^rest.Length]);
                count++;
            }

            if (count == 0) return 0;
            last = core.Log.AppendBatch(core.Format.Schema, present.Written, count) + count - 1;
            try
            {
                for (ReadOnlySpan<byte> rest = present.Written; !rest.IsEmpty;)
                {
                    ReadOnlySpan<byte> record = TakeRecord(ref rest);
                    ReadOnlySpan<byte> key = core.Format.Parse(record).Key;
                    writer.DeleteLocked(key, writer.LookLocked(key));
                    automatic.NoteLocked(ref core.Stripes.Of(KeyHash.Compute(key)), record.Length);
                }

                return count;
            }
            catch (Exception e)
            {
                throw core.Health.Fail(e);
            }
        }
        finally
        {
            core.Stripes.Exit(stripes, last);
            present.Return();
            keys.Dispose();
        }
    }

    // Of all keys of a batch, whose changes must fit: it is all or nothing.
    private UInt128 StripesOf(ReadOnlySpan<byte> records, out int count)
    {
        count = 0;
        core.CheckRoom();
        UInt128 stripes = 0;
        for (ReadOnlySpan<byte> rest = records; !rest.IsEmpty;)
        {
            ReadOnlySpan<byte> record = TakeRecord(ref rest);
            core.CheckFits(record.Length);
            Change change = core.Format.Parse(record);
            if (change.Operation == ChangeOperation.Put) core.CheckFits(change.Key.Length, change.Value.Length);
            ulong hash = KeyHash.Compute(change.Key);
            prefetch.Bucket(hash);
            stripes |= UInt128.One << KeyStripe.Of(hash);
            count++;
        }

        return stripes;
    }

    private static ReadOnlySpan<byte> TakeRecord(ref ReadOnlySpan<byte> rest)
    {
        var reader = new NinoReader(rest);
        uint length = reader.ReadCompact();
        ReadOnlySpan<byte> record = rest.Slice(reader.Position, checked((int)length));
        rest = rest[(reader.Position + record.Length)..];
        return record;
    }
}
