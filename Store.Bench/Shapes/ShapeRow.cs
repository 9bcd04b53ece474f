// The peers of the verb "shapes". Every shape is a struct, so one generic peer is compiled for each of them: nothing of it is shared (see IAnyPeer), and no shape
// needs a class of its own, as those of Peers/Shapes.cs do.

using System.Runtime.CompilerServices;
using Store.Bench.Peers;

namespace Store.Bench.Shapes;

/// <summary>A serializer for one shape.</summary>
/// <typeparam name="TPeer">The serializer for all of them.</typeparam>
/// <typeparam name="T">The shape.</typeparam>
internal readonly struct OfShape<TPeer, T> : IPeer<T> where TPeer : struct, IAnyPeer where T : struct
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(T value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, T value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize(byte[] payload) => default(TPeer).Deserialize<T>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

/// <summary>One peer.</summary>
/// <param name="name">Name of its row.</param>
public abstract class ShapeRow(string name)
{
    /// <summary>Name of the row.</summary>
    public string Name { get; } = name;

    /// <summary>The peer's cell for a shape, or null when it cannot do it.</summary>
    /// <param name="value">What is serialized.</param>
    /// <param name="verify">Throws when what was read differs from it.</param>
    public abstract Cell? CellFor<T>(T value, Action<T> verify) where T : struct;
}

/// <inheritdoc/>
/// <typeparam name="TPeer">The serializer.</typeparam>
/// <param name="name">Name of its row.</param>
/// <param name="without">Shapes that it cannot do.</param>
internal sealed class ShapeRow<TPeer>(string name, params Type[] without) : ShapeRow(name) where TPeer : struct, IAnyPeer
{
    public override Cell? CellFor<T>(T value, Action<T> verify) => without.Contains(typeof(T)) ? null : new Cell<OfShape<TPeer, T>, T>(Name, value, verify);
}

/// <summary>The peers, NinoStore first.</summary>
public static class ShapeRows
{
    private static readonly List<ShapeRow> Rows =
    [
        new ShapeRow<NinoSerializerPeer>(PeerRows.NinoStore),

        // It has no arrays of two dimensions, and reads what was declared as object as its own tree.
        new ShapeRow<SystemTextJsonPeer>("System.Text.Json", typeof(Grid), typeof(Mixed)),
    ];

    /// <summary>Every peer.</summary>
    public static IReadOnlyList<ShapeRow> All => Rows;

    /// <summary>Adds a peer of Peers/All: called by its module initializer.</summary>
    internal static void Add(ShapeRow row) => Rows.Add(row);
}
