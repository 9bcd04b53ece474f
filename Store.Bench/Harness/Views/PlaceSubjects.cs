// Looking at a record where it lies.

using System.Runtime.CompilerServices;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Views;

/// <summary>Rows of views.</summary>
internal static class PlaceSubjects
{
    private const string Word = "hello";

    public static IEnumerable<ViewSubject> All()
    {
        var written = new Poco { Text = Word, Number = 5, Key = Guid.NewGuid(), When = DateTime.UtcNow };
        SimpleClass whole = WorkloadData.SimpleClasses(1)[0];
        byte[] poco = NinoSerializer.Serialize(written), simple = NinoSerializer.Serialize(whole);
        yield return new("Poco: view + one fixed field", count =>
        {
            long sum = 0;
            for (int i = 0; i < count; i++) sum += FixedField(poco);
            ViewRun.Sink += sum;
        }, () => ViewRun.Require(written.Number, FixedField(poco), "Poco.Number"));
        yield return new("Poco: view + text compared", count =>
        {
            long sum = 0;
            for (int i = 0; i < count; i++) sum += Text(poco);
            ViewRun.Sink += sum;
        }, () => ViewRun.Require(1, Text(poco), "Poco.Text"));
        yield return new("Poco: read", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += NinoSerializer.Deserialize<Poco>(poco).Number;
        }, () => Poco.Verify(written, NinoSerializer.Deserialize<Poco>(poco)));
        yield return new("SimpleClass: view + last dictionary summed", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += Pairs(simple);
        }, () => ViewRun.Require(whole.Pairs.Values.Sum(static number => (long)number), Pairs(simple), "SimpleClass.Pairs"));
        yield return new("SimpleClass: view + 100 numbers summed", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += Numbers(simple);
        }, () => ViewRun.Require(whole.Numbers.Sum(static number => (long)number), Numbers(simple), "SimpleClass.Numbers"));
    }

    // Calls of their own, as a filter is: else the loop would be all that is measured.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int FixedField(byte[] record) => new PocoView(record).Number;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Text(byte[] record) => new PocoView(record).Text.Equals(Word) ? 1 : 0;

    private static long Pairs(byte[] record)
    {
        long sum = 0;
        foreach (var pair in new SimpleClassView(record).Pairs) sum += pair.Value;
        return sum;
    }

    private static long Numbers(byte[] record)
    {
        long sum = 0;
        foreach (int number in new SimpleClassView(record).Numbers) sum += number;
        return sum;
    }
}
