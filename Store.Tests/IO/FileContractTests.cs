// What does every IStoreFile do, that of the disk and of the simulators alike? One set of sentences, run on each by way of DirectoryContractTests.

using System.Text;
using Store.IO;

namespace Store.Tests.IO;

public abstract class FileContractTests : IDisposable
{
    private IStoreDirectory? _directory;

    /// <summary>An empty folder that can be written.</summary>
    protected abstract IStoreDirectory CreateDirectory();

    /// <summary>The same files, for reading only.</summary>
    protected abstract IStoreDirectory OpenReadOnly(IStoreDirectory directory);

    private protected IStoreDirectory Folder => _directory ??= CreateDirectory();

    public virtual void Dispose()
    {
        _directory?.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void WhatIsWrittenIsReadBack()
    {
        using var file = Folder.Create("a.log");
        file.Write("hello "u8, 0);
        file.Write("world"u8, 6);
        Assert.Equal(11, file.LengthBytes);
        Assert.Equal("hello world", Text(file));
        file.Write("W"u8, 6);
        Assert.Equal("hello World", Text(file));
    }

    [Fact]
    public void AReadStopsAtTheEndOfTheFile()
    {
        using var file = Folder.Create("a");
        file.Write(new byte[100], 0);
        var buffer = new byte[64];
        Assert.Equal(64, file.Read(buffer, 0));
        Assert.Equal(36, file.Read(buffer, 64));
        Assert.Equal(0, file.Read(buffer, 100));
        Assert.Equal(0, file.Read(buffer, 5000));
        Assert.Equal(0, file.Read([], 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.Read(new byte[1], -1));
    }

    [Fact]
    public void AWriteBeyondTheEndLeavesZerosBefore()
    {
        using var file = Folder.Create("a");
        file.Write("x"u8, 10_000);
        Assert.Equal(10_001, file.LengthBytes);
        var content = Bytes(file);
        Assert.All(content[..10_000], b => Assert.Equal(0, b));
        Assert.Equal((byte)'x', content[10_000]);
        Assert.Throws<ArgumentOutOfRangeException>(() => file.Write("x"u8, -1));
    }

    [Fact]
    public void AnEmptyWriteChangesNothing()
    {
        using var file = Folder.Create("a");
        file.Write([], 100);
        Assert.Equal(0, file.LengthBytes);
    }

    [Fact]
    public void TruncatingCutsAndTheCutBytesComeBackAsZeros()
    {
        using var file = Folder.Create("a");
        file.Write("0123456789"u8, 0);
        file.Truncate(4);
        Assert.Equal("0123", Text(file));
        file.Write("X"u8, 7);
        Assert.Equal("0123\0\0\0X", Text(file));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.Truncate(9));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.Truncate(-1));
        file.Truncate(0);
        Assert.Equal(0, file.LengthBytes);
    }

    [Fact]
    public void AFileThatGrowsIsSeenByItsReaders()
    {
        using var writer = Folder.Create("a");
        using var reader = Folder.OpenRead("a");
        Assert.Equal(0, reader.LengthBytes);
        writer.Write("abc"u8, 0);
        Assert.Equal(3, reader.LengthBytes);
        Assert.Equal("abc", Text(reader));
    }

    [Fact]
    public void AFileOpenedForReadingCannotBeWritten()
    {
        Write("a", "x");
        using var file = Folder.OpenRead("a");
        Assert.Throws<InvalidOperationException>(() => file.Write("y"u8, 0));
        Assert.Throws<InvalidOperationException>(() => file.Truncate(0));
        Assert.Equal("x", TextOf("a"));
    }

    [Fact]
    public void AClosedFileThrowsOnEveryCall()
    {
        var file = Folder.Create("a");
        file.Write("abc"u8, 0);
        file.Dispose();
        file.Dispose();
        Assert.Throws<ObjectDisposedException>(() => file.LengthBytes);
        Assert.Throws<ObjectDisposedException>(() => file.Read(new byte[1], 0));
        Assert.Throws<ObjectDisposedException>(() => file.Write("x"u8, 0));
        Assert.Throws<ObjectDisposedException>(file.SyncData);
        Assert.Throws<ObjectDisposedException>(() => file.StartWriteback(0, 1));
        Assert.Throws<ObjectDisposedException>(() => file.Truncate(0));
        Assert.Throws<ObjectDisposedException>(() => file.Map());
        Assert.Equal("abc", TextOf("a"));
    }

    [Fact]
    public void AMappingOutlivesItsFileAndShowsItsBytes()
    {
        Write("a", "0123456789");
        IStoreMapping mapping;
        using (var file = Folder.OpenRead("a"))
            mapping = file.Map();
        using (mapping)
        {
            Assert.Equal(10, mapping.LengthBytes);
            Assert.Equal("3456", Encoding.UTF8.GetString(mapping.Span(3, 4)));
            Assert.Equal(0, mapping.Span(10, 0).Length);
        }
    }

    [Fact]
    public void AMappingShowsWhatIsWrittenLater()
    {
        using var file = Folder.Create("a");
        file.Write(new byte[10_000], 0);
        using var mapping = file.Map();
        file.Write("abcd"u8, 4094);
        file.Write("z"u8, 10_000);
        Assert.Equal("abcd", Encoding.UTF8.GetString(mapping.Span(4094, 4)));
        Assert.Equal(10_000, mapping.LengthBytes);
        Assert.Throws<ArgumentOutOfRangeException>(() => mapping.Span(10_000, 1).Length);
    }

    [Fact]
    public void ASpanOutsideTheMappingIsRefused()
    {
        Write("a", "0123456789");
        using var file = Folder.OpenRead("a");
        using var mapping = file.Map();
        foreach (var (offset, length) in new (long, int)[] { (-1, 1), (0, 11), (10, 1), (11, 0), (0, -1), (long.MaxValue, 1), (long.MaxValue, int.MaxValue), (long.MinValue, 0) })
            Assert.Throws<ArgumentOutOfRangeException>(() => mapping.Span(offset, length).Length);
    }

    [Fact]
    public void ADisposedMappingGivesNoSpans()
    {
        Write("a", "x");
        using var file = Folder.OpenRead("a");
        var mapping = file.Map();
        mapping.Dispose();
        mapping.Dispose();
        Assert.Throws<ObjectDisposedException>(() => mapping.Span(0, 1).Length);
    }

    [Fact]
    public void AnEmptyFileMapsToNothing()
    {
        using var file = Folder.Create("a");
        using var mapping = file.Map();
        Assert.Equal(0, mapping.LengthBytes);
        Assert.Equal(0, mapping.Span(0, 0).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => mapping.Span(0, 1).Length);
    }

    [Fact]
    public void SyncAndWritebackOfAFileSucceed()
    {
        using var file = Folder.Create("a");
        file.Write(new byte[100_000], 0);
        file.StartWriteback(0, 50_000);
        file.StartWriteback(90_000, 1_000_000);
        file.SyncData();
        Folder.SyncDirectory();
        Assert.Equal(100_000, file.LengthBytes);
    }

    [Fact]
    public async Task ManyThreadsReadWhileOneWrites()
    {
        using var file = Folder.Create("a");
        var done = false;
        var readers = Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            var buffer = new byte[8];
            while (!Volatile.Read(ref done))
            {
                var length = file.LengthBytes / 8 * 8;
                if (length == 0)
                    continue;
                Assert.Equal(8, file.Read(buffer, length - 8));
                Assert.Equal(length - 8, BitConverter.ToInt64(buffer));
            }
        })).ToArray();
        for (var offset = 0L; offset < 8 * 5000; offset += 8)
            file.Write(BitConverter.GetBytes(offset), offset);
        Volatile.Write(ref done, true);
        await Task.WhenAll(readers);
    }

    private protected void Write(string name, string text)
    {
        using var file = Folder.Create(name);
        file.Write(Encoding.UTF8.GetBytes(text), 0);
    }

    private protected string TextOf(string name)
    {
        using var file = Folder.OpenRead(name);
        return Text(file);
    }

    private protected static string Text(IStoreFile file) => Encoding.UTF8.GetString(Bytes(file));

    private protected static byte[] Bytes(IStoreFile file)
    {
        var buffer = new byte[file.LengthBytes];
        Assert.Equal(buffer.Length, file.Read(buffer, 0));
        return buffer;
    }
}
