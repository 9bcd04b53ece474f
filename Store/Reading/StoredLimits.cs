using Store.Serialization;

namespace Store.Reading;

/// <summary>
/// The bounds of what a store reads of its own files; and, but for the depth (<see cref="NinoStoreOptions.MaxDepth"/>), writes to its snapshots. Records nest as deep as any option lets them be written: the stack is looked at on the way. Keys may fall together as they like: what was written has been in a dictionary of the program that wrote it, and a state that cannot be restored is worse than one that takes as long as
/// it took to fill. A value may be as large as an array of bytes, so whatever is written can be looked at in one piece. The bytes are verified before; who reads a stranger's store trusts the stranger with his time, and with memory for as many bytes as its records have, or become when they are of another shape than the program's types.
/// </summary>
internal static class StoredLimits
{
    public static NinoLimits Default { get; } = new() { MaxDepth = NinoLimits.DepthMax, MaxKeyComparisons = long.MaxValue, MaxRecordBytes = Array.MaxLength, MaxGrowth = int.MaxValue };
}
