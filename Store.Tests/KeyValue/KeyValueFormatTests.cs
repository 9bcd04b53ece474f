// Are the bytes those that docs/formats/key-value-checkpoint.md describes, and is no byte of a manifest believed that was not written so?

using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue.Changes;
using Store.Serialization;
using Store.Tests.Generator.References;
using Store.Tests.Serialization.HandWritten;
using Store.Tests.Values;

namespace Store.Tests.KeyValue;

public class KeyValueFormatTests
{
    [Fact]
    public void AChangeOfFixedWidthHasThesePinnedBytes()
    {
        var format = new ChangeFormat<int, int>("ages");
        Assert.Equal("KeyValue:ages", format.Schema.Name);
        Assert.Equal("01 07000000 01 2A000000", Hex(format, buffer => format.EncodePut(buffer, 7, 42), 1, 4, 1, 4));
        Assert.Equal("02 07000000 00 00000000", Hex(format, buffer => format.EncodeDelete(buffer, 7), 1, 4, 1, 4));
    }

    /// <summary>Nobody writes one, but frames are imported, and a schema is data.</summary>
    [Fact]
    public void ARecordOfTheNameOfAChangeThatIsNoObjectIsRefusedByName()
    {
        NinoSchema stored = NinoSchema.Create(Shapes.Enum("KeyValue:ages", SchemaKind.Byte, false, [("Put", 1)]));
        Assert.Equal("KeyValue:ages", stored.Name);
        string message = Assert.Throws<SchemaMismatchException>(() => new ChangeFormat<int, int>("ages").MapperFrom(stored, 7)).Message;
        Assert.Contains("record 7 of the log", message, StringComparison.Ordinal);
        Assert.Contains("Its record is no change", message, StringComparison.Ordinal);
    }

    [Fact]
    public void AChangeOfStringsHasThesePinnedBytes()
    {
        var format = new ChangeFormat<string, string>("x");
        Assert.Equal("01 056162 0363", Hex(format, buffer => format.EncodePut(buffer, "ab", "c"), 1, 3, 2));
        Assert.Equal("02 056162 00", Hex(format, buffer => format.EncodeDelete(buffer, "ab"), 1, 3, 1));
    }

    [Fact]
    public void ObjectsHaveTheirPresenceByteInAChangeAndNotInTheEngine()
    {
        var format = new ChangeFormat<Nothing, Nothing>("x");
        ChangeBuffer buffer = ChangeBuffer.Take();
        format.EncodePut(buffer, new Nothing(), new Nothing());
        Assert.Equal("0101000100", Convert.ToHexString(buffer.Record));
        Assert.Equal(("00", "00"), (Convert.ToHexString(buffer.Key), Convert.ToHexString(buffer.Value)));
        Change change = format.Parse(buffer.Record);
        Assert.Equal(("00", "00"), (Convert.ToHexString(change.Key), Convert.ToHexString(change.Value)));
    }

    [Fact]
    public void TheSchemaOfChangesTellsKeysAndValuesApart()
    {
        NinoSchema schema = NinoSchema.Parse(new ChangeFormat<int, Quote>("quotes").Schema.CanonicalBytes.Span);
        var root = Assert.IsType<ObjectDefinition>(schema.Root.Definition);
        Assert.Equal(["Operation", "Key", "Value"], root.Fields.Select(field => field.Name));
        var operation = Assert.IsType<EnumDefinition>(root.Fields[0].Node.Definition);
        Assert.Equal([new("Put", 1), new("Delete", 2)], operation.Members);
        Assert.Equal(SchemaKind.Int32, root.Fields[1].Node.Kind);
        Assert.Equal("Store.Tests.Serialization.HandWritten.Quote", root.Fields[2].Node.Definition!.Name);
    }

    [Fact]
    public void AValueThatKeepsReferencesIsReadFromAChangeWithoutItsType()
    {
        var person = new Person { Id = 1, Name = "ann" };
        person.Friend = new Person { Id = 2, Friend = person, Children = [person] };
        var format = new ChangeFormat<Label, Person>("people");
        ChangeBuffer buffer = ChangeBuffer.Take();
        format.EncodePut(buffer, new Label(3, "x"), person);
        NinoValue change = NinoValue.Decode(format.Schema, buffer.Record);
        NinoValue friend = change["Value"]["Friend"];
        Assert.Equal((1L, 2L, true), (change["Value"]["Id"].AsInt64(), friend["Id"].AsInt64(), friend["Friend"].IsBackReference));
        Assert.Equal(change["Value"].ObjectNumber, friend["Friend"].ObjectNumber);
        Person back = format.DecodeValue(format.Parse(buffer.Record).Value);
        Assert.Same(back, back.Friend!.Friend);
        buffer.GiveBack();
    }

    [Fact]
    public void AKeyThatKeepsReferencesIsRefused() =>
        Assert.Contains("keeps references", Assert.Throws<NotSupportedException>(() => new ChangeFormat<Person, int>("people")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("")]
    [InlineData("00 07000000 01 2A000000")]
    [InlineData("03 07000000 01 2A000000")]
    [InlineData("01 070000")]
    [InlineData("01 07000000")]
    [InlineData("01 07000000 00 2A000000")]
    [InlineData("01 07000000 01")]
    [InlineData("02 07000000 01 2A000000")]
    [InlineData("02 07000000 00 2A000000")]
    [InlineData("02 07000000 00 000000")]
    [InlineData("02 07000000 00 0000000000")]
    public void AChangeThatNobodyWroteIsRefused(string hex)
    {
        var format = new ChangeFormat<int, int>("ages");
        Assert.Throws<NinoSerializationException>(() => { format.Parse(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal))); });
    }

    [Fact]
    public void AManifestReadsBackAsItWasWritten()
    {
        CheckpointManifest written = Sample();
        Assert.True(CheckpointManifest.TryParse(written.Encode(), out CheckpointManifest? read, out _));
        Assert.Equal(written.Encode(), read.Encode());
        Assert.Equal((written.StoreId, written.Token, written.Sequence, written.Count, written.Name), (read.StoreId, read.Token, read.Sequence, read.Count, read.Name));
        Assert.Equal((written.AnchorSequence, written.AnchorMark, written.SequenceMark, written.LogEndAddress, written.PageSizeBytes), (read.AnchorSequence, read.AnchorMark, read.SequenceMark, read.LogEndAddress, read.PageSizeBytes));
        Assert.Equal((written.LogBeginAddress, written.CompactedBytes), (read.LogBeginAddress, read.CompactedBytes));
        Assert.Equal(written.LogBlocks, read.LogBlocks);
        Assert.True(read.CoversLog);
    }

    [Fact]
    public void AManifestHasThesePinnedBytes()
    {
        byte[] bytes = Sample().Encode();
        Assert.Equal("4E494E4F4B564300" + "03000000" + "00100000" + "33221100554477668899AABBCCDDEEFF", Convert.ToHexString(bytes.AsSpan(0, 32)));
        Assert.Equal("0700000000000000" + "6300000000000000" + "0500000000000000" + "6200000000000000" + "EFBEADDE01EEFFC0" + "0010000000000000" + "4000000000000000" + "3412000000000000", Convert.ToHexString(bytes.AsSpan(48, 64)));
        Assert.Equal("01000000" + "78" + "01000000" + "01", Convert.ToHexString(bytes.AsSpan(112, 10)));
    }

    [Fact]
    public void NoManifestWithAFlippedBitIsBelieved()
    {
        byte[] bytes = Sample().Encode();
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(CheckpointManifest.TryParse(bytes, out _, out string? problem), $"bit {bit}");
            Assert.NotEmpty(problem!);
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void NoManifestCutShortOrLengthenedIsBelieved()
    {
        byte[] bytes = Sample().Encode();
        for (int length = 0; length < bytes.Length; length++) Assert.False(CheckpointManifest.TryParse(bytes.AsSpan(0, length), out _, out _), $"length {length}");
        Assert.False(CheckpointManifest.TryParse([.. bytes, 0], out _, out _));
    }

    [Fact]
    public void AManifestWithAGapInTheRecordLogDoesNotCoverIt()
    {
        CheckpointManifest sample = Sample();
        Assert.False((sample with { LogBlocks = [] }).CoversLog);
        Assert.False((sample with { LogEndAddress = 8192 }).CoversLog);
        Assert.False((sample with { LogEndAddress = 8192, LogBlocks = [new(0, 4096, 1), new(8192, 4096, 1)] }).CoversLog);
        Assert.True((sample with { LogEndAddress = 64, LogBlocks = [] }).CoversLog);
        Assert.False((sample with { LogBeginAddress = 4096 + 64, LogEndAddress = 12288 }).CoversLog);
        Assert.True((sample with { LogBeginAddress = 4096 + 64, LogEndAddress = 8192, LogBlocks = [new(4096, 4096, 1)] }).CoversLog);
    }

    [Fact]
    public void TheHashIsTheSameEverywhere()
    {
        // A checkpoint's index is bound to it: other values need another manifest version. These come from a second implementation.
        Assert.Equal(0x1700A8E37227293AUL, KeyHash.Compute("a"u8));
        Assert.Equal(0xB1BAA40893419CDCUL, KeyHash.Compute("abcd"u8));
        Assert.Equal(0xE3849B89D2458C96UL, KeyHash.Compute("abcdefgh"u8));
        Assert.Equal(0x8DF91ED55E9ED24FUL, KeyHash.Compute("0123456789abcdef"u8));
        Assert.Equal(0xD265C2F61B8718F8UL, KeyHash.Compute("0123456789abcdefg"u8));
    }

    [Fact]
    public void TheHashUsesEveryByteAndSpreads()
    {
        var random = new Random(3);
        for (int length = 1; length <= 70; length++)
        {
            byte[] key = new byte[length];
            random.NextBytes(key);
            ulong hash = KeyHash.Compute(key);
            for (int bit = 0; bit < length * 8; bit++)
            {
                key[bit / 8] ^= (byte)(1 << (bit % 8));
                Assert.NotEqual(hash, KeyHash.Compute(key));
                key[bit / 8] ^= (byte)(1 << (bit % 8));
            }
        }

        int[] buckets = new int[256];
        for (int i = 0; i < 256 * 100; i++) buckets[KeyHash.Compute(BitConverter.GetBytes(i)) & 255]++;
        Assert.All(buckets, count => Assert.InRange(count, 50, 160));
    }

    /// <summary>Opening accepts none that is longer: a checkpoint that it could not read must not take the place of one that it can.</summary>
    [Fact]
    public void AManifestThatOpeningWouldNotAcceptIsNotPublished()
    {
        CheckpointManifest sample = Sample();
        Assert.Equal(sample.Encode().Length, sample.LengthBytes);
        using var folder = new TemporaryFolder();
        using DiskDirectory directory = DiskDirectory.Open(folder.Path, create: true);
        var catalog = new CheckpointCatalog(directory, KeyValueBed.Tiny);
        CheckpointManifest large = sample with { LogBlocks = new WrittenBlock[CheckpointManifest.MaxFileBytes / 16] };
        RecordTooLargeException refused = Assert.Throws<RecordTooLargeException>(() => catalog.Publish(large));
        Assert.Contains("larger PageSizeBytes", refused.Message.Replace("FasterOptions.", "", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Empty(directory.List());
        catalog.Publish(sample);
        Assert.True(catalog.TryRead(sample.Generation, out _, out _));

        // Nor is memory made for a file that claims to be one.
        string name = directory.List().Single().Name;
        using (IStoreFile file = directory.OpenWrite(name)) file.Write([1], CheckpointManifest.MaxFileBytes);
        Assert.False(catalog.TryRead(sample.Generation, out _, out string? problem));
        Assert.Contains("more than any manifest", problem, StringComparison.Ordinal);
    }

    /// <summary>Whoever makes the checksum right can write any number: it is a checkpoint that cannot be used, and no other exception.</summary>
    [Theory]
    [InlineData(long.MaxValue - 4095, false)]
    [InlineData(long.MaxValue - 4096, true)]
    [InlineData(1L << 60, true)]
    [InlineData(long.MaxValue, false)]
    public void AManifestThatLeadsOutOfTheRecordLogIsNotBelieved(long offset, bool parses)
    {
        CheckpointManifest[] forged = [Sample() with { LogBlocks = [new(offset, 4096, 1)] }, Sample() with { LogBlocks = [new(0, 4096, 1), new(offset, 4096, 1)], LogEndAddress = 8192 }];
        foreach (CheckpointManifest manifest in forged)
        {
            byte[] bytes = manifest.Encode();
            Assert.Equal(parses, CheckpointManifest.TryParse(bytes, out _, out _));
            var directory = new Snapshots.BytesDirectory { [CheckpointNames.Manifest(manifest.Generation)] = bytes };
            Assert.False(new CheckpointCatalog(directory, KeyValueBed.Tiny).TryRead(manifest.Generation, out _, out string? problem));
            Assert.NotEmpty(problem);
        }

        Assert.False((Sample() with { LogBlocks = [], LogEndAddress = -5 }).CoversLog);
    }

    [Theory]
    [InlineData(long.MinValue, 0)]
    [InlineData(-1, 0)]
    [InlineData(4096, -1)]
    [InlineData(4096, long.MinValue)]
    public void AManifestWithAnAddressBeforeTheRecordLogIsNotBelieved(long end, long begin)
    {
        CheckpointManifest forged = Sample() with { LogEndAddress = end, LogBeginAddress = begin };
        var directory = new Snapshots.BytesDirectory { [CheckpointNames.Manifest(forged.Generation)] = forged.Encode() };

        Assert.False(new CheckpointCatalog(directory, KeyValueBed.Tiny).TryRead(forged.Generation, out _, out string? problem));

        Assert.Contains("no file of it can have", problem, StringComparison.Ordinal);
    }

    private static CheckpointManifest Sample() => new()
    {
        PageSizeBytes = 4096,
        StoreId = new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        Token = new Guid("ffeeddcc-bbaa-9988-7766-554433221100"),
        Generation = 7,
        Sequence = 99,
        Count = 5,
        AnchorSequence = 98,
        AnchorMark = 0xDEADBEEF,
        SequenceMark = 0xC0FFEE01,
        LogEndAddress = 4096,
        LogBeginAddress = 64,
        CompactedBytes = 0x1234,
        Name = "x",
        KeySchema = [1],
        ValueSchema = [2, 3],
        IndexMetadata = [4, 5, 6],
        LogMetadata = [7],
        LogBlocks = [new(0, 4096, 1)],
        SnapshotBlocks = [new(0, 4096, 2), new(4096, 512, 3)],
        IndexBlocks = [new(0, 4096, 4)],
    };

    private static string Hex(ChangeFormat format, Action<ChangeBuffer> encode, params int[] parts)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        encode(buffer);
        string hex = Convert.ToHexString(buffer.Record);
        Change change = format.Parse(buffer.Record);
        Assert.True(change.Key.SequenceEqual(buffer.Key) && change.Value.SequenceEqual(buffer.Value), "The parts read back differ from those written.");
        var text = new List<string>();
        foreach (int part in parts)
        {
            text.Add(hex[..(part * 2)]);
            hex = hex[(part * 2)..];
        }

        Assert.Empty(hex);
        buffer.GiveBack();
        return string.Join(' ', text);
    }
}
