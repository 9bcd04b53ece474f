using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>
/// The bounds of showing what a store wrote, as wide as those it wrote it by: a snapshot's value may be as large as an array of bytes. The depth is the greatest that a store can be told to write (NinoStoreOptions.MaxDepth); keys are not compared
/// where no dictionary is made of them. The bytes are verified before, and who looks into a stranger's file trusts the stranger with his time.
/// </summary>
internal static class FileLimits
{
    public static NinoLimits Default { get; } = new() { MaxDepth = 1000, MaxRecordBytes = Array.MaxLength };
}
