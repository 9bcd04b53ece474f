// The main job in one minute, on real data: append typed records, checkpoint the state they add up to, lose the process in the middle, and find everything
// again. Then the same records as one file, to look into with inspect.

using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Quickstart;
using SampleTools;
using Spectre.Console;
using Store;
using Store.Serialization;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is [CrashingWriter.Argument, { } childFolder])
{
    await CrashingWriter.RunAsync(childFolder);
    return 0;
}

string home = Path.GetFullPath(args is [{ } path] ? path : "quickstart-data");
string folder = Path.Combine(home, "store");
string oneFile = Path.Combine(home, "log.bin");
if (!SampleFolder.TryPrepare(home, "Quickstart", inner: "store")) return 2;
List<Flight> flights = FlightData.Load();
var table = new Table().Border(TableBorder.Rounded).AddColumns("step", "result").HideHeaders();
var watch = Stopwatch.StartNew();
bool wellDone = false;

await Progress().StartAsync(async context =>
{
    ProgressTask append = context.AddTask("append 20,000 flights in batches", maxValue: flights.Count);
    ProgressTask crash = context.AddTask("kill a process in the middle of its appends", maxValue: 1);
    ProgressTask restore = context.AddTask("reopen, restore, compare", maxValue: 1);
    ProgressTask export = context.AddTask("the same records as one file", maxValue: 1);

    // 1. Append in atomic batches; checkpoint the state on the way.
    var state = new FlightStatistics();
    await using (NinoStore store = NinoStore.Open(folder))
    {
        foreach (Flight[] batch in flights.Chunk(1000))
        {
            store.AppendBatch<Flight>(batch);
            foreach (Flight flight in batch) state.Apply(flight);
            append.Increment(batch.Length);
            if (store.LastSequence is 10_000 or 18_000) await store.CheckpointAsync(state);
        }

        await store.CommitAsync();
        table.AddRow("appended", $"{store.LastSequence:N0} flights, durable up to {store.DurableSequence:N0}, {store.Snapshots.Count} snapshots");
    }

    // 2. Another process appends, each append durable before it says so, and is killed.
    long acknowledged = CrashingWriter.KillAfter(folder, appends: 250);
    table.AddRow("killed", $"a process that had been told that {acknowledged:N0} records are durable");
    crash.Increment(1);

    // 3. Reopen: recovery, newest snapshot, replay of what came after it.
    await using (NinoStore store = NinoStore.Open(folder))
    {
        var restored = await store.RestoreAsync<FlightStatistics, Flight>((s, flight) => s.Apply(flight));
        var expected = new FlightStatistics();
        long altered = 0;
        foreach (LogRecord<Flight> record in store.Read<Flight>())
        {
            expected.Apply(record.Value);
            if (record.Value != flights[(int)((record.Sequence - 1) % flights.Count)]) altered++;
        }

        RecoveryReport report = store.Recovery;
        table.AddRow("recovered", $"{report.LastSequence:N0} records in {report.Segments} segments; {report.FramesVerified:N0} frames of the last one verified; {report.BytesCut:N0} bytes of a torn tail cut; clean close: {(report.CleanClose ? "yes" : "no")}");
        table.AddRow("restored", $"from {report.SnapshotUsed} and {report.RecordsReplayed:N0} records after it; the same as replaying everything: {(restored.SameAs(expected) ? "[green]yes[/]" : "[red]NO[/]")}");
        bool complete = store.LastSequence >= acknowledged && altered == 0;
        table.AddRow("lost", complete ? "[green]nothing that was committed[/]" : $"[red]{acknowledged - store.LastSequence} records, {altered} altered[/]");
        wellDone = complete && restored.SameAs(expected);
        restore.Increment(1);

        foreach (var (airport, totals) in restored.ByOrigin.OrderByDescending(pair => pair.Value.Departures).Take(3))
            table.AddRow($"from {airport}", $"{totals.Departures:N0} departures, {(double)totals.DelayMinutes / totals.Departures:N1} minutes late on average, {totals.WorstDelayMinutes} at worst");
    }

    // 4. The one-file form, for shipping a log to somebody.
    await using (NinoStore log = NinoLog.Create(oneFile))
    {
        foreach (Flight[] batch in flights.Chunk(1000)) log.AppendBatch<Flight>(batch);
    }

    table.AddRow("one file", $"{new FileInfo(oneFile).Length:N0} bytes for {flights.Count:N0} flights ({(double)new FileInfo(oneFile).Length / flights.Count:N1} bytes each)");
    export.Increment(1);

    // 5. Look into what was written, by the schemas stored in the files alone: what inspect does.
    foreach (string written in new[] { folder, oneFile })
    {
        using StoreReader reader = StoreReader.Open(written);
        VerifyReport report = reader.Verify();
        VerifiedType type = report.Types.Single();
        table.AddRow($"inspected {Path.GetFileName(written)}", $"{report.Records:N0} records of {type.Schema.Name} in {report.Frames:N0} frames, {(report.Damage.Count == 0 ? "[green]no damage[/]" : $"[red]{report.Damage.Count} damaged places[/]")}");
        wellDone &= report.Damage.Count == 0 && report.Records >= flights.Count;
    }

    using (StoreReader reader = StoreReader.Open(oneFile))
        table.AddRow("its first record", Markup.Escape(Json(reader.ReadRecords().First())));
});

AnsiConsole.Write(table);
AnsiConsole.MarkupLineInterpolated($"Done in {watch.Elapsed.TotalSeconds:N1} s. Look into what was written:");
foreach (string target in new[] { oneFile, folder })
    Console.WriteLine($"  dotnet run -c Release --project tools/inspect -- {Path.GetRelativePath(".", target)}");
return wellDone ? 0 : 1;

static string Json(LogRecord record)
{
    var bytes = new ArrayBufferWriter<byte>();
    using (var writer = new Utf8JsonWriter(bytes)) NinoJson.Write(writer, record.Schema, record.Payload.Span);
    return Encoding.UTF8.GetString(bytes.WrittenSpan);
}

static Progress Progress() => AnsiConsole.Progress().HideCompleted(false).Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn());
