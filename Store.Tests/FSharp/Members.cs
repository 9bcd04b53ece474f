// Types of C# with F# types as members, beside the registrations: the trimmed program (Store.TrimTest) compiles both files too.

using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Shop.FSharp;
using Store.Serialization;

namespace Store.Tests.FSharp;

[NinoType]
public sealed class FSharpBag
{
    public object?[] Values { get; set; } = [];
}

[NinoType]
public sealed record FSharpMembers(
    FSharpOption<int> Number, FSharpOption<string> Text, FSharpList<string> List, FSharpMap<string, int> Map,
    FSharpOption<Row> Row, Payment Payment, FSharpValueOption<Point> Point, FSharpValueOption<Row> Boxed);

[NinoType]
public readonly record struct Cell(int A, string? B) : IComparable<Cell>, IComparable
{
    public int CompareTo(Cell other) => A.CompareTo(other.A);

    public int CompareTo(object? other) => other is Cell cell ? CompareTo(cell) : 1;
}

[NinoType]
public sealed record FSharpInside(
    Dictionary<(int, Shape), FSharpList<Tree<FSharpValueOption<Cell>>>> Trees,
    FSharpOption<Dictionary<Currency, Payment[]>> Paid,
    Lazy<FSharpOption<Cell>[]> Cells,
    SortedSet<CustomerId> Ids,
    FSharpChoice<Cell, FSharpList<Cell>>[] Choices);
