using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Reading;

/// <summary>Every read of a follower fails in turn. It returns right records, then the failure; a new one goes on from there.</summary>
public class TailFaultTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhicheverReadFailsAFollowerGivesRightRecordsAndThenTheFailure(bool inside)
    {
        int failed = 0;
        for (long at = 1; ; at++)
        {
            var faulty = new FaultDirectory(new SimDirectory());
            using NinoStore store = RetentionTests.Grown(faulty, segments: 4);
            using StoreReader reader = StoreReader.Open(new FaultView(faulty), "sim", null, static _ => false);
            List<int> seen = [];
            bool faultLasts = at % 2 == 0;
            faulty.Fault = new Fault(at, FaultKind.IoError, IsForever: faultLasts, static o => o is IoOperation.Read or IoOperation.OpenRead or IoOperation.Map or IoOperation.List);
            Exception? failure = await Record.ExceptionAsync(() => FollowAsync(store, reader, inside, seen));
            bool done = faulty.Failures == 0;
            faulty.Fault = null;
            Assert.True(failure is null or InjectedFault, $"{failure}");

            // A call that fails once while it reads ahead is made again, for what is needed.
            if (done || faultLasts) Assert.Equal(done, failure is null);
            Assert.Equal(Enumerable.Range(1, seen.Count), seen);

            await FollowAsync(store, reader, inside, seen);
            Assert.Equal(Enumerable.Range(1, (int)store.LastSequence), seen);
            if (done) break;
            failed++;
        }

        Assert.True(failed > 4, $"{failed} faults");
        Effort.Tell(output, "injected faults", failed, "no chance in it", $"following {(inside ? "in the process" : "from outside")}");
    }

    private static async Task FollowAsync(NinoStore store, StoreReader reader, bool inside, List<int> seen)
    {
        var range = new ReadOptions { FromSequence = seen.Count + 1, ToSequence = store.LastSequence };
        if (range.FromSequence > range.ToSequence) return;
        IAsyncEnumerable<LogRecord<int>> records = inside ? store.TailAsync<int>(range) : reader.TailAsync<int>(range);
        await foreach (LogRecord<int> record in records) seen.Add(record.Value);
    }

    // The reader closes its folder, the store goes on with it.
    private sealed class FaultView(FaultDirectory directory) : LookOnlyDirectory(directory);
}
