// What do the parts of a keyed state share? The log, the engine, the locks that keep the two in step, and whether all is well.

using Microsoft.Extensions.Logging;
using Store.Faster.Changes;
using Store.Faster.Engine;
using Store.KeyValue;

namespace Store.Faster;

/// <summary>The shared parts of one keyed state.</summary>
/// <param name="Log">The log its changes go to.</param>
/// <param name="Format">What they look like there.</param>
/// <param name="Options">Settings.</param>
/// <param name="Engine">The engine.</param>
/// <param name="Stripes">The locks: every change holds its key's, a checkpoint's cut all of them.</param>
/// <param name="Health">Whether it may be used.</param>
/// <param name="Logger">Where background trouble is told.</param>
internal sealed record KeyedCore(IChangeLog Log, ChangeFormat Format, FasterOptions Options, FasterEngine Engine, StripedLocks Stripes, KeyedHealth Health, ILogger Logger)
{
    /// <summary>The lock that every change of a key takes. Whoever holds it may change that key.</summary>
    public Lock LockOf(ReadOnlySpan<byte> key) => Stripes.Of(KeyHash.Compute(key)).Lock;
}

/// <summary>Whether a keyed state may be used: not after it was closed, not after a failure, and not from inside its own callbacks. Safe for any number of threads.</summary>
/// <param name="name">Name of the state.</param>
/// <param name="path">Its folder.</param>
internal sealed class KeyedHealth(string name, string path)
{
    [ThreadStatic] private static KeyedHealth? _callbackOf;

    private Exception? _failure;
    private volatile bool _isClosed;

    public bool IsClosed => _isClosed;

    public void Close() => _isClosed = true;

    /// <exception cref="ObjectDisposedException">It was closed.</exception>
    public void ThrowIfClosed() => ObjectDisposedException.ThrowIf(_isClosed, typeof(IKeyValueStore<,>));

    /// <exception cref="ObjectDisposedException">It was closed.</exception>
    /// <exception cref="StoreFailedException">It failed.</exception>
    public void ThrowIfUnusable()
    {
        ThrowIfClosed();
        if (_failure is { } failure) throw Failed(failure);
    }

    /// <summary>Remembers the first failure for good: memory, engine and log may differ from here on.</summary>
    public StoreFailedException Fail(Exception e)
    {
        Interlocked.CompareExchange(ref _failure, e, null);
        return Failed(_failure);
    }

    /// <summary>Marks this thread as being inside a callback, which must not change the state: it holds a lock already, and another could wait for it.</summary>
    public void EnterCallback()
    {
        ThrowIfInCallback();
        _callbackOf = this;
    }

    public static void ExitCallback() => _callbackOf = null;

    /// <exception cref="InvalidOperationException">This thread is inside a callback of this state.</exception>
    public void ThrowIfInCallback()
    {
        if (ReferenceEquals(_callbackOf, this)) throw new InvalidOperationException($"A callback of '{name}' changes the keyed state that it is called by. Return the change instead; nothing was appended.");
    }

    private StoreFailedException Failed(Exception cause) =>
        new($"The keyed state '{name}' failed and accepts nothing more: {cause.Message} No change is lost that the log has. Dispose it and open it again; that reads the log.", path, cause);
}
