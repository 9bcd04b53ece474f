using System.Diagnostics;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>A real process, really killed (SIGKILL) while it appends: what it was told to be durable is there.</summary>
public class KilledProcessTests(ITestOutputHelper output)
{
    // Quick number; KILLS=500 runs the full count.
    private static readonly int Kills = int.Parse(Environment.GetEnvironmentVariable("KILLS") ?? "10", System.Globalization.CultureInfo.InvariantCulture);

    [Fact]
    public void WhatAKilledProcessWasToldToBeDurableIsThere()
    {
        using var folder = new TemporaryFolder();
        int seed = Environment.TickCount;
        var random = new Random(seed);
        long acknowledged = 0, torn = 0;
        for (int kill = 0; kill < Kills; kill++)
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
        }

        output.WriteLine($"{Kills} processes killed, {acknowledged} acknowledged records, {torn} bytes of torn tails cut: 0 lost (seed {seed})");
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
