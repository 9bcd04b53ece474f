// A serializer that takes every workload's own type by one generic method. The shapes in Shapes.cs call it with the exact type, so that nothing is
// looked up at run time: generic code over reference types is shared, and a look-up for the type would be half of a figure of a few nanoseconds.

namespace Store.Bench.Peers;

/// <summary>One serializer for every type. Implemented by empty structs whose methods are inlined.</summary>
public interface IAnyPeer
{
    /// <summary>Serializes to a new array.</summary>
    byte[] Serialize<T>(T value);

    /// <summary>Serializes into the reused buffer, from its start.</summary>
    void Write<T>(PeerBuffer buffer, T value);

    /// <summary>Reads into new objects.</summary>
    T Deserialize<T>(byte[] payload);

    /// <summary>What the last <see cref="Write"/> left. Not timed.</summary>
    byte[] Written(PeerBuffer buffer) => buffer.ToArray();
}

/// <summary>A serializer that can write one object behind the other: for batches.</summary>
public interface IAppendingPeer : IAnyPeer
{
    /// <summary>Serializes into the reused buffer, behind what is there.</summary>
    void Append<T>(PeerBuffer buffer, T value);
}
