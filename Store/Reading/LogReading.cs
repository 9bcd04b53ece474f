// What the store's reading members do. They differ in who holds the bytes and on which thread; all stand on RecordScan.

using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Store.Log;
using Store.Serialization;

namespace Store.Reading;

/// <summary>Reading a log that this process has open. Safe for any number of threads.</summary>
/// <param name="files">Its segments.</param>
/// <param name="horizon">Gives what may be read, in the files when it returns.</param>
/// <param name="runsInline">True to work on the calling thread only.</param>
internal sealed class LogReading(ILogFiles files, Func<ReadOptions, LogSpan> horizon, bool runsInline)
{
    private const int BatchRecords = 256;
    private const int BatchBytes = 1024 * 1024;

    /// <summary>First sequence that is still in the log.</summary>
    public long FirstSequence => files.Segments[0].FirstSequence;

    /// <summary>The segments.</summary>
    public ILogFiles Files => files;

    public LogScan Scan(ReadOptions options)
    {
        if (options.NewestFirst) throw new ArgumentException("A scan goes forward only. Use ReadRecords to read the newest record first.", nameof(options));
        return new LogScan(new RecordScan(files, options, horizon(options)));
    }

    /// <summary>Begins to go through records frame by frame; the caller disposes it.</summary>
    public RecordScan Frames(ReadOptions options, bool mustReachBack) => new(files, options, horizon(options), mustReachBack);

    public IEnumerable<LogRecord> Records(ReadOptions options, bool mustReachBack = false)
    {
        LogSpan span = horizon(options);
        if (options.NewestFirst)
        {
            foreach (LogRecord record in new ReverseScan(files, options, span).Records()) yield return record;
            yield break;
        }

        using var scan = new RecordScan(files, options, span, mustReachBack);
        while (scan.NextFrame())
        {
            SegmentScanner.FrameRecords records = scan.Scanner.Records();
            while (scan.TryNext(ref records, out LogRecord record)) yield return record;
        }
    }

    public IEnumerable<LogRecord<T>> Values<T>(ReadOptions options)
    {
        options = options with { Types = NinoCodec<T>.Default.Schema.Names };
        return options.NewestFirst
            ? Records(options).Select(static record => new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>()))
            : new TypedRecords<T>(() => new RecordScan(files, options, horizon(options)));
    }

    public async IAsyncEnumerable<LogRecord<T>> ValuesAsync<T>(ReadOptions options, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        // Records of other types count as work too: a batch must not take for ever to fill.
        var decoder = new RunDecoder<T>();
        using IEnumerator<LogRecord> records = Records(options with { Types = null }).GetEnumerator();
        var batch = new List<LogRecord<T>>(BatchRecords);
        bool ended = false;
        while (!ended)
        {
            batch.Clear();
            // A failure waits until the records before it have been returned.
            ExceptionDispatchInfo? failure = await RunAsync(() =>
            {
                try
                {
                    long bytes = 0;
                    while (batch.Count < BatchRecords && bytes < BatchBytes && !(ended = !records.MoveNext()))
                    {
                        LogRecord record = records.Current;
                        bytes += record.Payload.Length;
                        if (decoder.IsOfType(record.Schema)) batch.Add(new LogRecord<T>(record.Sequence, record.Timestamp, decoder.Decode(record.Sequence, record.Schema, record.Payload.Span)));
                    }

                    return null;
                }
                catch (Exception e)
                {
                    return ExceptionDispatchInfo.Capture(e);
                }
            }, cancellationToken).ConfigureAwait(false);
            foreach (LogRecord<T> record in batch)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return record;
            }

            failure?.Throw();
        }
    }

    private ValueTask<TResult> RunAsync<TResult>(Func<TResult> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return runsInline ? new ValueTask<TResult>(work()) : new ValueTask<TResult>(Task.Run(work, CancellationToken.None));
    }
}
