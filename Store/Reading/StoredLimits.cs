using Store.Serialization;

namespace Store.Reading;

/// <summary>
/// The bounds of what is read of a store's own files. Keys may fall together as they like: what was written has been in a dictionary of the program that wrote it, and a state that cannot be restored is worse than one that takes as long as
/// it took to fill. The bytes are verified before; who reads a stranger's store trusts the stranger with his time, not with his memory.
/// </summary>
internal static class StoredLimits
{
    public static NinoLimits Default { get; } = new() { MaxKeyComparisons = long.MaxValue };
}
