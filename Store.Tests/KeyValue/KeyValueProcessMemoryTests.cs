// Does a process hold what docs/key-value.md says, counted by the system and not by the heap? Asked of a process that does nothing else.

using System.Globalization;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueProcessMemoryTests(ITestOutputHelper output)
{
    /// <summary>Beside index and records: the log's buffer, the engine's tables and sessions.</summary>
    private const long OtherBytes = 32 << 20;

    /// <summary>Buffers of the log, up to 4 MiB, and of reads that are kept: as many as were needed at once, which depends on how busy the machine is. A tenth of the 128 MiB of records that are added would be more.</summary>
    private const long KeptBytes = 12 << 20;

    /// <summary>What the heap has taken beyond what is in use depends on how busy the machine is.</summary>
    private const long SlackBytes = 64 << 20;

    /// <summary>On Linux, where the system tells a process's own memory from files that it has mapped.</summary>
    [Fact]
    public void AStateTakesItsBudgetAndLittleMoreAndNothingOutsideTheHeapGrowsWithIt()
    {
        if (!OperatingSystem.IsLinux()) return;
        using var folder = new TemporaryFolder();
        EndedProcess child = EndedProcess.Of("dotnet", typeof(KeyedMemoryChild).Assembly.Location, KeyedMemoryChild.Argument, Path.Combine(folder.Path, "store"));
        Assert.True(child.ExitCode == 0, child.Text + child.Errors);
        (long Own, long Heap, long Used)[] at = [.. child.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Split(' ')).Select(static words => (long.Parse(words[0], CultureInfo.InvariantCulture), long.Parse(words[1], CultureInfo.InvariantCulture), long.Parse(words[2], CultureInfo.InvariantCulture)))];
        Assert.Equal(3, at.Length);
        (long full, long five) = (at[1].Used - at[0].Used, at[2].Used - at[0].Used);
        output.WriteLine($"of its own {at[0].Own:N0} bytes before, {at[1].Own:N0} when full, {at[2].Own:N0} when full five times over; of the heap {at[0].Heap:N0}, {at[1].Heap:N0}, {at[2].Heap:N0}; in use {at[0].Used:N0}, {at[1].Used:N0}, {at[2].Used:N0}");
        long budget = KeyedMemoryChild.Options.IndexSizeBytes + KeyedMemoryChild.Options.MemorySizeBytes;
        Assert.True(full > KeyedMemoryChild.Options.MemorySizeBytes, "It does not even hold its records: nothing is measured.");
        Assert.True(full <= budget + OtherBytes && five <= budget + OtherBytes, $"{full:N0} and {five:N0} bytes, {budget:N0} and {OtherBytes:N0} are allowed");
        Assert.True(five - full < KeptBytes, $"{five - full:N0} bytes more for five times as much state");
        Assert.True(at[2].Own - at[0].Own <= budget + OtherBytes + SlackBytes, $"{at[2].Own - at[0].Own:N0} bytes of the process's own");
        long outside = at[2].Own - at[2].Heap - (at[1].Own - at[1].Heap);
        Assert.True(outside < 16 << 20, $"{outside:N0} bytes more outside the heap for five times as much state");
    }
}
