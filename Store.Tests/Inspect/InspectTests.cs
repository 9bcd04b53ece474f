using System.Diagnostics;
using System.Text.Json;
using Store.Inspect;
using Store.Log;
using Store.Tests.Log;

namespace Store.Tests.Inspect;

public sealed class InspectTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void TheSummaryOfALogIsThis() => Golden.Check("summary-log.txt", ToolRun.Of(SampleLog.OneFile(_folder)), _folder);

    [Fact]
    public void TheSummaryOfAFolderIsThis() => Golden.Check("summary-folder.txt", ToolRun.OnTerminal(110, SampleLog.Folder(_folder), "--color", "never"), _folder);

    [Fact]
    public void TheSchemaIsThis() => Golden.Check("schema.txt", ToolRun.Of("schema", SampleLog.OneFile(_folder)), _folder);

    [Fact]
    public void TheSchemaAsJsonIsThis() => Golden.Check("schema.jsonl", ToolRun.Of("schema", "--json", SampleLog.OneFile(_folder)), _folder);

    [Fact]
    public void RecordsAsJsonAreThis() => Golden.Check("cat.jsonl", ToolRun.Of("cat", "--json", SampleLog.OneFile(_folder)), _folder);

    [Fact]
    public void RecordsOnATerminalAreThis() => Golden.Check("cat-terminal.txt", ToolRun.OnTerminal(120, "cat", "--type", "Trade", SampleLog.OneFile(_folder), "--color", "never"), _folder);

    [Fact]
    public void ADamagedLogIsShownLikeThis()
    {
        string path = SampleLog.OneFile(_folder);
        Damage(path, SecondFrameOfRecords(path) + 60);
        ToolRun run = ToolRun.OnTerminal(120, path, "--color", "never");
        Assert.Equal(ExitCode.Corrupt, run.ExitCode);
        Golden.Check("summary-damaged.txt", run, _folder);
    }

    [Fact]
    public void VerifyingIsShownLikeThis() => Golden.Check("verify.txt", ToolRun.Of("verify", SampleLog.Folder(_folder)), _folder);

    [Fact]
    public void PipedRecordsAreOneLineEachWithoutAnyEscapeSequence()
    {
        foreach (string[] args in (string[][])[["cat"], ["cat", "--json"], ["export"]])
        {
            ToolRun run = ToolRun.Of([.. args, SampleLog.OneFile(_folder)]);
            File.Delete(_folder["trades.log"]);
            Assert.Equal((0, "", 12), (run.ExitCode, run.Error, run.Lines.Length));
            Assert.DoesNotContain('\u001B', run.Output);
        }
    }

    [Fact]
    public void ControlCharactersOfARecordNeverReachTheTerminal()
    {
        ToolRun run = ToolRun.OnTerminal(200, "cat", "--color", "never", SampleLog.OneFile(_folder));
        Assert.DoesNotContain('\u001B', run.Output);
        Assert.Contains("\\u001B[31m", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void ControlCharactersOfAFilesNameNeverReachTheTerminal()
    {
        string path = _folder["\u001B[31mred.log"];
        File.WriteAllText(path, "not a log");
        ToolRun run = ToolRun.Of(path);
        Assert.Equal(ExitCode.Unreadable, run.ExitCode);
        Assert.DoesNotContain('\u001B', run.Error);
        Assert.Contains("\\u001B[31mred.log", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A name could look like another one: "gol.exe" for "exe.log".</summary>
    [Fact]
    public void MarksThatTurnTheDirectionOfTextNeverReachTheTerminal()
    {
        foreach (char mark in "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069")
        {
            string path = _folder[mark + "exe.log"];
            File.WriteAllText(path, "not a log");
            ToolRun run = ToolRun.Of(path);
            Assert.DoesNotContain(mark, run.Error);
            Assert.Contains($"\\u{(int)mark:X4}exe.log", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void ANegativeLimitIsAMistakeOfTheCommandLine()
    {
        ToolRun run = ToolRun.Of("cat", SampleLog.OneFile(_folder), "--limit", "-1");
        Assert.Equal(ExitCode.Usage, run.ExitCode);
        Assert.Contains("a count is 0 or more", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void ColourIsForTerminalsUnlessToldOtherwise()
    {
        string path = SampleLog.OneFile(_folder);
        bool Colours(bool terminal, string mode, string variable = "") => ToolRun.With(["--color", mode, path], terminal, environment: name => name == variable ? "1" : null).Output.Contains('\u001B');
        Assert.True(Colours(terminal: true, "auto"));
        Assert.False(Colours(terminal: false, "auto"));
        Assert.False(Colours(terminal: true, "auto", "NO_COLOR"));
        Assert.True(Colours(terminal: false, "auto", "FORCE_COLOR"));
        Assert.True(Colours(terminal: true, "always", "NO_COLOR"));
        Assert.True(Colours(terminal: false, "always"));
        Assert.False(Colours(terminal: true, "never"));
    }

    [Fact]
    public void ColouredAndPlainOutputSayTheSame()
    {
        string path = SampleLog.Folder(_folder);
        string plain = ToolRun.OnTerminal(100, path, "--color", "never").Output;
        string coloured = ToolRun.OnTerminal(100, path, "--color", "always").Output;
        Assert.Equal(plain, System.Text.RegularExpressions.Regex.Replace(coloured, "\u001B\\[[0-9;]*m", ""));
    }

    [Fact]
    public void RecordsAreSelectedByTypeSequenceTimeAndCount()
    {
        string path = SampleLog.OneFile(_folder);
        long[] Sequences(params string[] options) => [.. ToolRun.Of(["cat", path, "--json", .. options]).Lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("sequence").GetInt64())];
        Assert.Equal([3, 6, 9, 12], Sequences("--type", "Tick"));
        Assert.Equal([3, 6, 9, 12], Sequences("--type", "Shop.Tick"));
        Assert.Equal([5, 6, 7], Sequences("--from", "5", "--to", "7"));
        Assert.Equal([4, 5], Sequences("--from", "4", "--type", "Trade", "--limit", "2"));
        Assert.Empty(Sequences("--limit", "0"));
        Assert.Equal(12, Sequences("--from", "2026-01-01", "--to", "2026-01-02").Length);
        Assert.Empty(Sequences("--from", "2026-01-02T00:00:00Z"));
    }

    [Fact]
    public void AnUnknownTypeNamesTheOnesThereAre()
    {
        ToolRun run = ToolRun.Of("cat", SampleLog.OneFile(_folder), "--type", "Nope");
        Assert.Equal((0, ""), (run.ExitCode, run.Output));
        Assert.Contains("Shop.Tick, Shop.Trade", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void JsonLinesDecodeToWhatWasWritten()
    {
        ToolRun run = ToolRun.Of("cat", "--json", SampleLog.OneFile(_folder));
        using JsonDocument first = JsonDocument.Parse(run.Lines[0]);
        JsonElement value = first.RootElement.GetProperty("value");
        Assert.Equal((1, 11.50m, "Sell", "SYM1", 100), (value.GetProperty("Id").GetInt32(), value.GetProperty("Price").GetDecimal(), value.GetProperty("Side").GetString(), value.GetProperty("Symbol").GetString(), value.GetProperty("Tags").GetProperty("lot").GetInt32()));
    }

    [Fact]
    public void NoVerbChangesAByteOrATimeOfWhatItInspects()
    {
        string store = SampleLog.Folder(_folder), log = SampleLog.OneFile(_folder);
        Damage(log, SecondFrameOfRecords(log) + 60);
        var before = State(_folder.Path);
        foreach (string path in (string[])[store, log, Path.Combine(store, SegmentFormat.Name(1))])
        {
            foreach (string[] verb in (string[][])[[], ["cat"], ["cat", "--json"], ["verify"], ["schema"], ["schema", "--json"], ["export"]]) ToolRun.Of([.. verb, path]);
        }

        Assert.Equal(before, State(_folder.Path));
    }

    [Fact]
    public void EveryMistakeHasItsExitCodeAndOneClearMessage()
    {
        File.WriteAllText(_folder["foreign.txt"], "this is not a log");
        File.WriteAllBytes(_folder["empty.log"], []);
        Directory.CreateDirectory(_folder["emptyfolder"]);
        (string[] Args, int Code, string Says)[] cases =
        [
            ([], ExitCode.Usage, "PATH"),
            (["--nonsense"], ExitCode.Usage, "--nonsense"),
            (["cat"], ExitCode.Usage, "argument missing"),
            (["export", "--format", "parquet", "x"], ExitCode.Usage, "parquet"),
            (["cat", "x", "--from", "yesterday"], ExitCode.Usage, "yesterday"),
            (["cat", "x", "--from", "0"], ExitCode.Usage, "the first record has the sequence 1"),
            (["export", "x", "--from", "0"], ExitCode.Usage, "the first record has the sequence 1"),
            (["--color", "purple", "x"], ExitCode.Usage, "purple"),
            ([_folder["missing.log"]], ExitCode.Unreadable, "missing.log"),
            (["verify", _folder["foreign.txt"]], ExitCode.Unreadable, "no NinoStore file"),
            (["cat", _folder["empty.log"]], ExitCode.Unreadable, "empty"),
            (["schema", _folder["emptyfolder"]], ExitCode.Unreadable, "no NinoStore folder"),
        ];
        foreach ((string[] args, int code, string says) in cases)
        {
            ToolRun run = ToolRun.Of(args);
            Assert.True(code == run.ExitCode, $"inspect {string.Join(' ', args)}: {run.ExitCode}, {run.Error}");
            Assert.Equal("", run.Output);
            Assert.StartsWith("inspect: ", run.Error, StringComparison.Ordinal);
            Assert.Contains(says, run.Error, StringComparison.Ordinal);
            Assert.Equal(1, run.Error.Count(static c => c == '\n'));
        }
    }

    [Fact]
    public async Task ATornTailHasAnExitCodeOfItsOwn()
    {
        string path = _folder["live"];
        NinoStore store = NinoStore.Open(path, SampleLog.Options());
        store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(1, "A"));
        await store.CommitAsync();
        byte[] live = await File.ReadAllBytesAsync(Path.Combine(path, SegmentFormat.Name(1)));
        await store.DisposeAsync();
        int end = live.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
        "unfinished bytes"u8.CopyTo(live.AsSpan((end + 15) & ~7));
        await File.WriteAllBytesAsync(Path.Combine(path, SegmentFormat.Name(1)), live);
        File.SetLastWriteTimeUtc(Path.Combine(path, SegmentFormat.Name(1)), DateTime.UtcNow.AddHours(-1));

        foreach (string[] verb in (string[][])[[], ["cat"], ["verify"], ["schema"], ["export"]])
        {
            ToolRun run = ToolRun.Of([.. verb, path]);
            Assert.Equal(ExitCode.TornTail, run.ExitCode);
            Assert.Contains("torn", run.Output + run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void DamageIsNamedWithFileAndOffsetByEveryVerb()
    {
        string path = SampleLog.OneFile(_folder);
        long offset = SecondFrameOfRecords(path);
        Damage(path, offset + 60);
        foreach (string[] verb in (string[][])[[], ["cat"], ["cat", "--json"], ["verify"], ["schema"], ["export"]])
        {
            ToolRun run = ToolRun.Of([.. verb, path]);
            Assert.Equal(ExitCode.Corrupt, run.ExitCode);
            Assert.Contains("trades.log", run.Output + run.Error, StringComparison.Ordinal);
            Assert.Contains($"{offset}", (run.Output + run.Error).Replace(",", "", StringComparison.Ordinal), StringComparison.Ordinal);
        }

        Assert.Equal([1, 2, 5, 6, 7, 8, 9, 10, 11, 12], ToolRun.Of("cat", path).Lines.Select(static l => int.Parse(l.Split('\t')[0], System.Globalization.CultureInfo.InvariantCulture)));
    }

    [Fact]
    public void ARecordThatDoesNotDecodeIsShownAsItsBytes()
    {
        string path = _folder["odd.log"];
        using (NinoStore store = NinoLog.Create(path, SampleLog.Options()))
        {
            store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(1, "A"));
            store.AppendRecord(SampleLog.Trade, [1, 2, 3]);
            store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(3, "C"));
        }

        ToolRun run = ToolRun.Of("cat", "--json", path);
        Assert.Equal((ExitCode.Corrupt, 3), (run.ExitCode, run.Lines.Length));
        using JsonDocument odd = JsonDocument.Parse(run.Lines[1]);
        Assert.Equal([1, 2, 3], odd.RootElement.GetProperty("bytes").GetBytesFromBase64());
        Assert.Contains("record 2", run.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Corrupt, ToolRun.OnTerminal(120, "cat", path).ExitCode);
    }

    [Fact]
    public void AReaderThatLeavesEarlyIsNoError()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsMacOS()) return;
        string path = _folder["long.log"];
        using (NinoStore store = NinoLog.Create(path))
        {
            byte[] record = SampleLog.TradeRecord(1, new string('x', 1000));
            for (int i = 0; i < 20_000; i++) store.AppendRecord(SampleLog.Trade, record);
        }

        string tool = ToolProcess.Assembly;
        using Process shell = Process.Start(new ProcessStartInfo("/bin/sh")
        {
            ArgumentList = { "-c", $"\"{ToolProcess.Host}\" \"{tool}\" cat \"{path}\" 2>\"{_folder["err"]}\" | head -n 1 | wc -l; exit 0" },
            RedirectStandardOutput = true,
        })!;
        Assert.Equal("1", shell.StandardOutput.ReadToEnd().Trim());
        shell.WaitForExit();
        Assert.Equal("", File.ReadAllText(_folder["err"]));

        // The tool's own exit code, with a reader that closes its end after one line.
        using Process direct = Process.Start(new ProcessStartInfo(ToolProcess.Host) { ArgumentList = { tool, "cat", path }, RedirectStandardOutput = true })!;
        Assert.NotNull(direct.StandardOutput.ReadLine());
        direct.StandardOutput.Dispose();
        Assert.True(direct.WaitForExit(30_000));
        Assert.Equal(0, direct.ExitCode);
    }

    /// <summary>Scripts have them as numbers.</summary>
    [Fact]
    public void TheExitCodesAreTheseNumbers() =>
        Assert.Equal([0, 1, 2, 3, 4, 5, 6], new[] { ExitCode.Clean, ExitCode.Usage, ExitCode.Unreadable, ExitCode.Corrupt, ExitCode.TornTail, ExitCode.Removed, ExitCode.Failed });

    /// <summary>The manual may say more of each.</summary>
    [Fact]
    public void TheExitCodesOfTheHelpAreTheOnesOfTheManual()
    {
        string help = Squeezed(ToolRun.Of("--help").Output);
        (string Code, string Meaning)[] told = [.. ExitCode.Help.Split('\n').Skip(1).Select(static line => line.Trim().Split("  ", 2)).Select(static line => (line[0], line[1]))];
        (string Code, string Meaning)[] manual = [.. Repository.TableRows("docs/inspect.md").Where(static row => int.TryParse(row[0], out _)).Select(static row => (row[0], row[1].Replace("`", "", StringComparison.Ordinal)))];
        Assert.Equal(["0", "1", "2", "3", "4", "5", "6", "130", "143"], told.Select(static code => code.Code));
        Assert.Equal(told.Select(static code => code.Code), manual.Select(static code => code.Code));
        Assert.All(told.Zip(manual), pair =>
        {
            Assert.StartsWith(pair.First.Meaning, pair.Second.Meaning, StringComparison.Ordinal);
            Assert.Contains($" {pair.First.Code} {pair.First.Meaning} ", help + " ", StringComparison.Ordinal);
        });

        static string Squeezed(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }

    private static void Damage(string path, long offset)
    {
        byte[] bytes = File.ReadAllBytes(path);
        bytes[offset] ^= 0x10;
        File.WriteAllBytes(path, bytes);
        File.SetLastWriteTimeUtc(path, DateTime.UtcNow.AddHours(-1));
    }

    private static long SecondFrameOfRecords(string path)
    {
        using var directory = Store.IO.DiskDirectory.OpenReadOnly(Path.GetDirectoryName(path)!);
        using Store.IO.IStoreFile file = directory.OpenRead(Path.GetFileName(path));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        int frames = 0;
        while (scanner.Next() == Store.Framing.FrameReadStatus.Frame)
        {
            if (scanner.Frame.RecordCount > 0 && ++frames == 2) return scanner.FrameOffset;
        }

        throw new InvalidOperationException("The log has fewer than two frames of records.");
    }

    private static List<(string, long, DateTime, string)> State(string folder) =>
        [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(static f => (f, new FileInfo(f).Length, File.GetLastWriteTimeUtc(f), Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(f)))))];
}
