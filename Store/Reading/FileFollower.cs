// Follows the log of another process through its files: reads frames until there is none, then waits for the folder to change and looks again, at growing
// distances. A frame that is not whole yet does not verify and is looked at again; nothing is ever returned of it.

using System.Runtime.CompilerServices;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Reading;

/// <summary>One follower's way through the files of a log. Reads only; takes no lock.</summary>
/// <param name="directory">The folder.</param>
/// <param name="oneFileName">File name of a one-file log; null for a folder of segments.</param>
/// <param name="watch">Tells of changes; null when only looking helps.</param>
/// <param name="time">Measures the waits between looks; the machine's clock when null.</param>
internal sealed class FileFollower(IStoreDirectory directory, string? oneFileName, IFolderWatch? watch, TimeProvider? time = null)
{
    private const int ShortestWaitMs = 1;
    private const int LongestWaitMs = 64;

    // A frame that does not verify is on its way, most of the time. Only then it is asked whether the file goes on behind it; and once it does, the place is looked at so often again.
    private const int LooksBeforeProof = 3;
    private const int LooksAfterProof = 3;
    private const int LooksBetweenLists = 16;

    // With notices it is only for those that got lost.
    private const int LongestWatchedWaitMs = 500;

    // Something was found that no notice told of: a folder of a network gives none of what others write.
    private bool _missed;

    /// <summary>Number of times the files were looked at and nothing was new.</summary>
    public long IdleLooks { get; private set; }

    /// <summary>Returns records in order, without gap or duplicate, until the range is over or the token is cancelled. Payloads are the caller's.</summary>
    /// <param name="options">Which records.</param>
    /// <param name="first">The segment to begin with.</param>
    /// <param name="cancellationToken">Ends the wait and the following.</param>
    /// <exception cref="LogTruncatedException">Retention removed what follows.</exception>
    /// <exception cref="StoreCorruptException">A frame is damaged, and the log goes on behind it: in the next segment, or in this one, as frames say that were written later. Or the segment was exchanged for one that does not hold what was returned.</exception>
    public async IAsyncEnumerable<LogRecord> FollowAsync(ReadOptions options, SegmentHeader first, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        SegmentHeader header = first;
        int waitMs = ShortestWaitMs;
        while (true)
        {
            using IStoreFile file = OpenSegment(header);
            using var scanner = new SegmentScanner(file, header);
            using var hole = new HoleProbe(file, header);
            var exchange = new ExchangeProbe(directory, oneFileName ?? SegmentFormat.Name(header.Number), header, file);
            int looks = 0, looksAfterProof = 0;
            SegmentHeader? next = null;
            uint? footer = null;
            bool isUntold = false;
            while (next is null)
            {
                cancellationToken.ThrowIfCancellationRequested();

                // Taken before looking: what changes from here on is noticed.
                Task? changed = watch?.Changed;
                FrameReadStatus status = await Task.Run(scanner.Next, CancellationToken.None).ConfigureAwait(false);
                if (status == FrameReadStatus.Frame)
                {
                    _missed |= isUntold && watch is { HasTold: false };
                    isUntold = false;
                    waitMs = ShortestWaitMs;
                    looks = looksAfterProof = 0;
                    FrameHeader frame = scanner.Frame;
                    footer = frame.Kind == FrameKind.Footer ? scanner.FrameChecksum : null;
                    if (frame.FirstSequence > options.ToSequence) yield break;

                    // Only records have times: what else is in a follower of another log may be younger than the records behind it.
                    if (frame.Kind != FrameKind.Records) continue;
                    if (frame.TimeTicks > options.ToTime.UtcTicks) yield break;
                    if (frame.LastSequence >= options.FromSequence && frame.TimeTicks >= options.FromTime.UtcTicks)
                    {
                        ReadOnlyMemory<byte> payload = scanner.Payload.ToArray();
                        var timestamp = new DateTimeOffset(frame.TimeTicks, TimeSpan.Zero);
                        SegmentScanner.FrameRecords records = scanner.Records();
                        while (records.MoveNext(payload.Span))
                        {
                            if (records.Sequence < options.FromSequence || records.Sequence > options.ToSequence || !options.Wants(records.Schema)) continue;
                            cancellationToken.ThrowIfCancellationRequested();
                            (int start, int length) = records.Place;
                            yield return new LogRecord(records.Sequence, timestamp, records.Schema, payload.Slice(start, length));
                        }
                    }

                    if (scanner.NextSequence > options.ToSequence) yield break;
                    continue;
                }

                if (oneFileName is null && TrySuccessor(header) is { } successor)
                {
                    if (footer is { } checksum)
                    {
                        if (successor.FirstSequence != scanner.NextSequence || successor.PreviousChecksum != checksum || successor.StoreId != header.StoreId || successor.Number != header.Number + 1) throw Exchanged(header, successor, scanner.NextSequence);
                        next = successor;
                        break;
                    }

                    // The successor is there, so this segment is complete by now: one more look tells damage from haste.
                    if (await Task.Run(scanner.Next, CancellationToken.None).ConfigureAwait(false) is var again && again != FrameReadStatus.Frame)
                        throw new StoreCorruptException($"{file.Name}, offset {scanner.Offset}: {scanner.Problem ?? "the segment ends without its footer"}, but the log goes on in the next one. Run 'inspect verify'.", file.Name) { Offset = scanner.Offset };
                    scanner.Resume(scanner.FrameOffset, scanner.Frame.FirstSequence);
                    continue;
                }

                IdleLooks++;
                if (footer is not null && looks >= LooksBeforeProof && GoesOnWithoutNext(header)) throw Lost(header, scanner.NextSequence);
                if (looksAfterProof > 0 || (++looks > LooksBeforeProof && await Task.Run(() => hole.Look(scanner.Offset, scanner.NextSequence), CancellationToken.None).ConfigureAwait(false)))
                {
                    if (++looksAfterProof > LooksAfterProof)
                        throw new StoreCorruptException($"{file.Name}, offset {scanner.Offset}: {scanner.Problem ?? "zeros where a frame should be"}, but the log goes on behind it: what begins with record {scanner.NextSequence} is damaged. Run 'inspect verify', and restore the file from a backup, or open the store with RecoveryMode.Salvage to keep what comes before.", file.Name) { Offset = scanner.Offset };
                }

                if (exchange.IsDue && await Task.Run(() => exchange.Look(scanner), CancellationToken.None).ConfigureAwait(false) is { } now)
                {
                    // What was returned of it is not returned again.
                    options = options with { FromSequence = Math.Max(options.FromSequence, scanner.NextSequence) };
                    next = now;
                    break;
                }

                await WaitAsync(changed, waitMs, cancellationToken).ConfigureAwait(false);
                isUntold = changed is { IsCompleted: false };
                waitMs = Math.Min(waitMs * 2, watch is null or { IsDead: true } || (_missed && !watch.HasTold) ? LongestWaitMs : LongestWatchedWaitMs);
            }

            header = next.Value;
        }
    }

    private async Task WaitAsync(Task? changed, int waitMs, CancellationToken cancellationToken)
    {
        if (changed is null)
        {
            await DelayAsync(waitMs, cancellationToken).ConfigureAwait(false);
            return;
        }

        // A notice may come for every write of a busy writer: the shortest wait bounds how often they make anybody look.
        await DelayAsync(ShortestWaitMs, cancellationToken).ConfigureAwait(false);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(changed, DelayAsync(waitMs, ended.Token)).ConfigureAwait(false);
        await ended.CancelAsync().ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    private Task DelayAsync(int waitMs, CancellationToken cancellationToken) => Task.Delay(TimeSpan.FromMilliseconds(waitMs), time ?? TimeProvider.System, cancellationToken);

    // Behind a footer: a segment after the next is there, the next one is not, or its header does not verify. It was there with its header before. All files are looked through now and then only.
    private bool GoesOnWithoutNext(SegmentHeader header) =>
        oneFileName is null
        && (directory.Find(SegmentFormat.Name(header.Number + 2)) is not null || (IdleLooks % LooksBetweenLists == 0 && directory.List().Any(f => SegmentFormat.TryParseName(f.Name, out long number) && number > header.Number + 1)))
        && TrySuccessor(header) is null;

    private StoreCorruptException Lost(SegmentHeader header, long sequence) =>
        new($"{directory.Name}: {SegmentFormat.Name(header.Number + 1)}, which begins with record {sequence}, is missing or its header is damaged, but the log goes on in the one behind it. Run 'inspect verify', and restore the file from a backup.", directory.Name);

    private StoreCorruptException Exchanged(SegmentHeader header, SegmentHeader next, long sequence) =>
        new($"{directory.Name}: {SegmentFormat.Name(header.Number + 1)} is not the segment that follows {SegmentFormat.Name(header.Number)}: it is segment {next.Number} of the store {next.StoreId}, begins with record {next.FirstSequence} where {sequence} comes next, or follows another end of the one before. Somebody has exchanged one of them. Run 'inspect verify', and restore the files from one backup.", directory.Name);

    private IStoreFile OpenSegment(SegmentHeader header)
    {
        try
        {
            return directory.OpenRead(oneFileName ?? SegmentFormat.Name(header.Number));
        }
        catch (FileNotFoundException)
        {
            ThrowIfTruncated(header.Number);
            throw;
        }
    }

    // The next segment, when its header is there; a segment gets its name after its header.
    private SegmentHeader? TrySuccessor(SegmentHeader header)
    {
        try
        {
            using IStoreFile file = directory.OpenRead(SegmentFormat.Name(header.Number + 1));
            return SegmentHeader.TryRead(file, out SegmentHeader next) == SegmentHeaderStatus.Valid ? next : null;
        }
        catch (FileNotFoundException)
        {
            ThrowIfTruncated(header.Number + 1);
            return null;
        }
    }

    private void ThrowIfTruncated(long number)
    {
        if (oneFileName is null && LogStart.Read(directory, out _) is { } start && start.Segment > number)
            throw new LogTruncatedException($"{directory.Name}: segment {number} is no longer in the log, which begins with record {start.Sequence}: retention has removed what is before. Follow from {start.Sequence} on.", directory.Name, start.Sequence);
    }
}
