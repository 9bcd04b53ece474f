using Microsoft.Win32.SafeHandles;
using Store.IO;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.IO;

/// <summary>
/// What the look at the lock's file decides: which file is locked when it is removed while the lock is taken, and what a system that does not tell changes, which is nothing. The calls of the system are answered as a test wants.
/// Another process comes by another name of the folder's parent, which the list of this process's locks does not know.
/// </summary>
public sealed class LockLookTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _path, _alias;

    public LockLookTests()
    {
        Directory.CreateDirectory(_folder["real/logs"]);
        if (!OperatingSystem.IsWindows()) Directory.CreateSymbolicLink(_folder["alias"], _folder["real"]);
        (_path, _alias) = (_folder["real/logs/lock"], _folder["alias/logs/lock"]);
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void AFileThatIsRemovedBeforeItIsLockedIsLockedWhereItIsByThen(int times)
    {
        if (!OperatingSystem.IsLinux()) return;
        int removed = 0;
        using DiskLock? taken = DiskLock.TryTake(_path, withFolder: false, new FileLook(RemoveFirst));

        Assert.Equal(times, removed);
        Assert.True(taken!.IsInPlace);
        using DiskLock? second = DiskLock.TryTake(_alias, withFolder: false);
        Assert.Null(second);

        int RemoveFirst(SafeFileHandle? file, string path, out FileIdentity identity)
        {
            if (file is not null && removed++ < times) File.Delete(path);
            else removed = Math.Min(removed, times);
            return Posix.Identify(file, path, out identity);
        }
    }

    [Fact]
    public void AFileThatIsRemovedAgainAndAgainIsAFailureThatSaysSo()
    {
        if (!OperatingSystem.IsLinux()) return;
        int asked = 0;
        Assert.Contains("again and again", Assert.Throws<IOException>(() => DiskLock.TryTake(_path, withFolder: false, new FileLook(Remove))).Message, StringComparison.Ordinal);
        Assert.Equal(8, asked);

        // It is nobody's.
        using DiskLock? taken = DiskLock.TryTake(_path, withFolder: false);
        Assert.NotNull(taken);

        int Remove(SafeFileHandle? file, string path, out FileIdentity identity)
        {
            if (file is not null)
            {
                asked++;
                File.Delete(path);
            }

            return Posix.Identify(file, path, out identity);
        }
    }

    // EPERM, ENOSYS, EACCES, EINVAL, EOPNOTSUPP; and a C library without the call.
    [Theory]
    [InlineData(1)]
    [InlineData(38)]
    [InlineData(13)]
    [InlineData(22)]
    [InlineData(95)]
    [InlineData(null)]
    public void WhereTheSystemDoesNotTellTheLockIsTakenAndCounts(int? error)
    {
        if (!OperatingSystem.IsLinux()) return;
        foreach (bool isOfThePathOnly in (bool[])[false, true])
        {
            int asked = 0;
            File.Delete(_path);
            using (DiskLock? taken = DiskLock.TryTake(_path, withFolder: false, new FileLook(Refuse)))
            {
                Assert.True(taken!.IsInPlace);
                File.Delete(_path);
                int before = asked;
                Assert.True(taken.IsInPlace);

                // What cannot be told of the file that is open, or by no library, is not asked again.
                Assert.Equal(error is null || !isOfThePathOnly ? 0 : 1, asked - before);
            }

            int Refuse(SafeFileHandle? file, string path, out FileIdentity identity)
            {
                asked++;
                if (isOfThePathOnly && file is not null) return Posix.Identify(file, path, out identity);
                identity = default;
                return error ?? throw new EntryPointNotFoundException("as asked");
            }
        }
    }

    [Fact]
    public void AnyOtherFailureOfTheLookIsOne()
    {
        if (!OperatingSystem.IsLinux()) return;
        bool isBroken = false;
        using DiskLock? taken = DiskLock.TryTake(_path, withFolder: false, new FileLook(Fail));
        isBroken = true;
        Assert.Throws<IOException>(() => taken!.IsInPlace);

        int Fail(SafeFileHandle? file, string path, out FileIdentity identity)
        {
            identity = default;
            return isBroken ? 5 : Posix.Identify(file, path, out identity);
        }
    }

    /// <summary>What it costs: one call of the system a look, an append has none and a commit two, before it writes and after it has synced.</summary>
    [Fact]
    public void AnAppendToALogInOneFileLooksNeverAndACommitTwice()
    {
        var directory = new WatchedDirectory(new SimDirectory());
        using (NinoStore store = StoreOpener.Open("log.bin", Simulated.Options(directory), mustBeNewFile: true))
        {
            store.Append(0);
            Simulated.Commit(store);
            for (int round = 0; round < 5; round++)
            {
                int before = directory.Looks;
                for (int i = 0; i < 50; i++) store.Append(i);
                store.AppendBatch<int>([1, 2, 3]);
                Assert.Equal(before, directory.Looks);
                Simulated.Commit(store);
                Assert.Equal(before + 2, directory.Looks);
                Simulated.Commit(store);
                Assert.Equal(before + 2, directory.Looks);
            }
        }

        if (!OperatingSystem.IsLinux()) return;
        int asked = 0;
        using DiskLock? taken = DiskLock.TryTake(_path, withFolder: false, new FileLook(Count));
        Assert.Equal(2, asked);
        for (int i = 1; i <= 10; i++)
        {
            Assert.True(taken!.IsInPlace);
            Assert.Equal(2 + i, asked);
        }

        int Count(SafeFileHandle? file, string path, out FileIdentity identity)
        {
            asked++;
            return Posix.Identify(file, path, out identity);
        }
    }

    private sealed class WatchedDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public int Looks { get; private set; }

        public override IDisposable? TryLock(string name) => base.TryLock(name) is { } held ? new Watched(this, held) : null;

        private sealed class Watched(WatchedDirectory directory, IDisposable held) : IWatchedLock
        {
            public bool IsInPlace
            {
                get
                {
                    directory.Looks++;
                    return true;
                }
            }

            public void Dispose() => held.Dispose();
        }
    }
}
