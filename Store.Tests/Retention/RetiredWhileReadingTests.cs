using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Retention;

/// <summary>A scan of a store opened for reading only, under which the writer's retention removes every segment that it knows.</summary>
public sealed class RetiredWhileReadingTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ItIsToldThatItsRecordsAreGoneAndNotThatTheyWereLost(bool newestFirst)
    {
        var directory = new SimDirectory();
        using NinoStore writer = RetentionTests.Grown(directory, 4);
        using NinoStore reader = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        using IEnumerator<LogRecord> records = reader.ReadRecords(new ReadOptions { NewestFirst = newestFirst }).GetEnumerator();
        Assert.True(records.MoveNext());

        long known = RetentionTests.Segments(directory)[^1];
        RetentionTests.Grow(writer, directory, RetentionTests.Segments(directory).Length + 3);
        writer.TruncateBefore(RetentionTests.First(directory, known + 2));
        Assert.True(RetentionTests.Segments(directory)[0] > known);

        // Backwards there is nothing older any more, which is the end.
        Action readOn = () =>
        {
            while (records.MoveNext())
            {
            }
        };
        if (newestFirst) readOn();
        else Assert.Throws<LogTruncatedException>(readOn);
    }
}
