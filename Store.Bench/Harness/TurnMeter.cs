// What one peer's turns took. Processor time and allocations are the whole process's during a turn: what a peer does in the background belongs to its price, and what others do in the background is the
// error of it.

using System.Diagnostics;

namespace Store.Bench.Harness;

/// <summary>Time, processor time and allocated bytes of one row, a unit of work. Of the bytes the twentieth of the turns with most is left out: buffers that are made once. For one thread.</summary>
/// <param name="countsBytesPrecisely">
/// True: to the byte, which stops all threads before and after each turn, outside of its time: for turns that are few and long. False: in steps of what the runtime gives a thread at once (<see cref="StepBytes"/>).
/// A turn that allocates less than a twentieth of a step has one so rarely that it counts as none.
/// </param>
public sealed class TurnMeter(bool countsBytesPrecisely = false)
{
    /// <summary>The runtime counts a thread's bytes when it gives it the next so many.</summary>
    public const int StepBytes = 8192;

    private const int ExpectedTurns = 2048;

    private readonly Samples _nanoseconds = new(ExpectedTurns);
    private readonly Samples _allocated = new(ExpectedTurns);
    private double _cpuUs;
    private long _units;
    private long _allocatedBefore;
    private TimeSpan _cpuBefore;
    private long _started;

    /// <summary>A meter for each of so many peers.</summary>
    public static TurnMeter[] Many(int count, bool countsBytesPrecisely = false) => [.. Enumerable.Range(0, count).Select(_ => new TurnMeter(countsBytesPrecisely))];

    /// <summary>Begins a turn.</summary>
    public void Start()
    {
        // What is missed of one turn is counted with the next.
        _allocatedBefore = GC.GetTotalAllocatedBytes(countsBytesPrecisely);
        _cpuBefore = Environment.CpuUsage.TotalTime;
        _started = Stopwatch.GetTimestamp();
    }

    /// <summary>Ends it.</summary>
    /// <param name="units">The records, batches or the like that were done.</param>
    public void Stop(long units)
    {
        double nanoseconds = Stopwatch.GetElapsedTime(_started).TotalNanoseconds;
        _cpuUs += (Environment.CpuUsage.TotalTime - _cpuBefore).TotalMicroseconds;
        _allocated.Add((GC.GetTotalAllocatedBytes(countsBytesPrecisely) - _allocatedBefore) / (double)units);
        _units += units;
        _nanoseconds.Add(nanoseconds / units);
    }

    /// <summary>As a turn: begins, runs, ends.</summary>
    public void Run(long units, Action turn)
    {
        Start();
        turn();
        Stop(units);
    }

    /// <summary>The row, in the table's unit of time.</summary>
    public StoreRow ToRow(StoreTable table, string row, string peer)
    {
        double scale = table.Unit switch
        {
            "ns" => 1,
            "us" => 1e3,
            "ms" => 1e6,
            _ => throw new ArgumentException($"'{table.Unit}' is no unit of time.", nameof(table)),
        };
        return new StoreRow(table.Name, row, peer, table.Unit, _nanoseconds.Median / scale, _nanoseconds.Percentile(99) / scale, CpuUs, AllocatedBytes, _nanoseconds.Min / scale, _nanoseconds.P999 / scale);
    }

    /// <summary>The row of a table of rates: how many units a second. Percentiles are those of the time: the rate of the slower turns.</summary>
    /// <param name="table">The table.</param>
    /// <param name="row">With which sizes.</param>
    /// <param name="peer">By whom.</param>
    /// <param name="unitsPerFigure">How many units make one of the table's: a million bytes a megabyte. Processor time and allocations are of one of these.</param>
    public StoreRow ToRateRow(StoreTable table, string row, string peer, double unitsPerFigure = 1)
    {
        double Rate(double nanoseconds) => 1e9 / nanoseconds / unitsPerFigure;
        return new StoreRow(table.Name, row, peer, table.Unit, Rate(_nanoseconds.Median), Rate(_nanoseconds.Percentile(99)), CpuUs * unitsPerFigure, AllocatedBytes * unitsPerFigure);
    }

    private double CpuUs => _cpuUs / _units;

    private double AllocatedBytes => _allocated.MeanBelow(95);
}
