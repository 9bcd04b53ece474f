// The format is pinned three times over: committed files, the bytes in the format page, and what the writer writes now. They must be equal.

using System.Globalization;
using System.Text.RegularExpressions;
using Store.Snapshots;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public partial class SnapshotFormatTests
{
    private const string One = "golden-v1.nino", Parts = "golden-parts-v1.nino";

    private static readonly string Page = Repository.Read("docs/formats/snapshot.md");

    [Fact]
    public void TheWriterStillWritesTheCommittedFile() => Assert.Equal(Dump(Committed(One)), Dump(Write(Golden, GoldenStamp)));

    [Fact]
    public void TheWriterStillWritesTheCommittedFileOfPartsAndItems()
    {
        SnapshotParts parts = new SnapshotParts().Add("state", Golden).AddItems("scores", [new Score(7), new Score(-1), new Score(300)]);
        Assert.Equal(Dump(Committed(Parts)), Dump(SnapshotPartTests.Write(parts.Create())));
    }

    [Fact]
    public void TheCommittedFileReadsBack()
    {
        Assert.Null(TryRead(Committed(One), out Counter? state));
        Assert.Equal(Golden, state);
    }

    [Fact]
    public void TheCommittedFileOfPartsAndItemsReadsBack()
    {
        using SnapshotFile file = SnapshotPartTests.Open(Committed(Parts));
        Assert.Equal(["state", "scores"], file.Parts.Select(part => part.Name));
        Assert.Equal(Golden, file.Part("state").Read<Counter>());
        Assert.Equal([7, -1, 300], file.Part("scores").Items<Score>().Select(score => score.Points));
        Assert.Empty(file.Verify());
    }

    [Theory]
    [InlineData(One)]
    [InlineData(Parts)]
    public void TheExampleOfTheFormatPageIsTheCommittedFile(string file) => Assert.Equal(Dump(Committed(file)), Dump(ParsePage(file)));

    /// <summary>Every number that the page's table of the example gives is at the place it says.</summary>
    [Theory]
    [InlineData(One)]
    [InlineData(Parts)]
    public void TheExplainedNumbersOfTheExampleAreTheBytesAtTheirOffsets(string file)
    {
        byte[] bytes = ParsePage(file);
        MatchCollection rows = ExplainedRow().Matches(SectionOf(file));
        Assert.True(rows.Count >= 15, $"{rows.Count} rows");
        foreach (Match row in rows)
        {
            int offset = int.Parse(row.Groups["offset"].Value, CultureInfo.InvariantCulture);
            byte[] expected = Convert.FromHexString(row.Groups["bytes"].Value.Replace(" ", ""));
            Assert.True(expected.AsSpan().SequenceEqual(bytes.AsSpan(offset, expected.Length)), row.Value);
            if (row.Groups["number"].Success)
                Assert.Equal(row.Groups["number"].Value, Number(expected).ToString(CultureInfo.InvariantCulture));
        }

        static ulong Number(byte[] littleEndian) => littleEndian.Reverse().Aggregate(0ul, (sum, b) => (sum << 8) | b);
    }

    [Fact]
    public void TheSectionKindsOfThePageAreThoseOfTheCode()
    {
        foreach (SnapshotSectionKind kind in Enum.GetValues<SnapshotSectionKind>())
        {
            string name = kind switch { SnapshotSectionKind.PageTable => "page table", SnapshotSectionKind.ItemIndex => "item index", _ => kind.ToString().ToLowerInvariant() };
            Assert.Contains($"| {(int)kind} | {name} |", Page);
        }
    }

    private static byte[] Committed(string file) => File.ReadAllBytes(Path.Combine(Repository.Root, "Store.Tests", "Snapshots", file));

    /// <summary>The page's section about a committed file: the one that names it, up to the next heading.</summary>
    private static string SectionOf(string file) => Page.Split("\n## ").Single(section => section.Contains($"/{file}", StringComparison.Ordinal));

    /// <summary>The lines of an offset, a colon and bytes in the section about a file; bytes that no line gives are zeros.</summary>
    private static byte[] ParsePage(string file)
    {
        var bytes = new byte[Committed(file).Length];
        int end = 0;
        foreach (Match line in DumpLine().Matches(SectionOf(file)))
        {
            int offset = Convert.ToInt32(line.Groups["offset"].Value, 16);
            byte[] part = Convert.FromHexString(line.Groups["bytes"].Value.Replace(" ", ""));
            Assert.True(offset >= end && offset + part.Length <= bytes.Length, line.Value);
            part.CopyTo(bytes, offset);
            end = offset + part.Length;
        }

        Assert.Equal(bytes.Length, end);
        return bytes;
    }

    /// <summary>As the page shows bytes: lines of 16, without lines of zeros only.</summary>
    private static string Dump(byte[] bytes) => string.Join('\n', bytes.Chunk(16)
        .Select((line, i) => (Line: line, Offset: i * 16))
        .Where(l => l.Line.AsSpan().ContainsAnyExcept((byte)0))
        .Select(l => $"{l.Offset:x4}: {string.Join(' ', l.Line.Select(b => b.ToString("x2")))}"));

    [GeneratedRegex(@"^(?<offset>[0-9a-f]{4}): (?<bytes>[0-9a-f]{2}( [0-9a-f]{2})*)$", RegexOptions.Multiline)]
    private static partial Regex DumpLine();

    [GeneratedRegex(@"^\| (?<offset>\d+) \| `(?<bytes>[0-9a-f]{2}( [0-9a-f]{2})*)` \| [^|]*?(= (?<number>\d+))? \|$", RegexOptions.Multiline)]
    private static partial Regex ExplainedRow();
}
