// How can a scan be wrong?

using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>The scans of a keyed state with one fault.</summary>
internal sealed class WrongScans<TKey, TValue>(IKeyValueStore<TKey, TValue> inner, EngineFault fault)
{
    private BlockingCollection<TKey>? _putMeanwhile;

    /// <summary>Told of what was put.</summary>
    public void Note(TKey key) => Volatile.Read(ref _putMeanwhile)?.Add(key);

    public IEnumerable<KeyValuePair<TKey, TValue>> Scan() => fault switch
    {
        EngineFault.ScansAKeyTwice => WithTheLastTwice(),
        EngineFault.ScansWithoutWhatChanges => WithoutWhatChanges(),
        EngineFault.EndsAScanWhenItIsDisposed => UntilItIsDisposed(),
        _ => inner.Scan(),
    };

    public IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken) => fault switch
    {
        EngineFault.ScansAKeyTwiceAsynchronously => WithTheLastTwice().ToAsyncEnumerable(),
        EngineFault.ScansAsynchronouslyWithoutWhatChanges => WithoutWhatChanges().ToAsyncEnumerable(),
        EngineFault.EndsAnAsynchronousScanWhenItIsDisposed => UntilItIsDisposed(cancellationToken),
        EngineFault.EnumeratesAnAsynchronousScanOnce => new OnlyOnce<KeyValuePair<TKey, TValue>>(inner.ScanAsync(cancellationToken)),
        EngineFault.IgnoresCancellation => inner.ScanAsync(CancellationToken.None),
        EngineFault.ScansOnWhenItIsCancelled => Uncancelled(),
        _ => inner.ScanAsync(cancellationToken),
    };

    private IEnumerable<KeyValuePair<TKey, TValue>> WithTheLastTwice()
    {
        KeyValuePair<TKey, TValue>? last = null;
        foreach (KeyValuePair<TKey, TValue> pair in inner.Scan())
        {
            last = pair;
            yield return pair;
        }

        if (last is { } twice) yield return twice;
    }

    // It begins, waits for two changes, and leaves out what they changed: of any two, one is of a key that stays. However busy the machine is, whoever changes comes to it in the end.
    private IEnumerable<KeyValuePair<TKey, TValue>> WithoutWhatChanges()
    {
        var put = new BlockingCollection<TKey>();
        List<KeyValuePair<TKey, TValue>> begun = [.. inner.Scan()];
        Volatile.Write(ref _putMeanwhile, put);
        HashSet<TKey> changed = [Take(), Take()];
        Volatile.Write(ref _putMeanwhile, null);
        return begun.Where(pair => !changed.Contains(pair.Key));

        TKey Take() => put.TryTake(out TKey? key, TimeSpan.FromMinutes(1)) ? key : throw new TimeoutException("Nobody changes anything beside the scan.");
    }

    private IEnumerable<KeyValuePair<TKey, TValue>> UntilItIsDisposed()
    {
        using IEnumerator<KeyValuePair<TKey, TValue>> scan = inner.Scan().GetEnumerator();
        while (MovesOn()) yield return scan.Current;

        bool MovesOn()
        {
            try
            {
                return scan.MoveNext();
            }
            catch (ObjectDisposedException)
            {
                return false;
            }
        }
    }

    private async IAsyncEnumerable<KeyValuePair<TKey, TValue>> UntilItIsDisposed([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (KeyValuePair<TKey, TValue> pair in UntilItIsDisposed().ToAsyncEnumerable())
        {
            yield return pair;
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    // Neither its own token nor the enumerator's reaches it.
    private async IAsyncEnumerable<KeyValuePair<TKey, TValue>> Uncancelled()
    {
        await foreach (KeyValuePair<TKey, TValue> pair in inner.ScanAsync(CancellationToken.None)) yield return pair;
    }

    private sealed class OnlyOnce<T>(IAsyncEnumerable<T> inner) : IAsyncEnumerable<T>
    {
        private bool _wasEnumerated;

        public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
        {
            IAsyncEnumerable<T> all = _wasEnumerated ? AsyncEnumerable.Empty<T>() : inner;
            _wasEnumerated = true;
            return all.GetAsyncEnumerator(cancellationToken);
        }
    }
}
