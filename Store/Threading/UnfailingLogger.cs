// May a logger of the caller's end the process? On the flusher's thread, the preparer's or one of the pool an exception would.

using Microsoft.Extensions.Logging;

namespace Store.Threading;

/// <summary>A logger that may be called from threads where nobody catches. What the caller's throws is lost: there is nobody left to tell.</summary>
internal sealed class UnfailingLogger(ILogger inner) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return inner.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            return false;
        }
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            inner.Log(logLevel, eventId, state, exception, formatter);
        }
        catch (Exception)
        {
            // A message is worth less than the log it is about.
        }
    }
}
