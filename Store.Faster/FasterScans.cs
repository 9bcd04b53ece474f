// How does a scan of encoded keys and values become one of types? What is walked is decoded on the caller's thread, where a codec may throw: that ends the scan and nothing else.

using System.Runtime.CompilerServices;
using Store.Faster.Engine;
using Store.KeyValue.Changes;

namespace Store.Faster;

/// <summary>The scans of a keyed state. Safe for any number of threads; what they return is not.</summary>
/// <param name="scans">Walks.</param>
/// <param name="format">Decodes.</param>
internal sealed class FasterScans<TKey, TValue>(KeyedScans scans, ChangeFormat<TKey, TValue> format)
{
    /// <summary>Walks on the caller's thread. It begins when the enumeration does, so that one that is never enumerated holds nothing.</summary>
    public IEnumerable<KeyValuePair<TKey, TValue>> Scan()
    {
        using KeyedScan scan = scans.Begin();
        while (scans.TryNext(scan, out ReadResult key, out ReadResult value)) yield return Decode(key, value);
    }

    /// <summary>Walks on threads of the pool.</summary>
    public async IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        KeyedScanAhead scan = scans.Ahead();
        await using (scan.ConfigureAwait(false))
        {
            while (await scan.TryAdvanceAsync(cancellationToken).ConfigureAwait(false))
            {
                while (scan.TryTake(out ReadResult key, out ReadResult value))
                {
                    yield return Decode(key, value);
                    cancellationToken.ThrowIfCancellationRequested();
                }
            }
        }
    }

    private KeyValuePair<TKey, TValue> Decode(ReadResult key, ReadResult value)
    {
        try
        {
            return new(format.DecodeKey(key.Value), format.DecodeValue(value.Value));
        }
        finally
        {
            key.Release();
            value.Release();
        }
    }
}
