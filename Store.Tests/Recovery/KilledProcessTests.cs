using System.Diagnostics;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>A real process, really killed (SIGKILL) while it appends: what it was told to be durable is there.</summary>
public class KilledProcessTests(ITestOutputHelper output)
{
    [Fact]
    public async Task WhatAKilledProcessWasToldToBeDurableIsThere()
    {
        using var folder = new TemporaryFolder();
        int seed = Effort.Seed(Environment.TickCount & 0xFFFFFF);
        var random = new Random(seed);
        long acknowledged = 0, torn = 0;

        // This process follows the log all the while, as any other could: what it is given is never taken back.
        List<(long Sequence, ulong Hash)> seen = [];
        using var stop = new CancellationTokenSource();
        Task? following = null;
        for (int kill = 0; kill < Effort.Kills; kill++)
        {
            acknowledged = Math.Max(acknowledged, AppendAndKill(folder["store"], random.Next(1, 200)));
            using NinoStore store = NinoStore.Open(folder["store"]);
            Assert.True(store.LastSequence >= acknowledged, $"seed {seed}: {acknowledged} records were acknowledged, {store.LastSequence} are left");
            Assert.False(store.Recovery.CleanClose);
            Assert.All(store.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
            torn += store.Recovery.BytesCut;
            long next = 1;
            foreach (LogRecord record in store.ReadRecords()) Assert.Equal(next++, record.Sequence);
            Assert.Equal(store.LastSequence + 1, next);
            following ??= FollowAsync(folder["store"], seen, stop.Token);
        }

        using (NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { ReadOnly = true }))
        {
            var records = store.ReadRecords().Select(static r => (r.Sequence, Hash(r))).ToList();
            DateTime until = DateTime.UtcNow.AddSeconds(30);
            while (Count(seen) < records.Count && !following!.IsCompleted && DateTime.UtcNow < until) await Task.Delay(5);
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following!);
            Assert.Equal(records, seen);
        }

        Effort.Tell(output, "processes killed", Effort.Kills, $"SEED={seed}", $"{acknowledged} acknowledged records, {torn} bytes of torn tails cut, {seen.Count} records followed from outside");
    }

    private static async Task FollowAsync(string path, List<(long, ulong)> seen, CancellationToken cancellationToken)
    {
        using StoreReader reader = StoreReader.Open(path);
        await foreach (LogRecord record in reader.TailAsync(cancellationToken: cancellationToken))
        {
            lock (seen) seen.Add((record.Sequence, Hash(record)));
        }
    }

    private static ulong Hash(LogRecord record) => Store.Framing.Crc32C.Compute(record.Payload.Span);

    private static int Count(List<(long, ulong)> seen)
    {
        lock (seen) return seen.Count;
    }

    private static long AppendAndKill(string path, int appends)
    {
        using Process child = Process.Start(new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "Quickstart.dll"), "--append-until-killed", path]) { RedirectStandardOutput = true })!;
        byte[] message = new byte[sizeof(long)];
        Stream told = child.StandardOutput.BaseStream;
        long acknowledged = 0;
        for (int i = 0; i < appends && told.ReadAtLeast(message, message.Length, throwOnEndOfStream: false) == message.Length; i++) acknowledged = BitConverter.ToInt64(message);
        child.Kill();
        child.WaitForExit();
        while (told.ReadAtLeast(message, message.Length, throwOnEndOfStream: false) == message.Length) acknowledged = BitConverter.ToInt64(message);
        Assert.True(acknowledged > 0, "The child process acknowledged nothing.");
        return acknowledged;
    }
}
