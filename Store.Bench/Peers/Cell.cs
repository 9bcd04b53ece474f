// One peer on one workload: the loops that are timed, and the proof that what they do is right.

using System.Runtime.CompilerServices;

namespace Store.Bench.Peers;

/// <summary>What is measured: write a new array, write into a reused buffer, read new objects.</summary>
public enum Operation
{
    Serialize,
    Write,
    Deserialize,
}

/// <summary>One peer on one workload. Not safe for several threads.</summary>
public abstract class Cell(string peer)
{
    /// <summary>Name of the peer's row.</summary>
    public string Peer { get; } = peer;

    /// <summary>Length of the serialized value in bytes.</summary>
    public abstract int PayloadBytes { get; }

    /// <summary>Runs an operation <paramref name="count"/> times in one loop compiled for this peer.</summary>
    public abstract void Run(Operation operation, int count);

    /// <summary>Reads back what each way of writing wrote and compares it with the input.</summary>
    /// <exception cref="InvalidDataException">Something differs.</exception>
    public abstract void Verify();
}

/// <inheritdoc/>
/// <typeparam name="TPeer">The serializer for <typeparamref name="T"/>.</typeparam>
/// <typeparam name="T">What it serializes.</typeparam>
public sealed class Cell<TPeer, T>(string peer, T value, Action<T> verify) : Cell(peer) where TPeer : struct, IPeer<T>
{
    private readonly PeerBuffer _buffer = new();

    private byte[]? _payload;

    // Results go to fields, so that the compiler cannot drop the work.
    private byte[]? _array;
    private T? _object;

    public override int PayloadBytes => Payload.Length;

    // Made on first use: the verb "first-use" times the very first call.
    private byte[] Payload => _payload ??= default(TPeer).Serialize(value);

    public override void Run(Operation operation, int count)
    {
        switch (operation)
        {
            case Operation.Serialize: SerializeLoop(count); break;
            case Operation.Write: WriteLoop(count); break;
            case Operation.Deserialize: DeserializeLoop(count); break;
            default: throw new ArgumentOutOfRangeException(nameof(operation), operation, "Not an operation.");
        }
    }

    public override void Verify()
    {
        TPeer serializer = default;
        try
        {
            verify(serializer.Deserialize(serializer.Serialize(value)));
            for (int i = 0; i < 2; i++)
            {
                // Twice: the second write must not see what the first left in the buffer.
                serializer.Write(_buffer, value);
                verify(serializer.Deserialize(serializer.Written(_buffer)));
            }
        }
        catch (InvalidDataException e)
        {
            throw new InvalidDataException($"{Peer} does not read back what it wrote. {e.Message}", e);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SerializeLoop(int count)
    {
        TPeer serializer = default;
        T input = value;
        for (int i = 0; i < count; i++) _array = serializer.Serialize(input);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLoop(int count)
    {
        TPeer serializer = default;
        T input = value;
        PeerBuffer buffer = _buffer;
        for (int i = 0; i < count; i++) serializer.Write(buffer, input);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DeserializeLoop(int count)
    {
        TPeer serializer = default;
        byte[] payload = Payload;
        for (int i = 0; i < count; i++) _object = serializer.Deserialize(payload);
    }
}
