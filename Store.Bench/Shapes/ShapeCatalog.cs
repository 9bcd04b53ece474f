// Which shapes there are, with what is in each and how what was read is compared.

using Store.Bench.Peers;
using Store.Bench.Workloads;

namespace Store.Bench.Shapes;

/// <summary>Builds shapes with the cells of the peers that can do them.</summary>
public static class ShapeCatalog
{
    private static readonly (string Name, Func<Workload> Build)[] Shapes =
    [
        Shape("1000 decimals", ShapeData.Decimals, static (wrote, read) => Check.Sequence<decimal>(wrote.Values, read.Values, nameof(Decimals))),
        Shape("1000 int?, every second null", ShapeData.AbsentNumbers, static (wrote, read) => Check.Sequence<int?>(wrote.Values, read.Values, nameof(AbsentNumbers))),
        Shape("1000 bools", ShapeData.Flags, static (wrote, read) => Check.Sequence<bool>(wrote.Values, read.Values, nameof(Flags))),
        Shape("1000 dates", ShapeData.Dates, static (wrote, read) => Check.Items(wrote.Values, read.Values, static (one, other) => Check.Date(one, other, nameof(Dates)))),
        Shape("1000 enums", ShapeData.Levels, static (wrote, read) => Check.Sequence<Level>(wrote.Values, read.Values, nameof(Levels))),
        Shape("1000 structs of two doubles", ShapeData.Points, static (wrote, read) => Check.Sequence<Point>(wrote.Values, read.Values, nameof(Points))),
        Shape("100,000 bytes", ShapeData.Octets, static (wrote, read) => Check.Sequence<byte>(wrote.Values, read.Values, nameof(Octets))),
        Shape("long[30,30]", ShapeData.Grid, static (wrote, read) => Check.Sequence<long>(Flat(wrote.Values), Flat(read.Values), nameof(Grid))),
        Shape("int[][], 100 of 0 to 19", ShapeData.Jagged, static (wrote, read) => Check.Items(wrote.Values, read.Values, static (one, other) => Check.Sequence<int>(one, other, nameof(Jagged)))),
        Shape("text of 100,000 Latin letters", ShapeData.LatinText, static (wrote, read) => Check.Equal(wrote.Value, read.Value, nameof(LongText))),
        Shape("text of 2,900 Cyrillic letters", ShapeData.CyrillicText, static (wrote, read) => Check.Equal(wrote.Value, read.Value, nameof(LongText))),
        Shape("1000 texts", ShapeData.Words, static (wrote, read) => Check.Sequence<string>(wrote.Values, read.Values, nameof(Words))),
        Shape("dictionary of 100 Guids and numbers", ShapeData.NumbersByGuid, static (wrote, read) => Check.Dictionary(wrote.Pairs, read.Pairs, nameof(NumbersByGuid))),
        Shape("dictionary of 100 texts and texts", ShapeData.TextsByText, static (wrote, read) => Check.Dictionary(wrote.Pairs, read.Pairs, nameof(TextsByText))),
        Shape("queue of 100 numbers", ShapeData.Waiting, static (wrote, read) => Check.Sequence<int>(wrote.Values.ToArray(), read.Values.ToArray(), nameof(Waiting))),
        Shape("set of 100 texts", ShapeData.DifferentWords, static (wrote, read) => Check.Equal(true, wrote.Values.SetEquals(read.Values) && read.Values.SetEquals(wrote.Values), nameof(DifferentWords))),
        Shape("object of 16 plain members", ShapeData.Plain, static (wrote, read) => Check.Equal(wrote.Value, read.Value, nameof(Plain))),
        Shape("object of ten texts", ShapeData.Form, static (wrote, read) => Check.Equal(wrote.Value, read.Value, nameof(Form))),
        Shape("order of five lines", ShapeData.Order, static (wrote, read) => Verify(wrote.Value, read.Value)),
        Shape("tree of 63 records, six deep", ShapeData.Tree, static (wrote, read) => Check.Equal(wrote.Root, read.Root, nameof(Branch))),
        Shape("1000 objects of three derived types", ShapeData.Figures, static (wrote, read) => Check.Sequence<Figure>(wrote.Values, read.Values, nameof(Figures))),
        Shape("100 objects that refer to one another", ShapeData.Team, static (wrote, read) => Verify(wrote.Members, read.Members)),
        Shape("object[] of 100 of ten types", ShapeData.Mixed, static (wrote, read) => Check.Sequence<object>(wrote.Values, read.Values, nameof(Mixed))),
    ];

    /// <summary>Names of all shapes, in the order of the tables.</summary>
    public static IEnumerable<string> Names => Shapes.Select(static shape => shape.Name);

    /// <summary>Builds a shape with new objects.</summary>
    /// <exception cref="ArgumentException">No such shape.</exception>
    public static Workload Create(string name)
    {
        foreach (var shape in Shapes)
        {
            if (shape.Name == name) return shape.Build();
        }
        throw new ArgumentException($"There is no shape '{name}'.", nameof(name));
    }

    private static (string Name, Func<Workload> Build) Shape<T>(string name, Func<T> make, Action<T, T> verify) where T : struct => (name, () =>
    {
        T value = make();
        return new Workload(name, 1, [.. ShapeRows.All.Select(row => row.CellFor(value, read => verify(value, read))).OfType<Cell>()]);
    });

    private static long[] Flat(long[,] grid) => [grid.GetLength(0), grid.GetLength(1), .. grid.Cast<long>()];

    private static void Verify(Order wrote, Order read)
    {
        Check.Equal((wrote.Number, wrote.Customer), (read.Number, read.Customer), nameof(Order));
        Check.Date(wrote.Ordered, read.Ordered, "Order.Ordered");
        Check.Items(wrote.Lines, read.Lines, static (one, other) => Check.Equal(one, other, nameof(OrderLine)));
    }

    // By the places of those that are referred to: a copy that stands in for one has none.
    private static void Verify(List<Person> wrote, List<Person> read) => Check.Items(wrote, read, (one, other) =>
    {
        Check.Equal(one.Name, other.Name, "Person.Name");
        Check.Equal(Place(wrote, one.Chief), Place(read, other.Chief), "Person.Chief");
        Check.Items(one.Friends, other.Friends, (mine, theirs) => Check.Equal(Place(wrote, mine), Place(read, theirs), "Person.Friends"));
    });

    private static int Place(List<Person> members, Person? one) => one is null ? -2 : members.IndexOf(one);
}
