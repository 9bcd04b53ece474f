using System.Diagnostics;
using System.Runtime.CompilerServices;
using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>Two real processes: one appends, the lock's file is removed under it, and this one opens the store: it is kept out. Then on a folder that keeps no locks.</summary>
public class SecondWriterProcessTests(ITestOutputHelper output)
{
    private const int Rounds = 3;

    [Fact]
    public async Task AProcessWhoseLockWasRemovedGoesOnAndOneWhoseLockKeepsNobodyOutStopsAndNothingThatEitherAcknowledgedIsLost()
    {
        // A lock's file that is open cannot be removed there.
        if (OperatingSystem.IsWindows()) return;
        using var folder = new TemporaryFolder();
        string path = folder["store"];
        Dictionary<long, int> mine = [];
        long others = 0;
        int refused = 0;
        for (int round = 0; round < Rounds; round++)
        {
            using Process child = Process.Start(new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "Quickstart.dll"), "--append-until-killed", path]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            Task<string> said = child.StandardError.ReadToEndAsync();
            var told = new StrongBox<long>();
            Task listening = Task.Run(() => Listen(child, told));
            try
            {
                string heldBy = Path.Combine(path, SegmentFormat.LockName);
                Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref told.Value) > 0, TimeSpan.FromSeconds(60)), "The child process acknowledged nothing.");
                Assert.Throws<StoreInUseException>(() => NinoStore.Open(path));
                File.Delete(heldBy);
                Assert.Throws<StoreInUseException>(() => NinoStore.Open(path));
                long before = Volatile.Read(ref told.Value);
                Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref told.Value) > before + 10, TimeSpan.FromSeconds(60)), "The child process went no further.");
                using (NinoStore second = OpenedBesideIt(path, ref refused))
                {
                    // A process that the machine holds up between its look at the mark and its write could still write over what follows; not for so long.
                    await Task.Delay(50);
                    for (int i = 0; i < 10; i++) mine[await second.AppendAsync(i)] = i;
                    await child.WaitForExitAsync(new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token);
                    for (int i = 10; i < 20; i++) mine[await second.AppendAsync(i)] = i;
                }
            }
            finally
            {
                if (!child.HasExited) child.Kill();
            }

            Assert.NotEqual(0, child.ExitCode);
            Assert.Contains(nameof(StoreFailedException), await said, StringComparison.Ordinal);
            Assert.Contains("another writer has opened the log", await said, StringComparison.Ordinal);
            await listening;
            others = told.Value;
            Check(path, mine, others, round);
        }

        Effort.Tell(output, "processes whose lock was removed", Rounds, "no chance in it", $"{others} is the last record that one of them acknowledged, {mine.Count} were appended beside them, {refused} openings saw the log grow");
    }

    // Every record of mine is where I was told, and every record of the other's that it told of is one of its kind.
    private static void Check(string path, Dictionary<long, int> mine, long lastOfTheOther, int round)
    {
        using (NinoStore store = NinoStore.Open(path, new NinoStoreOptions { Recovery = RecoveryMode.Strict }))
        {
            Assert.Empty(store.Recovery.Damage);
            Assert.True(store.Recovery.CleanClose);
            Assert.Equal(mine, store.Read<int>().ToDictionary(static r => r.Sequence, static r => r.Value));
            Assert.Equal(Enumerable.Range(1, (int)store.LastSequence).Select(static n => (long)n), store.ReadRecords().Select(static r => r.Sequence));
            Assert.True(store.LastSequence >= lastOfTheOther + 20, $"round {round}: the other process acknowledged {lastOfTheOther}, and the log ends with {store.LastSequence}");
            Assert.DoesNotContain(lastOfTheOther, mine.Keys);
        }

        using StoreReader reader = StoreReader.Open(path);
        Assert.Empty(reader.Verify().Damage);
    }

    // What it appends while this one opens makes the opening give up: before anything is written, and then it goes on itself, or behind that, and then it stops. On a busy machine the first happens many times.
    private static NinoStore OpenedBesideIt(string path, ref int refused)
    {
        long began = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return NinoStore.Open(path, new NinoStoreOptions { Directory = new WithoutLocks(path) });
            }
            catch (StoreInUseException) when (Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(60))
            {
                refused++;
            }
        }
    }

    /// <summary>A file system that keeps no locks.</summary>
    private sealed class WithoutLocks(string path) : PassThroughDirectory(DiskDirectory.Open(path))
    {
        public override IDisposable? TryLock(string name) => new MemoryStream();
    }

    // The last sequence that it was told to be durable.
    private static void Listen(Process child, StrongBox<long> told)
    {
        byte[] message = new byte[sizeof(long)];
        Stream output = child.StandardOutput.BaseStream;
        while (output.ReadAtLeast(message, message.Length, throwOnEndOfStream: false) == message.Length) Volatile.Write(ref told.Value, BitConverter.ToInt64(message));
    }
}
