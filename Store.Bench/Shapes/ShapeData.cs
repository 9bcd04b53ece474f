// What is in the shapes: seeded as the workloads are, the same in every process.

using Store.Bench.Workloads;

namespace Store.Bench.Shapes;

/// <summary>Contents. Each call makes new objects with equal contents.</summary>
internal static class ShapeData
{
    private const int Thousand = 1000, Hundred = 100;

    public static Decimals Decimals() => new() { Values = Many(Thousand, static (random, _) => Price(random)) };

    /// <summary>Every second one is null.</summary>
    public static AbsentNumbers AbsentNumbers() => new() { Values = Many(Thousand, static (random, i) => i % 2 == 0 ? random.Next() : (int?)null) };

    public static Flags Flags() => new() { Values = Many(Thousand, static (random, _) => random.Next(2) == 1) };

    public static Dates Dates() => new() { Values = Many(Thousand, static (random, _) => Date(random)) };

    public static Levels Levels() => new() { Values = Many(Thousand, static (random, _) => (Level)random.Next(4)) };

    public static Points Points() => new() { Values = Many(Thousand, static (random, _) => new Point { X = random.NextDouble(), Y = random.NextDouble() }) };

    public static Octets Octets() => new() { Values = Many(100_000, static (random, _) => (byte)random.Next(256)) };

    public static LongText LatinText() => new() { Value = Text(100_000, 'a', 26) };

    public static LongText CyrillicText() => new() { Value = Text(2_900, '\u0430', 32) };

    public static Words Words() => new() { Values = Many(Thousand, static (random, i) => Word(random, i)) };

    public static Grid Grid()
    {
        long[,] values = new long[30, 30];
        var random = new Random(WorkloadData.Seed);
        for (int row = 0; row < 30; row++)
        {
            for (int column = 0; column < 30; column++) values[row, column] = random.NextInt64();
        }
        return new Grid { Values = values };
    }

    /// <summary>Arrays of 0 to 19 numbers.</summary>
    public static Jagged Jagged() => new() { Values = Many(Hundred, static (random, i) => Numbers(random, i % 20)) };

    public static NumbersByGuid NumbersByGuid() => new() { Pairs = Many(Hundred, static (random, i) => (Key: Key(random), Number: i)).ToDictionary(static pair => pair.Key, static pair => pair.Number) };

    public static TextsByText TextsByText() => new() { Pairs = Many(Hundred, static (random, i) => (Key: $"key {i:D4}", Text: Word(random, i))).ToDictionary(static pair => pair.Key, static pair => pair.Text) };

    public static Waiting Waiting() => new() { Values = new Queue<int>(Many(Hundred, static (random, _) => random.Next())) };

    public static DifferentWords DifferentWords() => new() { Values = [.. Many(Hundred, static (random, i) => Word(random, i))] };

    public static OnePlain Plain()
    {
        var random = new Random(WorkloadData.Seed);
        return new OnePlain
        {
            Value = new Plain
            {
                Flag = true, Small = 200, Short = -12_345, Long = random.NextInt64(), Single = 1.5f, Double = random.NextDouble(), Price = Price(random), Letter = 'x', Key = Key(random),
                At = new DateTimeOffset(2026, 11, 30, 12, 30, 15, TimeSpan.FromHours(2)), Took = TimeSpan.FromMilliseconds(1234), Day = new DateOnly(2026, 11, 30), Hour = new TimeOnly(12, 30, 15), Level = Level.High,
                Absent = null, Present = random.NextInt64(),
            },
        };
    }

    public static OneForm Form() => new()
    {
        Value = new Form
        {
            Name = "Ada Lovelace", Street = "12 St James's Square", Code = "SW1Y 4JH", City = "London", Country = "United Kingdom", Mail = "ada@analytical.example", Phone = "+44 20 7946 0123", Firm = "Analytical Engines",
            Subject = "Notes on the engine", Message = "It has no pretensions whatever to originate anything.",
        },
    };

    public static OneOrder Order()
    {
        var random = new Random(WorkloadData.Seed);
        var order = new Order { Number = 20_261_130, Customer = "Analytical Engines", Ordered = Date(random) };
        for (int i = 0; i < 5; i++) order.Lines.Add(new OrderLine { Article = $"article {Word(random, i)}", Count = i + 1, Price = Price(random) });
        return new OneOrder { Value = order };
    }

    /// <summary>63 records, six deep.</summary>
    public static OneTree Tree()
    {
        var random = new Random(WorkloadData.Seed);
        return new OneTree { Root = Branch(6)! };

        Branch? Branch(int depth) => depth == 0 ? null : new Branch($"branch {random.Next(1000):D3}", random.Next(), Branch(depth - 1), Branch(depth - 1));
    }

    public static Figures Figures() => new()
    {
        Values = Many<Figure>(Thousand, static (random, i) => (i % 3) switch
        {
            0 => new Circle { Radius = random.NextDouble() },
            1 => new Box { Width = random.NextDouble(), Height = random.NextDouble() },
            _ => new Label { Text = Word(random, i), Size = random.Next(100) },
        }),
    };

    /// <summary>A hundred who refer to one another, the first two in a circle.</summary>
    public static Team Team()
    {
        List<Person> members = [.. Many(Hundred, static (random, i) => new Person { Name = Word(random, i) })];
        for (int i = 1; i < members.Count; i++)
        {
            members[i].Chief = members[i / 10];
            for (int friend = Math.Max(0, i - 4); friend < i; friend++) members[i].Friends.Add(members[friend]);
        }
        members[0].Chief = members[1];
        return new Team { Members = members };
    }

    public static Mixed Mixed() => new()
    {
        Values = Many<object>(Hundred, static (random, i) => (i % 10) switch
        {
            0 => random.Next(),
            1 => Word(random, i),
            2 => random.NextDouble(),
            3 => random.Next(2) == 1,
            4 => Key(random),
            5 => Date(random),
            6 => Price(random),
            7 => random.NextInt64(),
            8 => new Point { X = random.NextDouble(), Y = random.NextDouble() },
            _ => new OrderLine { Article = Word(random, i), Count = i, Price = Price(random) },
        }),
    };

    private static T[] Many<T>(int count, Func<Random, int, T> next)
    {
        var random = new Random(WorkloadData.Seed);
        var items = new T[count];
        for (int i = 0; i < count; i++) items[i] = next(random, i);
        return items;
    }

    private static string Text(int length, char first, int letters) => string.Concat(Many(length, (random, _) => (char)(first + random.Next(letters))));

    // Nine characters, and no two the same.
    private static string Word(Random random, int index) => $"{(char)('a' + random.Next(26))}{(char)('a' + random.Next(26))}rd {index:D4}";

    private static int[] Numbers(Random random, int count)
    {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) numbers[i] = random.Next();
        return numbers;
    }

    private static decimal Price(Random random) => new(random.Next(), 0, 0, random.Next(8) == 0, 2);

    private static DateTime Date(Random random) => new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 3000));

    private static Guid Key(Random random)
    {
        Span<byte> bytes = stackalloc byte[16];
        random.NextBytes(bytes);
        return new Guid(bytes);
    }
}
