using System.Text;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>
/// What one snapshot is to hold: named parts, each one value or a stream of items of any number. Handed to <see cref="NinoStore.CheckpointPartsAsync(SnapshotParts, IProgress{SnapshotProgress}?, CancellationToken)"/>; can be used
/// again when its enumerables can. Not thread-safe.
/// </summary>
public sealed class SnapshotParts
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly List<(string Name, Func<SnapshotContent> Create)> _parts = [];

    /// <summary>Adds a value: any registered type. It must not change until the checkpoint is written.</summary>
    /// <param name="name">1 to 256 bytes of UTF-8, another for each part.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentException">The name is empty, too long, taken or no text (half a surrogate pair), or there are 256 parts.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the type.</exception>
    public SnapshotParts Add<T>(string name, T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        return Add(name, () => new SnapshotState<T>(name, codec, value));
    }

    /// <summary>
    /// Adds a stream of items, enumerated once while it is written, on a thread of the pool. Items need never be in memory together; what they are taken from must not
    /// change meanwhile, or must enumerate the state it had at the call (as immutable collections do).
    /// </summary>
    /// <param name="name">1 to 256 bytes of UTF-8, another for each part.</param>
    /// <param name="items">The items; none of them null.</param>
    /// <inheritdoc cref="Add{T}(string, T)" path="/exception"/>
    public SnapshotParts AddItems<T>(string name, IEnumerable<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        return Add(name, () => new SnapshotItemStream<T>(name, codec, items));
    }

    /// <summary>As the other form; no thread is blocked while an item is waited for.</summary>
    /// <inheritdoc cref="AddItems{T}(string, IEnumerable{T})"/>
    public SnapshotParts AddItems<T>(string name, IAsyncEnumerable<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        return Add(name, () => new SnapshotAsyncItemStream<T>(name, codec, items));
    }

    internal IReadOnlyList<SnapshotContent> Create() =>
        _parts.Count > 0 ? [.. _parts.Select(part => part.Create())] : throw new InvalidOperationException("A snapshot has at least one part.");

    private SnapshotParts Add(string name, Func<SnapshotContent> create)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (LengthOf(name) > SnapshotFormat.MaxNameLength) throw new ArgumentException($"A part's name has at most {SnapshotFormat.MaxNameLength} bytes of UTF-8.", nameof(name));
        if (_parts.Any(part => part.Name == name)) throw new ArgumentException($"There is a part '{name}' already.", nameof(name));
        if (_parts.Count == SnapshotFormat.MaxParts) throw new ArgumentException($"A snapshot has at most {SnapshotFormat.MaxParts} parts.", nameof(name));
        _parts.Add((name, create));
        return this;
    }

    // Half a surrogate pair has no UTF-8: any two of them would be one name in the file.
    private static int LengthOf(string name)
    {
        try
        {
            return Utf8.GetByteCount(name);
        }
        catch (EncoderFallbackException e)
        {
            throw new ArgumentException("A part's name is text: it has half a surrogate pair.", nameof(name), e);
        }
    }
}
