using Store.Faster.Changes;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;
using Store.Threading;

namespace Store.Faster;

/// <summary>Keyed state beside a store's log, in a FASTER key-value store (docs/key-value.md).</summary>
public static class NinoStoreFasterExtensions
{
    /// <summary>
    /// Opens keyed state, creating it or bringing it up to the end of the log: from its newest checkpoint that is whole, and the changes in the log behind it; without a
    /// checkpoint, from the whole log. <see cref="IKeyValueStore{TKey, TValue}.Recovery"/> tells which. Blocks until that is done: a checkpoint is read completely to verify it.
    /// A long replay writes checkpoints on the way, when the options make one due, and goes on from there when it is interrupted. <see cref="OpenKeyValueAsync"/> tells how far it is and can be given up.
    /// Its changes are records named <c>KeyValue:name</c> in the store's log; its files are in the folder <c>kv-name</c> in the store's (capitals as <c>%</c> and two digits).
    /// </summary>
    /// <param name="store">The store. Disposing it disposes the keyed state; its checkpoints checkpoint the keyed state too.</param>
    /// <param name="name">1 to 64 ASCII letters, digits, '-' and '_'. Names that differ in case only cannot be open together.</param>
    /// <param name="options">Memory settings, or null for the defaults.</param>
    /// <typeparam name="TKey">Type of the keys.</typeparam>
    /// <typeparam name="TValue">Type of the values.</typeparam>
    /// <exception cref="ArgumentException">The name or the options are invalid.</exception>
    /// <exception cref="RecordTooLargeException">With other pages than it was written with, a change of the log does not fit one. Nothing was changed.</exception>
    /// <exception cref="InvalidOperationException">It is open already, or the store is a one-file log, which has no folder.</exception>
    /// <exception cref="NotSupportedException">The key's type keeps references.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows one of the types.</exception>
    /// <exception cref="SchemaMismatchException">It was written with types of a shape that cannot be read as the present one (docs/evolution.md). Nothing was changed.</exception>
    /// <exception cref="StoreCorruptException">The log no longer has changes that no usable checkpoint holds, or they are damaged. Where checkpoints cannot be used, the log is read to its end before they are removed: none is lost for a log that cannot take its place.</exception>
    /// <exception cref="IOException">The disk fails.</exception>
    /// <exception cref="ObjectDisposedException">The store was closed, before or meanwhile.</exception>
    public static IKeyValueStore<TKey, TValue> OpenKeyValue<TKey, TValue>(this NinoStore store, string name, FasterOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        return Open<TKey, TValue>(store, name, options, null, CancellationToken.None);
    }

    /// <summary>As <see cref="OpenKeyValue"/>, on a thread of the pool, telling how far it is.</summary>
    /// <param name="store">The store. Disposing it disposes the keyed state; its checkpoints checkpoint the keyed state too.</param>
    /// <param name="name">1 to 64 ASCII letters, digits, '-' and '_'. Names that differ in case only cannot be open together.</param>
    /// <param name="options">Memory settings, or null for the defaults.</param>
    /// <param name="progress">Told when the replay of the log begins, after every 4,096 records and at the end, on the thread that replays; null for nobody. What it throws ends the opening.</param>
    /// <param name="cancellationToken">
    /// Gives it up, between two blocks of a checkpoint that is verified and between two records of the log that is read; what FASTER reads of the index and into its memory is read to its end. Nothing is left open, and nothing is lost:
    /// the checkpoint that is in force stays, or the last one that the replay has written, and another opening goes on from there.
    /// </param>
    /// <typeparam name="TKey">Type of the keys.</typeparam>
    /// <typeparam name="TValue">Type of the values.</typeparam>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    /// <inheritdoc cref="OpenKeyValue" path="/exception"/>
    public static ValueTask<IKeyValueStore<TKey, TValue>> OpenKeyValueAsync<TKey, TValue>(
        this NinoStore store, string name, FasterOptions? options = null, IProgress<KeyValueOpeningProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        return store.RunAsync(() => Open<TKey, TValue>(store, name, options, progress, cancellationToken), cancellationToken);
    }

    private static IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name, FasterOptions? options, IProgress<KeyValueOpeningProgress>? progress, CancellationToken cancellationToken)
    {
        options ??= new FasterOptions();
        options.CheckRelations();
        KeyValueLog<TKey, TValue> log = KeyValueLog.Open<TKey, TValue>(store, name);
        IStoreDirectory? directory = null;
        try
        {
            directory = log.OpenFolder();
            var state = new KeyedState(new NinoStoreChangeLog(store, log.Holding), log.Format, directory, options, store.Options.RunsInline, store.Options.TimeProvider, UnfailingLogger.Of(store.Options.LoggerFactory, "NinoStore.KeyValue"), log, progress, cancellationToken);
            var keyed = new FasterKeyValueStore<TKey, TValue>(state, log.Format, log);
            try
            {
                log.AttachRead(keyed, Math.Max(state.Recovery.CheckpointSequence, log.Since));
                state.CheckpointIfReplayMakesOneDue();
            }
            catch
            {
                keyed.GiveUp();
                throw;
            }

            return keyed;
        }
        catch
        {
            directory?.Dispose();
            log.Dispose();
            throw;
        }
    }
}
