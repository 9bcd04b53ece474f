using System.Collections.Concurrent;
using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A folder that tells how many of its record files are open, and in which syncs of record files stand still while they are told to.</summary>
internal sealed class HaltedSyncs(IStoreDirectory inner) : PassThroughDirectory(inner)
{
    private readonly ManualResetEventSlim _goesOn = new(true);
    private readonly SemaphoreSlim _stands = new(0);
    private readonly ConcurrentDictionary<string, int> _open = new(), _syncs = new();
    private int _openNow;
    private int _openMost;

    /// <summary>Record files that are open.</summary>
    public int OpenNow => Volatile.Read(ref _openNow);

    /// <summary>The most that were open at once.</summary>
    public int OpenMost => Volatile.Read(ref _openMost);

    /// <summary>How often a file is open.</summary>
    public int OpenOf(string name) => _open.GetValueOrDefault(name);

    /// <summary>How often a file's sync has ended.</summary>
    public int SyncsOf(string name) => _syncs.GetValueOrDefault(name);

    /// <summary>True when a file was closed while it was synced.</summary>
    public bool WasClosedInSync { get; private set; }

    /// <summary>Syncs stand still from now on.</summary>
    public void Halt() => _goesOn.Reset();

    public void GoOn() => _goesOn.Set();

    /// <summary>Waits until one stands.</summary>
    public void WaitUntilStanding() => Assert.True(_stands.Wait(TimeSpan.FromMinutes(1)), "No sync came.");

    public override IStoreFile Create(string name) => Counted(base.Create(name));

    public override IStoreFile OpenWrite(string name) => Counted(base.OpenWrite(name));

    private IStoreFile Counted(IStoreFile file)
    {
        if (!file.Name.Contains("records-", StringComparison.Ordinal)) return file;
        _open.AddOrUpdate(file.Name, 1, static (_, open) => open + 1);
        int now = Interlocked.Increment(ref _openNow), most;
        while (now > (most = OpenMost) && Interlocked.CompareExchange(ref _openMost, now, most) != most)
        {
        }

        return new CountedFile(this, file);
    }

    private sealed class CountedFile(HaltedSyncs directory, IStoreFile inner) : PassThroughFile(inner)
    {
        private int _inSync;

        public override void SyncData()
        {
            Interlocked.Increment(ref _inSync);
            if (!directory._goesOn.IsSet)
            {
                directory._stands.Release();
                Assert.True(directory._goesOn.Wait(TimeSpan.FromMinutes(2)), "Nobody let the sync go on.");
            }

            base.SyncData();
            directory._syncs.AddOrUpdate(Name, 1, static (_, syncs) => syncs + 1);
            Interlocked.Decrement(ref _inSync);
        }

        public override void Dispose()
        {
            directory.WasClosedInSync |= Volatile.Read(ref _inSync) > 0;
            Interlocked.Decrement(ref directory._openNow);
            directory._open.AddOrUpdate(Name, 0, static (_, open) => open - 1);
            base.Dispose();
        }
    }
}
