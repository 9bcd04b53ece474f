// The rows of F# of docs/types.md, as EveryRow has the others.

using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Shop.FSharp;
using Store.Tests.Types;

namespace Store.Tests.FSharp;

public static class FSharpRows
{
    public static void Run(IRowRun run)
    {
        run.Run(Samples.customer);
        run.Run(Samples.order);
        run.Run(Samples.none);
        run.Run(Samples.some);
        run.Run(Samples.full);
        run.Run(Samples.cycle);
        run.Run(Samples.row);
        run.Run(new Person("Ann", 30));
        run.Run(new Contracted(1, "t", 2, 0));
        foreach (Payment one in Samples.order.Paid) run.Run(one);
        foreach (Shape one in Samples.order.Shapes) run.Run(one);
        foreach (Move<string> one in (Move<string>[])[Move<string>.NewStep(1, "m"), Move<string>.NewJump(2), Move<string>.NewRest("s"), Move<string>.Stay]) run.Run(one);
        run.Run(Currency.Gbp);
        run.Run(Email.NewEmail("e"));
        run.Run(CustomerId.NewCustomerId(3));
        run.Run(Samples.tree);
        run.Run(Samples.order.Formula);
        run.Run(Maybe<int>.NewSome(3));
        run.Run(ListModule.OfArray([1, 2, 3]));
        run.Run(new FSharpSet<string>(["b", "A", "a"]));
        run.Run(new FSharpMap<string, FSharpList<Payment>>([Tuple.Create("a", ListModule.OfArray([Payment.Cash, Payment.NewTransfer("t")])), Tuple.Create("b", FSharpList<Payment>.Empty)]));
        run.Run(FSharpOption<int>.Some(0));
        run.Run(FSharpResult<int, string>.NewError("e"));
        run.Run(new FSharpBag { Values = [Payment.Cash, Shape.NewCircle(1), Samples.tree, Currency.Usd, ListModule.OfArray([1, 2]), FSharpOption<int>.Some(3), null] });
        run.Run(Members());
        run.Run(Inside());
        run.Run(new Shop.FSharp.Marked.Ticket(7, ListModule.OfArray([Shop.FSharp.Marked.Event.NewOpened(1), Shop.FSharp.Marked.Event.NewClosed(2, "done")])));
    }

    public static FSharpMembers Members() => new(
        FSharpOption<int>.Some(3), FSharpOption<string>.Some("text"), ListModule.OfArray(["a", "b"]), new FSharpMap<string, int>([Tuple.Create("k", 7)]),
        FSharpOption<Row>.Some(Samples.row), Payment.Cash, FSharpValueOption<Point>.NewValueSome(new Point(1, 2)), FSharpValueOption<Row>.NewValueSome(Samples.row));

    public static FSharpInside Inside()
    {
        Tree<FSharpValueOption<Cell>> leaf = Tree<FSharpValueOption<Cell>>.Leaf;
        Tree<FSharpValueOption<Cell>> tree = Tree<FSharpValueOption<Cell>>.NewNode(leaf, FSharpValueOption<Cell>.NewValueSome(new Cell(1, "b")), Tree<FSharpValueOption<Cell>>.NewNode(leaf, default, leaf));
        return new FSharpInside(
            new Dictionary<(int, Shape), FSharpList<Tree<FSharpValueOption<Cell>>>> { [(1, Shape.Nothing)] = ListModule.OfArray([tree, leaf]) },
            FSharpOption<Dictionary<Currency, Payment[]>>.Some(new() { [Currency.Gbp] = [Payment.Cash] }),
            new Lazy<FSharpOption<Cell>[]>([null!, FSharpOption<Cell>.Some(new Cell(2, null))]),
            new SortedSet<CustomerId>([CustomerId.NewCustomerId(2), CustomerId.NewCustomerId(1)]),
            [FSharpChoice<Cell, FSharpList<Cell>>.NewChoice2Of2(ListModule.OfArray([new Cell(3, "c")]))]);
    }
}
