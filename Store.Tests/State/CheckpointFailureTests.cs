// What a failed checkpoint leaves.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class CheckpointFailureTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>One call fails, then there is room again.</summary>
    [Theory]
    [InlineData(nameof(IoOperation.Write))]
    [InlineData(nameof(IoOperation.SyncData))]
    public async Task TheLogIsReleasedAgainAfterAMarkThatCouldNotBeWritten(string failing)
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Simulated.Open(faulty);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        await CheckpointAsync();
        await CheckpointAsync();
        long before = Mark();

        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: operation => operation.ToString() == failing, Files: static name => name.StartsWith("state-", StringComparison.Ordinal));
        long covered = await CheckpointAsync();
        Assert.Equal(1, faulty.Failures);
        Assert.Contains("next checkpoint", Assert.IsType<StoreFailedException>(bank.CheckpointFailure).Message, StringComparison.Ordinal);
        Assert.Contains($"after record {before}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        long next = await CheckpointAsync();
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(covered, Mark());
        await CheckpointAsync();
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(next, Mark());
        Assert.Contains($"after record {next}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        async Task<long> CheckpointAsync()
        {
            for (int i = 0; i < 400; i++) bank.Apply(new Deposited("ann", 1));
            Simulated.Commit(store);
            return (await bank.CheckpointAsync()).Sequence;
        }

        long Mark() => Store.Retention.MarkerFile.Read(_directory, _directory.List().Single(static f => f.Name.StartsWith("state-", StringComparison.Ordinal)).Name).Newest!.Value.Sequence;
    }
}
