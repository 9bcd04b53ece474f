using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Store.Faster.Changes;
using Store.Faster.Engine;
using Store.KeyValue;

namespace Store.Faster;

/// <summary>A keyed state with types: encodes and decodes around <see cref="KeyedState"/>. Safe for any number of threads.</summary>
internal sealed class FasterKeyValueStore<TKey, TValue> : IKeyValueStore<TKey, TValue>, IStoreCompanion
{
    private readonly KeyedState _state;
    private readonly ChangeFormat<TKey, TValue> _format;
    private readonly StoreCompanions? _companions;
    private readonly IDisposable? _opened;

    /// <param name="state">The state; disposed with this.</param>
    /// <param name="format">How its changes are written.</param>
    /// <param name="companions">Where this is taken off when it is disposed.</param>
    /// <param name="opened">Disposed last: gives the name free again.</param>
    public FasterKeyValueStore(KeyedState state, ChangeFormat<TKey, TValue> format, StoreCompanions? companions = null, IDisposable? opened = null) =>
        (_state, _format, _companions, _opened) = (state, format, companions, opened);

    /// <inheritdoc/>
    public long Count => _state.Count;

    /// <inheritdoc/>
    public KeyValueRecovery Recovery => _state.Recovery;

    internal KeyedState State => _state;

    /// <inheritdoc/>
    public long Put(TKey key, TValue value)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodePut(buffer, key, value);
            return _state.Put(buffer.Record, buffer.Key, buffer.Value);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        ReadResult result = default;
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeKey(buffer, key);
            if (!_state.TryRead(buffer.Key, out result))
            {
                value = default;
                return false;
            }

            value = _format.DecodeValue(result.Bytes.AsSpan(0, result.LengthBytes));
            return true;
        }
        finally
        {
            if (result.Bytes is { } bytes) ArrayPool<byte>.Shared.Return(bytes);
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public bool Delete(TKey key)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeDelete(buffer, key);
            return _state.Delete(buffer.Record, buffer.Key);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public ValueTask CheckpointAsync(CancellationToken cancellationToken = default) => _state.CheckpointAsync(cancellationToken);

    /// <inheritdoc/>
    public void Dispose()
    {
        try
        {
            _state.Dispose();
        }
        finally
        {
            _companions?.Remove(this);
            _opened?.Dispose();
        }
    }
}
