using System.Runtime.CompilerServices;
using Store.Faster.Changes;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Faster;

/// <summary>Keyed state beside a store's log, in a FASTER key-value store (docs/key-value.md).</summary>
public static class NinoStoreFasterExtensions
{
    private const int MaxNameLength = 64;

    private static readonly ConditionalWeakTable<NinoStore, HashSet<string>> OpenNames = [];

    /// <summary>
    /// Opens keyed state, creating it or bringing it up to the end of the log: from its newest checkpoint that is whole, and the changes in the log behind it; without a
    /// checkpoint, from the whole log. <see cref="IKeyValueStore{TKey, TValue}.Recovery"/> tells which. Blocks until that is done: a checkpoint is read completely to verify it.
    /// Its changes are records named <c>KeyValue:name</c> in the store's log; its files are in the folder <c>kv-name</c> in the store's.
    /// </summary>
    /// <param name="store">The store. Disposing it disposes the keyed state; its checkpoints checkpoint the keyed state too.</param>
    /// <param name="name">1 to 64 ASCII letters, digits, '-' and '_'. Names that differ in case only cannot be open together.</param>
    /// <param name="options">Memory settings, or null for the defaults.</param>
    /// <typeparam name="TKey">Type of the keys.</typeparam>
    /// <typeparam name="TValue">Type of the values.</typeparam>
    /// <exception cref="ArgumentException">The name or the options are invalid.</exception>
    /// <exception cref="InvalidOperationException">It is open already, or the store is a one-file log, which has no folder.</exception>
    /// <exception cref="NotSupportedException">The key's type keeps references.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows one of the types.</exception>
    /// <exception cref="SchemaMismatchException">It was written with types of a shape that cannot be read as the present one (docs/evolution.md). Nothing was changed.</exception>
    /// <exception cref="StoreCorruptException">The log no longer has changes that no usable checkpoint holds.</exception>
    /// <exception cref="IOException">The disk fails.</exception>
    public static IKeyValueStore<TKey, TValue> OpenKeyValue<TKey, TValue>(this NinoStore store, string name, FasterOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        CheckName(name);
        options ??= new FasterOptions();
        options.CheckRelations();
        if (store.Opened.IsOneFile) throw new InvalidOperationException($"'{store.Path}' is a one-file log; keyed state needs a store folder.");
        store.ThrowIfReadOnly();

        var format = new ChangeFormat<TKey, TValue>(name);
        OpenName opened = OpenName.Take(store, name);
        IStoreDirectory? directory = null;
        try
        {
            directory = store.Options.Directory is { } other ? new FolderView(other, $"kv-{name}.") : DiskDirectory.Open(Path.Combine(store.Path, $"kv-{name}"), create: true);
            var state = new KeyedState(new NinoStoreChangeLog(store), format, directory, options, store.Options.RunsInline, store.Options.TimeProvider, store.Options.LoggerFactory?.CreateLogger("NinoStore.KeyValue"));
            var keyed = new FasterKeyValueStore<TKey, TValue>(state, format, store.Companions, opened);
            try
            {
                store.Companions.Add(keyed);
            }
            catch
            {
                keyed.Dispose();
                throw;
            }

            return keyed;
        }
        catch
        {
            directory?.Dispose();
            opened.Dispose();
            throw;
        }
    }

    private static void CheckName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name.Length > MaxNameLength || !name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'))
            throw new ArgumentException($"'{name}' is no name of keyed state: 1 to {MaxNameLength} ASCII letters, digits, '-' and '_'.", nameof(name));
    }

    /// <summary>A name in use; disposing gives it free.</summary>
    private sealed class OpenName : IDisposable
    {
        private readonly HashSet<string> _names;
        private string? _name;

        private OpenName(HashSet<string> names, string name) => (_names, _name) = (names, name);

        public static OpenName Take(NinoStore store, string name)
        {
            HashSet<string> names = OpenNames.GetValue(store, _ => new HashSet<string>(StringComparer.OrdinalIgnoreCase));
            lock (names)
            {
                if (!names.Add(name)) throw new InvalidOperationException($"The keyed state '{name}' of '{store.Path}' is open already. Share that instance: it is safe for any number of threads.");
            }

            return new OpenName(names, name);
        }

        public void Dispose()
        {
            // Once only: by the second time the name may be somebody else's, and two engines would share a folder.
            lock (_names)
            {
                if (_name is not null) _names.Remove(_name);
                _name = null;
            }
        }
    }
}
