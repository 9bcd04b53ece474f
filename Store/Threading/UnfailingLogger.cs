// May a logger of the caller's end the process? On the flusher's thread, the preparer's or one of the pool an exception would.

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Store.Threading;

/// <summary>A logger that may be called from threads where nobody catches. What the caller's throws is lost: there is nobody left to tell.</summary>
internal sealed class UnfailingLogger(ILogger inner) : ILogger
{
    /// <summary>The logger of a category, for who writes to it in a catch or where nobody catches; one that writes nowhere when there is no factory, or it fails (it may be disposed before the store).</summary>
    public static ILogger Of(ILoggerFactory? factory, string category)
    {
        try
        {
            return factory is null ? NullLogger.Instance : new UnfailingLogger(factory.CreateLogger(category));
        }
        catch (Exception)
        {
            return NullLogger.Instance;
        }
    }

    /// <summary>As <see cref="Of(ILoggerFactory?, string)"/>, of a type's category.</summary>
    public static ILogger Of<T>(ILoggerFactory? factory) => Of(factory, typeof(T).FullName!);

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
