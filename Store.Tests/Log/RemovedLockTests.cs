using Store.IO;
using Store.Log;

namespace Store.Tests.Log;

/// <summary>
/// On a real disk somebody removes the lock's file under a living writer. Of a folder, nobody gets in: the folder itself is locked. A log in one file has no such net, and its writer stops before it acknowledges anything more.
/// The second writer comes by another name of the folder's parent, as another process would: the list of this process's locks does not know it.
/// </summary>
public sealed class RemovedLockTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _path;
    private readonly string _alias;

    public RemovedLockTests()
    {
        (_path, _alias) = (_folder["real"], _folder["alias"]);
        Directory.CreateDirectory(Path.Combine(_path, "logs"));
        if (!OperatingSystem.IsWindows()) Directory.CreateSymbolicLink(_alias, _path);
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AStoreWhoseLocksFileIsRemovedOrReplacedLetsNobodyIn(bool isReplaced)
    {
        if (OperatingSystem.IsWindows()) return;
        string store = Path.Combine(_path, "store"), lockFile = Path.Combine(store, SegmentFormat.LockName);
        using (NinoStore first = NinoStore.Open(store))
        {
            first.Append("first");
            first.Commit();
            File.Delete(lockFile);
            if (isReplaced) File.WriteAllText(lockFile, "");

            // Each attempt makes the file anew; it opens nothing.
            for (int i = 0; i < 2; i++) Assert.Throws<StoreInUseException>(() => NinoStore.Open(Path.Combine(_alias, "store")));
            using (NinoStore copied = NinoStore.Open(Path.Combine(_path, "other"))) Assert.ThrowsAny<StoreInUseException>(() => copied.BackupToAsync(Path.Combine(_alias, "store")).AsTask().GetAwaiter().GetResult());
            first.Append("goes on");
            first.Commit();
        }

        using NinoStore again = NinoStore.Open(Path.Combine(_alias, "store"), new NinoStoreOptions { Recovery = RecoveryMode.Strict });
        Assert.Equal(["first", "goes on"], again.Read<string>().Select(static r => r.Value));
        Assert.True(again.Recovery.CleanClose);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AWriterOfOneFileWhoseLocksFileIsRemovedOrReplacedStopsAndNothingAcknowledgedIsLost(bool isReplaced)
    {
        if (!OperatingSystem.IsLinux()) return;
        (string file, string lockFile) = (Path.Combine(_path, "logs", "log.nino"), Path.Combine(_path, "logs", "log.nino.lock"));
        NinoStore first = NinoLog.Create(file);
        first.Append("first");
        first.Commit();
        Assert.Throws<StoreInUseException>(() => NinoStore.Open(Path.Combine(_alias, "logs", "log.nino")));
        File.Delete(lockFile);
        if (isReplaced) File.WriteAllText(lockFile, "");
        using (NinoStore second = NinoStore.Open(Path.Combine(_alias, "logs", "log.nino")))
        {
            second.Append("second");
            second.Commit();

            // The flusher may have found it out by then.
            var failure = Assert.Throws<StoreFailedException>(() =>
            {
                first.Append("too late");
                first.Commit();
            });
            Assert.Contains("lock was removed or replaced", Assert.IsType<StoreInUseException>(failure.InnerException).Message, StringComparison.Ordinal);
            first.Dispose();
            second.Append("second again");
            second.Commit();
        }

        using NinoStore again = NinoStore.Open(file, new NinoStoreOptions { Recovery = RecoveryMode.Strict });
        Assert.Equal(["first", "second", "second again"], again.Read<string>().Select(static r => r.Value));
    }

    // It would cut the file behind its own last record.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AWriterOfOneFileThatOnlyClosesCutsNothingOfAnothers(bool hasWritten)
    {
        if (!OperatingSystem.IsLinux()) return;
        string file = Path.Combine(_path, "logs", "log.nino");
        NinoStore first = NinoLog.Create(file);
        first.Append("first");
        first.Commit();
        if (!hasWritten)
        {
            // Then there is nothing to write on closing.
            first.Dispose();
            first = NinoStore.Open(file);
        }

        File.Delete(file + ".lock");
        using (NinoStore second = NinoStore.Open(Path.Combine(_alias, "logs", "log.nino")))
        {
            for (int i = 0; i < 3_000; i++) second.Append("second");
            second.Commit();
            Assert.IsType<StoreInUseException>(Assert.Throws<StoreFailedException>(first.Dispose).InnerException);
            Assert.Equal(3_001, second.Read<string>().Count());
        }

        using NinoStore again = NinoStore.Open(file, new NinoStoreOptions { Recovery = RecoveryMode.Strict });
        Assert.Equal(3_001, again.LastSequence);
    }

    [Fact]
    public void WhoeverHoldsALockOnTheFolderKeepsTheStoreShutMeanwhile()
    {
        if (OperatingSystem.IsWindows()) return;
        using (var held = Posix.OpenFolder(_path))
        {
            Assert.True(Posix.TryLockFolder(held, _path));
            Assert.Contains("flock", Assert.Throws<StoreInUseException>(() => NinoStore.Open(_path)).Message, StringComparison.Ordinal);

            // A log in one file is not concerned: others may lie beside it.
            using NinoStore log = NinoLog.Create(Path.Combine(_path, "log.nino"));
        }

        using NinoStore store = NinoStore.Open(_path);
        Assert.Equal(1, store.Append(1));
    }

    [Fact]
    public void AFileThatWasRemovedMovedOrReplacedIsNotTheOneThatItsPathNames()
    {
        if (!OperatingSystem.IsLinux()) return;
        string path = Path.Combine(_path, "file"), other = Path.Combine(_path, "other");
        File.WriteAllText(path, "");
        using var opened = Posix.OpenFile(path);
        FileIdentity? identity = FileLook.OfSystem.Identify(opened, path);
        Assert.NotNull(identity);
        Assert.True(FileLook.OfSystem.IsNamed(identity, path));
        Assert.True(FileLook.OfSystem.IsNamed(identity, Path.Combine(_alias, "file")));
        File.Move(path, other);
        Assert.False(FileLook.OfSystem.IsNamed(identity, path));
        Assert.True(FileLook.OfSystem.IsNamed(identity, other));
        File.WriteAllText(path, "");
        Assert.False(FileLook.OfSystem.IsNamed(identity, path));
        File.Move(other, path, overwrite: true);
        Assert.True(FileLook.OfSystem.IsNamed(identity, path));
        File.Delete(path);
        Assert.False(FileLook.OfSystem.IsNamed(identity, path));
    }
}
