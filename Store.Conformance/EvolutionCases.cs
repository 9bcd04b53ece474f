// What becomes of a state whose types have changed? Changes of the earlier shape are read as the present one, and no checkpoint of the earlier shape is used.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of types that an earlier release had in another shape. <see cref="KeyValueLog{TKey, TValue}.ReadChanges"/> does the reading; an engine has to take its keys and values from there and nowhere else.</summary>
internal static class EvolutionCases
{
    /// <summary>
    /// No checkpoint: keys that were ints are longs, values have a wider number and a member more. A failure names the key: the engine does not take keys and values as <see cref="KeyValueLog{TKey, TValue}.ReadChanges"/> gives
    /// them.
    /// </summary>
    public static async Task FromTheLog(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        await With<int, VisitThen>(engine, folder, files, (_, kv) => Fill(kv, 0, 60));
        await With<long, VisitNow>(engine, folder, files, async (_, kv) =>
        {
            Check.True(kv.Recovery.RebuiltFromLog, "It should be rebuilt from the log");
            await GoesOn(kv);
        });
        await HoldsAgain(engine, folder, files);
    }

    /// <summary>
    /// A checkpoint of the earlier shape, and changes behind it. <see cref="KeyValueLog{TKey, TValue}.CanStartFrom"/> is false of it: it must be told in <see cref="KeyValueRecovery.Rejected"/>, and the state be what the whole log
    /// gives. A failure means that the engine did not ask, or used it all the same.
    /// </summary>
    public static async Task FromACheckpoint(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        await With<int, VisitThen>(engine, folder, files, async (_, kv) =>
        {
            Fill(kv, 0, 40);
            await kv.CheckpointAsync();
            Fill(kv, 40, 60);
        });
        await Told(async () => await With<long, VisitNow>(engine, folder, files, async (_, kv) =>
        {
            Check.True(kv.Recovery is { RebuiltFromLog: true, Rejected.Count: > 0 }, $"A checkpoint of an earlier shape should be rejected and told, and the state rebuilt from the log; it was {CaseHistory.Text(kv.Recovery)}");
            await GoesOn(kv);
        }), "Opening a state whose checkpoint has an earlier shape, and whose log is whole,");
        await HoldsAgain(engine, folder, files);
    }

    /// <summary>
    /// A checkpoint of the earlier shape, and a log that no longer begins at its first record. Opening with the present types must be a <see cref="StoreException"/> that changes nothing, so that the earlier types open it as
    /// before. A failure means that a state was opened in part or with what cannot be read, or that what was rejected was removed before the log was found to be whole. Where the engine released nothing, there is nothing to refuse.
    /// </summary>
    public static async Task WhereTheLogIsGone(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        bool isGone = false;
        await With<int, VisitThen>(engine, folder, files, async (store, kv) =>
        {
            Fill(kv, 0, 60);
            for (int i = 0; i < engine.KeptCheckpoints; i++)
            {
                for (int n = 0; n < 300; n++) kv.Put(1000, new VisitThen(n, new string('x', 60)));
                await kv.CheckpointAsync();
            }

            Check.True(kv.Delete(1000), "A key is missing");
            await store.CommitAsync();
            isGone = store.TruncateBefore(long.MaxValue).FirstSequence > 1;
        });
        bool isRefused = false;
        try
        {
            await With<long, VisitNow>(engine, folder, files, (_, kv) => Holds(kv, 60));
        }
        catch (StoreException) when (isGone)
        {
            isRefused = true;
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"Opening a state whose checkpoint has an earlier shape, and whose log {(isGone ? "no longer has all changes" : "is whole")}, threw {e.GetType().Name}: {e.Message}");
        }

        if (!isRefused) return;
        await Told(async () => await With<int, VisitThen>(engine, folder, files, (_, kv) => Check.Holds(kv, Expected(60).ToDictionary(static pair => (int)pair.Key, static pair => new VisitThen((int)pair.Value.Times, pair.Value.Place)))),
            "Opening a state with the types it was written with, after others were refused,");
    }

    /// <summary>
    /// A checkpoint of the earlier shape, and a log that is damaged between its beginning and the checkpoint. Opening with the present types must be a <see cref="StoreException"/> that changes nothing, so that the earlier types open it
    /// as before, from the checkpoint. A failure means that a state was opened without what is damaged, or that what was rejected was removed before <see cref="KeyValueLog{TKey, TValue}.ReadChanges"/> was read to its end.
    /// </summary>
    public static async Task WhereTheLogIsDamaged(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        await With<int, VisitThen>(engine, folder, files, async (store, kv) =>
        {
            Fill(kv, 0, 60);

            // Frames of a few records: the damage is behind what is looked at first, and in a segment that nobody writes any more.
            while (Segments(files).Length < 4)
            {
                for (int n = 0; n < 10; n++) kv.Put(1000, new VisitThen(n, new string('x', 60)));
                await store.CommitAsync();
            }

            await kv.CheckpointAsync();
            Check.True(kv.Delete(1000), "A key is missing");
            await store.CommitAsync();
        });
        files.Damage(Segments(files)[1], static file => file.Flip(file.LengthBytes / 2));
        bool isOpened = false;
        try
        {
            await With<long, VisitNow>(engine, folder, files, (_, _) => { isOpened = true; });
        }
        catch (StoreException)
        {
            // As it must be: what is left is opened below.
        }
        catch (Exception e)
        {
            throw new ConformanceException($"Opening a state whose checkpoint has an earlier shape, and whose log is damaged, threw {e.GetType().Name}: {e.Message}");
        }

        Check.True(!isOpened, "A state whose checkpoint has an earlier shape, and whose log is damaged, opens as the types are now");
        await Told(async () => await With<int, VisitThen>(engine, folder, files, (_, kv) => Check.Holds(kv, Expected(60).ToDictionary(static pair => (int)pair.Key, static pair => new VisitThen((int)pair.Value.Times, pair.Value.Place)))),
            "Opening a state with the types it was written with, from its checkpoint, after others were refused for a damaged log,");
    }

    /// <summary>
    /// Keys of a class, and of a case of several, that lost a member: two of them could become one, and the newer value take the older's place. <see cref="KeyValueLog{TKey, TValue}.ReadChanges"/> refuses them with a
    /// <see cref="SchemaMismatchException"/>, which has to end the opening; the types that they were written with open the state as before. A failure means that the engine opened without having read what it was refused.
    /// </summary>
    public static async Task KeysThatCouldBecomeOne(KeyValueEngine engine, string folder)
    {
        await Refused<SpotThen, SpotNow>(Path.Combine(folder, "class"), new SpotThen(1, 1), new SpotThen(1, 2), new SpotThen(2, 1));
        await Refused<PlaceThen, PlaceNow>(Path.Combine(folder, "cases"), new RoomThen(1, 1), new RoomThen(1, 2), new FloorThen(1));

        async Task Refused<TThen, TNow>(string where, params TThen[] keys) where TThen : notnull
        {
            var files = new CaseFiles();
            Dictionary<TThen, string> expected = keys.ToDictionary(static key => key, static key => key.ToString()!);
            await With<TThen, string>(engine, where, files, async (_, kv) =>
            {
                foreach ((TThen key, string value) in expected)
                {
                    kv.Put(key, value);
                    if (value == expected.Values.First()) await kv.CheckpointAsync();
                }
            });
            bool isRefused = false;
            try
            {
                await With<TNow, string>(engine, where, files, (_, _) => { });
            }
            catch (StoreException)
            {
                isRefused = true;
            }
            catch (Exception e)
            {
                throw new ConformanceException($"Opening a state whose keys are a {typeof(TThen).Name} as a {typeof(TNow).Name}, of which two could become one, threw {e.GetType().Name}: {e.Message}");
            }

            Check.True(isRefused, $"A state whose keys are a {typeof(TThen).Name} opens as one of {typeof(TNow).Name}, of which two could become one");
            await Told(async () => await With<TThen, string>(engine, where, files, (_, kv) => Check.Holds(kv, expected)), "Opening a state with the types it was written with, after others were refused,");
        }
    }

    private static string[] Segments(CaseFiles files) =>
        [.. files.List().Select(static file => file.Name).Where(static name => name.StartsWith("segment-", StringComparison.Ordinal) && name.EndsWith(".log", StringComparison.Ordinal))];

    private static void Fill(IKeyValueStore<int, VisitThen> kv, int from, int to)
    {
        for (int i = from; i < to; i++) kv.Put(i, new VisitThen(i, $"place {i}"));
        for (int i = from; i < to; i += 5) Check.True(kv.Delete(i), $"{i} is missing");
    }

    private static Dictionary<long, VisitNow> Expected(int to) => Enumerable.Range(0, to).Where(static i => i % 5 != 0).ToDictionary(static i => (long)i, static i => new VisitNow($"place {i}", i));

    private static void Holds(IKeyValueStore<long, VisitNow> kv, int to)
    {
        try
        {
            Check.Holds(kv, Expected(to));
        }
        catch (Exception e)
        {
            throw new ConformanceException($"Read as the types are now, the state is not what its changes of the earlier shape amount to: {e.Message}");
        }
    }

    // Keys that came from the earlier shape are the keys that the present one asks for.
    private static async Task GoesOn(IKeyValueStore<long, VisitNow> kv)
    {
        Holds(kv, 60);
        Check.True(kv.Delete(1), "A key of the earlier shape cannot be removed");
        kv.Update(2, static old => old! with { Times = old.Times + 100, Mood = "better" });
        kv.Put(3, new VisitNow("elsewhere", 5_000_000_000));
        await kv.CheckpointAsync();
        HoldsChanged(kv);
    }

    private static void HoldsChanged(IKeyValueStore<long, VisitNow> kv)
    {
        Dictionary<long, VisitNow> expected = Expected(60);
        expected.Remove(1);
        expected[2] = new VisitNow("place 2", 102, "better");
        expected[3] = new VisitNow("elsewhere", 5_000_000_000);
        Check.Holds(kv, expected);
    }

    private static Task HoldsAgain(KeyValueEngine engine, string folder, CaseFiles files) => With<long, VisitNow>(engine, folder, files, (_, kv) =>
    {
        Check.Equal((false, 0), (kv.Recovery.RebuiltFromLog, kv.Recovery.Rejected.Count), "How it was opened behind a checkpoint of the present shape");
        HoldsChanged(kv);
    });

    private static async Task Told(Func<Task> open, string what)
    {
        try
        {
            await open();
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"{what} threw {e.GetType().Name}: {e.Message}");
        }
    }
}
