// Every asynchronous call of a keyed state, cancelled before it, behind it, or at any moment of it: is the state still the dictionary that the calls made, and does the next call work?

using Store.Faster;
using Store.KeyValue;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueCancellationTests(ITestOutputHelper output)
{
    private const int Keys = 60;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Dictionary<string, string?> _model = [];
    private int _cancelled;
    private int _cancelledCheckpoints;
    private int _cancelledOpenings;

    /// <summary>When a call's token is cancelled.</summary>
    private enum Moment
    {
        Never,
        Before,
        Behind,
        Meanwhile,
    }

    [Fact]
    public async Task WhateverIsCancelledWheneverTheStateIsWhatTheCallsMadeOfIt()
    {
        int seed = Effort.DrawnSeed(quick: 20261128);
        output.WriteLine($"SEED={seed}");
        var random = new Random(seed);
        int operations = Effort.KeyedOperations / 50;
        using var folder = new TemporaryFolder();
        // Of whole batches is told how many of them are there; so many keys that most of them are on the disk.
        NinoStore store = NinoStore.Open(folder.Path);
        IKeyValueStore<string, string> kv = store.OpenKeyValue<string, string>("cancelled", KeyValueBed.Tiny);
        try
        {
            for (int i = 0; i < operations; i++)
            {
                switch (random.Next(100))
                {
                    case < 35:
                        string key = Key(random), value = Value(random, i);
                        await ChangeAsync(kv, random, token => kv.PutAsync(key, value, token).AsTask(), new() { [key] = value });
                        break;
                    case < 50:
                        string gone = Key(random);
                        await ChangeAsync(kv, random, token => kv.DeleteAsync(gone, token).AsTask(), new() { [gone] = null });
                        break;
                    case < 60:
                        string updated = Key(random), next = Value(random, i);
                        await ChangeAsync(kv, random, token => kv.UpdateAsync(updated, new Becomes(next), token).AsTask(), new() { [updated] = next });
                        break;
                    case < 70:
                        Dictionary<string, string?> pairs = Enumerable.Range(0, 5).Select(_ => Key(random)).Distinct().ToDictionary(static key => key, key => (string?)Value(random, i));
                        await ChangeAsync(kv, random, token => kv.PutBatchAsync(pairs.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value!)).ToArray(), token).AsTask(), pairs);
                        break;
                    case < 75:
                        string[] several = [.. Enumerable.Range(0, 5).Select(_ => Key(random)).Distinct()];
                        await ChangeAsync(kv, random, token => kv.DeleteBatchAsync(several, token).AsTask(), several.ToDictionary(static key => key, static _ => (string?)null));
                        break;
                    case < 90:
                        string read = Key(random);
                        KeyValueResult<string> found = default;
                        if (await RunAsync(random, async token => found = await kv.TryGetAsync(read, token)) is null) Assert.Equal(_model.GetValueOrDefault(read), found.IsThere ? found.Value : null);
                        break;
                    case < 94:
                        List<KeyValuePair<string, string>> all = [];
                        Moment? ended = await RunAsync(random, async token => { await foreach (KeyValuePair<string, string> pair in kv.ScanAsync(token)) all.Add(pair); });
                        if (ended is null) Assert.Equal(There(), all.OrderBy(static pair => pair.Key, StringComparer.Ordinal));
                        break;
                    case < 97:
                        if (await RunAsync(random, async token => await kv.CheckpointAsync(token)) is not null) _cancelledCheckpoints++;
                        Assert.Null(kv.CheckpointFailure);
                        break;
                    default:
                        await kv.DisposeAsync();
                        if (random.Next(2) == 0)
                        {
                            await store.DisposeAsync();
                            store = NinoStore.Open(folder.Path);
                        }

                        IKeyValueStore<string, string>? opened = null;
                        while (await RunAsync(random, async token => opened = await store.OpenKeyValueAsync<string, string>("cancelled", KeyValueBed.Tiny, cancellationToken: token)) is not null) _cancelledOpenings++;
                        kv = opened!;
                        Assert.Empty(kv.Recovery.Rejected);
                        Check(kv);
                        break;
                }
            }

            await kv.CheckpointAsync();
            Check(kv);
            await kv.DisposeAsync();
            kv = await store.OpenKeyValueAsync<string, string>("cancelled", KeyValueBed.Tiny);
            Assert.Equal(0, kv.Recovery.ChangesReplayed);
            Check(kv);
        }
        finally
        {
            await kv.DisposeAsync().AsTask().WaitAsync(Patience);
            await store.DisposeAsync().AsTask().WaitAsync(Patience);
        }

        Effort.Tell(output, "cancelled operations of keyed state", operations, $"SEED={seed}", $"{_cancelled} calls were cancelled, {_cancelledCheckpoints} of them checkpoints, {_cancelledOpenings} openings");
        Assert.True(_cancelled > operations / 20, $"{_cancelled} of {operations}");
    }

    private static string Key(Random random) => $"key {random.Next(Keys)}";

    private static string Value(Random random, int number) => $"{number} {new string((char)random.Next('a', 'z'), random.Next(random.Next(4) == 0 ? 1500 : 200))}";

    private IEnumerable<KeyValuePair<string, string>> There() => _model.Where(static pair => pair.Value is not null).Select(static pair => KeyValuePair.Create(pair.Key, pair.Value!)).OrderBy(static pair => pair.Key, StringComparer.Ordinal);

    private void Check(IKeyValueStore<string, string> kv) => KeyValueBed.AssertHolds(kv, There().ToDictionary(), Enumerable.Range(0, Keys).Select(static key => $"key {key}"));

    // One that was begun is made, all of it; one whose token was cancelled before is not.
    private async Task ChangeAsync(IKeyValueStore<string, string> kv, Random random, Func<CancellationToken, Task> call, Dictionary<string, string?> made)
    {
        // Of what changes nothing nobody sees when it is made: cancelled, it could be made behind the next change.
        bool isSeen = made.All(pair => _model.GetValueOrDefault(pair.Key) != pair.Value);
        Moment? cancelled = await RunAsync(random, call, isSeen);
        if (cancelled == Moment.Before)
        {
            foreach (string key in made.Keys) Assert.Equal(_model.GetValueOrDefault(key), kv.TryGet(key, out string? value) ? value : null);
            return;
        }

        if (cancelled == Moment.Behind) await Until.HoldsAsync(() => Holds(kv, made), Patience);
        foreach ((string key, string? value) in made) _model[key] = value;
        Assert.True(Holds(kv, made));
    }

    private static bool Holds(IKeyValueStore<string, string> kv, Dictionary<string, string?> made) => made.All(pair => (kv.TryGet(pair.Key, out string? value) ? value : null) == pair.Value);

    /// <summary>Runs a call and cancels it at some moment. Null when it completed all the same; of one that is cancelled meanwhile, whether that was before it was begun or behind.</summary>
    private async Task<Moment?> RunAsync(Random random, Func<CancellationToken, Task> call, bool mayCancel = true)
    {
        Moment moment = mayCancel ? (Moment)random.Next(4) : Moment.Never;
        using var cancellation = new CancellationTokenSource();
        Task meanwhile = Task.CompletedTask;
        int spins = random.Next(random.Next(2) == 0 ? 200 : 20_000);
        bool isBegun = false;
        if (moment == Moment.Before) cancellation.Cancel();
        else if (moment == Moment.Meanwhile) meanwhile = Task.Run(() => CancelAfter(spins, cancellation));
        try
        {
            // A call looks at its token, and throws, before it does anything and before it returns.
            Task running = call(cancellation.Token);
            isBegun = true;
            if (moment == Moment.Behind) CancelAfter(spins, cancellation);
            await running.WaitAsync(Patience);
            Assert.NotEqual(Moment.Before, moment);
            return null;
        }
        catch (OperationCanceledException)
        {
            Assert.NotEqual(Moment.Never, moment);
            _cancelled++;
            return moment != Moment.Meanwhile ? moment : isBegun ? Moment.Behind : Moment.Before;
        }
        finally
        {
            await meanwhile;
        }
    }

    private static void CancelAfter(int spins, CancellationTokenSource cancellation)
    {
        Thread.SpinWait(spins);
        cancellation.Cancel();
    }

    private readonly struct Becomes(string value) : IKeyValueUpdate<string>
    {
        public KeyValueUpdate Update(bool isThere, ref string? current)
        {
            current = value;
            return KeyValueUpdate.Put;
        }
    }
}
