using Store.IO;
using Store.Tests.Log;

namespace Store.Tests.IO;

/// <summary>Which folders are synced, so that a power failure takes none of them away with the store in it, and what comes of one that cannot be.</summary>
public sealed class FolderNamesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly List<string> _synced = [];
    private readonly FolderNames _names;
    private Func<string, int> _errorOf = static _ => 0;

    public FolderNamesTests()
    {
        Directory.CreateDirectory(_folder["old"]);
        File.WriteAllText(_folder["old/something"], "");
        _names = new FolderNames(path =>
        {
            _synced.Add(Path.GetRelativePath(_folder.Path, path));
            if (_errorOf(path) is var error and not 0) throw IoFailure.FromSystem("sync the folder", path, error);
        });
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void EachFolderThatIsMadeHasItsNameSynced()
    {
        Assert.Null(Open("old/a/b/c", create: true));
        Assert.Equal(["old/a/b", "old/a", "old"], _synced);
    }

    [Fact]
    public void AFolderWithNothingInItHasItsNameSyncedByWhoFindsItAndSoHaveThoseThatHoldNothingElse()
    {
        Directory.CreateDirectory(_folder["old/a/b"]);
        Assert.Null(Open("old/a/b", create: false));
        Assert.Equal(["old/a", "old"], _synced);
    }

    [Fact]
    public void WhoMakesAFolderInOneThatWasLeftWithNothingInItSyncsTheNameOfThatToo()
    {
        Directory.CreateDirectory(_folder["old/left"]);
        Assert.Null(Open("old/left/store", create: true));
        Assert.Equal(["old/left", "old"], _synced);
    }

    [Fact]
    public void OfAFolderThatALinkLeadsToBothNamesAreSynced()
    {
        if (OperatingSystem.IsWindows()) return;
        Directory.CreateDirectory(_folder["old/store"]);
        Directory.CreateDirectory(_folder["links"]);
        File.WriteAllText(_folder["links/something"], "");
        Directory.CreateSymbolicLink(_folder["links/store"], _folder["old/store"]);
        Assert.Null(Open("links/store", create: true));
        Assert.Equal(["old", "links"], _synced);
    }

    [Fact]
    public void AFolderWithSomethingInItIsNotNewAndCostsNoSync()
    {
        Assert.Null(Open("old", create: true));
        Assert.Empty(_synced);
    }

    [Fact]
    public void OneThatAnotherProcessPutAFolderBesideMeanwhileIsSyncedAllTheSame()
    {
        int made = FolderNames.Make(_folder["old/a/b"]);
        Directory.CreateDirectory(_folder["old/a/of-another"]);
        Assert.Null(_names.Settle(_folder["old/a/b"], made));
        Assert.Equal(["old/a", "old"], _synced);
    }

    // EPERM, EACCES; and of a folder that was found EROFS, EINVAL: the one above is of another file system.
    [Theory]
    [InlineData(1, true)]
    [InlineData(13, true)]
    [InlineData(1, false)]
    [InlineData(13, false)]
    [InlineData(30, false)]
    [InlineData(22, false)]
    public void WhereTheFolderAboveCannotBeSyncedTheStoreIsOpenedAndTheReasonIsKept(int error, bool isMade)
    {
        if (!isMade) Directory.CreateDirectory(_folder["old/store"]);
        _errorOf = _ => error;
        Assert.Equal(error, Open("old/store", create: true)?.HResult);
        Assert.Equal(["old"], _synced);
    }

    // EIO; and EROFS of a folder that was made there, so the file system could be written a moment ago and has given up.
    [Theory]
    [InlineData(5, true)]
    [InlineData(5, false)]
    [InlineData(30, true)]
    public void ASyncThatTheDiskFailsIsAFailureOfTheOpening(int error, bool isMade)
    {
        if (!isMade) Directory.CreateDirectory(_folder["old/store"]);
        _errorOf = _ => error;
        Assert.Equal(error, Assert.ThrowsAny<IOException>(() => Open("old/store", create: true)).HResult);
    }

    [Fact]
    public void AFolderThatOnlyReadsHasNothingSynced()
    {
        if (!OperatingSystem.IsLinux()) return;
        using DiskDirectory folder = DiskDirectory.Open("/proc/self", create: false, _names);
        Assert.True(folder.IsReadOnly);
        Assert.Empty(_synced);
    }

    private IOException? Open(string name, bool create)
    {
        using DiskDirectory folder = DiskDirectory.Open(_folder[name], create, _names);
        return folder.NameFailure;
    }
}
