// Where the store of a history is copied to and shipped to: another folder, and another store that follows it. Both outlive its openings.

using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A backup and a follower. One thread backs up, another ships.</summary>
internal sealed class HistoryCopies(int seed) : IDisposable
{
    private NinoStore? _follower;
    private int _begun;

    /// <summary>The folder of the backup.</summary>
    public SimDirectory Backup { get; private set; } = new("backup");

    /// <summary>With which record the backup ends.</summary>
    public long LastCopied { get; private set; }

    /// <summary>The folder of the store that follows.</summary>
    public SimDirectory Follower { get; private set; } = new("follower");

    /// <summary>With which record the follower ends.</summary>
    public long LastShipped => Opened.LastSequence;

    private NinoStore Opened => _follower ??= Simulated.Open(Follower, (seed * 17) + _begun++);

    /// <summary>Brings the backup up to date. Null when what follows it was removed, so that the next one goes to an empty folder.</summary>
    public BackupResult? BackUp(NinoStore store)
    {
        try
        {
            BackupResult result = store.BackupTo(Backup);
            LastCopied = result.LastSequence;
            return result;
        }
        catch (StoreException e) when (e.GetType() == typeof(StoreException) && e.Message.Contains("was removed before it was copied", StringComparison.Ordinal))
        {
            Backup = new SimDirectory("backup");
            return null;
        }
    }

    /// <summary>Ships what the follower has not, and commits it. False when the log no longer has the record with which the follower ended.</summary>
    public bool TryShip(NinoStore store)
    {
        try
        {
            foreach (RawFrame frame in store.ReadFrames(LastShipped + 1)) Opened.Import(frame);
        }
        catch (LogTruncatedException)
        {
            return false;
        }
        catch (ShipmentException e) when (e.Problem is ShipmentProblem.Conflict or ShipmentProblem.Gap)
        {
            return false;
        }

        Opened.Commit();
        return true;
    }

    /// <summary>The follower goes on with a backup, as the message of the refusal says.</summary>
    public void BeginAnew(NinoStore store)
    {
        SimDirectory folder = new("follower");
        store.BackupTo(folder);
        Dispose();
        Follower = folder;
    }

    public void Dispose()
    {
        _follower?.Dispose();
        _follower = null;
    }
}
