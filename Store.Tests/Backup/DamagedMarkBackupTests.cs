using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Backup;

/// <summary>What is damaged in the store does not replace what is right in the copy.</summary>
public class DamagedMarkBackupTests
{
    [Fact]
    public void ADamagedMarkIsNamedAndTheCopyKeepsItsOwn()
    {
        using SimDirectory directory = new(), copy = new(), first = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        CursorTests.Commit(store.OpenCursor("mail"), 7);
        Assert.Empty(store.BackupTo(copy).Omitted);
        byte[] right = FileBytes.Of(copy, "cursor-mail.nino");
        byte[] damaged = FileBytes.Of(directory, "cursor-mail.nino");
        damaged[40] ^= 1;
        damaged[MarkerFile.SecondSlot + 40] ^= 1;
        FileBytes.Put(directory, "cursor-mail.nino", damaged);

        BackupOmission omitted = Assert.Single(store.BackupTo(copy).Omitted);
        Assert.Equal("cursor-mail.nino", omitted.Name);
        Assert.Equal(right, FileBytes.Of(copy, "cursor-mail.nino"));

        // A first copy has nothing better.
        store.BackupTo(first);
        Assert.Equal(damaged, FileBytes.Of(first, "cursor-mail.nino"));
        using NinoStore opened = Simulated.Open(copy.KillProcess(), 2);
        Assert.Equal(7, opened.OpenCursor("mail").Position);
    }
}
