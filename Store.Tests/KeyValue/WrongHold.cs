using Store.IO;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>A held checkpoint with one fault.</summary>
internal sealed class WrongHold(IKeyValueCheckpointHold inner, EngineFault fault) : IKeyValueCheckpointHold
{
    public long Sequence => inner.Sequence + (fault == EngineFault.NamesAnotherSequence ? 1 : 0);

    public IReadOnlyList<StoreFileEntry> Files => [.. inner.Files.Select(file => fault == EngineFault.NamesTooFewBytes ? new StoreFileEntry(file.Name, file.LengthBytes - 1) : file)];

    public string? FindDamage(IStoreDirectory copy) => fault == EngineFault.FindsNoDamage ? null : inner.FindDamage(copy);

    public void Dispose() => inner.Dispose();
}
