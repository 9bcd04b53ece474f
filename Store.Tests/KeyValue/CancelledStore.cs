// What do engines get wrong about calls that are cancelled while they are under way?

using Store.IO;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state that does one thing about a cancelled call otherwise. Where it pretends to read its files, the store must be on files that a case holds back.</summary>
internal sealed class CancelledStore<TKey, TValue>(IKeyValueStore<TKey, TValue> inner, EngineFault fault, NinoStore store, string name) : PassingStore<TKey, TValue>(inner)
{
    private readonly HashSet<string> _halfMade = [];

    public override async ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default)
    {
        switch (fault)
        {
            case EngineFault.IgnoresItsTokenWhileItWaits:
                return await base.PutAsync(key, value, CancellationToken.None);
            case EngineFault.DropsAChangeCancelledWhileItReads:
                await ReadLater().WaitAsync(cancellationToken);
                return await base.PutAsync(key, value, cancellationToken);
            case EngineFault.LeavesACancelledChangeHalfMade:
                try
                {
                    return await base.PutAsync(key, value, cancellationToken);
                }
                catch (OperationCanceledException)
                {
                    // In the log, and not in the state any more.
                    _halfMade.Add(Name(key));
                    throw;
                }

            case EngineFault.TakesBackACancelledChange:
                try
                {
                    return await base.PutAsync(key, value, cancellationToken);
                }
                catch (OperationCanceledException)
                {
                    Inner.Delete(key);
                    throw;
                }

            default:
                return await base.PutAsync(key, value, cancellationToken);
        }
    }

    public override bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value) => base.TryGet(key, out value) & !_halfMade.Contains(Name(key));

    public override ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        if (fault == EngineFault.ReadsOnTheThreadOfItsCaller) Read();
        return base.TryGetAsync(key, cancellationToken);
    }

    public override ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default)
    {
        if (fault != EngineFault.EncodesAKeyAfterItsRead) return base.UpdateAsync(key, update, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        return new(Later().WaitAsync(cancellationToken));

        async Task<KeyValueUpdated<TUpdate>> Later()
        {
            await ReadLater();
            return await base.UpdateAsync(key, update, CancellationToken.None);
        }
    }

    private static string Name(TKey key) => Convert.ToHexString(NinoSerializer.Serialize(key));

    private Task ReadLater() => Task.Factory.StartNew(Read, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private void Read()
    {
        if (store.Options.Directory is not { } files) return;
        string file = $"kv-{name}.read";
        using IStoreFile read = files.List().Any(entry => entry.Name == file) ? files.OpenRead(file) : files.Create(file);
        read.Read(new byte[1], 0);
    }
}
