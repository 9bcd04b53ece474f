// Which interleavings of threads does a disk in memory show? Nearly always the same few: its calls take no time. Here some of them take a while, drawn by a seed, before they happen and after they have.

using Store.IO;
using Store.Log;

namespace Store.Tests.Simulation;

/// <summary>
/// A folder whose calls take uneven time. Which calls of which files are slow goes by a mood that the seed draws: the rare orders are those in which one of several threads is held up and the others are not.
/// The same seed gives the same delays to the same numbers of calls; which call gets which number is the scheduler's. It stays its owner's.
/// </summary>
internal sealed class UnevenDirectory(IStoreDirectory inner, int seed) : PassThroughDirectory(inner)
{
    private readonly Mood _mood = (Mood)((uint)seed % 6);
    private long _calls;

    private enum Mood
    {
        Even,
        SlowSyncs,
        SlowPreparer,
        SlowSegments,
        SlowFolder,
        SlowMarks,
    }

    public override IReadOnlyList<StoreFileEntry> List() => Call(isSlow: false, base.List);

    public override IStoreFile Create(string name) => new File(this, Call(IsSlow(name), () => base.Create(name)));

    public override IStoreFile OpenWrite(string name) => new File(this, Call(IsSlow(name), () => base.OpenWrite(name)));

    public override IStoreFile OpenRead(string name) => new File(this, Call(IsSlow(name), () => base.OpenRead(name)));

    public override void Rename(string name, string newName) => Call(_mood == Mood.SlowFolder, () => base.Rename(name, newName));

    public override void RenameNew(string name, string newName) => Call(_mood == Mood.SlowFolder, () => base.RenameNew(name, newName));

    public override void Delete(string name) => Call(_mood == Mood.SlowFolder || IsSlow(name), () => base.Delete(name));

    public override void SyncDirectory() => Call(_mood is Mood.SlowFolder or Mood.SlowSyncs, base.SyncDirectory);

    public override void SyncDirectory(string prefix) => Call(_mood is Mood.SlowFolder or Mood.SlowSyncs, () => base.SyncDirectory(prefix));

    public override void Dispose() { }

    private bool IsSlow(string name) => _mood switch
    {
        Mood.SlowPreparer => SegmentFormat.IsPrepared(name, null),
        Mood.SlowSegments => SegmentFormat.TryParseName(name, out _),
        Mood.SlowMarks => !SegmentFormat.IsPrepared(name, null) && !SegmentFormat.TryParseName(name, out _),
        _ => false,
    };

    private void Call(bool isSlow, Action call)
    {
        Pause(isSlow);
        call();
        Pause(isSlow);
    }

    private T Call<T>(bool isSlow, Func<T> call)
    {
        Pause(isSlow);
        T result = call();
        Pause(isSlow);
        return result;
    }

    // Some give the processor away, some hold up the thread for some microseconds, and some for longer than a whole flush.
    private void Pause(bool isSlow)
    {
        var random = new Random(Mix(Interlocked.Increment(ref _calls)));
        switch (random.Next(isSlow ? 8 : 48))
        {
            case < 2:
                Thread.Yield();
                break;
            case 2:
                Thread.SpinWait(random.Next(2000));
                break;
            case 3:
                Thread.Sleep(0);
                break;
            case 4 when isSlow:
                Thread.Sleep(1);
                break;
        }
    }

    // The framework's own hash is another one in each process.
    private int Mix(long call) => unchecked((int)((((ulong)call * 0x9E3779B97F4A7C15) ^ ((ulong)(uint)seed * 0xBF58476D1CE4E5B9)) >> 32));

    private sealed class File(UnevenDirectory directory, IStoreFile inner) : PassThroughFile(inner)
    {
        private bool IsSlow => directory.IsSlow(Name);

        public override int Read(Span<byte> destination, long offset)
        {
            directory.Pause(IsSlow);
            return base.Read(destination, offset);
        }

        public override void Write(ReadOnlySpan<byte> source, long offset)
        {
            directory.Pause(IsSlow);
            base.Write(source, offset);
            directory.Pause(IsSlow);
        }

        public override void SyncData() => directory.Call(directory._mood == Mood.SlowSyncs || IsSlow, base.SyncData);

        public override void Truncate(long lengthBytes) => directory.Call(IsSlow, () => base.Truncate(lengthBytes));
    }
}
