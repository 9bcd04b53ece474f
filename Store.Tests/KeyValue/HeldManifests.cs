using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A folder in which a manifest is made when it may be. It is the test's: not disposed.</summary>
/// <param name="inner">The folder.</param>
/// <param name="before">Called before each manifest.</param>
internal sealed class HeldManifests(IStoreDirectory inner, Action before) : PassThroughDirectory(inner)
{
    public override IStoreFile Create(string name)
    {
        if (name.Contains(".manifest", StringComparison.Ordinal)) before();
        return base.Create(name);
    }

    public override void Dispose()
    {
    }
}
