// What every serializer is asked to do. Implementations are empty structs, one per peer and shape, so that the measuring loop of Cell is
// compiled for each of them with a direct call: at 1-10 ns an interface or delegate call would be half of the figure.

namespace Store.Bench.Peers;

/// <summary>One serializer for one shape of value.</summary>
/// <remarks>A serializer for every type implements <see cref="IAnyPeer"/> instead and gets its shapes from Shapes.cs.</remarks>
/// <typeparam name="T">What the peer serializes: the workload's own type, or the peer's message type, built beforehand, where it can do no other.</typeparam>
public interface IPeer<T>
{
    /// <summary>Serializes to a new array.</summary>
    byte[] Serialize(T value);

    /// <summary>Serializes into the reused buffer, from its start.</summary>
    void Write(PeerBuffer buffer, T value);

    /// <summary>Reads into new objects.</summary>
    T Deserialize(byte[] payload);

    /// <summary>What the last <see cref="Write"/> left. Not timed.</summary>
    byte[] Written(PeerBuffer buffer) => buffer.ToArray();
}
