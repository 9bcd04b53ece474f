// What do the parts of a keyed state share? The log, the engine, the locks that keep the two in step, and whether all is well.

using Microsoft.Extensions.Logging;
using Store.Faster.Changes;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.KeyValue.Changes;

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

    /// <summary>True when the record log has come near the last address that FASTER has: they are never used again, also where compaction gave the records up.</summary>
    public bool IsFull => Engine.Log.EndOffset >= Options.MostRecordLogBytes;

    /// <summary>Whether there are addresses left for a change.</summary>
    /// <exception cref="StoreException">There are not.</exception>
    public void CheckRoom()
    {
        if (!IsFull) return;
        throw new StoreException($"The record log of the keyed state '{Format.Name}' has used {Engine.Log.EndOffset} bytes of addresses, of which {Options.MostRecordLogBytes} are the most: it takes no more changes; nothing was appended. "
            + $"Reads, scans and checkpoints go on. Copy it ({nameof(IKeyValueStore<,>.Scan)}, {nameof(IKeyValueStore<,>.PutBatch)}) into a keyed state of another name and use that.");
    }

    /// <summary>Whether the record of a change fits the log. Of a batch each: it is one frame, for which the log has another limit.</summary>
    /// <exception cref="RecordTooLargeException">It does not.</exception>
    public void CheckFits(int recordBytes)
    {
        if (recordBytes <= Log.MaxRecordSizeBytes) return;
        throw new RecordTooLargeException($"A change of {recordBytes} bytes of '{Format.Name}' exceeds the limit of {Log.MaxRecordSizeBytes} ({nameof(NinoStoreOptions)}.{nameof(NinoStoreOptions.MaxRecordSizeBytes)}). Nothing was appended.");
    }

    /// <summary>Whether a key and a value fit a page of the engine.</summary>
    /// <exception cref="RecordTooLargeException">They do not.</exception>
    public void CheckFits(int keyBytes, int valueBytes)
    {
        if (Engine.Fits(keyBytes, valueBytes)) return;
        throw new RecordTooLargeException($"A key of {keyBytes} and a value of {valueBytes} bytes do not fit a page of '{Format.Name}' ({Options.PageSizeBytes} bytes). "
            + $"Nothing was appended. A larger {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)} makes the next opening rebuild the state from the log, which must still have all its changes; else copy it into a keyed state of another name, with larger pages.");
    }
}

/// <summary>Whether a keyed state may be used: not after it was closed, not after a failure, and not from inside its own callbacks. Safe for any number of threads.</summary>
/// <param name="name">Name of the state.</param>
/// <param name="path">Its folder.</param>
/// <param name="owner">Whose callbacks they are: what the store asks about them.</param>
internal sealed class KeyedHealth(string name, string path, object owner)
{
    private Exception? _failure;
    private volatile bool _isClosed;

    public bool IsClosed => _isClosed;

    /// <summary>The first failure, or null.</summary>
    public Exception? Failure => _failure;

    /// <summary>True until it was closed or has failed.</summary>
    public bool IsUsable => !_isClosed && _failure is null;

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
    /// <returns>The callback, disposed by the same thread.</returns>
    public KeyValueCallback EnterCallback()
    {
        ThrowIfInCallback();
        return KeyValueCallback.Enter(owner);
    }

    /// <summary>True while this thread is inside a callback of this state.</summary>
    public bool IsInCallback => KeyValueCallback.IsInside(owner);

    /// <exception cref="InvalidOperationException">This thread is inside a callback of this state.</exception>
    public void ThrowIfInCallback() => KeyValueCallback.ThrowIfChanging(owner, name);

    /// <summary>As the other form, for what waits until no change is under way.</summary>
    /// <exception cref="InvalidOperationException">This thread is inside a callback of this state.</exception>
    public void ThrowIfWouldWaitForItself(string what) => KeyValueCallback.ThrowIfWaiting(owner, name, what);

    private StoreFailedException Failed(Exception cause) =>
        new($"The keyed state '{name}' failed and accepts nothing more: {cause.Message} No change is lost that the log has. Dispose it and open it again; that reads the log.", path, cause);
}
