// One log file and two ways of turning it into JSON Lines: the tool, which needs no type, and a loop over typed objects.

using Store.Inspect;
using Store.Inspect.Rendering;

namespace Store.Bench.Harness;

/// <summary>A log of known contents.</summary>
public sealed class ExportSubject : IDisposable
{
    private readonly BenchData _data;
    private readonly RecordSet _records;
    private readonly string _log;
    private readonly string _output;

    /// <param name="type">A name of <see cref="RecordSet.Names"/>.</param>
    /// <param name="thousands">Thousands of records.</param>
    /// <param name="dataDirectory">Where the files go, or null for the default.</param>
    public ExportSubject(string type, int thousands, string? dataDirectory = null)
    {
        _data = new BenchData(dataDirectory);
        _records = RecordSet.Create(type);
        _log = _data.File("log.bin");
        Count = thousands * (long)RecordSet.Size;
        using (NinoStore store = NinoLog.Create(_log))
        {
            for (int i = 0; i < thousands; i++) _records.Append(store, RecordSet.Size);
        }
        _output = _data.File("log.jsonl");
    }

    /// <summary>Records in the log.</summary>
    public long Count { get; }

    /// <summary>Bytes of JSON that the last export wrote.</summary>
    public long OutputBytes => new FileInfo(_output).Length;

    /// <summary><c>inspect export log.bin --format jsonl</c>, in this process.</summary>
    /// <exception cref="InvalidDataException">The tool reported something.</exception>
    public void ExportByTool()
    {
        var errors = new StringWriter();
        using var console = new ToolConsole(NewOutput(), errors);
        int code = InspectTool.Run(["export", _log, "--format", "jsonl"], console);
        if (code != 0) throw new InvalidDataException($"inspect export ended with {code}: {errors}");
    }

    /// <summary>Typed objects through System.Text.Json.</summary>
    /// <exception cref="InvalidDataException">Records are missing.</exception>
    public void ExportByHand()
    {
        using FileStream output = NewOutput();
        using NinoStore store = NinoStore.Open(_log);
        long records = _records.ExportByHand(store, output);
        if (records != Count) throw new InvalidDataException($"{Count} records in the log, {records} exported.");
    }

    /// <summary>Compares every line of both ways with its record.</summary>
    /// <exception cref="InvalidDataException">They differ.</exception>
    public void Verify()
    {
        foreach (Action export in (Action[])[ExportByTool, ExportByHand])
        {
            export();
            long lines = 0;
            foreach (string line in File.ReadLines(_output)) _records.VerifyLine(line, ++lines);
            if (lines != Count) throw new InvalidDataException($"{Count} records in the log, {lines} lines exported.");
        }
    }

    public void Dispose() => _data.Dispose();

    // Unbuffered: both ways write large blocks. Whoever gets it closes it.
    private FileStream NewOutput() => new(_output, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 1);
}
