using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>
/// A folder in which whoever says that it is the reader stands still inside one of its calls: opening, listing, reading, mapping. Nobody else waits for anything here.
/// </summary>
/// <param name="inner">The folder.</param>
/// <param name="at">In which call of the reader's; it never stands when it makes fewer.</param>
internal sealed class StandingDirectory(IStoreDirectory inner, int at) : PassThroughDirectory(inner)
{
    // Flows to whatever thread the reader's work goes to.
    private readonly AsyncLocal<bool> _isReader = new();
    private int _calls;

    /// <summary>Set when the reader stands.</summary>
    public ManualResetEventSlim Stands { get; } = new();

    /// <summary>Set to let it go on.</summary>
    public ManualResetEventSlim GoesOn { get; } = new();

    /// <summary>What comes from here on, in this flow, is the reader's.</summary>
    public void IAmTheReader() => _isReader.Value = true;

    public override IReadOnlyList<StoreFileEntry> List()
    {
        Step();
        return base.List();
    }

    public override IStoreFile Create(string name) => new StandingFile(this, base.Create(name));

    public override IStoreFile OpenWrite(string name) => new StandingFile(this, base.OpenWrite(name));

    public override IStoreFile OpenRead(string name)
    {
        Step();
        return new StandingFile(this, base.OpenRead(name));
    }

    public override void Dispose()
    {
        base.Dispose();
        Stands.Dispose();
        GoesOn.Dispose();
    }

    private void Step()
    {
        if (!_isReader.Value || Interlocked.Increment(ref _calls) != at) return;
        Stands.Set();
        GoesOn.Wait();
    }

    private sealed class StandingFile(StandingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
    {
        public override int Read(Span<byte> destination, long offset)
        {
            directory.Step();
            return base.Read(destination, offset);
        }

        public override IStoreMapping Map()
        {
            directory.Step();
            return base.Map();
        }
    }
}
