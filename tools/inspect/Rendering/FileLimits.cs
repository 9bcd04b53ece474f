using System.Text.Json;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>
/// The bounds of showing what a store wrote, as wide as those it wrote it by: a snapshot's value may be as large as an array of bytes. The depth is the greatest that a store can be told to write (NinoStoreOptions.MaxDepth); keys are not compared
/// where no dictionary is made of them. The bytes are verified before, and who looks into a stranger's file trusts the stranger with his time.
/// </summary>
internal static class FileLimits
{
    /// <summary>How records are written as JSON: as deep as they are, since each object of theirs takes several levels there and the limit above bounds them.</summary>
    public static JsonWriterOptions Json { get; } = new() { Encoder = ShownJsonEncoder.Instance, SkipValidation = true, MaxDepth = int.MaxValue };

    public static NinoLimits Default { get; } = new() { MaxDepth = 1000, MaxRecordBytes = Array.MaxLength };
}
