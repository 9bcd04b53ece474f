using System.Buffers.Binary;
using Store.Framing;
using Store.Snapshots;
using Xunit.Abstractions;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotDamageTests(ITestOutputHelper output)
{
    private static readonly Counter State = Counter.Numbered(1, payloadBytes: 300);

    /// <summary>Five pages and padding before every section.</summary>
    private static byte[] Whole(int extraBytes = 0) => Write(Counter.Numbered(1, payloadBytes: 300 + extraBytes), sequence: 7, pageSize: SnapshotFormat.MinPageSize);

    [Fact]
    public void TheUndamagedFileReadsBack()
    {
        Assert.Null(TryRead(Whole(), out Counter? state));
        Assert.Equal(State, state);
    }

    [Fact]
    public void AFileCutAtAnyByteIsDetected()
    {
        long cuts = 0;
        for (int extra = 0; extra < Effort.TruncationScale; extra++)
        {
            byte[] whole = Whole(extra);
            for (int length = 0; length < whole.Length; length++, cuts++)
            {
                SnapshotFailure? failure = TryRead<Counter>(whole[..length], out _);
                Assert.True(failure is { Kind: SnapshotFailureKind.WrongLength }, $"{extra} bytes more, cut to {length} bytes: {failure}");
            }
        }

        Effort.Tell(output, "truncations", cuts, "no chance in it", $"{Effort.TruncationScale} snapshots");
    }

    [Fact]
    public void AFileThatIsTooLongIsDetected()
    {
        byte[] whole = Whole();
        foreach (int extra in new[] { 1, 63, 64, 4096 })
            Assert.Equal(SnapshotFailureKind.WrongLength, TryRead<Counter>([.. whole, .. new byte[extra]], out _)?.Kind);
    }

    [Fact]
    public void AnyFlippedBitIsDetectedAndNamedWhereItIs()
    {
        long flips = 0;
        for (int extra = 0; extra < Effort.FlipScale; extra++) flips += FlipEverywhere(Whole(extra));
        Effort.Tell(output, "bit flips", flips, "no chance in it", $"{Effort.FlipScale} snapshots");
    }

    private static long FlipEverywhere(byte[] whole)
    {
        using SnapshotFile file = SnapshotFile.Open(new BytesDirectory { ["file"] = whole }, "file");
        SnapshotSection schema = file.Sections[0], data = file.Sections[1], table = file.Sections[2];
        for (int bit = 0; bit < whole.Length * 8; bit++)
        {
            byte[] damaged = [.. whole];
            int offset = bit / 8;
            damaged[offset] ^= (byte)(1 << (bit % 8));
            SnapshotFailure? failure = TryRead<Counter>(damaged, out _);
            Assert.True(failure is not null, $"bit {bit} was not noticed");
            Assert.True(failure.Kind == Expected(offset) || (offset is >= 12 and < 16 && failure.Kind == SnapshotFailureKind.WrongLength), $"bit {bit}: {failure}");
        }

        return whole.Length * 8;

        SnapshotFailureKind Expected(int offset)
        {
            if (offset < 8) return SnapshotFailureKind.NotASnapshot;
            if (offset < schema.Offset) return SnapshotFailureKind.HeaderDamaged;
            if (In(schema)) return SnapshotFailureKind.SchemaDamaged;
            if (In(data)) return SnapshotFailureKind.DataDamaged;
            return In(table) ? SnapshotFailureKind.PageTableDamaged : SnapshotFailureKind.PaddingDamaged;

            bool In(SnapshotSection section) => offset >= section.Offset && offset < section.EndOffset;
        }
    }

    [Fact]
    public void TwoPagesThatChangedPlacesAreDetected()
    {
        byte[] bytes = Whole();
        using SnapshotFile file = SnapshotFile.Open(new BytesDirectory { ["file"] = bytes }, "file");
        Span<byte> first = bytes.AsSpan((int)file.Sections[1].Offset, 64), second = bytes.AsSpan((int)file.Sections[1].Offset + 64, 64);
        byte[] kept = first.ToArray();
        second.CopyTo(first);
        kept.CopyTo(second);
        Assert.Equal(SnapshotFailureKind.DataDamaged, TryRead<Counter>(bytes, out _)?.Kind);
    }

    [Fact]
    public void TheBodyOfAnotherSnapshotBehindThisHeaderIsDetected()
    {
        byte[] mine = Whole(), other = Write(Counter.Numbered(2, payloadBytes: 300), sequence: 8, pageSize: SnapshotFormat.MinPageSize);
        Assert.Equal(mine.Length, other.Length);
        for (int cut = 64; cut < mine.Length; cut += 64)
        {
            SnapshotFailure? failure = TryRead([.. mine[..cut], .. other[cut..]], out Counter? state);
            Assert.True(failure is not null, $"a mix at {cut} was read as {state}");
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    public void AFileTooShortForAHeaderIsNoSnapshot(int length) => Assert.Equal(SnapshotFailureKind.WrongLength, TryRead<Counter>(new byte[length], out _)?.Kind);

    [Theory]
    [InlineData(128)]
    [InlineData(256)]
    [InlineData(4096)]
    [InlineData(1 << 20)]
    public void AFileOfZerosIsNoSnapshot(int length)
    {
        SnapshotFailure? failure = TryRead<Counter>(new byte[length], out _);
        Assert.Equal(SnapshotFailureKind.NotASnapshot, failure?.Kind);
        Assert.Contains("zeros", failure!.Message);
    }

    [Fact]
    public void ANewerFormatIsSaidToBeNewerAndNotDamaged()
    {
        byte[] bytes = Whole();
        Patch(bytes, header => BinaryPrimitives.WriteUInt16LittleEndian(header[16..], SnapshotFormat.Version + 1));
        Assert.Equal(SnapshotFailureKind.NewerVersion, TryRead<Counter>(bytes, out _)?.Kind);
        Assert.Throws<StoreVersionException>(() => SnapshotFile.Open(new BytesDirectory { ["file"] = bytes }, "file"));
    }

    [Fact]
    public void FormatZeroDoesNotExist()
    {
        byte[] bytes = Whole();
        Patch(bytes, header => BinaryPrimitives.WriteUInt16LittleEndian(header[16..], 0));
        Assert.Equal(SnapshotFailureKind.HeaderDamaged, TryRead<Counter>(bytes, out _)?.Kind);
    }

    [Theory]
    [InlineData(true, null)]
    [InlineData(false, SnapshotFailureKind.NewerVersion)]
    public void ASectionOfAKindFromTheFutureIsIgnoredOnlyWhenItIsOptional(bool optional, SnapshotFailureKind? expected) =>
        Assert.Equal(expected, TryRead<Counter>(WithFourthSection(new SnapshotSection((SnapshotSectionKind)77, 0, optional, 0, 100, 0)), out _)?.Kind);

    [Theory]
    [InlineData(true, null)]
    [InlineData(false, SnapshotFailureKind.NewerVersion)]
    public void APartFromTheFutureIsIgnoredOnlyWhenItIsOptional(bool optional, SnapshotFailureKind? expected) =>
        Assert.Equal(expected, TryRead<Counter>(WithFourthSection(new SnapshotSection(SnapshotSectionKind.Data, SnapshotFormat.MaxParts, optional, 0, 100, 0)), out _)?.Kind);

    [Fact]
    public void APartThatLacksASectionIsDamage() =>
        Assert.Equal(SnapshotFailureKind.HeaderDamaged, TryRead<Counter>(WithFourthSection(new SnapshotSection(SnapshotSectionKind.Data, 1, false, 0, 100, 0)), out _)?.Kind);

    [Fact]
    public void ASectionThatAppearsTwiceIsDamage() =>
        Assert.Equal(SnapshotFailureKind.HeaderDamaged, TryRead<Counter>(WithFourthSection(new SnapshotSection(SnapshotSectionKind.Data, 0, false, 0, 100, 0)), out _)?.Kind);

    /// <summary>A header that somebody forged, checksum and all, may say anything: it is refused or reads the very same state, and never anything else.</summary>
    [Fact]
    public void AForgedHeaderNeverCrashesTheReader()
    {
        const int seed = 20261121;
        var random = new Random(seed);
        byte[] whole = Whole();
        long[] nasty = [0, 1, -1, 63, 64, 65, 128, int.MaxValue, int.MinValue, long.MaxValue, long.MinValue, whole.Length, whole.Length - 1];
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = [.. whole];
            Patch(bytes, header =>
            {
                for (int i = random.Next(1, 4); i > 0; i--)
                {
                    int offset = random.Next(16, header.Length - 8);
                    if (random.Next(2) == 0) header[offset] = (byte)random.Next(256);
                    else BinaryPrimitives.WriteInt64LittleEndian(header[(offset & ~7)..], nasty[random.Next(nasty.Length)]);
                }
            });
            SnapshotFailure? failure = TryRead(bytes, out Counter? state);
            Assert.True(failure is not null || State.Equals(state), $"seed {seed}, round {round}");
        }
    }

    /// <summary>Data that somebody forged, checksums and all, is decoded with every bound checked.</summary>
    [Fact]
    public void ForgedDataNeverCrashesTheReader()
    {
        const int seed = 20261122;
        var random = new Random(seed);
        byte[] whole = Write(Golden, GoldenStamp);
        int dataOffset, dataLength;
        using (SnapshotFile file = SnapshotFile.Open(new BytesDirectory { ["file"] = whole }, "file"))
            (dataOffset, dataLength) = ((int)file.Sections[1].Offset, (int)file.Sections[1].LengthBytes);
        int undecodable = 0;
        for (int round = 0; round < 5_000; round++)
        {
            byte[] bytes = [.. whole];
            bytes[dataOffset + random.Next(dataLength)] = (byte)random.Next(256);
            byte[] table = new byte[4];
            BinaryPrimitives.WriteUInt32LittleEndian(table, Crc32C.Compute(bytes.AsSpan(dataOffset, dataLength)));
            table.CopyTo(bytes, bytes.Length - 4);
            Patch(bytes, header => BinaryPrimitives.WriteUInt32LittleEndian(header[(128 + 64 + 4)..], Crc32C.Compute(table)));
            SnapshotFailure? failure = TryRead<Counter>(bytes, out _);
            if (failure is null) continue;

            // The one forgery that is a record of the schema: its type alone refuses a payload that is null.
            bool isNull = bytes[dataOffset + 4] == 0;
            Assert.Equal(isNull && dataLength == 5 ? SnapshotFailureKind.Refused : SnapshotFailureKind.Undecodable, failure.Kind);
            undecodable++;
        }

        Assert.True(undecodable > 100, $"seed {seed}: only {undecodable} rounds hit the count");
    }

    /// <summary>Changes the header and makes its checksum right again.</summary>
    private static void Patch(byte[] bytes, Action<Span<byte>> change)
    {
        Span<byte> header = bytes.AsSpan(0, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12)));
        change(header);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], Crc32C.Compute(header[12..]));
    }

    /// <summary>The file with one more section behind the others.</summary>
    private static byte[] WithFourthSection(SnapshotSection added)
    {
        byte[] whole = Whole();
        Assert.Null(SnapshotHeader.Parse(whole, whole.Length, "file", out SnapshotHeader? header));
        SnapshotSection last = header!.Sections[^1];
        added = added with { Offset = SnapshotFormat.Align(last.EndOffset) };
        header = header with { Sections = [.. header.Sections, added], FileLength = added.EndOffset };

        // Three and four entries both fit into 256 bytes, so nothing moves.
        var bytes = new byte[added.EndOffset];
        whole.CopyTo(bytes, 0);
        header.Encode(bytes);
        return bytes;
    }
}
