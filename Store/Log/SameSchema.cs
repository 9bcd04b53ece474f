using Store.Serialization;

namespace Store.Log;

/// <summary>
/// Are two schemas the same to whoever looks at what is stored? By their bytes and not by their fingerprints: schemas that differ only in the members of enums share those, and each is to be shown as it was.
/// </summary>
internal sealed class SameSchema : IEqualityComparer<NinoSchema>
{
    private SameSchema() { }

    public static SameSchema Comparer { get; } = new();

    public static bool AreEqual(NinoSchema x, NinoSchema y) => ReferenceEquals(x, y) || x.CanonicalBytes.Span.SequenceEqual(y.CanonicalBytes.Span);

    public bool Equals(NinoSchema? x, NinoSchema? y) => AreEqual(x!, y!);

    public int GetHashCode(NinoSchema schema) => schema.Fingerprint.GetHashCode();
}
