using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.Inspect;

/// <summary>A folder that stays open when the tool closes what it opened: the test still needs it.</summary>
internal sealed class KeptOpen(IStoreDirectory inner) : PassThroughDirectory(inner)
{
    public override void Dispose()
    {
    }
}
