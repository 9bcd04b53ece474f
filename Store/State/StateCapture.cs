using Store.Serialization;
using Store.Snapshots;

namespace Store.State;

/// <summary>
/// The bytes of a state at a sequence of the log, taken while it stood still, to be written while it goes on. Made by <see cref="CheckpointScheduleExtensions.Capture"/>; owns pooled memory of the
/// state's size until it is disposed, which a <see cref="CheckpointSchedule"/> does with those it was given.
/// </summary>
public sealed class StateCapture : IDisposable
{
    private readonly StateImage _image;
    private readonly SnapshotContent _content;

    private StateCapture(NinoStore store, StateImage image, SnapshotContent content, long sequence) => (Store, _image, _content, Sequence) = (store, image, content, sequence);

    /// <summary>Last sequence whose effect the state holds.</summary>
    public long Sequence { get; }

    /// <summary>Bytes of the state.</summary>
    public long LengthBytes => _image.LengthBytes;

    internal NinoStore Store { get; }

    /// <summary>What is to be written.</summary>
    /// <exception cref="ObjectDisposedException">The capture is disposed: its bytes are not there any more.</exception>
    internal SnapshotContent Content
    {
        get
        {
            _image.ThrowIfDisposed();
            return _content;
        }
    }

    /// <summary>Gives the memory back, once what writes it at the moment is through. A capture that is disposed is written by nobody: a schedule that is given one says so.</summary>
    public void Dispose() => _image.Dispose();

    internal static StateCapture Of<T>(NinoStore store, NinoCodec<T> codec, in T state, long sequence)
    {
        var image = new StateImage();
        try
        {
            SnapshotContent.Write(image, codec, in state, store.Options.SnapshotLimits);
            return new StateCapture(store, image, new SnapshotImage<T>("", codec, image), sequence);
        }
        catch
        {
            image.Dispose();
            throw;
        }
    }
}
