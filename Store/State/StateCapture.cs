using Store.Serialization;
using Store.Snapshots;

namespace Store.State;

/// <summary>
/// The bytes of a state at a sequence of the log, taken while it stood still, to be written while it goes on. Made by <see cref="CheckpointScheduleExtensions.Capture"/>; owns pooled memory of the
/// state's size until it is disposed, which a <see cref="CheckpointSchedule"/> does with those it was given.
/// </summary>
public sealed class StateCapture : IDisposable
{
    private readonly NinoSchema _schema;
    private readonly StateImage _image;

    private StateCapture(NinoStore store, NinoSchema schema, StateImage image, long sequence) => (Store, _schema, _image, Sequence) = (store, schema, image, sequence);

    /// <summary>Last sequence whose effect the state holds.</summary>
    public long Sequence { get; }

    /// <summary>Bytes of the state.</summary>
    public long LengthBytes => _image.LengthBytes;

    internal NinoStore Store { get; }

    internal SnapshotContent Content => new SnapshotImage("", _schema, _image);

    /// <inheritdoc cref="IDisposable.Dispose"/>
    public void Dispose() => _image.Dispose();

    internal static StateCapture Of<T>(NinoStore store, NinoCodec<T> codec, in T state, long sequence)
    {
        var image = new StateImage();
        try
        {
            var writer = new NinoWriter(image);
            codec.WriteRecord(ref writer, in state);
            writer.Flush();
            return new StateCapture(store, codec.Schema, image, sequence);
        }
        catch
        {
            image.Dispose();
            throw;
        }
    }
}
