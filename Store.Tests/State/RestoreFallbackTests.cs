// A damaged snapshot costs time, never state: the one before it and the log give the same, and the report says what was damaged.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public class RestoreFallbackTests
{
    private const string Expected = "4: ann=12, bob=1";

    /// <summary>Snapshots at 1 and 3, oldest first; four events.</summary>
    private static async Task<(SimDirectory Directory, string[] Snapshots)> WrittenAsync()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 10));
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("ann", 5));
        bank.Apply(new Deposited("bob", 1));
        await bank.CheckpointAsync();
        bank.Apply(new Withdrawn("ann", 3));
        return (directory, [.. store.Snapshots.OrderBy(static s => s.Sequence).Select(static s => s.FileName)]);
    }

    private static void Damage(SimDirectory directory, string name, string how)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        if (how == "cut") bytes = bytes[..(bytes.Length / 2)];
        else bytes[how == "header" ? 20 : bytes.Length - 5] ^= 0x10;
        FileBytes.Put(directory, name, bytes);
    }

    private static void Apply(Bank bank, LogRecord record)
    {
        if (record.Is<Deposited>()) bank.Apply(record.As<Deposited>());
        if (record.Is<Withdrawn>()) bank.Apply(record.As<Withdrawn>());
    }

    [Theory]
    [InlineData("header")]
    [InlineData("value")]
    [InlineData("cut")]
    public async Task AStateHolderGoesBackToTheSnapshotBeforeADamagedOneAndSaysSo(string how)
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync();
        Damage(directory, snapshots[1], how);
        await using NinoStore store = Simulated.Open(directory, 2);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(Expected, bank.Read(static b => b.Text()));
        Assert.Equal((snapshots[0], 3L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.Contains(store.Recovery.Damage, d => d.File == snapshots[1]);
    }

    [Theory]
    [InlineData("header")]
    [InlineData("value")]
    [InlineData("cut")]
    public async Task RestoringGoesBackToTheSnapshotBeforeADamagedOneAndSaysSo(string how)
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync();
        Damage(directory, snapshots[1], how);
        await using NinoStore store = Simulated.Open(directory, 2);
        Bank bank = await store.RestoreAsync<Bank>(Apply);
        Assert.Equal(Expected, bank.Text());
        Assert.Equal((snapshots[0], 3L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.Contains(store.Recovery.Damage, d => d.File == snapshots[1]);
    }

    [Fact]
    public async Task WithoutAWholeSnapshotTheLogIsEnough()
    {
        (SimDirectory directory, string[] snapshots) = await WrittenAsync();
        foreach (string name in snapshots) Damage(directory, name, "value");
        await using NinoStore store = Simulated.Open(directory, 2);
        Assert.Equal(Expected, (await store.RestoreAsync<Bank>(Apply)).Text());
        Assert.Equal((null, 4L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.All(snapshots, name => Assert.Contains(store.Recovery.Damage, d => d.File == name));
    }
}
