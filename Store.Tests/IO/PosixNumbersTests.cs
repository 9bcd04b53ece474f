using Store.IO;

namespace Store.Tests.IO;

/// <summary>Which numbers and which sync each system gets: a system that nobody has looked up gets none, and not those of Linux.</summary>
public sealed class PosixNumbersTests
{
    [Theory]
    [InlineData("LINUX", nameof(DataSyncCall.Data), 0x80000, 11)]
    [InlineData("ANDROID", nameof(DataSyncCall.Data), 0x80000, 11)]
    [InlineData("MACOS", nameof(DataSyncCall.Drive), 0x1000000, 35)]
    [InlineData("IOS", nameof(DataSyncCall.Drive), 0x1000000, 35)]
    [InlineData("TVOS", nameof(DataSyncCall.Drive), 0x1000000, 35)]
    [InlineData("WATCHOS", nameof(DataSyncCall.Drive), 0x1000000, 35)]
    [InlineData("MACCATALYST", nameof(DataSyncCall.Drive), 0x1000000, 35)]
    [InlineData("FREEBSD", nameof(DataSyncCall.Whole), 0x100000, 35)]
    public void EachSystemThatIsKnownHasItsOwnNumbersAndSync(string platform, string sync, int closeOnExec, int wouldBlock)
    {
        PosixNumbers numbers = PosixNumbers.Of(name => name == platform);
        Assert.Equal((sync, closeOnExec, wouldBlock), (numbers.DataSync.ToString(), numbers.CloseOnExec, numbers.WouldBlock));
    }

    [Theory]
    [InlineData("ILLUMOS")]
    [InlineData("NETBSD")]
    [InlineData("HAIKU")]
    [InlineData("BROWSER")]
    [InlineData("WASI")]
    public void AnyOtherSystemIsRefusedWithWhatToDo(string platform)
    {
        string message = Assert.Throws<PlatformNotSupportedException>(() => PosixNumbers.Of(name => name == platform)).Message;
        Assert.Contains("NinoStoreOptions.Directory", message);
        Assert.Contains("NinoStoreOptions.ReadOnly", message);
    }

    /// <summary>ENOTSOCK of Apple's systems and FreeBSD is ENOSYS of Linux, EMULTIHOP its ENOTSUP: no failure of one system is taken for another's.</summary>
    [Fact]
    public void OneSystemsNumberIsNotAnothers()
    {
        Assert.All((int[])[38, 95], static error => Assert.True(PosixNumbers.Linux.IsUnsupported(error)));
        Assert.All((int[])[45, 78, 102], static error => Assert.False(PosixNumbers.Linux.IsUnsupported(error)));
        Assert.All((int[])[45, 78, 102], static error => Assert.True(PosixNumbers.Apple.IsUnsupported(error)));
        Assert.All((int[])[45, 78], static error => Assert.True(PosixNumbers.FreeBsd.IsUnsupported(error)));
        Assert.All((PosixNumbers[])[PosixNumbers.Apple, PosixNumbers.FreeBsd], static numbers => Assert.False(numbers.IsUnsupported(38) || numbers.IsUnsupported(95)));
    }

    /// <summary>What the running system says of a folder that was opened with its flags.</summary>
    [Fact]
    public void AFolderIsOpenedSoThatNoProgramThatIsStartedHasItToo()
    {
        if (!OperatingSystem.IsLinux()) return;
        using var folder = Posix.OpenFolder("/");
        string flags = File.ReadLines($"/proc/self/fdinfo/{folder.DangerousGetHandle()}").Single(static line => line.StartsWith("flags:", StringComparison.Ordinal));
        Assert.NotEqual(0, Convert.ToInt32(flags["flags:".Length..].Trim(), 8) & PosixNumbers.Current.CloseOnExec);
    }
}
