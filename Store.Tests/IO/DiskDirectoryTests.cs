// What holds only for the real disk: error numbers that reach the caller, locks of the operating system, mappings that live as long as their holder.

using System.Diagnostics;
using Store.IO;

namespace Store.Tests.IO;

public sealed class DiskDirectoryTests : DirectoryContractTests
{
    private readonly string _path = Directory.CreateTempSubdirectory("ninostore-io-").FullName;

    protected override IStoreDirectory CreateDirectory() => DiskDirectory.Open(_path);

    protected override IStoreDirectory OpenReadOnly(IStoreDirectory directory) => DiskDirectory.OpenReadOnly(directory.Name);

    public override void Dispose()
    {
        base.Dispose();
        Directory.Delete(_path, recursive: true);
    }

    [Fact]
    public void AMissingFolderIsNotFoundUnlessItMayBeCreated()
    {
        var path = Path.Combine(_path, "x", "y", "z");
        Assert.Contains(path, Assert.Throws<DirectoryNotFoundException>(() => DiskDirectory.Open(path)).Message);
        Assert.Throws<DirectoryNotFoundException>(() => DiskDirectory.OpenReadOnly(path));
        using var folder = DiskDirectory.Open(path, create: true);
        Assert.False(folder.IsReadOnly);
        Assert.True(Directory.Exists(path));
    }

    /// <summary>Somebody may move a large file to another disk and leave a link: a backup copies as many bytes as are told here.</summary>
    [Fact]
    public void ALinkToAFileHasTheLengthOfTheFile()
    {
        if (OperatingSystem.IsWindows()) return;
        string far = Directory.CreateTempSubdirectory("ninostore-far-").FullName;
        try
        {
            File.WriteAllBytes(Path.Combine(far, "moved"), new byte[12_345]);
            File.CreateSymbolicLink(Path.Combine(far, "again"), Path.Combine(far, "moved"));
            File.CreateSymbolicLink(Path.Combine(_path, "a"), Path.Combine(far, "again"));
            Assert.Equal([new("a", 12_345)], Folder.List());
            Assert.Equal(new StoreFileEntry("a", 12_345), Folder.Find("a"));
        }
        finally
        {
            Directory.Delete(far, recursive: true);
        }
    }

    [Fact]
    public void FoldersInsideAreNotListed()
    {
        Directory.CreateDirectory(Path.Combine(_path, "sub"));
        Write("a", "x");
        Assert.Equal([new("a", 1)], Folder.List());
        Assert.ThrowsAny<IOException>(() => Folder.OpenRead("sub"));
    }

    [Fact]
    public void ASyncErrorThatTheFrameworkSwallowsReachesTheCaller()
    {
        if (!OperatingSystem.IsLinux())
            return;
        // fsync of a device without a sync answers EINVAL, which RandomAccess.FlushToDisk takes for success.
        using var file = DiskFile.Open("/dev/null", "null", FileMode.Open, FileAccess.ReadWrite);
        var failure = Assert.Throws<IOException>(file.SyncData);
        Assert.Equal(IoFailure.InvalidArgument, failure.HResult);
        Assert.Contains("/dev/null", failure.Message);
        Assert.Contains("Invalid argument", failure.Message);
    }

    // The framework has an exception of its own for it, which is none of files.
    [Fact]
    public void AFileThatWouldBecomeTooLargeIsAnIoException()
    {
        using var file = Folder.Create("large");
        var failure = Record.Exception(() => file.Write(new byte[10], 1L << 62));
        // Some file systems take it.
        if (failure is null)
            return;
        Assert.IsType<IOException>(failure);
        Assert.Contains("large", failure.Message);
    }

    [Fact]
    public void AFullDiskIsAnIoExceptionWithItsNumber()
    {
        if (!OperatingSystem.IsLinux())
            return;
        using var file = DiskFile.Open("/dev/full", "full", FileMode.Open, FileAccess.ReadWrite);
        var failure = Assert.Throws<IOException>(() => file.Write(new byte[10], 0));
        Assert.Equal(IoFailure.NoSpace, failure.HResult);
        Assert.Contains("/dev/full", failure.Message);
    }

    [Fact]
    public void AnotherOpenFileDescriptionOfTheSystemCannotTakeTheLock()
    {
        if (OperatingSystem.IsWindows())
            return;
        var path = Path.Combine(_path, "lock");
        using (Folder.TryLock("lock"))
        {
            // Around the list of this process: what another process would meet.
            using var other = Posix.OpenFile(path);
            Assert.False(Posix.TryLock(other, path));
        }
        using var free = Posix.OpenFile(path);
        Assert.True(Posix.TryLock(free, path));
        Assert.Null(Folder.TryLock("lock"));
    }

    [Fact]
    public void AnotherProcessHoldsTheLockUntilItIsKilled()
    {
        const string Tool = "/usr/bin/flock";
        if (!File.Exists(Tool))
            return;
        var path = Path.Combine(_path, "lock");
        using var holder = Process.Start(Tool, ["--no-fork", "--exclusive", path, "sleep", "60"]);
        try
        {
            Assert.True(SpinWait.SpinUntil(() => IsTaken("lock"), TimeSpan.FromSeconds(20)));
            Assert.Null(Folder.TryLock("lock"));
        }
        finally
        {
            holder.Kill();
            holder.WaitForExit();
        }
        using var freed = Folder.TryLock("lock");
        Assert.NotNull(freed);
        using var refused = Process.Start(Tool, ["--nonblock", path, "true"]);
        refused.WaitForExit();
        Assert.Equal(1, refused.ExitCode);
    }

    [Fact]
    public void AnotherFolderObjectOrASymbolicLinkCannotTakeTheLock()
    {
        var alias = _path + "-alias";
        Directory.CreateSymbolicLink(alias, _path);
        try
        {
            using var held = Folder.TryLock("lock");
            using var again = DiskDirectory.Open(_path);
            using var linked = DiskDirectory.Open(alias);
            Assert.Null(again.TryLock("lock"));
            Assert.Null(linked.TryLock("lock"));
            Folder.Dispose();
            Assert.Null(again.TryLock("lock")); // belongs to the result, not to the folder object
        }
        finally
        {
            Directory.Delete(alias);
        }
    }

    [Fact]
    public void ManyThreadsTakeALockOneAtATime()
    {
        int holders = 0, taken = 0;
        Parallel.For(0, 2000, _ =>
        {
            using var held = Folder.TryLock("lock");
            if (held is null)
                return;
            Assert.Equal(1, Interlocked.Increment(ref holders));
            Interlocked.Increment(ref taken);
            Interlocked.Decrement(ref holders);
        });
        Assert.True(taken > 0);
    }

    [Fact]
    public void AForgottenMappingStaysMappedSoThatItsSpansStayReadable()
    {
        Write("a", new string('x', 10_000));
        var span = SpanOfAForgottenMapping();
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Assert.Equal(-1, span.IndexOfAnyExcept((byte)'x'));
    }

    [Fact]
    public async Task AMappingOfAFileThatGrowsMeanwhileHasTheLengthItWasAskedFor()
    {
        using var file = Folder.Create("a");
        var done = false;
        file.Write("x"u8, 0);
        var grower = Task.Run(() =>
        {
            for (var offset = 1L; !Volatile.Read(ref done); offset += 999)
                file.Write("x"u8, offset);
        });
        for (var i = 0; i < 300; i++)
        {
            using var mapping = file.Map();
            Assert.Equal((byte)'x', mapping.Span(0, (int)Math.Min(mapping.LengthBytes, int.MaxValue))[0]);
        }
        Volatile.Write(ref done, true);
        await grower;
    }

    [Fact]
    public void AFolderWithoutWritePermissionOpensReadOnly()
    {
        if (!OperatingSystem.IsLinux())
            return;
        // /proc refuses writers whoever they are, the superuser too; a folder's permission bits would not.
        using var folder = DiskDirectory.Open("/proc/self");
        Assert.True(folder.IsReadOnly);
        Assert.Contains("can only be read", Assert.ThrowsAny<IOException>(() => folder.Create("a")).Message);
        Assert.NotEmpty(folder.List());
    }

    [Fact]
    public void AFileThatCannotBeOpenedIsAnIoExceptionWithItsNumber()
    {
        // A folder in the file's place: the framework calls that an UnauthorizedAccessException.
        Directory.CreateDirectory(Path.Combine(_path, "sub"));
        var failure = Assert.ThrowsAny<IOException>(() => Folder.OpenWrite("sub"));
        Assert.Contains("sub", failure.Message);
        Assert.ThrowsAny<IOException>(() => Folder.Delete("sub"));
        Assert.ThrowsAny<IOException>(() => Folder.TryLock("sub"));
    }

    [Fact]
    public void OffsetsBeyond4GiBWork()
    {
        using var file = Folder.Create("sparse");
        const long Far = (1L << 32) + 12345;
        file.Write("far"u8, Far);
        file.SyncData();
        var buffer = new byte[8];
        Assert.Equal(3, file.Read(buffer, Far));
        Assert.Equal("far"u8, buffer.AsSpan(0, 3));
        using var mapping = file.Map();
        Assert.Equal("far"u8, mapping.Span(Far, 3));
    }

    private bool IsTaken(string name)
    {
        using var taken = Folder.TryLock(name);
        return taken is null;
    }

    private ReadOnlySpan<byte> SpanOfAForgottenMapping()
    {
        using var file = Folder.OpenRead("a");
        return file.Map().Span(0, 10_000);
    }
}
