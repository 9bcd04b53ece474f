// Where the objects come from: one generator per workload, the same seed in every process, so that all peers and all runs see the same bytes.

namespace Store.Bench.Workloads;

/// <summary>Seeded data. Each call makes new objects with equal contents.</summary>
public static class WorkloadData
{
    /// <summary>Seed of every generator.</summary>
    public const int Seed = 20_261_121;

    private static readonly string[] FirstNames = ["Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Joan", "Ken", "Leslie", "Margaret", "Niklaus", "Radia"];
    private static readonly string[] LastNames = ["Allen", "Clarke", "Dijkstra", "Hamilton", "Hopper", "Knuth", "Lamarr", "Lamport", "Liskov", "Lovelace", "Perlman", "Shannon", "Sutherland", "Thompson", "Turing", "Wirth"];

    public static SimpleClass SimpleClass() => SimpleClass(new Random(Seed), 0);

    public static List<SimpleClass> SimpleClasses(int count) => Many(count, SimpleClass);

    public static SimpleStruct SimpleStruct() => SimpleStruct(new Random(Seed), 0);

    public static SimpleStruct[] SimpleStructs(int count) => [.. Many(count, SimpleStruct)];

    /// <param name="count">Number of objects.</param>
    /// <param name="uniqueText">False: every text is "hello". True: every text differs.</param>
    public static List<Poco> Pocos(int count, bool uniqueText) => Many(count, (random, i) => new Poco
    {
        Text = Text(i, uniqueText), Number = Number(random), Key = Key(random), When = Date(random),
    });

    /// <summary>Pocos whose texts differ and are not of Latin letters.</summary>
    public static List<Poco> WidePocos(int count)
    {
        List<Poco> pocos = Pocos(count, uniqueText: true);
        for (int i = 0; i < count; i++) pocos[i].Text = $"текст {i:D4}";
        return pocos;
    }

    /// <inheritdoc cref="Pocos"/>
    public static List<ImmutablePoco> ImmutablePocos(int count, bool uniqueText) =>
        Pocos(count, uniqueText).ConvertAll(p => new ImmutablePoco(p.Text, p.Number, p.Key, p.When));

    public static SimpleModel SimpleModel() => SimpleModel(new Random(Seed), 0);

    public static List<SimpleModel> SimpleModels(int count) => Many(count, SimpleModel);

    public static NineInts NineInts(bool zero) => zero ? new NineInts() : NineInts(new Random(Seed), 0);

    public static List<NineInts> NineInts(int count) => Many(count, NineInts);

    private static List<T> Many<T>(int count, Func<Random, int, T> next)
    {
        var random = new Random(Seed);
        var items = new List<T>(count);
        for (int i = 0; i < count; i++) items.Add(next(random, i));
        return items;
    }

    private static SimpleClass SimpleClass(Random random, int index)
    {
        var value = new SimpleClass { Id = index, Name = $"Simple name {index:D3}", Numbers = new int[100] };
        for (int i = 0; i < 100; i++) value.Numbers[i] = Number(random);
        for (int i = 0; i < 10; i++) value.Dates.Add(Date(random));
        for (int i = 0; i < 10; i++) value.Texts.Add(i, i.ToString());
        for (int i = 0; i < 10; i++) value.Pairs.Add(i, Number(random));
        return value;
    }

    private static SimpleStruct SimpleStruct(Random random, int index) => new() { Id = index, CreatedAt = Date(random) };

    // A new string for every object: the repetition is in the contents, as in a program that reads them from somewhere.
    private static string Text(int index, bool unique) => unique ? $"text {index:D4}" : new string("hello");

    private static SimpleModel SimpleModel(Random random, int index) => new()
    {
        TestInt = Number(random),
        TestString = $"{FirstNames[random.Next(FirstNames.Length)]} {LastNames[random.Next(LastNames.Length)]}",
        TestBool = random.Next(2) == 1,
    };

    private static NineInts NineInts(Random random, int index) => new()
    {
        P1 = Number(random), P2 = Number(random), P3 = Number(random), P4 = Number(random), P5 = Number(random),
        P6 = Number(random), P7 = Number(random), P8 = Number(random), P9 = Number(random),
    };

    private static int Number(Random random) => unchecked((int)random.NextInt64(1L << 32));

    private static DateTime Date(Random random) => new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 3000));

    private static Guid Key(Random random)
    {
        Span<byte> bytes = stackalloc byte[16];
        random.NextBytes(bytes);
        return new Guid(bytes);
    }
}
