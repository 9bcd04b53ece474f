// Whose are the objects? What a caller handed in stays the caller's, what it got is its own: whatever it does with either, the state stays as it was. And nobody ever sees a value that is being written.

using Store.KeyValue;
using Store.Serialization;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of objects that can be changed, and of readers beside writers.</summary>
internal static class CopyCases
{
    /// <summary>
    /// Keys and values are encoded before a call returns. A failure names the way by which the object was handed in: the engine kept the object itself, or encodes it later than on the caller's thread.
    /// </summary>
    public static async Task WhatWasPut(KeyValueEngine engine, string folder)
    {
        string[] ways = [];
        await With<CaseKey, CaseNote>(engine, folder, async (_, kv) =>
        {
            var put = new List<string>();
            CaseKey key = Next(nameof(kv.Put), out CaseNote value);
            kv.Put(key, value);
            Spoil(key, value);
            key = Next(nameof(kv.PutAsync), out value);
            ValueTask<long> putting = kv.PutAsync(key, value);
            Spoil(key, value);
            await putting;
            KeyValuePair<CaseKey, CaseNote>[] batch = [Pair(nameof(kv.PutBatch)), Pair(nameof(kv.PutBatch))], mine = [.. batch];
            kv.PutBatch(batch);
            SpoilAll(batch, mine);
            batch = [Pair(nameof(kv.PutBatchAsync)), Pair(nameof(kv.PutBatchAsync))];
            mine = [.. batch];
            putting = kv.PutBatchAsync(batch);
            SpoilAll(batch, mine);
            await putting;
            key = Next(nameof(kv.Update), out value);
            kv.Update(key, _ => value);
            Spoil(key, value);
            key = Next(nameof(kv.UpdateAsync), out value);
            putting = kv.UpdateAsync(key, _ => value);
            key.Spoil();
            await putting;
            value.Spoil();

            // The keys of what is only asked for and removed, too.
            key = CaseKey.Of(0);
            ValueTask<KeyValueResult<CaseNote>> asked = kv.TryGetAsync(key);
            key.Spoil();
            Check.Equal(CaseNote.Of(0).ToString(), $"{(await asked).Value}", "What TryGetAsync found, whose key its caller changed after the call had returned,");
            CaseKey[] keys = [CaseKey.Of(1), CaseKey.Of(0)];
            ValueTask<KeyValueResult<CaseNote>[]> all = kv.TryGetBatchAsync(keys);
            foreach (CaseKey one in keys) one.Spoil();
            Check.Equal(CaseNote.Of(1).ToString(), $"{(await all)[0].Value}", "What TryGetBatchAsync found, whose keys their caller changed after the call had returned,");
            kv.Put(CaseKey.Of(500), CaseNote.Of(500));
            kv.PutBatch([new(CaseKey.Of(501), CaseNote.Of(501)), new(CaseKey.Of(502), CaseNote.Of(502))]);
            key = CaseKey.Of(500);
            ValueTask<bool> deleting = kv.DeleteAsync(key);
            key.Spoil();
            Check.True(await deleting, "DeleteAsync did not find a key that its caller changed after the call had returned");
            keys = [CaseKey.Of(501), CaseKey.Of(502)];
            ValueTask<int> deletingAll = kv.DeleteBatchAsync(keys);
            foreach (CaseKey one in keys) one.Spoil();
            Check.Equal(2, await deletingAll, "DeleteBatchAsync of keys that their caller changed after the call had returned");
            ways = [.. put];
            Holds(kv, ways, "after whoever put it with {0} changed the object");
            await kv.CheckpointAsync();

            CaseKey Next(string way, out CaseNote value)
            {
                (CaseKey key, value) = (CaseKey.Of(put.Count), CaseNote.Of(put.Count));
                put.Add(way);
                return key;
            }

            KeyValuePair<CaseKey, CaseNote> Pair(string way) => new(Next(way, out CaseNote value), value);
        });
        await With<CaseKey, CaseNote>(engine, folder, (_, kv) => Holds(kv, ways, "when it is opened again, and was put with {0}"));

        static void Spoil(CaseKey key, CaseNote value)
        {
            key.Spoil();
            value.Spoil();
        }

        static void SpoilAll(KeyValuePair<CaseKey, CaseNote>[] batch, KeyValuePair<CaseKey, CaseNote>[] mine)
        {
            Array.Clear(batch);
            foreach ((CaseKey key, CaseNote value) in mine) Spoil(key, value);
        }
    }

    /// <summary>
    /// Every reader gets an object of its own, callbacks too. A failure names the way by which it was read: the engine handed out the object that it keeps, or gave two readers the same.
    /// </summary>
    public static async Task WhatWasRead(KeyValueEngine engine, string folder)
    {
        string[] ways =
        [
            nameof(IKeyValueStore<,>.TryGet), nameof(IKeyValueStore<,>.TryGetAsync), nameof(IKeyValueStore<,>.TryGetBatch), nameof(IKeyValueStore<,>.TryGetBatchAsync), nameof(IKeyValueStore<,>.Scan),
            nameof(IKeyValueStore<,>.ScanAsync), "an Update that keeps", "an Update that throws", "an UpdateAsync that keeps", "an Update that puts another object",
        ];
        await With<CaseKey, CaseNote>(engine, folder, async (_, kv) =>
        {
            for (int i = 0; i < ways.Length; i++) kv.Put(CaseKey.Of(i), CaseNote.Of(i));
            await ReadAllWays();
            await kv.CheckpointAsync();
            await ReadAllWays();

            async Task ReadAllWays()
            {
                Check.True(kv.TryGet(CaseKey.Of(0), out CaseNote? one) && kv.TryGet(CaseKey.Of(0), out CaseNote? two) && !ReferenceEquals(one, two), "Two readers got the same object from TryGet");
                one!.Spoil();
                (await kv.TryGetAsync(CaseKey.Of(1))).Value?.Spoil();
                var results = new KeyValueResult<CaseNote>[2];
                kv.TryGetBatch([CaseKey.Of(2), CaseKey.Of(2)], results);
                Check.True(!ReferenceEquals(results[0].Value, results[1].Value), "TryGetBatch gave the same object for two places");
                results[0].Value?.Spoil();
                foreach (KeyValueResult<CaseNote> result in await kv.TryGetBatchAsync(new[] { CaseKey.Of(3) })) result.Value?.Spoil();
                foreach ((CaseKey key, CaseNote value) in kv.Scan()) Spoil(key, value, 4);
                await foreach ((CaseKey key, CaseNote value) in kv.ScanAsync()) Spoil(key, value, 5);
                var spoiling = new Spoiling();
                kv.Update(CaseKey.Of(6), ref spoiling);
                Check.Throws<TimeoutException>(() => kv.Update(CaseKey.Of(7), Throwing), "An Update whose callback throws");
                await kv.UpdateAsync(CaseKey.Of(8), new Spoiling());
                CaseNote? seen = null;
                kv.Update(CaseKey.Of(9), old =>
                {
                    seen = old;
                    return CaseNote.Of(9);
                });
                seen!.Spoil();
                Holds(kv, ways, "after whoever got it from {0} changed the object");
            }

            static void Spoil(CaseKey key, CaseNote value, int number)
            {
                if (value.Number != number) return;
                value.Spoil();
                key.Spoil();
            }

            static CaseNote Throwing(CaseNote? value)
            {
                value!.Spoil();
                throw new TimeoutException();
            }
        });
        await With<CaseKey, CaseNote>(engine, folder, (_, kv) => Holds(kv, ways, "when it is opened again, and was changed by whoever got it from {0}"));
    }

    /// <summary>
    /// Writers put values of few lengths, each of whose parts are all alike; every reader, by whatever call, must find them so. A failure says that a value was read while another took its place, or that a reader met
    /// bytes that are no value at all: the engine writes over a value without keeping its readers out.
    /// </summary>
    public static Task NoPartsOfTwo(KeyValueEngine engine, string folder) => With<int, CaseBlock>(engine, folder, new CaseFiles(), async (_, kv) =>
    {
        // So many changes a round at the most, or on a busy machine an engine that keeps every change would have ever more to look through.
        const int keys = 3, fewest = 60, fewestChanges = 600, mostChanges = 500;
        long stamp = 0, allowed = fewestChanges + mostChanges;
        for (int key = 0; key < keys; key++) kv.Put(key, CaseBlock.Of(key));
        using var stop = new CancellationTokenSource();
        Task[] writers = [.. Enumerable.Range(0, 2).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                if (Interlocked.Read(ref stamp) >= Interlocked.Read(ref allowed))
                {
                    await Task.Delay(1);
                    continue;
                }

                CaseBlock next = CaseBlock.Of(Interlocked.Increment(ref stamp));
                int key = (int)(next.Stamp % keys);
                switch (next.Stamp % 7)
                {
                    case 0: kv.PutBatch([new(key, next), new((key + 1) % keys, next)]); break;
                    case 1: kv.Update(key, old => Whole(old, "an Update") is { } ? next : next); break;
                    case 2: await kv.PutAsync(key, next); break;
                    default: kv.Put(key, next); break;
                }
            }
        }))];
        try
        {
            var results = new KeyValueResult<CaseBlock>[keys];
            for (int round = 0; round < fewest || (Interlocked.Read(ref stamp) < fewestChanges && !writers.Any(static one => one.IsCompleted)); round++)
            {
                Interlocked.Add(ref allowed, mostChanges);
                for (int key = 0; key < keys; key++)
                {
                    Check.True(kv.TryGet(key, out CaseBlock? found), $"{key} is missing");
                    Whole(found, "TryGet");
                    Whole((await kv.TryGetAsync(key)).Value, "TryGetAsync");
                }

                kv.TryGetBatch([0, 1, 2], results);
                foreach (KeyValueResult<CaseBlock> result in results) Whole(result.Value, "TryGetBatch");
                foreach ((int _, CaseBlock value) in kv.Scan()) Whole(value, "Scan");
                await foreach ((int _, CaseBlock value) in kv.ScanAsync()) Whole(value, "ScanAsync");
            }
        }
        catch (Exception e) when (e is NinoSerializationException or IndexOutOfRangeException or ArgumentException)
        {
            throw new ConformanceException($"A reader beside writers met bytes that are no value: {e.Message}");
        }
        finally
        {
            await stop.CancelAsync();
            await Task.WhenAll(writers);
        }

        static CaseBlock Whole(CaseBlock? value, string way)
        {
            if (value is null) throw new ConformanceException($"{way} found nothing where something always is.");
            Check.True(value.IsWhole, $"{way} brought a value that has parts of two: stamp {value.Stamp}, {value.Cells.Length} cells, {value.Cells.Distinct().Count()} different ones");
            return value;
        }
    });

    /// <summary>Notes 0, 1, 2 ... under their keys, whatever their owners did meanwhile.</summary>
    private static void Holds(IKeyValueStore<CaseKey, CaseNote> kv, string[] ways, string when)
    {
        for (int i = 0; i < ways.Length; i++)
        {
            string how = string.Format(System.Globalization.CultureInfo.InvariantCulture, when, ways[i]);
            Check.True(kv.TryGet(CaseKey.Of(i), out CaseNote? found), $"Key {i} is missing {how}");
            Check.Equal(CaseNote.Of(i).ToString(), found!.ToString(), $"The value of {i}, {how},");
        }

        Check.Equal(ways.Length, kv.Count, "Count");
        var scanned = new Dictionary<string, string>();
        foreach ((CaseKey key, CaseNote value) in kv.Scan()) Check.True(scanned.TryAdd($"{key}", $"{value}"), $"{key} came twice in a scan: its object is not a copy");
        for (int i = 0; i < ways.Length; i++)
            Check.Equal(CaseNote.Of(i).ToString(), scanned.GetValueOrDefault($"{CaseKey.Of(i)}", "nothing"), $"The value of {i} in a scan, {string.Format(System.Globalization.CultureInfo.InvariantCulture, when, ways[i])},");
    }

    /// <summary>Changes what it is given in place, and keeps.</summary>
    private struct Spoiling : IKeyValueUpdate<CaseNote>
    {
        public readonly KeyValueUpdate Update(bool isThere, ref CaseNote? value)
        {
            value?.Spoil();
            return KeyValueUpdate.Keep;
        }
    }
}
