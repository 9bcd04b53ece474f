using System.Buffers.Binary;
using System.Text;
using Store.IO;

namespace Store.Tests.IO;

/// <summary>What can be said anywhere of the calls of Windows, which are not run here: which paths and bytes they are given, and how often they are made.</summary>
public sealed class WindowsCallTests
{
    private const int AccessDenied = 5, SharingViolation = 32, LockViolation = 33, FileNotFound = 2;

    private static string Long(string start) => start + new string('x', 300);

    [Fact]
    public void APathOf260CharactersOrMoreGetsThePrefixAndAShorterOneDoesNot()
    {
        string longest = @"C:\" + new string('x', 256);
        Assert.Equal(longest, ExtendedPath.Of(longest));
        Assert.Equal(@"\\?\" + longest + "x", ExtendedPath.Of(longest + "x"));
        Assert.Equal(@"\\?\" + Long(@"d:\a\"), ExtendedPath.Of(Long("d:/a/")));
    }

    [Fact]
    public void APathOfANetworkGetsThePrefixOfNetworks()
    {
        Assert.Equal(@"\\?\UNC\" + Long(@"server\share\"), ExtendedPath.Of(Long(@"\\server\share\")));
        Assert.Equal(@"\\server\share\short", ExtendedPath.Of(@"\\server\share\short"));
    }

    /// <summary>The system would take away what the framework kept.</summary>
    [Theory]
    [InlineData(@"C:\store\log.", @"\\?\C:\store\log.")]
    [InlineData(@"C:\store\log ", @"\\?\C:\store\log ")]
    [InlineData(@"\\server\share\log.", @"\\?\UNC\server\share\log.")]
    public void APathThatEndsWithAPointOrASpaceKeepsIt(string path, string extended) => Assert.Equal(extended, ExtendedPath.Of(path));

    [Theory]
    [InlineData(@"\\?\C:\")]
    [InlineData(@"\\?\UNC\server\share\")]
    [InlineData(@"\\.\C:\")]
    [InlineData("//?/C:/")]
    [InlineData(@"\??\C:\")]
    [InlineData(@"C:relative\")]
    [InlineData(@"\of-the-drive\")]
    [InlineData(@"relative\")]
    public void APathThatHasAPrefixOrIsNotFullStaysAsItIs(string start) => Assert.Equal(Long(start), ExtendedPath.Of(Long(start)));

    [Theory]
    [InlineData(8, 16, 20)]
    [InlineData(4, 8, 12)]
    public void ARequestToRenameHasItsFieldsWhereTheSystemLooks(int pointerSize, int lengthAt, int nameAt)
    {
        byte[] request = RenameRequest.Replacing(@"C:\store\name", pointerSize);

        Assert.Equal(3u, BinaryPrimitives.ReadUInt32LittleEndian(request));
        Assert.Equal(-1, request.AsSpan(4, lengthAt - 4).IndexOfAnyExcept((byte)0));
        Assert.Equal(26, BinaryPrimitives.ReadInt32LittleEndian(request.AsSpan(lengthAt)));
        Assert.Equal("C:\\store\\name\0", Encoding.Unicode.GetString(request.AsSpan(nameAt)));
    }

    /// <summary>sizeof(FILE_RENAME_INFO): 24 with pointers of eight bytes, 16 with four.</summary>
    [Theory]
    [InlineData(8, 24)]
    [InlineData(4, 16)]
    public void ARequestIsNoShorterThanTheStructure(int pointerSize, int sizeBytes) => Assert.Equal(sizeBytes, RenameRequest.Replacing("", pointerSize).Length);

    [Theory]
    [InlineData(AccessDenied)]
    [InlineData(SharingViolation)]
    [InlineData(LockViolation)]
    public void ACallThatSomebodysOpenFileRefusesIsMadeAgainUntilItSucceeds(int error)
    {
        List<int> waits = [];
        int calls = 0;
        Assert.Equal(0, SharingPatience.Try(() => ++calls < 5 ? error : 0, SharingPatience.IsOfReplacing, waits.Add));
        Assert.Equal(5, calls);
        Assert.Equal([1, 2, 4, 8], waits);
    }

    [Fact]
    public void ACallThatIsRefusedForEverIsGivenUpAfterTwoSecondsAndTellsWhy()
    {
        List<int> waits = [];
        int calls = 0;
        Assert.Equal(SharingViolation, SharingPatience.Try(() => { calls++; return SharingViolation; }, SharingPatience.IsOfReplacing, waits.Add));
        Assert.Equal((12, 12), (calls, SharingPatience.MaxAttempts));
        Assert.Equal((2047, 2047), (waits.Sum(), SharingPatience.LongestWaitMs));
    }

    /// <summary>What else is wrong does not pass; and access denied is, where a file is removed, that it is mapped or may not be removed.</summary>
    [Fact]
    public void ACallThatFailsOtherwiseIsMadeOnce()
    {
        Assert.Equal(1, Calls(FileNotFound, SharingPatience.IsOfReplacing));
        Assert.Equal(1, Calls(AccessDenied, SharingPatience.IsOfSharing));
        Assert.Equal(12, Calls(LockViolation, SharingPatience.IsOfSharing));

        static int Calls(int error, Func<int, bool> passes)
        {
            int calls = 0;
            Assert.Equal(error, SharingPatience.Try(() => { calls++; return error; }, passes, static _ => { }));
            return calls;
        }
    }

    /// <summary>A caller's interruption ends no wait in the middle of a rename; it is kept for the next one.</summary>
    [Fact]
    public void AnInterruptionEndsNoWaitBetweenTwoCalls()
    {
        int calls = 0;
        bool isKept = false;
        var thread = new Thread(() =>
        {
            Thread.CurrentThread.Interrupt();
            _ = SharingPatience.Try(() => ++calls < 3 ? SharingViolation : 0, SharingPatience.IsOfReplacing);
            isKept = Record.Exception(static () => Thread.Sleep(1)) is ThreadInterruptedException;
        });
        thread.Start();
        thread.Join();
        Assert.Equal(3, calls);
        Assert.True(isKept);
    }
}
