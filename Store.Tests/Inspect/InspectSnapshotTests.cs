// The tool over snapshots: of one value, of parts, of streams of items; whole and damaged. Everything comes from the file: no type of the program is known to it.

using System.Text.Json;
using Store.Inspect;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Snapshots;

namespace Store.Tests.Inspect;

public sealed class InspectSnapshotTests : IDisposable
{
    private const string Parts = "golden-parts-v1.nino";

    // Where the committed file has its sections: docs/formats/snapshot.md, "example of parts and items".
    private const int StateData = 704, ScoresData = 832, ItemIndex = 896, ScoresPageTable = 960;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void TheSummaryOfPartsIsThis() => Golden.Check("snapshot-summary.txt", ToolRun.OnTerminal(110, Committed(Parts), "--color", "never"), _folder);

    [Fact]
    public void TheSummaryOfOneValueIsThis() => Golden.Check("snapshot-summary-one.txt", ToolRun.OnTerminal(110, Committed("golden-v1.nino"), "--color", "never"), _folder);

    [Fact]
    public void PartsOnATerminalAreThis() => Golden.Check("snapshot-cat-terminal.txt", ToolRun.OnTerminal(110, "cat", Committed(Parts), "--color", "never"), _folder);

    [Fact]
    public void PartsAsLinesAreThis() => Golden.Check("snapshot-cat.txt", ToolRun.Of("cat", Committed(Parts)), _folder);

    [Fact]
    public void PartsAsJsonAreThis() => Golden.Check("snapshot-cat.jsonl", ToolRun.Of("cat", "--json", Committed(Parts)), _folder);

    [Fact]
    public void TheSchemasOfAllPartsAreThese() => Golden.Check("snapshot-schema.txt", ToolRun.Of("schema", Committed(Parts)), _folder);

    [Fact]
    public void VerifyingPartsIsShownLikeThis() => Golden.Check("snapshot-verify.txt", ToolRun.Of("verify", Committed(Parts)), _folder);

    [Fact]
    public void DamagedPartsAreShownLikeThis()
    {
        string path = Committed(Parts, StateData + 3, ScoresData + 9);
        ToolRun run = ToolRun.OnTerminal(110, path, "--color", "never");
        Assert.Equal(ExitCode.Corrupt, run.ExitCode);
        Golden.Check("snapshot-summary-damaged.txt", run, _folder);
    }

    [Fact]
    public void VerifyingDamagedPartsIsShownLikeThis() => Golden.Check("snapshot-verify-damaged.txt", ToolRun.Of("verify", Committed(Parts, StateData + 3, ScoresData + 9)), _folder);

    /// <summary>Every verb says which part, which page and where in the file.</summary>
    [Theory]
    [InlineData(StateData + 3, "Page 0 of the part 'state'", StateData)]
    [InlineData(ScoresData + 9, "Page 0 of the part 'scores'", ScoresData)]
    [InlineData(ItemIndex, "The item index of the part 'scores'", ItemIndex)]
    [InlineData(ScoresPageTable + 1, "The page table of the part 'scores'", ScoresPageTable)]
    public void EveryVerbNamesPartPageAndOffsetOfDamage(int damaged, string what, int offset)
    {
        string path = Committed(Parts, damaged);
        foreach (string[] verb in (string[][])[[], ["cat"], ["cat", "--json"], ["verify"], ["schema"], ["export"]])
        {
            ToolRun run = ToolRun.Of([.. verb, path]);
            Assert.Equal(ExitCode.Corrupt, run.ExitCode);
            string said = run.Output + run.Error;
            Assert.Contains(Parts, said, StringComparison.Ordinal);
            Assert.Contains(what, said, StringComparison.Ordinal);
            Assert.Contains($"{offset}", said, StringComparison.Ordinal);
        }
    }

    /// <summary>What does not lie on the damaged page is still shown, and what does is named by its numbers.</summary>
    [Fact]
    public void ItemsBesideADamagedPageAreStillShown()
    {
        string path = _folder["pages.nino"];
        byte[] bytes = SnapshotPartTests.Write(new SnapshotParts().Add("first", new Score(-1)).AddItems("scores", SnapshotPartTests.Scores(100)).Add("last", new Score(-2)).Create(), pageSize: 64);
        using (SnapshotFile file = SnapshotPartTests.Open(bytes))
        {
            // The third page: items 16 to 23.
            SnapshotSection data = file.Sections.Single(static s => s is { Kind: SnapshotSectionKind.Data, Part: 1 });
            bytes[data.Offset + (2 * 64) + 5] ^= 1;
        }

        File.WriteAllBytes(path, bytes);
        ToolRun run = ToolRun.Of("cat", "--json", path);
        Assert.Equal(ExitCode.Corrupt, run.ExitCode);
        Assert.Equal([-1, .. Enumerable.Range(0, 16), .. Enumerable.Range(24, 76), -2], run.Lines.Select(Points));
        Assert.Contains("Page 2 of the part 'scores', 64 bytes from offset", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("Items 16 to 23 are lost.\n", run.Error, StringComparison.Ordinal);
        Assert.Equal(1, run.Error.Count(static c => c == '\n'));

        static int Points(string line) => JsonDocument.Parse(line).RootElement.GetProperty("value").GetProperty("Points").GetInt32();
    }

    /// <summary>The next pages are damaged too, up to the block's directory, which is what finds the items.</summary>
    [Fact]
    public void NeighbouringDamagedPagesAreOnePlace()
    {
        byte[] bytes = SnapshotPartTests.WriteItems(SnapshotPartTests.Scores(100), pageSize: 64);
        long data;
        using (SnapshotFile file = SnapshotPartTests.Open(bytes)) data = file.Sections.Single(static s => s.Kind == SnapshotSectionKind.Data).Offset;
        foreach (int page in (int[])[3, 4, 5, 8]) bytes[data + (page * 64)] ^= 1;
        File.WriteAllBytes(_folder["pages.nino"], bytes);
        ToolRun run = ToolRun.Of("verify", _folder["pages.nino"]);
        Assert.Contains("Pages 3 to 5 of the data, 192 bytes from offset", run.Output, StringComparison.Ordinal);
        Assert.Contains("Page 8 of the data, 64 bytes from offset", run.Output, StringComparison.Ordinal);
        Assert.Equal([.. Enumerable.Range(0, 24), .. Enumerable.Range(48, 16), .. Enumerable.Range(72, 28)],
            ToolRun.Of("cat", _folder["pages.nino"]).Lines.Select(static line => int.Parse(line.Split('[', ']')[1], System.Globalization.CultureInfo.InvariantCulture)));
    }

    [Fact]
    public void PartsTypesAndCountsSelect()
    {
        string path = Committed(Parts);
        Assert.Equal(["scores[0]", "scores[1]", "scores[2]"], Places("--part", "scores"));
        Assert.Equal(["state"], Places("--part", "state"));
        Assert.Equal(["state"], Places("--type", "Counter"));
        Assert.Equal(["state", "scores[0]"], Places("--limit", "2"));
        Assert.Equal(4, Places("--from", "1000", "--to", "1000").Length);
        Assert.Empty(Places("--from", "1001"));
        Assert.Equal(ToolRun.Of("cat", "--json", path).Output, ToolRun.Of("export", path).Output);
        ToolRun exported = ToolRun.Of("export", path, "--part", "scores");
        Assert.Equal((ExitCode.Clean, 3), (exported.ExitCode, exported.Lines.Length));
        Assert.Equal(ToolRun.Of("cat", "--json", path, "--part", "scores").Output, exported.Output);
        ToolRun unknown = ToolRun.Of("cat", path, "--part", "score");
        Assert.Equal(ExitCode.Usage, unknown.ExitCode);
        Assert.Contains("'state', 'scores'", unknown.Error, StringComparison.Ordinal);
        Assert.Contains("only a snapshot has parts", ToolRun.Of("cat", SampleLog.OneFile(_folder), "--part", "x").Error, StringComparison.Ordinal);

        string[] Places(params string[] options) => [.. ToolRun.Of(["cat", path, .. options]).Lines.Select(static line => line.Split('\t')[2])];
    }

    [Fact]
    public void APartOfAnyNameStaysInItsColumnAndNeverCommandsTheTerminal()
    {
        string path = _folder["named.nino"];
        File.WriteAllBytes(path, SnapshotPartTests.Write(new SnapshotParts().Add("a\tb\nc\u001B[31m", new Score(1)).Create()));
        ToolRun run = ToolRun.Of("cat", path);
        Assert.Equal(5, Assert.Single(run.Lines).Split('\t').Length);
        foreach (string output in (string[])[run.Output, ToolRun.OnTerminal(110, path, "--color", "never").Output, ToolRun.OnTerminal(110, "cat", path, "--color", "never").Output, ToolRun.Of("verify", path).Output])
            Assert.DoesNotContain('\u001B', output);
        Assert.Equal("a\tb\nc\u001B[31m", JsonDocument.Parse(ToolRun.Of("cat", "--json", path).Lines[0]).RootElement.GetProperty("part").GetString());
    }

    [Fact]
    public async Task AFoldersSnapshotsAreListedWithTheirParts()
    {
        string path = _folder["store"];
        await using (NinoStore store = NinoStore.Open(path, SampleLog.Options()))
        {
            store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(1, "A"));
            await store.CheckpointPartsAsync(new SnapshotParts().Add("state", SnapshotSamples.Golden).AddItems("scores", SnapshotPartTests.Scores(5)));
            await store.CheckpointAsync(new Score(3));
        }

        Golden.Check("snapshot-folder-verify.txt", ToolRun.Of("verify", path), _folder);
        Assert.Contains("Tests.Counter, Tests.Score[]", ToolRun.Of(path).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void AnyFlippedByteOfTheFileIsDamageToEveryVerbAndNeverAnythingElse()
    {
        byte[] whole = File.ReadAllBytes(Committed(Parts));
        string path = _folder["flipped.nino"];
        for (int at = 0; at < whole.Length; at += 7)
        {
            byte[] bytes = [.. whole];
            bytes[at] ^= 0x20;
            File.WriteAllBytes(path, bytes);
            foreach (string[] verb in (string[][])[[], ["cat", "--json"], ["verify"]])
            {
                ToolRun run = ToolRun.Of([.. verb, path]);

                // The first eight bytes are what makes it a snapshot.
                Assert.True(run.ExitCode == (at < 8 ? ExitCode.Unreadable : ExitCode.Corrupt), $"inspect {string.Join(' ', verb)}, byte {at}: {run.ExitCode}, {run.Error}");
            }
        }
    }

    private string Committed(string name, params int[] damaged)
    {
        byte[] bytes = File.ReadAllBytes(Path.Combine(Repository.Root, "Store.Tests", "Snapshots", name));
        foreach (int offset in damaged) bytes[offset] ^= 1;
        File.WriteAllBytes(_folder[name], bytes);
        return _folder[name];
    }
}
