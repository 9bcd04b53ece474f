// Reading into objects that are there.

using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Views;

/// <summary>Rows of reading over an object, beside reading anew.</summary>
internal static class ReuseSubjects
{
    public static IEnumerable<ViewSubject> All()
    {
        SimpleClass one = WorkloadData.SimpleClasses(2)[0], other = Twin(one);
        byte[] first = NinoSerializer.Serialize(one), second = NinoSerializer.Serialize(other);
        const string Anew = "SimpleClass: read anew";
        yield return new(Anew, count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += NinoSerializer.Deserialize<SimpleClass>((i & 1) == 0 ? first : second).Id;
        }, () =>
        {
            SimpleClass.Verify(one, NinoSerializer.Deserialize<SimpleClass>(first));
            SimpleClass.Verify(other, NinoSerializer.Deserialize<SimpleClass>(second));
        });
        SimpleClass? same = null, changing = null;
        yield return new("SimpleClass: read into, the same record", count =>
        {
            for (int i = 0; i < count; i++) NinoSerializer.Deserialize(first, ref same);
            ViewRun.Sink += same!.Id;
        }, () =>
        {
            NinoSerializer.Deserialize(first, ref same);
            SimpleClass.Verify(one, same!);
        }, Anew);
        yield return new("SimpleClass: read into, other numbers", count =>
        {
            for (int i = 0; i < count; i++) NinoSerializer.Deserialize((i & 1) == 0 ? first : second, ref changing);
            ViewRun.Sink += changing!.Id;
        }, () =>
        {
            NinoSerializer.Deserialize(first, ref changing);
            SimpleClass.Verify(one, changing!);
            NinoSerializer.Deserialize(second, ref changing);
            SimpleClass.Verify(other, changing!);
        }, Anew);
        foreach (Func<SimpleClass, SimpleClass, ViewSubject> peer in ViewRun.Peers) yield return peer(one, other) with { Base = Anew };
    }

    /// <summary>The same texts and keys with other numbers and dates.</summary>
    private static SimpleClass Twin(SimpleClass from) => new()
    {
        Id = from.Id + 1,
        Name = from.Name,
        Numbers = [.. from.Numbers.Select(static number => number + 1)],
        Dates = [.. from.Dates.Select(static date => date.AddDays(1))],
        Texts = new(from.Texts),
        Pairs = from.Pairs.ToDictionary(static pair => pair.Key, static pair => pair.Value + 1),
    };
}
