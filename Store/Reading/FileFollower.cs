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
internal sealed class FileFollower(IStoreDirectory directory, string? oneFileName, FolderWatch? watch)
{
    private const int ShortestWaitMs = 1;
    private const int LongestWaitMs = 64;

    // With notices it is only for those that got lost.
    private const int LongestWatchedWaitMs = 500;

    /// <summary>Number of times the files were looked at and nothing was new.</summary>
    public long IdleLooks { get; private set; }

    /// <summary>Returns records in order, without gap or duplicate, until the range is over or the token is cancelled. Payloads are the caller's.</summary>
    /// <param name="options">Which records.</param>
    /// <param name="first">The segment to begin with.</param>
    /// <param name="cancellationToken">Ends the wait and the following.</param>
    /// <exception cref="LogTruncatedException">Retention removed what follows.</exception>
    /// <exception cref="StoreCorruptException">A segment that has a successor is damaged.</exception>
    public async IAsyncEnumerable<LogRecord> FollowAsync(ReadOptions options, SegmentHeader first, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        SegmentHeader header = first;
        List<LogRecord> batch = [];
        int waitMs = ShortestWaitMs;
        while (true)
        {
            using IStoreFile file = OpenSegment(header);
            using var scanner = new SegmentScanner(file, header);
            SegmentHeader? next = null;
            bool footer = false;
            while (next is null)
            {
                cancellationToken.ThrowIfCancellationRequested();

                // Taken before looking: what changes from here on is noticed.
                Task? changed = watch?.Changed;
                FrameReadStatus status = await Task.Run(scanner.Next, CancellationToken.None).ConfigureAwait(false);
                if (status == FrameReadStatus.Frame)
                {
                    waitMs = ShortestWaitMs;
                    footer = scanner.Frame.Kind == FrameKind.Footer;
                    if (scanner.Frame.FirstSequence > options.ToSequence || scanner.Frame.TimeTicks > options.ToTime.UtcTicks) yield break;
                    Take(scanner, options, batch);
                    foreach (LogRecord record in batch)
                    {
                        cancellationToken.ThrowIfCancellationRequested();
                        yield return record;
                    }

                    if (scanner.NextSequence > options.ToSequence) yield break;
                    continue;
                }

                if (oneFileName is null && TrySuccessor(header) is { } successor)
                {
                    if (footer)
                    {
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
                await WaitAsync(changed, waitMs, cancellationToken).ConfigureAwait(false);
                waitMs = Math.Min(waitMs * 2, watch is null ? LongestWaitMs : LongestWatchedWaitMs);
            }

            header = next.Value;
        }
    }

    private static async Task WaitAsync(Task? changed, int waitMs, CancellationToken cancellationToken)
    {
        if (changed is null)
        {
            await Task.Delay(waitMs, cancellationToken).ConfigureAwait(false);
            return;
        }

        // A notice may come for every write of a busy writer: the shortest wait bounds how often they make anybody look.
        await Task.Delay(ShortestWaitMs, cancellationToken).ConfigureAwait(false);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(changed, Task.Delay(waitMs, ended.Token)).ConfigureAwait(false);
        await ended.CancelAsync().ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    private static void Take(SegmentScanner scanner, ReadOptions options, List<LogRecord> batch)
    {
        batch.Clear();
        FrameHeader frame = scanner.Frame;
        if (frame.Kind != FrameKind.Records || frame.LastSequence < options.FromSequence || frame.TimeTicks < options.FromTime.UtcTicks) return;
        ReadOnlyMemory<byte> payload = scanner.Payload.ToArray();
        var timestamp = new DateTimeOffset(frame.TimeTicks, TimeSpan.Zero);
        SegmentScanner.FrameRecords records = scanner.Records();
        while (records.MoveNext(payload.Span))
        {
            if (records.Sequence < options.FromSequence || records.Sequence > options.ToSequence || !options.Wants(records.Schema)) continue;
            (int start, int length) = records.Place;
            batch.Add(new LogRecord(records.Sequence, timestamp, records.Schema, payload.Slice(start, length)));
        }
    }

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
            return SegmentHeader.TryRead(file, out SegmentHeader next) == SegmentHeaderStatus.Valid && next.StoreId == header.StoreId && next.Number == header.Number + 1 ? next : null;
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
