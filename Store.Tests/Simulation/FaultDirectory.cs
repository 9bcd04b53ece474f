// What does the store do when the n-th file call fails? Wraps a folder, fails calls as asked and records all of them.

using Store.IO;

namespace Store.Tests.Simulation;

internal enum FaultKind
{
    /// <summary>EIO of any call.</summary>
    IoError,

    /// <summary>ENOSPC of calls that need space.</summary>
    NoSpace,

    /// <summary>EROFS of calls that change or sync something: what Linux answers once the file system has given up writing.</summary>
    ReadOnlyFileSystem,

    /// <summary>A write that stores its first half and then fails with ENOSPC.</summary>
    ShortWrite,
}

/// <summary>Which calls fail.</summary>
/// <param name="At">The number of the failing call, counting from 1 those that <paramref name="Kind"/> can strike.</param>
/// <param name="Kind">How it fails.</param>
/// <param name="IsForever">All such calls from there on fail too.</param>
/// <param name="Strikes">Counts and fails only these operations; null for all that the kind can strike.</param>
/// <param name="Files">Counts and fails only calls for files of these names; null for all.</param>
/// <param name="Error">The system's number for it; null for the one of the kind.</param>
internal sealed record Fault(long At, FaultKind Kind, bool IsForever = false, Func<IoOperation, bool>? Strikes = null, Func<string, bool>? Files = null, int? Error = null)
{
    /// <summary>No room for the next rename: what is written whole and then published is not.</summary>
    public static Fault OfTheNextRename { get; } = new(1, FaultKind.NoSpace, Strikes: static operation => operation == IoOperation.Rename);

    public bool CanStrike(IoOperation operation) => (Strikes is null || Strikes(operation)) && Kind switch
    {
        FaultKind.IoError => true,
        FaultKind.NoSpace => operation is IoOperation.Create or IoOperation.Rename or IoOperation.Write or IoOperation.SyncData or IoOperation.StartWriteback or IoOperation.SyncDirectory or IoOperation.TryLock,
        FaultKind.ReadOnlyFileSystem => operation is not (IoOperation.List or IoOperation.OpenRead or IoOperation.Read or IoOperation.Map),
        _ => operation is IoOperation.Write,
    };

    public IOException ToException(IoOperation operation, string file)
    {
        var error = Error ?? Kind switch { FaultKind.IoError => IoFailure.IoError, FaultKind.ReadOnlyFileSystem => IoFailure.ReadOnlyFileSystem, _ => IoFailure.NoSpace };
        return new InjectedFault($"{operation} of '{file}' failed as asked: {Kind}{(Error is null ? "" : $" ({Error})")}.", error);
    }
}

/// <summary>The failure of an injected fault.</summary>
public sealed class InjectedFault(string message, int error) : IOException(message, error);

/// <summary>A folder whose calls can fail. Thread-safe as the wrapped one is.</summary>
/// <param name="inner">The real folder or the simulator. A sync that fails here loses the unsynced bytes of a <see cref="SimDirectory"/> for good, as on Linux.</param>
/// <param name="seed">For which of those bytes reached the disk nevertheless.</param>
internal sealed class FaultDirectory(IStoreDirectory inner, int seed = 1) : IStoreDirectory
{
    private readonly Random _random = new(seed);
    private readonly Lock _gate = new();
    private long _struck;

    /// <summary>What fails from now on; counting starts anew.</summary>
    public Fault? Fault
    {
        get;
        set
        {
            lock (_gate)
            {
                field = value;
                _struck = 0;
                Failures = 0;
            }
        }
    }

    /// <summary>How many calls failed since the fault was set. 0 after a run: the run has fewer calls than the fault's number.</summary>
    public long Failures { get; private set; }

    /// <summary>How many calls the fault could have struck since it was set: with a number that is never reached, all that a run has.</summary>
    public long Counted
    {
        get
        {
            lock (_gate)
                return _struck;
        }
    }

    /// <summary>All calls.</summary>
    public IoTrace Trace { get; } = new();

    public string Name => inner.Name;

    public bool IsReadOnly => inner.IsReadOnly;

    public IReadOnlyList<StoreFileEntry> List() => Call(IoOperation.List, Name, 0, 0, 0, inner.List);

    public IStoreFile Create(string name)
    {
        var file = Call(IoOperation.Create, name, 0, 0, 0, () => inner.Create(name));
        Trace.Deleted(name); // another file than one of that name before
        return new FaultFile(this, file, Trace.IdOf(name));
    }

    public IStoreFile OpenWrite(string name) => new FaultFile(this, Call(IoOperation.OpenWrite, name, 0, 0, 0, () => inner.OpenWrite(name)), Trace.IdOf(name));

    public IStoreFile OpenRead(string name) => new FaultFile(this, Call(IoOperation.OpenRead, name, 0, 0, 0, () => inner.OpenRead(name)), Trace.IdOf(name));

    public void Rename(string name, string newName)
    {
        Call(IoOperation.Rename, name, 0, 0, 0, () => inner.Rename(name, newName));
        Trace.Renamed(name, newName);
    }

    public void RenameNew(string name, string newName)
    {
        Call(IoOperation.Rename, name, 0, 0, 0, () => inner.RenameNew(name, newName));
        Trace.Renamed(name, newName);
    }

    public void Delete(string name)
    {
        Call(IoOperation.Delete, name, 0, 0, 0, () => inner.Delete(name));
        Trace.Deleted(name);
    }

    public void SyncDirectory() => Call(IoOperation.SyncDirectory, Name, 0, 0, 0, inner.SyncDirectory);

    public void SyncDirectory(string prefix) => Call(IoOperation.SyncDirectory, prefix, 0, 0, 0, () => inner.SyncDirectory(prefix));

    public IDisposable? TryLock(string name) => Call(IoOperation.TryLock, name, 0, 0, 0, () => inner.TryLock(name));

    public void Dispose() => inner.Dispose();

    private void Call(IoOperation operation, string file, int id, long offset, long length, Action call, Action? onFault = null) => Call(operation, file, id, offset, length, () =>
    {
        call();
        return true;
    }, onFault);

    private T Call<T>(IoOperation operation, string file, int id, long offset, long length, Func<T> call, Action? onFault = null)
    {
        var entry = Trace.Begin(operation, file, id, offset, length);
        Exception? failure = null;
        try
        {
            if (Strike(operation, file) is { } fault)
            {
                onFault?.Invoke();
                throw fault;
            }
            return call();
        }
        catch (Exception e)
        {
            failure = e;
            throw;
        }
        finally
        {
            Trace.Finish(entry, failure);
        }
    }

    private IOException? Strike(IoOperation operation, string file)
    {
        lock (_gate)
        {
            if (Fault is not { } fault || !fault.CanStrike(operation) || fault.Files?.Invoke(file) == false)
                return null;
            _struck++;
            if (_struck != fault.At && !(fault.IsForever && _struck > fault.At))
                return null;
            Failures++;
            return fault.ToException(operation, file);
        }
    }

    private sealed class FaultFile(FaultDirectory directory, IStoreFile inner, int id) : IStoreFile
    {
        public string Name => inner.Name;

        public long LengthBytes => inner.LengthBytes;

        public unsafe int Read(Span<byte> destination, long offset)
        {
            fixed (byte* start = destination)
            {
                // The span is pinned for the whole call; a lambda cannot hold it otherwise.
                var (at, length) = ((nint)start, destination.Length);
                return directory.Call(IoOperation.Read, Name, id, offset, length, () => inner.Read(new Span<byte>((void*)at, length), offset));
            }
        }

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            var bytes = source.ToArray();
            directory.Call(IoOperation.Write, Name, id, offset, bytes.Length, () => inner.Write(bytes, offset), () =>
            {
                if (directory.Fault?.Kind == FaultKind.ShortWrite)
                    inner.Write(bytes.AsSpan(0, bytes.Length / 2), offset);
            });
        }

        public void SyncData() => directory.Call(IoOperation.SyncData, Name, id, 0, 0, inner.SyncData, LoseUnsynced);

        public void StartWriteback(long offset, long lengthBytes) =>
            directory.Call(IoOperation.StartWriteback, Name, id, offset, lengthBytes, () => inner.StartWriteback(offset, lengthBytes), LoseUnsynced);

        private void LoseUnsynced()
        {
            if (inner is SimFile simulated)
                simulated.FailSync(directory._random);
        }

        public void Truncate(long lengthBytes) => directory.Call(IoOperation.Truncate, Name, id, 0, lengthBytes, () => inner.Truncate(lengthBytes));

        public IStoreMapping Map() => directory.Call(IoOperation.Map, Name, id, 0, LengthBytes, inner.Map);

        public void Dispose() => inner.Dispose();
    }
}
