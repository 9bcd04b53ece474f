// When is what was found of a key without its lock still so under it? When nothing has changed in its stripe since before the lookup. Then a change need not look again, which for a record on the disk is another read.

namespace Store.Faster;

/// <summary>What a lookup has found of a key.</summary>
/// <param name="IsThere">Whether the key was there.</param>
/// <param name="Address">Where its record was.</param>
/// <param name="Version">How far its stripe had come before the lookup: <see cref="StripedLocks.VersionOf"/>.</param>
internal readonly record struct KeySighting(bool IsThere, long Address, long Version)
{
    /// <summary>Of a key that nobody has looked for: as good as one that was changed since.</summary>
    public static KeySighting None => new(false, 0, -1);
}
