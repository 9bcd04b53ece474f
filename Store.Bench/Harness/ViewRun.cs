// The verb "views": what it costs to look at a record where it lies, to read into what is there, and to read a record of an older shape. One process, one sample of
// each row in turn, minima: as the verb "ratios" does it.

using System.Diagnostics;
using System.Runtime.CompilerServices;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness;

/// <summary>One measured row.</summary>
/// <param name="Name">What is done.</param>
/// <param name="MinNs">The least of its samples, an operation.</param>
/// <param name="MedianNs">Their median.</param>
/// <param name="AllocatedBytes">An operation.</param>
/// <param name="Base">The row that it is compared with, or null.</param>
public sealed record ViewRow(string Name, double MinNs, double MedianNs, double AllocatedBytes, string? Base);

/// <summary>A row before it is measured.</summary>
/// <param name="Name">What is done.</param>
/// <param name="Run">Does it so many times.</param>
/// <param name="Base">The row that it is compared with, or null.</param>
public sealed record ViewSubject(string Name, Action<int> Run, string? Base = null);

/// <summary>Measures views, reading into what is there, and mapped reading.</summary>
public static class ViewRun
{
    private const int Rounds = 24;

    // What rows compute ends here, so that none of it can be left out.
    private static long _sink;

    /// <summary>Rows of peers: reading a SimpleClass into what is there. Filled by module initializers of the peers that are compiled in.</summary>
    public static List<Func<SimpleClass, SimpleClass, ViewSubject>> Peers { get; } = [];

    public static List<ViewRow> Measure(HarnessOptions options)
    {
        List<ViewSubject> subjects = [.. Views(), .. Reuse(), .. Mapped()];
        TimeSpan sample = TimeSpan.FromMilliseconds(options.Short ? 4 : 20);
        int[] counts = [.. subjects.Select(subject => WarmUp(subject, sample))];
        Samples[] times = [.. subjects.Select(static _ => new Samples())];
        double[] allocated = [.. subjects.Select(static _ => double.MaxValue)];
        for (int round = 0; round < Rounds; round++)
        {
            for (int turn = 0; turn < subjects.Count; turn++)
            {
                int i = (round + turn) % subjects.Count;
                long bytes = GC.GetAllocatedBytesForCurrentThread();
                long start = Stopwatch.GetTimestamp();
                subjects[i].Run(counts[i]);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / counts[i]);
                allocated[i] = Math.Min(allocated[i], (GC.GetAllocatedBytesForCurrentThread() - bytes) / (double)counts[i]);
            }
        }

        return [.. subjects.Select((subject, i) => new ViewRow(subject.Name, times[i].Min, times[i].Median, allocated[i], subject.Base))];
    }

    public static string Render(MachineInfo machine, List<ViewRow> rows)
    {
        var text = new System.Text.StringBuilder($"# Views, reading into what is there, older shapes\n\n{machine}\n\n| row | min ns | median ns | B | against |\n| --- | ---: | ---: | ---: | --- |\n");
        foreach (ViewRow row in rows)
        {
            string against = rows.Find(other => other.Name == row.Base) is { } other ? $"{row.MinNs / other.MinNs:0.00}x {other.Name}" : "";
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"| {row.Name} | {row.MinNs:0.0} | {row.MedianNs:0.0} | {row.AllocatedBytes:0} | {against} |\n");
        }

        return text.ToString();
    }

    private static int WarmUp(ViewSubject subject, TimeSpan sample)
    {
        double best = double.MaxValue;
        for (int pass = 0; pass < 4; pass++)
        {
            for (int i = 0; i < 40; i++) subject.Run(1);
            for (int count = 1; count < 1 << 22; count *= 4)
            {
                long start = Stopwatch.GetTimestamp();
                subject.Run(count);
                TimeSpan taken = Stopwatch.GetElapsedTime(start);
                best = Math.Min(best, Math.Max(1, taken.TotalNanoseconds) / count);
                if (taken > sample) break;
            }

            Thread.Sleep(150);
        }

        return (int)Math.Clamp(sample.TotalNanoseconds / best, 1, 100_000_000);
    }

    private static IEnumerable<ViewSubject> Views()
    {
        byte[] poco = NinoSerializer.Serialize(new Poco { Text = "hello", Number = 5, Key = Guid.NewGuid(), When = DateTime.UtcNow });
        byte[] simple = NinoSerializer.Serialize(WorkloadData.SimpleClasses(1)[0]);
        yield return new("Poco: view + one fixed field", count =>
        {
            long sum = 0;
            for (int i = 0; i < count; i++) sum += FixedField(poco);
            _sink += sum;
        });
        yield return new("Poco: view + text compared", count =>
        {
            long sum = 0;
            for (int i = 0; i < count; i++) sum += Text(poco);
            _sink += sum;
        });
        yield return new("Poco: read", count =>
        {
            for (int i = 0; i < count; i++) _sink += NinoSerializer.Deserialize<Poco>(poco).Number;
        });
        yield return new("SimpleClass: view + last dictionary summed", count =>
        {
            for (int i = 0; i < count; i++)
            {
                var view = new SimpleClassView(simple);
                foreach (var pair in view.Pairs) _sink += pair.Value;
            }
        });
        yield return new("SimpleClass: view + 100 numbers summed", count =>
        {
            for (int i = 0; i < count; i++)
            {
                var view = new SimpleClassView(simple);
                foreach (int number in view.Numbers) _sink += number;
            }
        });
    }

    // A call of its own, as a filter is: else the loop would be all that is measured.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int FixedField(byte[] record) => new PocoView(record).Number;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Text(byte[] record) => new PocoView(record).Text.Equals("hello") ? 1 : 0;

    private static IEnumerable<ViewSubject> Reuse()
    {
        SimpleClass one = WorkloadData.SimpleClasses(2)[0], other = Twin(one);
        byte[] first = NinoSerializer.Serialize(one), second = NinoSerializer.Serialize(other);
        const string Anew = "SimpleClass: read anew";
        yield return new(Anew, count =>
        {
            for (int i = 0; i < count; i++) _sink += NinoSerializer.Deserialize<SimpleClass>((i & 1) == 0 ? first : second).Id;
        });
        SimpleClass? same = null, changing = null;
        yield return new("SimpleClass: read into, the same record", count =>
        {
            for (int i = 0; i < count; i++) NinoSerializer.Deserialize(first, ref same);
            _sink += same!.Id;
        }, Anew);
        yield return new("SimpleClass: read into, other numbers", count =>
        {
            for (int i = 0; i < count; i++) NinoSerializer.Deserialize((i & 1) == 0 ? first : second, ref changing);
            _sink += changing!.Id;
        }, Anew);
        foreach (Func<SimpleClass, SimpleClass, ViewSubject> peer in Peers) yield return peer(one, other) with { Base = Anew };
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

    private static IEnumerable<ViewSubject> Mapped()
    {
        SimpleClass now = WorkloadData.SimpleClasses(1)[0];
        var older = new OlderSimpleClass { Id = (short)now.Id, Numbers = now.Numbers, Dates = now.Dates, Name = now.Name, Texts = now.Texts, Pairs = now.Pairs, Gone = "gone" };
        byte[] straight = NinoSerializer.Serialize(now), stored = NinoSerializer.Serialize(older);
        NinoCodec<SimpleClass> codec = NinoCodec<SimpleClass>.Default;
        NinoSchema schema = StoredAs(NinoSerializer.SchemaOf<OlderSimpleClass>(), "SimpleOlder", "SimpleClass");
        const string Straight = "SimpleClass: read straight";
        yield return new(Straight, count =>
        {
            for (int i = 0; i < count; i++) _sink += codec.Decode(straight).Id;
        });
        yield return new("SimpleClass: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) _sink += codec.Decode(stored, schema).Id;
        }, Straight);

        var poco = new Poco { Text = "hello", Number = 5, Key = Guid.NewGuid(), When = DateTime.UtcNow };
        byte[] straightPoco = NinoSerializer.Serialize(poco), storedPoco = NinoSerializer.Serialize(new OlderPoco { Number = 5, Key = poco.Key, When = poco.When, Text = "hello", Gone = 7 });
        NinoSchema pocoSchema = StoredAs(NinoSerializer.SchemaOf<OlderPoco>(), "Past", "Poco");
        NinoCodec<Poco> pocoCodec = NinoCodec<Poco>.Default;
        yield return new("Poco: read straight", count =>
        {
            for (int i = 0; i < count; i++) _sink += pocoCodec.Decode(straightPoco).Number;
        });
        yield return new("Poco: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) _sink += pocoCodec.Decode(storedPoco, pocoSchema).Number;
        }, "Poco: read straight");

        List<Poco> pocos = [.. Enumerable.Repeat(poco, 1000)];
        byte[] straightList = NinoSerializer.Serialize(pocos);
        byte[] storedList = NinoSerializer.Serialize(Enumerable.Range(0, 1000).Select(_ => new OlderPoco { Number = 5, Key = poco.Key, When = poco.When, Text = "hello", Gone = 7 }).ToList());
        NinoSchema listSchema = StoredAs(NinoSerializer.SchemaOf<List<OlderPoco>>(), "Past", "Poco");
        NinoCodec<List<Poco>> listCodec = NinoCodec<List<Poco>>.Default;
        yield return new("Poco x1000: read straight", count =>
        {
            for (int i = 0; i < count; i++) _sink += listCodec.Decode(straightList).Count;
        });
        yield return new("Poco x1000: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) _sink += listCodec.Decode(storedList, listSchema).Count;
        }, "Poco x1000: read straight");
    }

    /// <summary>The schema as a file has it that an older release wrote, when the type had the name that it has now. Both names are equally long.</summary>
    private static NinoSchema StoredAs(NinoSchema schema, string name, string present)
    {
        byte[] bytes = schema.CanonicalBytes.ToArray();
        byte[] from = System.Text.Encoding.ASCII.GetBytes("Store.Bench.Workloads." + name), to = System.Text.Encoding.ASCII.GetBytes("Store.Bench.Workloads." + present);
        to.CopyTo(bytes.AsSpan(bytes.AsSpan().IndexOf(from)));
        return NinoSchema.Parse(bytes);
    }
}

/// <summary>SimpleClass as an older release had it: a narrower id, another order, a member that is gone.</summary>
[NinoType(Name = "Store.Bench.Workloads.SimpleOlder", View = false)]
public sealed class OlderSimpleClass
{
    public short Id { get; set; }
    public string Gone { get; set; } = "";
    public int[] Numbers { get; set; } = [];
    public string Name { get; set; } = "";
    public Dictionary<int, string> Texts { get; set; } = [];
    public List<DateTime> Dates { get; set; } = [];
    public Dictionary<int, int> Pairs { get; set; } = [];
}

/// <summary>Poco likewise.</summary>
[NinoType(Name = "Store.Bench.Workloads.Past", View = false)]
public sealed class OlderPoco
{
    public short Number { get; set; }
    public DateTime When { get; set; }
    public long Gone { get; set; }
    public Guid Key { get; set; }
    public string Text { get; set; } = "";
}
