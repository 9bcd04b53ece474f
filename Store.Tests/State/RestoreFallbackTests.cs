// A damaged snapshot costs time, never state: the one before it and the log give the same, and the report says what was damaged. Where neither reaches back, restoring is refused and nothing is touched.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public class RestoreFallbackTests
{
    private const string Expected = "4: ann=12, bob=1";

    /// <summary>How a snapshot is damaged, and what a message says of it.</summary>
    public static TheoryData<string, string> Damages => new()
    {
        { "header", "checksum is wrong" },
        { "value", "Page 0 of the data" },
        { "cut", "bytes" },
    };

    [Theory]
    [MemberData(nameof(Damages))]
    public Task AStateHolderGoesBackToTheSnapshotBeforeADamagedOneAndSaysSo(string how, string says) => GoesBackAsync(how, says, Bank.OpenedTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task RestoringGoesBackToTheSnapshotBeforeADamagedOneAndSaysSo(string how, string says) => GoesBackAsync(how, says, Bank.RestoredTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task WithoutAWholeSnapshotTheLogIsEnoughForAStateHolder(string how, string says) => ReplaysAllAsync(how, says, Bank.OpenedTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task WithoutAWholeSnapshotTheLogIsEnoughForRestoring(string how, string says) => ReplaysAllAsync(how, says, Bank.RestoredTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task WithoutAWholeSnapshotAndTheWholeLogAStateHolderIsRefused(string how, string says) => IsRefusedAsync(how, says, Bank.OpenedTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task WithoutAWholeSnapshotAndTheWholeLogRestoringIsRefused(string how, string says) => IsRefusedAsync(how, says, Bank.RestoredTextAsync);

    [Theory]
    [MemberData(nameof(Damages))]
    public Task WithoutAWholeSnapshotAndTheWholeLogRestoringOfOneTypeOfRecordIsRefused(string how, string says) =>
        IsRefusedAsync(how, says, static async store => (await store.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e))).Text());

    /// <summary>There never was a snapshot: retention was used without one, and nothing is damaged.</summary>
    [Fact]
    public async Task WithoutAnySnapshotATruncatedLogIsToldFromADamagedOne()
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync(truncates: true);
        foreach (string name in snapshots) directory.Delete(name);
        await using NinoStore store = Simulated.Open(directory, 2);
        await Assert.ThrowsAsync<LogTruncatedException>(() => Bank.RestoredTextAsync(store));
    }

    private static async Task GoesBackAsync(string how, string says, Func<NinoStore, Task<string>> restore)
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync();
        Damage(directory, snapshots[1], how);
        await using NinoStore store = Simulated.Open(directory, 2);
        Assert.Equal(Expected, await restore(store));
        Assert.Equal((snapshots[0], 3L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.Contains(says, Assert.Single(store.Recovery.Damage, d => d.File == snapshots[1]).Message, StringComparison.Ordinal);
    }

    private static async Task ReplaysAllAsync(string how, string says, Func<NinoStore, Task<string>> restore)
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync();
        foreach (string name in snapshots) Damage(directory, name, how);
        await using NinoStore store = Simulated.Open(directory, 2);
        Assert.Equal(Expected, await restore(store));
        Assert.Equal((null, 4L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.All(snapshots, name => Assert.Contains(says, Assert.Single(store.Recovery.Damage, d => d.File == name).Message, StringComparison.Ordinal));
    }

    private static async Task IsRefusedAsync(string how, string says, Func<NinoStore, Task<string>> restore)
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync(truncates: true);
        foreach (string name in snapshots) Damage(directory, name, how);
        await using NinoStore store = Simulated.Open(directory, 2);
        string[] before = Everything(directory);
        var refused = await Assert.ThrowsAsync<StoreCorruptException>(() => restore(store));
        Assert.Equal(before, Everything(directory));
        Assert.All(snapshots, name => Assert.Contains(name, refused.Message, StringComparison.Ordinal));
        Assert.Equal(snapshots.Length, refused.Message.Split(says).Length - 1);
        Assert.Contains($"begins with record {store.FirstSequence}", refused.Message, StringComparison.Ordinal);
        Assert.Contains("backup", refused.Message, StringComparison.Ordinal);
        Assert.All(snapshots, name => Assert.Contains(store.Recovery.Damage, d => d.File == name));
        Assert.Equal((null, 0L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
    }

    /// <summary>Snapshots at two sequences, oldest first, and a little behind them; with a log that begins between the first record and the older snapshot, or with a whole one of four events.</summary>
    private static async Task<(SimDirectory Directory, string[] Snapshots)> WrittenAsync(bool truncates = false)
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        if (truncates)
        {
            for (int i = 0; i < 400; i++) bank.Apply(new Deposited("ann", i));
            await bank.CommitAsync();
        }

        bank.Apply(new Deposited("ann", 10));
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("ann", 5));
        bank.Apply(new Deposited("bob", 1));
        await bank.CheckpointAsync();
        bank.Apply(new Withdrawn("ann", 3));
        if (truncates)
        {
            store.TruncateBefore(400);
            Assert.True(store.FirstSequence > 1);
        }

        return (directory, [.. store.Snapshots.OrderBy(static s => s.Sequence).Select(static s => s.FileName)]);
    }

    private static void Damage(SimDirectory directory, string name, string how)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        if (how == "cut") bytes = bytes[..(bytes.Length / 2)];
        else bytes[how == "header" ? 20 : bytes.Length - 65] ^= 0x10;
        FileBytes.Put(directory, name, bytes);
    }

    private static string[] Everything(SimDirectory directory) => [.. directory.List().Select(file => $"{file.Name} {Convert.ToHexString(FileBytes.Of(directory, file.Name))}")];
}
