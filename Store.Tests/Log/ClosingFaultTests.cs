using Store.IO;
using Store.Recovery;
using Store.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>Whatever fails while a store is closed, the exception says what is known: that records are at stake, or that all of them are on the disk and what is missing instead.</summary>
public class ClosingFaultTests(ITestOutputHelper output)
{
    private const int Records = 300;
    private const string OneFile = "log.bin";

    [Theory]
    [InlineData(false, "IoError")]
    [InlineData(false, "ReadOnlyFileSystem")]
    [InlineData(true, "IoError")]
    [InlineData(true, "ReadOnlyFileSystem")]
    public void WhicheverCallFailsWhileClosingTheMessageSaysWhatIsLost(bool oneFile, string kind)
    {
        int faults = 0, seed = Effort.Seed(1);
        HashSet<string> meanings = [];
        foreach (bool committed in (bool[])[true, false])
        {
            foreach (bool forever in (bool[])[false, true])
            {
                for (long at = 1; ; at++, faults++)
                {
                    var simulated = new SimDirectory();
                    var faulty = new FaultDirectory(simulated, seed);
                    NinoStore store = Open(faulty, oneFile, isNew: true);
                    for (int i = 1; i <= Records; i++) store.Append(i);
                    if (committed) Simulated.Commit(store);
                    faulty.Fault = new Fault(at, Enum.Parse<FaultKind>(kind), forever);

                    Exception? e = Record.Exception(store.Dispose);
                    if (faulty.Failures == 0)
                    {
                        Assert.Null(e);
                        break;
                    }

                    string message = Assert.IsType<StoreFailedException>(e).Message;
                    bool saysAll = message.Contains("every record is on the disk", StringComparison.Ordinal);
                    Assert.True(saysAll || !committed, message);
                    Assert.True(saysAll || message.Contains("unknown", StringComparison.Ordinal), message);
                    string file = faulty.Trace.Calls.First(static c => c.Failure is InjectedFault).File;
                    if (saysAll) Assert.Equal(file == LogEnd.FileName, message.Contains(LogEnd.FileName, StringComparison.Ordinal));
                    if (saysAll) meanings.Add(message[message.IndexOf("): ", StringComparison.Ordinal)..]);

                    // After a kill and after a power failure: what the message says is so.
                    foreach (SimDirectory left in simulated.CrashStates(20, seed).Append(simulated.KillProcess()))
                    {
                        (int records, bool isClean) = Left(left, oneFile);
                        if (saysAll) Assert.Equal(Records, records);
                        if (message.Contains("may lag behind", StringComparison.Ordinal)) Assert.True(isClean);
                    }
                }
            }
        }

        Assert.Equal(2, meanings.Count);
        Effort.Tell(output, "injected faults", faults, $"SEED={seed}", $"closing {(oneFile ? "a one-file log" : "a store")}, {kind}; {string.Join(" | ", meanings)}");
    }

    [Fact]
    public void AMarkOfTheEndThatLagsIsBroughtUpByTheNextClosing()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Open(faulty, oneFile: false, isNew: true);
        store.AppendBatch<int>([1, 2, 3]);
        Simulated.Commit(store);
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: false, operation => operation is IoOperation.OpenWrite);
        Assert.Throws<StoreFailedException>(store.Dispose);
        string file = faulty.Trace.Calls.Single(static c => c.Failure is InjectedFault).File;
        faulty.Fault = null;

        Assert.Equal((LogEnd.FileName, 0L), (file, LogEnd.Read(faulty, out _)!.Value.Sequence));
        Open(faulty, oneFile: false, isNew: false).Dispose();
        Assert.Equal(3, LogEnd.Read(faulty, out _)!.Value.Sequence);
    }

    private static NinoStore Open(IStoreDirectory directory, bool oneFile, bool isNew) =>
        oneFile ? StoreOpener.Open(OneFile, Simulated.Options(directory), mustBeNewFile: true) : Simulated.Open(directory, isNew ? 1 : 2);

    // How many records, which are the first ones, and whether the log looks closed.
    private static (int Records, bool IsClean) Left(SimDirectory directory, bool oneFile)
    {
        if (!oneFile)
        {
            using NinoStore opened = Open(directory, oneFile, isNew: false);
            return (Count(opened.Read<int>().Select(static r => r.Value)), opened.Recovery.CleanClose);
        }

        if (new RecoveryRunner(directory, Simulated.Options(directory, 2), OneFile).Run() is not { Tail.NextSequence: > 1 } found) return (0, false);
        using StoreReader reader = StoreReader.Open(directory, OneFile, OneFile, static _ => false);
        return (Count(reader.ReadRecords(ReadOptions.All).Select(static r => r.As<int>())), found.Report.CleanClose);
    }

    private static int Count(IEnumerable<int> values)
    {
        int[] all = [.. values];
        Assert.Equal(Enumerable.Range(1, all.Length), all);
        return all.Length;
    }
}
