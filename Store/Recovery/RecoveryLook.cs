// Opening for reading only, while somebody else may write: what is half written looks damaged for a moment, and what was listed may be removed before it is read. Nothing
// is called damaged that a writer at work can look like, unless it stands still in the middle of a write for longer than all looks take.
//
// Whether a writer stands still there cannot be told from what a look may touch. The bytes are the same: a frame does not say who wrote it,
// and the segment's epoch is that of the writer that began it, dead by now or not. That somebody holds the lock is learnt only by trying to take it, and whoever has it for that
// moment, even shared, makes a writer that opens just then fail: a look would be in somebody's way. A process id in the lock file would mean another process on another
// machine, in another container or after a restart. And where the lock is held, the bytes may as well be a crash's that the writer, which has just opened, is about to cut.

using System.Globalization;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Recovery;

/// <summary>Finds where a log ends and changes nothing. One use; takes no lock.</summary>
internal sealed class RecoveryLook(IStoreDirectory directory, NinoStoreOptions options, string? oneFileName)
{
    private const int LookAgainMs = 5;

    // Frames that are seen behind a hole were written after it: one more look at the hole tells. Bytes with nothing behind them may be on their way as long as they change,
    // and a writer that is held up by its disk is given this many looks.
    private const int SameLooksForLoss = 2;
    private const int SameLooksForTear = 6;
    private const int MostLooks = 200;

    private readonly RecoveryFinder _finder = new(directory, options.Recovery, oneFileName);

    /// <summary>Finds where the log ends. What would be cut, set aside or removed is in the report's damage, and stays.</summary>
    /// <returns>Null when there is no log.</returns>
    /// <exception cref="StoreCorruptException">Something is damaged that the mode does not allow to give up.</exception>
    /// <exception cref="StoreVersionException">A file is of a newer version.</exception>
    /// <exception cref="StoreInUseException">A writer changed the files so fast that no two looks agreed.</exception>
    public (LogTail Tail, RecoveryReport Report)? Run()
    {
        string before = "";
        for (int look = 1, same = 0; ; look++)
        {
            RecoveryFindings? found = null;
            Exception? failure = null;
            try
            {
                found = _finder.Find();
            }
            catch (Exception e) when (e is FileNotFoundException or StoreCorruptException)
            {
                failure = e;
            }

            (string trouble, int enough) = failure is not null ? (failure.Message, SameLooksForLoss) : found is null ? ("no log", SameLooksForLoss) : TroubleOf(found);
            same = trouble == before ? same + 1 : 1;
            before = trouble;
            if (same >= enough)
            {
                if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
                return found is null ? null : Told(found);
            }

            if (look == MostLooks)
            {
                // The end of the log was somewhere else each time: everything before it was whole, and nothing there is damaged.
                if (found is { SetAsideReason: null } && found.Scan.Case is RecoveryCase.TornTail or RecoveryCase.AcknowledgedLost) return Told(found with { Action = RecoveryAction.Open, Scan = found.Scan with { Case = RecoveryCase.EndsInZeros } });
                throw new StoreInUseException(string.Create(CultureInfo.InvariantCulture, $"{directory.Name}: the store is being written, and its files were others each of the {MostLooks} times they were looked at ({trouble}). Nothing is known to be damaged; open it again."), directory.Name, failure);
            }

            if (!options.RunsInline) Thread.Sleep(LookAgainMs);
        }
    }

    // What may be a writer at work, and how often it must be found the same to be believed.
    private static (string Trouble, int Enough) TroubleOf(RecoveryFindings found) => found.Scan.Case switch
    {
        RecoveryCase.TornTail => (string.Create(CultureInfo.InvariantCulture, $"torn at {found.Headers[^1].Number} {found.Scan.Tail.Offset} to {found.Scan.EndOfBytes}"), SameLooksForTear),
        RecoveryCase.AcknowledgedLost or RecoveryCase.MissingEnd => (string.Create(CultureInfo.InvariantCulture, $"lost at {found.Headers[^1].Number} {found.Scan.Tail.Offset}"), SameLooksForLoss),
        _ when found.SetAsideReason is { } reason => (reason, SameLooksForLoss),
        _ => ("", 1),
    };

    private (LogTail, RecoveryReport) Told(RecoveryFindings found)
    {
        _finder.ThrowIfRefused(found);
        List<StoreDamage> damage = [];
        string name = _finder.NameOf(found.Headers[^1]);
        if (found.StartProblem is not null) damage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, found.StartProblem));
        if (found.EndProblem is not null) damage.Add(new StoreDamage(LogEnd.FileName, 0, 0, StoreDamageKind.Corruption, found.EndProblem));
        if (found.BeginsHere is not null) damage.Add(new StoreDamage(_finder.NameOf(found.Headers[0]), 0, 0, StoreDamageKind.Corruption, found.BeginsHere));
        if (found.SetAsideReason is not null) damage.Add(new StoreDamage(found.Segments[found.Headers.Count].Name, 0, found.Segments[found.Headers.Count].LengthBytes, StoreDamageKind.Corruption, $"{found.SetAsideReason}; the log is read up to here"));
        if (found.Scan.Case == RecoveryCase.MissingEnd) damage.Add(new StoreDamage(name, found.Scan.Tail.Offset, 0, StoreDamageKind.Corruption, $"{found.Description}; the log is read up to here"));
        if (found.Action == RecoveryAction.Cut) damage.Add(RecoveryRunner.CutDamage(found, name));
        return (found.Scan.Tail, RecoveryRunner.Report(found, damage, []));
    }
}
