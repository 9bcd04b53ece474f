// What opening does, as a table: facts in, decision out, no I/O. docs/recovery.md shows the same rows with their reasons; RecoveryPlanTests walks all of them.
//
//      what is found                                   Strict     TruncateTorn   Salvage
//  A   no segment and no snapshot                      create     create         create
//  B   no segment, but snapshots, cursors or a mark    refuse     refuse         refuse
//      of the log's start, end or source
//  C   a segment of a newer format version             refuse     refuse         refuse
//  D   a segment whose header does not verify          refuse     refuse         set aside from here on (refuse when it is the first)
//  E   a segment of another store, or misnamed         refuse     refuse         set aside from here on (refuse when it is the first)
//  F   a number missing before this segment            refuse     refuse         set aside from here on (refuse when it is the first)
//  M   the log begins with a later segment than its    refuse     refuse         begin here
//      start mark says, or without one not with the
//      first
//  N   a segment before the start mark: its removal    remove     remove         remove
//      was interrupted
//  G   this segment's predecessor is not the file it   refuse     refuse         set aside from here on
//      continues: shortened, damaged, another one
//  P   a segment of an older writer behind one of a    refuse     refuse         set aside from here on
//      newer: its epoch is lower
//  H   last segment ends with a closing mark           open       open           open
//  I   last segment ends in zeros, no closing mark     open       open           open
//  J   last segment ends with its footer               open       open           open (the next append starts a segment)
//  K   torn tail: bytes after the last good frame      refuse     cut            cut
//      that no later frame says were durable
//  O   the log ends before the segment or record       refuse     refuse         end here
//      that the mark of its end names
//  L   a hole below a sequence that a later frame      refuse     refuse         cut
//      says was durable: acknowledged records lost

namespace Store.Recovery;

/// <summary>A row of the table.</summary>
internal enum RecoveryCase
{
    NothingThere,
    SnapshotsWithoutLog,
    NewerVersion,
    BadHeader,
    ForeignSegment,
    MissingSegment,
    BrokenLink,
    Closed,
    EndsInZeros,
    EndsWithFooter,
    TornTail,
    AcknowledgedLost,
    MissingStart,
    RetiredSegment,
    MissingEnd,
    OlderWriter,
}

/// <summary>What to do.</summary>
internal enum RecoveryAction
{
    Create,
    Open,
    Cut,
    SetAside,
    BeginHere,
    EndHere,
    Remove,
    Refuse,
}

internal static class RecoveryPlan
{
    /// <summary>Decides one row.</summary>
    /// <param name="found">What was found.</param>
    /// <param name="mode">What the caller allows.</param>
    /// <param name="isFirstSegment">True when it concerns the oldest segment: there is nothing before it that could be kept.</param>
    public static RecoveryAction Decide(RecoveryCase found, RecoveryMode mode, bool isFirstSegment) => (found, mode) switch
    {
        (RecoveryCase.NothingThere, _) => RecoveryAction.Create,
        (RecoveryCase.Closed or RecoveryCase.EndsInZeros or RecoveryCase.EndsWithFooter, _) => RecoveryAction.Open,
        (RecoveryCase.TornTail, RecoveryMode.TruncateTorn or RecoveryMode.Salvage) => RecoveryAction.Cut,
        (RecoveryCase.AcknowledgedLost, RecoveryMode.Salvage) => RecoveryAction.Cut,
        (RecoveryCase.MissingStart, RecoveryMode.Salvage) => RecoveryAction.BeginHere,
        (RecoveryCase.MissingEnd, RecoveryMode.Salvage) => RecoveryAction.EndHere,
        (RecoveryCase.RetiredSegment, _) => RecoveryAction.Remove,
        (RecoveryCase.BadHeader or RecoveryCase.ForeignSegment or RecoveryCase.MissingSegment or RecoveryCase.BrokenLink or RecoveryCase.OlderWriter, RecoveryMode.Salvage) =>
            isFirstSegment ? RecoveryAction.Refuse : RecoveryAction.SetAside,
        _ => RecoveryAction.Refuse,
    };
}
