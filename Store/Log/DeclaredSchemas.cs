using Store.Serialization;

namespace Store.Log;

/// <summary>Schemas of one segment by the place of their frames, for whoever begins at many places of it: each of them needs all that were declared before, and they are read and parsed once. Not thread-safe.</summary>
internal sealed class DeclaredSchemas
{
    private readonly Dictionary<long, (int Id, NinoSchema Schema)> _byOffset = [];

    /// <summary>Keeps what the frame at a place declares.</summary>
    public void Add(long offset, int id, NinoSchema schema) => _byOffset[offset] = (id, schema);

    /// <summary>What the frame at a place declares; false when it was not read yet.</summary>
    public bool TryGet(long offset, out (int Id, NinoSchema Schema) declared) => _byOffset.TryGetValue(offset, out declared);
}
