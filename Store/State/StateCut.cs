// What does a checkpoint take of a state while nothing changes it, and what does it write of that when events go on? Its bytes, for a state that events change; the state itself where it is never changed.

using Store.Serialization;
using Store.Snapshots;

namespace Store.State;

/// <summary>One cut. Disposed when the snapshot is written.</summary>
internal interface IStateCut<TState> : IDisposable
{
    /// <summary>What is to be written, after <see cref="Take"/>.</summary>
    SnapshotContent Content { get; }

    /// <summary>Bytes that it holds in memory.</summary>
    long HeldBytes { get; }

    /// <summary>Takes the state. Events wait meanwhile.</summary>
    void Take(TState state);
}

/// <summary>The bytes of a state.</summary>
internal sealed class SerializedState<TState> : IStateCut<TState>
{
    private readonly NinoCodec<TState> _codec;
    private readonly NinoLimits _limits;
    private readonly StateImage _image = new();

    /// <param name="codec">Its codec.</param>
    /// <param name="limits">The bounds of writing it.</param>
    /// <param name="expectedBytes">Its size, or nearly: the memory is taken here, so that events do not wait for that.</param>
    public SerializedState(NinoCodec<TState> codec, NinoLimits limits, long expectedBytes)
    {
        (_codec, _limits) = (codec, limits);
        _image.Reserve(expectedBytes);
        Content = new SnapshotImage<TState>("", codec, _image);
    }

    public SnapshotContent Content { get; }

    public long HeldBytes => _image.LengthBytes;

    public void Take(TState state) => SnapshotContent.Write(_image, _codec, in state, _limits);

    public void Dispose() => _image.Dispose();
}

/// <summary>A state that is never changed: serialized while it is written, straight into the file.</summary>
internal sealed class ReferredState<TState>(NinoCodec<TState> codec, SerializingThread serializing) : IStateCut<TState> where TState : class
{
    private Whole? _content;

    public SnapshotContent Content => _content ?? throw new InvalidOperationException("Nothing was taken.");

    public long HeldBytes => 0;

    public void Take(TState state) => _content = new Whole(codec, state, serializing);

    public void Dispose() { }

    private sealed class Whole(NinoCodec<TState> codec, TState state, SerializingThread serializing) : SnapshotContent("", codec.Schema)
    {
        // Until it is written: what counts the older snapshots afterwards needs memory for another one.
        private TState? _state = state;

        public override SnapshotFailure? FindRefusal(SnapshotFile file) => SnapshotReader.FindRefusal(file, codec);

        public override ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
        {
            using (serializing.Enter()) Write(output, codec, in _state!, limits);
            _state = null;
            return default;
        }
    }
}

/// <summary>Which thread serializes a state beside its events? Code of the state that runs there must not call the state, which may wait for it. One at a time.</summary>
internal sealed class SerializingThread
{
    private int _id;

    public bool IsThisOne => Volatile.Read(ref _id) == Environment.CurrentManagedThreadId;

    public Scope Enter()
    {
        Volatile.Write(ref _id, Environment.CurrentManagedThreadId);
        return new Scope(this);
    }

    public readonly ref struct Scope(SerializingThread thread)
    {
        public void Dispose() => Volatile.Write(ref thread._id, 0);
    }
}
