// What does every IStoreDirectory do, the disk and the simulators alike? One set of sentences, run on each.

using System.Text;
using Store.IO;

namespace Store.Tests.IO;

public abstract class DirectoryContractTests : FileContractTests
{
    [Fact]
    public void TheListIsOrderedByNameAndHasLengths()
    {
        foreach (var (name, length) in new[] { ("b", 3), ("a", 5), ("B", 7), ("a.tmp", 0) })
        {
            using var file = Folder.Create(name);
            file.Write(new byte[length], 0);
        }
        Assert.Equal([new("B", 7), new("a", 5), new("a.tmp", 0), new("b", 3)], Folder.List());
    }

    [Fact]
    public void AFileIsFoundByItsNameWithItsLength()
    {
        Write("a", "three");
        Write("B", "");
        Assert.Equal(new StoreFileEntry("a", 5), Folder.Find("a"));
        Assert.Equal(new StoreFileEntry("B", 0), Folder.Find("B"));
        Assert.Null(Folder.Find("b"));
        Assert.Null(Folder.Find("a.tmp"));
        Folder.Rename("a", "c");
        Assert.Null(Folder.Find("a"));
        Assert.Equal(5, Folder.Find("c")?.LengthBytes);
        Folder.Delete("c");
        Assert.Null(Folder.Find("c"));
    }

    [Fact]
    public void CreatingAnExistingFileFailsAndKeepsIt()
    {
        Write("a", "old");
        var failure = Assert.ThrowsAny<IOException>(() => Folder.Create("a"));
        Assert.Contains("a", failure.Message);
        Assert.Equal("old", TextOf("a"));
    }

    [Fact]
    public void AMissingFileIsNotFound()
    {
        Assert.Contains("nothing", Assert.Throws<FileNotFoundException>(() => Folder.OpenRead("nothing")).Message);
        Assert.Throws<FileNotFoundException>(() => Folder.OpenWrite("nothing"));
        Assert.Throws<FileNotFoundException>(() => Folder.Delete("nothing"));
        Assert.Throws<FileNotFoundException>(() => Folder.Rename("nothing", "something"));
        Assert.Empty(Folder.List());
    }

    [Fact]
    public void RenamingReplacesTheOtherFile()
    {
        Write("a", "new");
        Write("b", "old");
        Folder.Rename("a", "b");
        Folder.SyncDirectory();
        Assert.Equal([new("b", 3)], Folder.List());
        Assert.Equal("new", TextOf("b"));
    }

    [Fact]
    public void RenamingToANewNameReplacesNothing()
    {
        Write("a", "new");
        Write("b", "old");
        var failure = Assert.ThrowsAny<IOException>(() => Folder.RenameNew("a", "b"));
        Assert.True(IoFailure.IsExists(failure));
        Assert.Equal([new("a", 3), new("b", 3)], Folder.List());
        Assert.Equal("old", TextOf("b"));
        Assert.Throws<FileNotFoundException>(() => Folder.RenameNew("nothing", "c"));
        Folder.RenameNew("a", "c");
        Folder.SyncDirectory();
        Assert.Equal([new("b", 3), new("c", 3)], Folder.List());
        Assert.Equal("new", TextOf("c"));
    }

    [Fact]
    public void RenamingToItselfKeepsTheFile()
    {
        Write("a", "x");
        Folder.Rename("a", "a");
        Assert.Equal("x", TextOf("a"));
    }

    [Fact]
    public void WhatIsOpenStaysReadableWhenItIsRenamedReplacedOrRemoved()
    {
        Write("a", "first");
        Write("b", "second");
        using var first = Folder.OpenRead("a");
        using var second = Folder.OpenRead("b");
        using var mapped = second.Map();
        Folder.Rename("a", "b");
        Assert.Equal("first", Text(first));
        Assert.Equal("second", Text(second));
        Folder.Delete("b");
        Assert.Equal("first", Text(first));
        Assert.Equal("second", Encoding.UTF8.GetString(mapped.Span(0, 6)));
        Assert.Empty(Folder.List());
    }

    [Fact]
    public void AClosedFolderThrowsOnEveryCall()
    {
        Write("a", "x");
        Folder.Dispose();
        Folder.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Folder.List());
        Assert.Throws<ObjectDisposedException>(() => Folder.Create("b"));
        Assert.Throws<ObjectDisposedException>(() => Folder.OpenRead("a"));
        Assert.Throws<ObjectDisposedException>(() => Folder.OpenWrite("a"));
        Assert.Throws<ObjectDisposedException>(() => Folder.Rename("a", "b"));
        Assert.Throws<ObjectDisposedException>(() => Folder.Delete("a"));
        Assert.Throws<ObjectDisposedException>(Folder.SyncDirectory);
        Assert.Throws<ObjectDisposedException>(() => Folder.TryLock("lock"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a/b")]
    [InlineData("a\\b")]
    [InlineData("/etc")]
    [InlineData("a\0b")]
    public void ANameWithAPathInItIsRefused(string name)
    {
        Write("a", "x");
        Assert.Throws<ArgumentException>(() => Folder.Create(name));
        Assert.Throws<ArgumentException>(() => Folder.OpenRead(name));
        Assert.Throws<ArgumentException>(() => Folder.OpenWrite(name));
        Assert.Throws<ArgumentException>(() => Folder.Delete(name));
        Assert.Throws<ArgumentException>(() => Folder.Rename(name, "b"));
        Assert.Throws<ArgumentException>(() => Folder.Rename("a", name));
        Assert.Throws<ArgumentException>(() => Folder.TryLock(name));
    }

    [Fact]
    public void TheLockExcludesASecondHolderUntilItIsReleased()
    {
        var held = Folder.TryLock("lock");
        Assert.NotNull(held);
        Assert.Null(Folder.TryLock("lock"));
        using (var other = Folder.TryLock("other"))
            Assert.NotNull(other);
        held.Dispose();
        held.Dispose();
        using var again = Folder.TryLock("lock");
        Assert.NotNull(again);
        Assert.Null(Folder.TryLock("lock"));
    }

    [Fact]
    public void TheLocksFileStays()
    {
        Folder.TryLock("lock")!.Dispose();
        Assert.Equal([new("lock", 0)], Folder.List());
    }

    [Fact]
    public void AReadOnlyFolderReadsAndRefusesEveryChange()
    {
        Write("a", "x");
        using var folder = OpenReadOnly(Folder);
        Assert.True(folder.IsReadOnly);
        Assert.Equal([new("a", 1)], folder.List());
        using (var file = folder.OpenRead("a"))
        using (var mapping = file.Map())
        {
            Assert.Equal("x", Text(file));
            Assert.Equal((byte)'x', mapping.Span(0, 1)[0]);
        }
        foreach (var change in new Action[]
        {
            () => folder.Create("b"), () => folder.OpenWrite("a"), () => folder.Rename("a", "b"), () => folder.Delete("a"), folder.SyncDirectory, () => folder.TryLock("lock"),
        })
            Assert.Contains("can only be read", Assert.ThrowsAny<IOException>(change).Message);
        Assert.Equal([new("a", 1)], Folder.List());
    }

    [Fact]
    public void APublishedFileReplacesTheOldOneAndLeavesNothingBehind()
    {
        AtomicFile.Publish(Folder, "s", file => file.Write("one"u8, 0));
        AtomicFile.Publish(Folder, "s", file => file.Write("two!"u8, 0));
        Assert.Equal([new("s", 4)], Folder.List());
        Assert.Equal("two!", TextOf("s"));
    }

    [Fact]
    public void APublishThatFailsKeepsTheOldFileAndRemovesTheNew()
    {
        AtomicFile.Publish(Folder, "s", file => file.Write("old"u8, 0));
        Assert.Throws<TimeoutException>(() => AtomicFile.Publish(Folder, "s", file =>
        {
            file.Write("n"u8, 0);
            throw new TimeoutException();
        }));
        Assert.Equal([new("s", 3)], Folder.List());
        Assert.Equal("old", TextOf("s"));
    }

    [Fact]
    public void ATemporaryLeftByACrashDoesNotHinderPublishing()
    {
        Write("s.tmp", "half of something much longer");
        AtomicFile.Publish(Folder, "s", file => file.Write("new"u8, 0));
        Assert.Equal([new("s", 3)], Folder.List());
    }
}
