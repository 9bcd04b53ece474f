using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.State;

/// <summary>A folder in which writing the files of a name waits for whoever holds it.</summary>
internal sealed class HeldDirectory(IStoreDirectory inner, string prefix, Action beforeWrite) : PassThroughDirectory(inner)
{
    public override IStoreFile Create(string name) => Held(base.Create(name));

    public override IStoreFile OpenWrite(string name) => Held(base.OpenWrite(name));

    private IStoreFile Held(IStoreFile file) => file.Name.StartsWith(prefix, StringComparison.Ordinal) ? new HeldFile(file, beforeWrite) : file;

    private sealed class HeldFile(IStoreFile inner, Action beforeWrite) : PassThroughFile(inner)
    {
        public override void Write(ReadOnlySpan<byte> source, long offset)
        {
            beforeWrite();
            base.Write(source, offset);
        }
    }
}
