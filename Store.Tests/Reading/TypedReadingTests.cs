using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>Who reads by type gets all records of it, whatever types the options name besides.</summary>
public class TypedReadingTests
{
    public static TheoryData<string> Ways => ["Read", "Read, newest first", "ReadAsync", "ReadAsync, newest first", "TailAsync"];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task TypesOfTheOptionsAreNotLookedAt(string way)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 1; i <= 100; i++)
        {
            store.Append(i);
            store.Append($"text {i}");
        }

        Simulated.Commit(store);
        ReadOptions options = ReadOptions.All.Of<string>() with { NewestFirst = way.EndsWith("first", StringComparison.Ordinal) };
        List<int> read = [];
        switch (way)
        {
            case "Read" or "Read, newest first":
                foreach (LogRecord<int> record in store.Read<int>(options)) read.Add(record.Value);
                break;
            case "TailAsync":
                await foreach (LogRecord<int> record in store.TailAsync<int>(options))
                {
                    read.Add(record.Value);
                    if (read.Count == 100) break;
                }

                break;
            default:
                await foreach (LogRecord<int> record in store.ReadAsync<int>(options)) read.Add(record.Value);
                break;
        }

        Assert.Equal(options.NewestFirst ? Enumerable.Range(1, 100).Reverse() : Enumerable.Range(1, 100), read);
    }

    /// <summary>The declared type is the record's: a case that was appended as itself is none of its base.</summary>
    [Fact]
    public void ARecordIsFoundUnderTheTypeItWasAppendedWith()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        var opened = new Opened(1);
        store.Append(opened);
        store.Append<Happened>(opened);
        Happened happened = opened;
        store.Append(happened);
        Simulated.Commit(store);
        Assert.Equal([1L], store.Read<Opened>().Select(static record => record.Sequence));
        Assert.Equal([2L, 3L], store.Read<Happened>().Select(static record => record.Sequence));
    }

    /// <summary>A number has no name that an attribute could give.</summary>
    [Fact]
    public void ARecordOfAnotherTypeIsToldWithWhatToDo()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(new Opened(1));
        Simulated.Commit(store);
        string Told<T>() => Assert.Throws<SchemaMismatchException>(() => store.ReadRecords(ReadOptions.All).Select(static record => record.As<T>()).First()).Message;
        const string Start = "Record 1 is of type 'Store.Tests.Reading.Opened' and not ";
        Assert.Equal(Start + "'Store.Tests.Reading.Happened'. Ask Is<T>() first, and read it as its own type; if that was renamed, put [NinoFormerName(\"Store.Tests.Reading.Opened\")] on it.", Told<Happened>());
        Assert.Equal(Start + "'Int32'. Ask Is<T>() first, and read it as its own type.", Told<int>());
    }
}

[NinoType]
public abstract record Happened(int Id);

[NinoType]
public sealed record Opened(int Id) : Happened(Id);
