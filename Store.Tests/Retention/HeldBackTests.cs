using Microsoft.Extensions.Logging;
using Store.Tests.Log;
using Store.Tests.Simulation;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Retention;

/// <summary>A policy that can remove nothing because something holds the log says so, before the disk is full.</summary>
public sealed class HeldBackTests : IDisposable
{
    private readonly SimDirectory _directory = new();
    private readonly ToldLines _told = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void ACursorThatNobodyMovesOnIsToldEachTimeThatWhatItHoldsDoubles()
    {
        using NinoStore store = Open();
        LogCursor cursor = store.OpenCursor("mailer");
        Grow(store, _directory, segments: 14);
        Assert.Equal([2, 4, 8], Held());
        Assert.All(_told.Warnings, static line => Assert.Contains("the cursor 'mailer', after record 0", line, StringComparison.Ordinal));

        // Moved on and left behind again, it is told again.
        CursorTests.Commit(cursor, store.LastSequence);
        GrowTo(store, Segments(_directory).Max() + 1);
        Assert.InRange(Segments(_directory).Length, 1, 3);
        _told.Warnings.Clear();
        GrowTo(store, Segments(_directory).Max() + 7);
        Assert.Equal([2, 4], Held().Take(2));
    }

    [Fact]
    public void ACursorThatKeepsUpIsNotWorthALine()
    {
        using NinoStore store = Open();
        LogCursor cursor = store.OpenCursor("mailer");
        for (int i = 0; i < 40; i++)
        {
            for (int j = 0; j < 300; j++) store.Append(j);
            Simulated.Commit(store);
            CursorTests.Commit(cursor, store.LastSequence - 500 > 0 ? store.LastSequence - 500 : 0);
        }

        Assert.True(store.FirstSequence > 1);
        Assert.Empty(_told.Warnings);
    }

    private NinoStore Open() => Simulated.Open(_directory, change: o => o with { SegmentSizeBytes = 64 * 1024, LoggerFactory = _told, Retention = new RetentionPolicy { MaxRecords = 10 } });

    private void GrowTo(NinoStore store, long segment)
    {
        while (Segments(_directory).Max() < segment)
        {
            store.Append(1);
            Simulated.Commit(store);
        }
    }

    private int[] Held() => [.. _told.Warnings.Select(static line => int.Parse(line.Split("would remove ")[1].Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture))];

    private sealed class ToldLines : ILoggerFactory, ILogger
    {
        public List<string> Warnings { get; } = [];

        public void AddProvider(ILoggerProvider provider) { }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (logLevel >= LogLevel.Warning) Warnings.Add(formatter(state, exception));
        }

        public void Dispose() { }
    }
}
