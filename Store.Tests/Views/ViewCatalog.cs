// How the view of each type of Types.cs is compared with the object.

using Store.Serialization;

namespace Store.Tests.Views;

internal static partial class ViewCatalog
{
    public static IReadOnlyList<ViewCheck> All { get; } =
    [
        new ViewCheck<Scalars, ScalarsView>(Same),
        new ViewCheck<Point, PointView>(Same),
        new ViewCheck<Route, RouteView>(Same),
        new ViewCheck<Named, NamedView>(Same),
        new ViewCheck<Texts, TextsView>(Same),
        new ViewCheck<Lists, ListsView>(Same),
        new ViewCheck<Maps, MapsView>(Same),
        new ViewCheck<Tree, TreeView>(Same),
        new ViewCheck<Empty, EmptyView>(Same),
        new ViewCheck<Leaf, LeafView>(Same),
        new ViewCheck<Shape, ShapeView>(Same),
        new ViewCheck<Box, BoxView>(Same),
        new ViewCheck<IMark, IMarkView>(Same),
        new ViewCheck<Drawing, DrawingView>(Same),
        new ViewCheck<Odd, OddView>(Same),
        new ViewCheck<Outer.Inner, OuterInnerView>(Same),
        new ViewCheck<Unmarked, UnmarkedView>(Same),
        new ViewCheck<Codecs, CodecsView>(Same),
        new ViewCheck<Components, ComponentsView>(Same),
        new ViewCheck<ComponentLists, ComponentListsView>(Same),
        new ViewCheck<Places, PlacesView>(Same),
        new ViewCheck<Maybes, MaybesView>(Same),
    ];

    private static void Same(ViewAssert assert, ScalarsView view, Scalars? value)
    {
        Scalars from = value ?? new();
        assert.Same(from.A, view.A);
        assert.Same(from.B, view.B);
        assert.Same(from.C, view.C);
        assert.Same(from.D, view.D);
        assert.Same(from.E, view.E);
        assert.Same(from.F, view.F);
        assert.Same(from.G, view.G);
        assert.Same(from.H, view.H);
        assert.Same(from.I, view.I);
        assert.Same(from.J, view.J);
        assert.Same(from.K, view.K);
        assert.Same(from.L, view.L);
        assert.Same(from.M, view.M);
        assert.Same(from.N, view.N);
        assert.Same(from.O, view.O);
        assert.Same(from.P, view.P);
        assert.Same(from.Q, view.Q);
        assert.Same(from.R, view.R);
        assert.Same(from.S, view.S);
        assert.Same(from.T, view.T);
        assert.Same(from.U, view.U);
        assert.Same(from.V, view.V);
        assert.Same(from.W, view.W);
        assert.Same(from.X, view.X);
        assert.Same(from.Y, view.Y);
        assert.Same(from.Z, view.Z);
        assert.Same(from.Point, view.Point);
        assert.Same(from.MaybePoint, view.MaybePoint);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, PointView view, Point value)
    {
        assert.Same(value.X, view.X);
        assert.Same(value.Y, view.Y);
        assert.Same(value, view.Read());
    }

    private static void Same(ViewAssert assert, NamedView view, Named value)
    {
        assert.Same(value.Id, view.Id);
        // Backwards first: what was found last must not be taken for what comes before it.
        assert.Same(value.Numbers, view.Numbers);
        assert.Same(value.Name, view.Name);
        assert.Same(value.Numbers, view.Numbers);
    }

    private static void Same(ViewAssert assert, TextsView view, Texts? value)
    {
        assert.Same(value?.First, view.First);
        assert.Same(value?.Number ?? 0, view.Number);
        assert.Same(value?.Second, view.Second);
        assert.Same(value?.Utf8, view.Utf8);
        assert.Same(value?.Array, view.Array, Same);
        assert.Same(value?.Utf8List, view.Utf8List, Same);
        assert.Same(value?.Address, view.ReadAddress());
        assert.Same(value?.First, view.First);
        assert.Same(value?.Utf8, view.Utf8);
    }

    private static void Same(ViewAssert assert, NinoStringView view, string? value) => assert.Same(value, view);

    private static void Same(ViewAssert assert, NinoUtf8View view, string? value) => assert.Same(value, view);

    private static void Same<T, TCodec>(ViewAssert assert, NinoValueView<T, TCodec> view, T? value) where TCodec : struct, INinoCodec<T>
    {
        assert.Same(value, view.Value);
        assert.Same(value, (T)view);
        assert.Same(value?.ToString(), view.ToString());
    }

    private static void Same<T, TCodec>(ViewAssert assert, NinoArrayView<T, TCodec> view, IEnumerable<T>? value) where TCodec : struct, INinoCodec<T> => assert.Same(value, view);

    private static void Same(ViewAssert assert, NinoOptionalView<PointView> view, Point? value)
    {
        assert.Same(value.HasValue, view.HasValue);
        if (view.HasValue) Same(assert, view.Value, value.GetValueOrDefault());
    }

    private static void Same(ViewAssert assert, NinoOptionalView<EndsOfPointView> view, Ends<Point>? value)
    {
        assert.Same(value.HasValue, view.HasValue);
        if (!view.HasValue) return;
        Same(assert, view.Value.From, value.GetValueOrDefault().From);
        Same(assert, view.Value.To, value.GetValueOrDefault().To);
    }

    private static void Same(ViewAssert assert, RouteView view, Route? value)
    {
        // From behind: each moves over those before it.
        assert.Same(value?.Text, view.Text);
        assert.Same(value?.Names.HasValue ?? false, view.Names.HasValue);
        if (view.Names.HasValue) Same(assert, view.Names.Value.To, value?.Names?.To ?? default);
        int index = 0;
        foreach (var stop in view.Stops)
        {
            assert.Same(value?.Stops?[index].HasValue, stop.HasValue);
            if (stop.HasValue) assert.Same(value?.Stops?[index], stop.Value.Read());
            index++;
        }

        assert.Same(value?.Stops?.Count ?? 0, index);
        assert.Same(value?.Legs, view.Legs, Same);
        Same(assert, view.Detour, value?.Detour);
    }

    private static void Same(ViewAssert assert, NinoOptionalView<NamedView> view, Named? value)
    {
        assert.Same(value.HasValue, view.HasValue);
        if (view.HasValue) Same(assert, view.Value, value.GetValueOrDefault());
    }

    private static void Same(ViewAssert assert, NinoListView<NinoStringView> view, List<string>? value) => assert.Same(value, view, Same);

    private static void Same(ViewAssert assert, NinoListView<LeafView> view, List<Leaf>? value) => assert.Same(value, view, Same);

    private static void Same(ViewAssert assert, ListsView view, Lists? value)
    {
        assert.Same(value?.Numbers, view.Numbers);
        assert.Same(value?.Times, view.Times);
        assert.Same(value?.Set, view.Set, Same);
        assert.Same(value?.Points, view.Points, Same);
        assert.Same(value is null || value.Colors.IsDefault ? null : value.Colors, view.Colors);
        assert.Same(value?.MaybePoints, view.MaybePoints, Same);
        assert.Same(value?.MaybeNumbers, view.MaybeNumbers);
        assert.Same(value?.Nameds, view.Nameds, Same);
        assert.Same(value?.MaybeNameds, view.MaybeNameds, Same);
        assert.Same(value?.Leaves, view.Leaves, Same);
        assert.Same(value?.Jagged, view.Jagged, Same);
        assert.Same(value?.Deep, view.Deep, Same);
        assert.Same(value?.Queue, view.Queue);
        int[]? marks = value is null ? null : [value.Marks[0], value.Marks[1], value.Marks[2]];
        assert.Same(marks, view.Marks);
        assert.Same(value?.Bag, view.Bag, Same);
        int[,]? grid = view.ReadGrid();
        assert.Same(value?.Grid?.Cast<int>(), grid?.Cast<int>());
        assert.Same(value?.Lazy?.Value, view.ReadLazy()?.Value);
        assert.Same(value?.Tuples, view.Tuples, static (assert, view, value) =>
        {
            assert.Same(value.Id, view.Item1);
            assert.Same(value.Text, view.Item2);
        });
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, LeafView view, Leaf? value)
    {
        assert.Same(value is null, view.IsNull);
        if (view.IsNull)
        {
            Assert.Null(view.Read());
            return;
        }

        assert.Same(value?.Id ?? 0, view.Id);
        assert.Same(value?.Name, view.Name);
        assert.Same(value, view.Read());
    }

    private static void Same(ViewAssert assert, MapsView view, Maps? value)
    {
        assert.Same(value?.Numbers, view.Numbers, Same, Same);
        assert.Same(value?.Leaves, view.Leaves, Same, Same);
        assert.Same(value?.Lists, view.Lists, Same, Same);
        assert.Same(value?.Texts, view.Texts, Same, Same);
        assert.Same(value?.Structs, view.Structs, Same, Same);
        assert.Same(value?.Addresses, view.ReadAddresses());
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, TreeView view, Tree? value)
    {
        assert.Same(value is null, view.IsNull);
        if (view.IsNull) return;
        assert.Same(value?.Value ?? 0, view.Value);
        Same(assert, view.Left, value?.Left);
        assert.Same(value?.Children, view.Children, Same);
        assert.Same(value?.Label, view.Label);
        Same(assert, view.Named, value?.Named ?? default);
        Same(assert, view.Maybe, value?.Maybe);
        Same(assert, view.Empty, value?.Empty);
    }

    private static void Same(ViewAssert assert, EmptyView view, Empty? value)
    {
        assert.Same(value is null, view.IsNull);
        assert.Same(value is null, view.Read() is null);
    }

    private static void Same(ViewAssert assert, ShapeView view, Shape? value)
    {
        assert.Same(value is null, view.IsNull);
        assert.Same(value is Circle, view.Is<Circle>());
        assert.Same(value?.GetType() == typeof(Box), view.Is<Box>());
        assert.Same(value is Cube, view.Is<Cube>());
        Assert.False(view.Is<Shape>());
        if (view.TryGet(out CircleView circle))
        {
            assert.Same(value?.Name, circle.Name);
            assert.Same((value as Circle)?.Radius ?? 0, circle.Radius);
            assert.Same(value, circle.Read());
        }

        if (view.TryGet(out BoxExactView box)) Same(assert, box, value as Box);
        if (view.TryGet(out CubeView cube)) Same(assert, cube, value as Cube);
        assert.SameRecord(value, view.Read());
        ReadOnlySpan<byte> bytes = view.CaseBytes;
        if (assert.IsWhole && value is not null) Assert.Equal(NinoSerializer.Serialize(value).Length - 4, bytes.Length);
    }

    private static void Same(ViewAssert assert, BoxExactView view, Box? value)
    {
        assert.Same(value?.Name, view.Name);
        assert.Same(value?.Width ?? 0, view.Width);
    }

    private static void Same(ViewAssert assert, CubeView view, Cube? value)
    {
        assert.Same(value?.Name, view.Name);
        assert.Same(value?.Depths, view.Depths);
        assert.Same(value?.Width ?? 0, view.Width);
    }

    private static void Same(ViewAssert assert, BoxView view, Box? value)
    {
        assert.Same(value is null, view.IsNull);
        if (view.TryGet(out BoxExactView box)) Same(assert, box, value);
        if (view.TryGet(out CubeView cube)) Same(assert, cube, value as Cube);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, IMarkView view, IMark? value)
    {
        // An unknown case is read as null and seen as neither.
        assert.Same(value is Dot, view.TryGet(out DotView dot));
        if (view.Is<Dot>()) assert.Same(((value as Dot?) ?? default).X, dot.X);
        assert.Same(value is Word, view.TryGet(out WordView word));
        if (view.Is<Word>()) assert.Same((value as Word)?.Text, word.Text);
        if (value is not null) assert.Same(value is Dot ? 1L : 300L, view.Tag);
        assert.Same(value, view.Read());
        _ = view.CaseBytes.Length;
    }

    private static void Same(ViewAssert assert, DrawingView view, Drawing? value)
    {
        Same(assert, view.Main, value?.Main);
        assert.Same(value?.All, view.All, Same);
        Same(assert, view.Box, value?.Box);
        Same(assert, view.Mark, value?.Mark);
        assert.Same(value?.Marks, view.Marks, Same, Same);
        assert.Same(value?.Last, view.Last);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, OddView view, Odd? value)
    {
        assert.Same(value?.IsNull ?? 0, view.IsNull_);
        assert.Same(value?.OddView ?? 0, view.OddView_);
        assert.Same(value?.Equals_ ?? 0, view.Equals_);
        assert.Same(value?.Read, view.Read_);
        assert.Same(value?.@class, view.@class);
        Same(assert, view.Hidden, value?.Hidden);
        string? secret = view._secret.Read();
        assert.SameRecord(value, view.Read());
        if (assert.IsWhole && secret is not null) Assert.Contains(secret, System.Text.Encoding.Latin1.GetString(NinoSerializer.Serialize(value!)) + secret);
    }

    private static void Same(ViewAssert assert, OuterInnerView view, Outer.Inner? value)
    {
        assert.Same(value?.Id ?? 0, view.Id);
        if (!view.Number.IsNull)
        {
            assert.Same(value?.Number.Id ?? 0, view.Number.Id);
            assert.Same(value?.Number.Value ?? 0, view.Number.Value);
            assert.Same(value?.Number.Text, view.Number.Text);
        }

        if (!view.Leaf.IsNull) Same(assert, view.Leaf.Value, value?.Leaf.Value);
        if (!view.Array.IsNull) assert.Same(value?.Array.Value, view.Array.Value);
        assert.Same(value?.Pair.Key ?? 0, view.Pair.Key);
        assert.Same(value?.Pair.Value, view.Pair.Value);
        assert.SameRecord(value, view.Read());
    }

    private static void Same(ViewAssert assert, UnmarkedView view, Unmarked? value)
    {
        assert.Same(value?.Number ?? 0, view.Number);
        assert.Same(value?.Text, view.Text);
    }

    private static void Same(ViewAssert assert, CodecsView view, Codecs? value)
    {
        assert.Same(value?.Tenths ?? 0, view.ReadTenths());
        assert.Same(value?.Text, view.Text);
        assert.Same(value?.Tag?.Text, view.ReadTag()?.Text);
        assert.Same(value?.Plain, view.ReadPlain());
        assert.Same(value?.After ?? 0, view.After);
        assert.SameRecord(value, view.Read());
    }
}
