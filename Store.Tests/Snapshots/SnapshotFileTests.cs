using Store.Snapshots;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotFileTests
{
    private const string Name = "file";

    private static BytesDirectory Folder(byte[] bytes) => new() { [Name] = bytes };

    [Fact]
    public void AnOpenFileTellsWhatItHoldsWithoutTheType()
    {
        byte[] bytes = Write(Golden, GoldenStamp);
        using SnapshotFile file = SnapshotFile.Open(Folder(bytes), Name);
        Assert.Equal(new SnapshotInfo(Name, 1000, Time, bytes.Length, "Tests.Counter") { SnapshotId = GoldenStamp.SnapshotId }, file.Info);
        Assert.Equal((1L, StoreId, 0x1122334455667788ul, 65536), (file.Generation, file.StoreId, file.SnapshotId, file.PageSizeBytes));
        Assert.Equal("Tests.Counter", file.Schema.Name);
        Assert.Equal([SnapshotSectionKind.Schema, SnapshotSectionKind.Data, SnapshotSectionKind.PageTable], file.Sections.Select(s => s.Kind));
        Assert.All(file.Sections, s => Assert.Equal(0, s.Offset % 64));
        Assert.Equal(21, file.DataLengthBytes);
        Assert.Equal(42, file.UseData(0, 21, 0, static (bytes, _) => bytes[0]));
        Assert.Empty(file.Verify());
    }

    [Fact]
    public void AFileOpensByItsPath()
    {
        string folder = Directory.CreateTempSubdirectory("nino-snapshot-").FullName;
        try
        {
            string path = Path.Combine(folder, "renamed by somebody");
            File.WriteAllBytes(path, Write(Golden, GoldenStamp));
            using (SnapshotFile file = SnapshotFile.Open(path, SnapshotVerification.All)) Assert.Equal(Golden, file.Read<Counter>());
            Assert.Throws<FileNotFoundException>(() => SnapshotFile.Open(path + "x"));
            File.WriteAllBytes(path, []);
            Assert.Throws<StoreCorruptException>(() => SnapshotFile.Open(path));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void AnotherTypeIsRefusedNamingBoth()
    {
        using SnapshotFile file = SnapshotFile.Open(Folder(Write(Golden, GoldenStamp)), Name);
        string message = Assert.Throws<SchemaMismatchException>(() => file.Read<Score>()).Message;
        Assert.Contains("Tests.Counter", message);
        Assert.Contains("Tests.Score", message);
    }

    [Fact]
    public void AShapeThatCannotBeReadAsTheTypeIsRefusedNamingBothMembers()
    {
        using SnapshotFile file = SnapshotFile.Open(Folder(Write(Golden, GoldenStamp)), Name);
        string message = Assert.Throws<SchemaMismatchException>(() => file.Read<CounterOfTomorrow>()).Message;
        Assert.Contains("Number", message);
        Assert.Contains("Int32", message);
        Assert.Contains("Guid", message);
    }

    [Fact]
    public void DamagedDataIsFoundOnFirstTouchOrOnOpeningAsAskedFor()
    {
        byte[] bytes = Write(Counter.Numbered(1, 1000), sequence: 1, pageSize: 64);
        using SnapshotFile file = SnapshotFile.Open(Folder(bytes), Name);
        SnapshotSection data = file.Sections[1];
        bytes[data.Offset + 130] ^= 1;
        Assert.Equal(64, Length(file, 64, 64));
        var e = Assert.Throws<StoreCorruptException>(() => Length(file, 127, 2));
        Assert.Equal(data.Offset + 128, e.Offset);
        Assert.Throws<StoreCorruptException>(() => file.Read<Counter>());
        Assert.Equal(SnapshotFailureKind.DataDamaged, TryOpenAll(bytes));
        Assert.Throws<StoreCorruptException>(() => SnapshotFile.Open(Folder(bytes), Name, SnapshotVerification.All));
    }

    [Fact]
    public void VerifyNamesEveryDamagedPlaceAndJoinsNeighbours()
    {
        byte[] bytes = Write(Counter.Numbered(1, 1000), sequence: 1, pageSize: 64);
        using SnapshotFile file = SnapshotFile.Open(Folder(bytes), Name);
        long start = file.Sections[1].Offset;
        foreach (int page in new[] { 3, 4, 9, 15 }) bytes[start + (page * 64)] ^= 0x80;
        Assert.Equal(
            [(start + 192, 128L), (start + 576, 64L), (start + 960, file.DataLengthBytes - 960)],
            file.Verify().Select(d => (d.Offset, d.LengthBytes)));
    }

    [Fact]
    public void VerifyingCanBeCancelled()
    {
        using SnapshotFile file = SnapshotFile.Open(Folder(Write(Golden, GoldenStamp)), Name);
        Assert.Throws<OperationCanceledException>(() => file.Verify(new CancellationToken(canceled: true)));
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, -1)]
    [InlineData(0, 22)]
    [InlineData(21, 1)]
    [InlineData(22, 0)]
    [InlineData(long.MaxValue, 1)]
    public void DataOutsideTheStateIsAProgrammersMistake(long offset, int length)
    {
        using SnapshotFile file = SnapshotFile.Open(Folder(Write(Golden, GoldenStamp)), Name);
        Assert.Throws<ArgumentOutOfRangeException>(() => Length(file, offset, length));
    }

    [Fact]
    public void EveryMemberOfAClosedFileThrows()
    {
        BytesDirectory folder = Folder(Write(Golden, GoldenStamp));
        SnapshotFile file = SnapshotFile.Open(folder, Name);
        file.Dispose();
        file.Dispose();
        Assert.Equal(0, folder.OpenMappings);
        Action[] members =
        [
            () => _ = file.Info, () => _ = file.Generation, () => _ = file.StoreId, () => _ = file.SnapshotId, () => _ = file.PageSizeBytes, () => _ = file.Sections,
            () => _ = file.Schema, () => _ = file.DataLengthBytes, () => Length(file, 0, 1), () => file.Verify(), () => file.Read<Counter>(),
        ];
        Assert.All(members, member => Assert.Throws<ObjectDisposedException>(member));
    }

    [Fact]
    public void AFileClosedWhileAnotherThreadReadsStaysMappedUntilThatEnds()
    {
        BytesDirectory folder = Folder(Write(Golden, GoldenStamp));
        SnapshotFile file = SnapshotFile.Open(folder, Name);
        using (file.Use())
        {
            file.Dispose();
            Assert.Equal(1, folder.OpenMappings);
            Assert.Throws<ObjectDisposedException>(() => Length(file, 0, 1));
        }

        Assert.Equal(0, folder.OpenMappings);
    }

    [Fact]
    public void AFileThatCannotBeReadIsAValueForTheChooserAndAnExceptionForTheCaller()
    {
        var folder = new BytesDirectory { [Name] = Write(Golden, GoldenStamp), BeforeOpen = _ => throw new IOException("the disk is gone") };
        Assert.Null(SnapshotFile.TryOpen(folder, Name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure));
        Assert.Equal(SnapshotFailureKind.Unreadable, failure!.Kind);
        Assert.IsType<IOException>(failure.ToException("bytes").InnerException);
        Assert.Throws<IOException>(() => SnapshotFile.Open(folder, Name));
    }

    private static SnapshotFailureKind? TryOpenAll(byte[] bytes)
    {
        using SnapshotFile? file = SnapshotFile.TryOpen(Folder(bytes), Name, SnapshotVerification.All, out SnapshotFailure? failure);
        Assert.Null(file);
        return failure?.Kind;
    }
}
