using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A folder in which what a new checkpoint makes superfluous is looked for when it may be. It is the test's: not disposed.</summary>
/// <param name="inner">The folder.</param>
/// <param name="before">Called when the folder is listed for the first time behind each manifest.</param>
internal sealed class HeldTidying(IStoreDirectory inner, Action before) : PassThroughDirectory(inner)
{
    private int _isPublished;

    public override IReadOnlyList<StoreFileEntry> List()
    {
        if (Interlocked.Exchange(ref _isPublished, 0) != 0) before();
        return base.List();
    }

    public override void Rename(string name, string newName)
    {
        base.Rename(name, newName);
        Note(newName);
    }

    public override void RenameNew(string name, string newName)
    {
        base.RenameNew(name, newName);
        Note(newName);
    }

    public override void Dispose()
    {
    }

    private void Note(string name)
    {
        if (name.EndsWith(".manifest", StringComparison.Ordinal)) Interlocked.Exchange(ref _isPublished, 1);
    }
}
