using System.Diagnostics;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// A real process, really killed (SIGKILL) while two of its threads append alone and in batches, and one of them checkpoints and removes the log's beginning: what it was told to be durable is there, record by record, and nothing else than
/// what it wrote; what it was told to be removed is not, and nothing is that a snapshot needs.
/// </summary>
public class KilledProcessTests(ITestOutputHelper output)
{
    [Fact]
    public async Task WhatAKilledProcessWasToldToBeDurableIsThere()
    {
        using var folder = new TemporaryFolder();
        int seed = Effort.DrawnSeed(quick: 20261123);
        var random = new Random(seed);
        long acknowledged = 0, torn = 0, told = 0, begins = 1, truncations = 0, checkpoints = 0;

        // This process follows the log all the while, as any other could: what it is given is never taken back.
        List<(long Sequence, ulong Hash)> seen = [];
        using var stop = new CancellationTokenSource();
        Task? following = null;
        int kills = 0;

        // On a busy machine a process may not live long enough for its first checkpoint: then there are more of them, so that every kind of work is met.
        for (; kills < Effort.Kills || (!Effort.HasSeed && kills < 5 * Effort.Kills && !MetAll()); kills++)
        {
            List<WorkMessage> messages = AppendAndKill(folder["store"], random.Next(1, 120), random.Next());
            told += messages.Count;
            acknowledged = Math.Max(acknowledged, messages.Max(static m => m.Sequence + m.Count - 1));
            using NinoStore store = NinoStore.Open(folder["store"], WorkingProcess.Options);
            Assert.True(store.LastSequence >= acknowledged, $"seed {seed}: {acknowledged} records were acknowledged, {store.LastSequence} are left");
            Assert.False(store.Recovery.CleanClose);
            Assert.All(store.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
            torn += store.Recovery.BytesCut;
            begins = Math.Max(begins, messages.Where(static m => m.Kind == WorkKind.Truncation).Select(static m => m.Sequence).DefaultIfEmpty().Max());
            Assert.True(store.FirstSequence >= begins, $"seed {seed}: records before {begins} were removed, and the log begins with {store.FirstSequence}");
            WorkCheck.Told(store, messages);
            truncations += messages.Count(static m => m.Kind == WorkKind.Truncation);
            checkpoints += messages.Count(static m => m.Kind == WorkKind.Checkpoint);
            if (kills % 10 == 9 || kills == Effort.Kills - 1) WorkCheck.Whole(store);
            following ??= FollowAsync(folder["store"], seen, stop.Token);
        }

        using (NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { ReadOnly = true }))
        {
            var records = store.ReadRecords().Select(static r => (r.Sequence, Hash(r))).ToList();
            DateTime until = DateTime.UtcNow.AddSeconds(30);
            while (Last(seen) < store.LastSequence && !following!.IsCompleted && DateTime.UtcNow < until) await Task.Delay(5);
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following!);
            Assert.All(seen.Zip(seen.Skip(1)), static pair => Assert.True(pair.First.Sequence < pair.Second.Sequence, $"{pair.Second.Sequence} behind {pair.First.Sequence}"));
            Assert.Equal(records, seen.SkipWhile(record => record.Sequence < store.FirstSequence));
        }

        Effort.Tell(output, "processes killed", kills, $"SEED={seed}", $"{told} acknowledgements of two threads up to record {acknowledged}, {checkpoints} checkpoints, {truncations} truncations up to record {begins}, {torn} bytes of torn tails cut, {seen.Count} records followed from outside");
        if (!Effort.HasSeed) Assert.True(MetAll(), $"{checkpoints} checkpoints, {truncations} truncations, the last one of what is before {begins}");

        bool MetAll() => begins > 1 && checkpoints > 2;
    }

    private static async Task FollowAsync(string path, List<(long, ulong)> seen, CancellationToken cancellationToken)
    {
        for (long from = 1; ;)
        {
            try
            {
                using StoreReader reader = StoreReader.Open(path);
                await foreach (LogRecord record in reader.TailRecordsAsync(new ReadOptions { FromSequence = from }, cancellationToken))
                {
                    lock (seen) seen.Add((record.Sequence, Hash(record)));
                }
            }
            catch (LogTruncatedException overtaken)
            {
                // What it has not read yet was removed: it goes on where the log begins.
                from = overtaken.FirstSequence;
            }
        }
    }

    private static ulong Hash(LogRecord record) => Store.Framing.Crc32C.Compute(record.Payload.Span);

    private static long Last(List<(long Sequence, ulong)> seen)
    {
        lock (seen) return seen.Count == 0 ? 0 : seen[^1].Sequence;
    }

    private static List<WorkMessage> AppendAndKill(string path, int count, int seed)
    {
        using Process child = Process.Start(new ProcessStartInfo("dotnet", WorkingProcess.Arguments(path, seed, cuts: true)) { RedirectStandardOutput = true })!;
        List<WorkMessage> messages = [];
        byte[] message = new byte[WorkMessage.LengthBytes];
        Stream told = child.StandardOutput.BaseStream;
        while (messages.Count < count && Next()) { }
        child.Kill();
        child.WaitForExit();

        // What it still told before it died counts too.
        while (Next()) { }
        Assert.True(messages.Count >= count, $"The child process told {messages.Count} times that something is durable, and ended.");
        return messages;

        bool Next()
        {
            if (told.ReadAtLeast(message, message.Length, throwOnEndOfStream: false) < message.Length) return false;
            messages.Add(WorkMessage.TryRead(message)!.Value);
            return true;
        }
    }
}
