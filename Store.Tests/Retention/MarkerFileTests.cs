using Store.IO;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Retention;

/// <summary>The bytes of marker files, and what damage to them does.</summary>
public class MarkerFileTests(ITestOutputHelper output)
{
    private static readonly Marker Example = new()
    {
        Kind = MarkerKind.Cursor,
        StoreId = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
        Generation = 2,
        Sequence = 300,
        Ticks = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks,
        Name = "mail",
    };

    [Fact]
    public void TheExampleOfThePageIsWhatTheCodeWritesAndReads()
    {
        byte[] slot = new byte[MarkerFile.SlotSize];
        MarkerFile.Write(slot, Example);
        output.WriteLine(Convert.ToHexStringLower(slot)); // what the page must show

        byte[] page = Repository.HexBytes("docs/formats/marker.md", "## Example");
        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(slot));
        Assert.True(MarkerFile.TryRead(page, out Marker read, out bool newer));
        Assert.Equal((Example, false), (read, newer));
    }

    [Fact]
    public void TheExampleOfAnEndIsWhatTheCodeWritesAndReads()
    {
        Marker end = Example with { Kind = MarkerKind.End, Generation = 7, Segment = 3, Name = "closed", Writer = 0x0123456789ABCDEF };
        byte[] slot = new byte[MarkerFile.SlotSize];
        MarkerFile.Write(slot, end);
        output.WriteLine(Convert.ToHexStringLower(slot)); // what the page must show

        byte[] page = Repository.HexBytes("docs/formats/marker.md", "## Example of an end");
        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(slot));
        Assert.True(MarkerFile.TryRead(page, out Marker read, out _));
        Assert.Equal(end, read);
    }

    [Fact]
    public void TheExampleOfAStateIsWhatTheCodeWritesAndReads()
    {
        Marker state = Example with { Kind = MarkerKind.State, Generation = 1, Name = "Shop.Cart", Since = 0x0123 };
        byte[] slot = new byte[MarkerFile.SlotSize];
        MarkerFile.Write(slot, state);
        output.WriteLine(Convert.ToHexStringLower(slot)); // what the page must show

        byte[] page = Repository.HexBytes("docs/formats/marker.md", "## Example of a state");
        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(slot));
        Assert.True(MarkerFile.TryRead(page, out Marker read, out _));
        Assert.Equal(state, read);
        Assert.Throws<ArgumentException>(() => MarkerFile.Write(slot, state with { Name = new string('n', MarkerFile.MaxNameBytes - 7) }));
    }

    [Theory]
    [InlineData("cursor", 100, 0, 100, 0)]
    [InlineData("keyed state", 100, 0, 9, 0)]
    [InlineData("keyed state", 100, 20, 20, 20)]
    [InlineData("state", 100, 20, 20, 20)]
    [InlineData("state", 30, 300, 30, 30)]
    [InlineData("state", 9, 300, 9, 9)]
    public void AheadOfTheLogACursorStandsAtItsEndAndAStateAtItsBeginning(string what, long last, long since, long stands, long begins)
    {
        // The log has records 10 to `last`.
        MarkerKind kind = what switch { "cursor" => MarkerKind.Cursor, "state" => MarkerKind.State, _ => MarkerKind.KeyedState };
        Marker ahead = Example with { Kind = kind, Sequence = 400, Since = since };
        Assert.Equal(ahead with { Sequence = stands, Segment = 400, Since = begins }, ahead.Within(first: 10, last));
        Assert.Equal(ahead, ahead.Within(first: 10, last: 400));
    }

    [Fact]
    public void OnlyAnEndHasAWriterAndOthersHaveTheRoomForTheirName()
    {
        byte[] slot = new byte[MarkerFile.SlotSize];
        Marker longest = Example with { Name = new string('n', MarkerFile.MaxNameBytes), Writer = 5 };
        MarkerFile.Write(slot, longest);
        Assert.True(MarkerFile.TryRead(slot, out Marker read, out _));
        Assert.Equal(longest with { Writer = 0 }, read);
        Assert.Throws<ArgumentException>(() => MarkerFile.Write(slot, longest with { Kind = MarkerKind.End }));
    }

    [Fact]
    public void OneReadTellsWhoWroteTheTwoCopies()
    {
        var directory = new SimDirectory();
        Marker end = Example with { Kind = MarkerKind.End, Segment = 3, Name = "", Writer = 11 };
        MarkerFile.PublishNew(directory, "m", end);
        Assert.True(IoFailure.IsExists(Assert.ThrowsAny<IOException>(() => MarkerFile.PublishNew(directory, "m", end))));
        MarkerFile.Update(directory, "m", end with { Generation = 3, Writer = 12 });
        using (IStoreFile file = directory.OpenRead("m")) Assert.Equal((new SlotOwner(2, 11), new SlotOwner(3, 12)), MarkerFile.OwnersOf(file));
        MarkerFile.Repeat(directory, "m", end with { Generation = 3, Writer = 12 });
        using (IStoreFile file = directory.OpenRead("m")) Assert.Equal((new SlotOwner(3, 12), new SlotOwner(3, 12)), MarkerFile.OwnersOf(file));
        FileBytes.Put(directory, "m", new byte[MarkerFile.SlotSize + 5]);
        using (IStoreFile file = directory.OpenRead("m")) Assert.Equal((default(SlotOwner), default), MarkerFile.OwnersOf(file));
    }

    [Fact]
    public void EveryFlippedBitAndEveryCutOfASlotIsNoticed()
    {
        byte[] slot = new byte[MarkerFile.SlotSize];
        MarkerFile.Write(slot, Example);
        for (int bit = 0; bit < slot.Length * 8; bit++)
        {
            slot[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(MarkerFile.TryRead(slot, out _, out bool newer));
            Assert.False(newer);
            slot[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        for (int length = 0; length < slot.Length; length++) Assert.False(MarkerFile.TryRead(slot.AsSpan(0, length), out _, out _));
    }

    [Fact]
    public void EitherCopyWillDoAndWithoutBothThereIsNone()
    {
        var directory = new SimDirectory();
        MarkerFile.Publish(directory, "m", Example);
        byte[] whole = FileBytes.Of(directory, "m");
        foreach ((int[] damaged, long? sequence) in new (int[], long?)[] { ([0], 300), ([MarkerFile.SecondSlot], 300), ([0, MarkerFile.SecondSlot], null) })
        {
            byte[] bytes = (byte[])whole.Clone();
            foreach (int at in damaged) bytes[at + 40] ^= 1;
            FileBytes.Put(directory, "m", bytes);
            Assert.Equal(sequence, MarkerFile.Read(directory, "m").Newest?.Sequence);
        }
    }

    [Fact]
    public void AnUpdateLeavesTheValueBeforeInTheOtherCopy()
    {
        var directory = new SimDirectory();
        MarkerFile.Publish(directory, "m", Example);
        for (int generation = 3; generation < 8; generation++)
        {
            MarkerFile.Update(directory, "m", Example with { Generation = generation, Sequence = 300 + generation });
            MarkerContent content = MarkerFile.Read(directory, "m");
            Assert.Equal(300 + generation, content.Newest!.Value.Sequence);
            Assert.Equal(generation == 3 ? 300 : 299 + generation, content.LowestSequence);
        }
    }

    [Fact]
    public void ALaterVersionIsToldFromDamage()
    {
        byte[] slot = new byte[MarkerFile.SlotSize];
        MarkerFile.Write(slot, Example);
        slot[8] = 2;
        BitConverter.TryWriteBytes(slot.AsSpan(252), Store.Framing.Crc32C.Compute(slot.AsSpan(0, 252)));
        Assert.False(MarkerFile.TryRead(slot, out _, out bool newer));
        Assert.True(newer);
    }

    [Theory]
    [InlineData("mail", "cursor-mail.nino")]
    [InlineData("Mail", "cursor-%4dail.nino")]
    [InlineData("a/b c", "cursor-a%2fb%20c.nino")]
    [InlineData("..", "cursor-%2e%2e.nino")]
    [InlineData("ü", "cursor-%c3%bc.nino")]
    public void ACursorsNameIsAFileNameOnEverySystem(string name, string file) => Assert.Equal(file, CursorName.FileOf(name, MarkerKind.Cursor));

    [Fact]
    public void ANameThatDoesNotFitIsRefused()
    {
        Assert.Throws<ArgumentException>(() => CursorName.FileOf("", MarkerKind.Cursor));
        Assert.Throws<ArgumentException>(() => CursorName.FileOf(new string('a', 185), MarkerKind.Cursor));
        Assert.Throws<ArgumentException>(() => CursorName.FileOf(new string('A', 100), MarkerKind.Cursor));
        Assert.EndsWith(".nino", CursorName.FileOf(new string('a', 184), MarkerKind.Cursor), StringComparison.Ordinal);
    }
}
