// A disk that stands still: syncs wait until it goes on.

using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>A folder whose syncs of files wait while it is stalled.</summary>
internal sealed class StallingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
{
    private readonly ManualResetEventSlim _goesOn = new(initialState: true);

    /// <summary>Set when a sync waits.</summary>
    public ManualResetEventSlim Stands { get; } = new();

    public void Stall() => _goesOn.Reset();

    public void GoOn() => _goesOn.Set();

    public override IStoreFile Create(string name) => new StallingFile(this, base.Create(name));

    public override IStoreFile OpenWrite(string name) => new StallingFile(this, base.OpenWrite(name));

    private sealed class StallingFile(StallingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
    {
        public override void SyncData()
        {
            if (!directory._goesOn.IsSet) directory.Stands.Set();
            directory._goesOn.Wait();
            base.SyncData();
        }
    }
}
