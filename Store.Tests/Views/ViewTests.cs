// Views against objects: the same values from the same bytes, for every family of types, whole and damaged, and no memory for it.

using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Views;

public class ViewTests(ITestOutputHelper output)
{
    private readonly int _seed = Effort.Seed(20261121);

    public static TheoryData<string> Names => [.. ViewCatalog.All.Select(static check => check.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void AViewShowsWhatReadingGives(string name)
    {
        output.WriteLine($"seed {_seed}");
        ViewCheck check = Of(name);
        int whole = 0;
        for (int i = 0; i < 600; i++)
        {
            byte[] record = new RandomRecord(check.Schema, _seed + i).Bytes;
            if (check.Compare(record)) whole++;
        }

        Assert.True(whole >= 4, $"{whole} whole records");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void ACutRecordIsATypedErrorAndNothingElse(string name)
    {
        output.WriteLine($"seed {_seed}");
        ViewCheck check = Of(name);
        foreach (byte[] record in Records(check, 8))
        {
            for (int length = 0; length < record.Length; length++) Assert.False(check.Compare(record.AsSpan(0, length)));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void AFlippedBitIsWhatReadingGivesOrATypedError(string name)
    {
        output.WriteLine($"seed {_seed}");
        ViewCheck check = Of(name);
        foreach (byte[] record in Records(check, 4))
        {
            for (int bit = 0; bit < record.Length * 8; bit++)
            {
                byte[] damaged = [.. record];
                damaged[bit / 8] ^= (byte)(1 << (bit % 8));
                check.Compare(damaged);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void WhatFollowsARecordDoesNotMatter(string name)
    {
        ViewCheck check = Of(name);
        foreach (byte[] record in Records(check, 5)) check.CompareTo([.. record, 1, 2, 3], record);
    }

    [Fact]
    public void LookingAllocatesNothing()
    {
        byte[] lists = NinoSerializer.Serialize(new Lists { Numbers = [1, 2, 3], Times = [DateTime.UnixEpoch], Set = ["a", "ü", "€"], Points = [new(1, 2)], Colors = [Color.Red], MaybePoints = [null, new(1, 2)], MaybeNameds = [null, new(1, "n", [1])], Leaves = [new(1, "x"), null], Deep = [[new(2, "y")]], Jagged = [[1], []] });
        byte[] drawing = NinoSerializer.Serialize(new Drawing(new Circle("c", 1), [new Box("b", 2), null], new Cube("c", 3, [1]), new Dot(1), new() { [1] = new Word("w") }, "last"));
        byte[] texts = NinoSerializer.Serialize(new Texts("first", 1, "zweiter €", "utf8 €", ["a", null], ["b"], null));
        byte[] tree = NinoSerializer.Serialize(new Tree { Left = new Tree { Value = 2 }, Children = [new Tree { Value = 3, Label = "x" }], Label = "y", Maybe = new(1, "z", null) });
        long sum = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10; i++) sum += Look(lists, drawing, texts, tree);
        }, runs: 20));
        Assert.NotEqual(0, sum);
    }

    private static long Look(byte[] listBytes, byte[] drawingBytes, byte[] textBytes, byte[] treeBytes)
    {
        long sum = 0;
        var lists = new ListsView(listBytes);
        foreach (int number in lists.Numbers) sum += number;
        foreach (NinoStringView text in lists.Set) sum += text.Equals("€") ? 1 : text.Length;
        foreach (PointView point in lists.Points) sum += point.X;
        foreach (NinoOptionalView<PointView> point in lists.MaybePoints) sum += point.HasValue ? point.Value.X : 0;
        foreach (NinoOptionalView<NamedView> named in lists.MaybeNameds) sum += named.HasValue && named.Value.Name.Equals("n") ? 1 : 0;
        foreach (LeafView leaf in lists.Leaves) sum += leaf.IsNull ? 1 : leaf.Id;
        foreach (NinoListView<LeafView> inner in lists.Deep) foreach (LeafView leaf in inner) sum += leaf.Name.Length;
        Span<int> copy = stackalloc int[3];
        lists.Numbers.CopyTo(copy);

        var drawing = new DrawingView(drawingBytes);
        if (drawing.Main.TryGet(out CircleView circle)) sum += (long)circle.Radius;
        foreach (ShapeView shape in drawing.All) sum += shape.Is<Box>() ? 1 : 0;
        foreach ((NinoValueView<int, Store.Serialization.Codecs.Int32Codec> key, IMarkView mark) in drawing.Marks) sum += key + (mark.TryGet(out WordView word) ? word.Text.Length : 0);
        sum += drawing.Last.Length;

        var texts = new TextsView(textBytes);
        sum += texts.Number + (texts.Second.StartsWith("zwei") ? 1 : 0) + (texts.Utf8.Equals("utf8 €") ? 1 : 0);

        var tree = new TreeView(treeBytes);
        foreach (TreeView child in tree.Children) sum += child.Value + child.Label.Length;
        return sum + tree.Left.Value + tree.Maybe.Value.Id;
    }

    [Fact]
    public void AViewOfNullOrOfNothingSaysSo()
    {
        var tree = new TreeView(NinoSerializer.Serialize(new Tree()));
        Assert.True(tree.Left.IsNull);
        InvalidOperationException? error = null;
        try
        {
            _ = tree.Left.Value;
        }
        catch (InvalidOperationException e)
        {
            error = e;
        }

        Assert.Contains("IsNull", error!.Message);
        Assert.Throws<InvalidOperationException>(static () => default(TreeView).Label.Length);
        Assert.Throws<InvalidOperationException>(static () => default(PointView).X);
        Assert.Throws<InvalidOperationException>(static () => default(NinoOptionalView<PointView>).Value.X);
        Assert.True(default(NinoStringView).IsNull);
        Assert.Equal(0, default(NinoListView<LeafView>).Count);
        Assert.Throws<NinoSerializationException>(static () => new LeafView([1, 2]).Id);
        Assert.Throws<NinoSerializationException>(static () => new ShapeView([0, 0, 0, 0]).IsNull);
        Assert.Contains("0x04030201", Assert.Throws<NinoSerializationException>(static () => new ShapeView([1, 2, 3, 4, 5]).IsNull).Message);
    }

    [Fact]
    public void DepthIsLimitedWhereValuesAreMovedOver()
    {
        // Left is present again and again, and Children lie behind all of it.
        byte[] deep = [.. Enumerable.Repeat(new byte[] { 0, 0, 0, 0, 1 }, 100_000).SelectMany(static part => part)];
        Assert.Throws<NinoSerializationException>(() => new TreeView(deep).Children.Count);
    }

    [Fact]
    public void AskingForAnElementThatIsNotThereOrCopyingIntoTooLittleIsTheArgumentsFault()
    {
        byte[] lists = NinoSerializer.Serialize(new Lists { Numbers = [1, 2], Nameds = [new(1, "n", null)], Leaves = [null] });
        foreach (int index in (int[])[-1, 1, int.MaxValue, int.MinValue])
        {
            Assert.Equal("index", Assert.Throws<ArgumentOutOfRangeException>(() => new ListsView(lists).Nameds[index].Name.Length).ParamName);
            Assert.Equal("index", Assert.Throws<ArgumentOutOfRangeException>(() => new ListsView(lists).Leaves[index].IsNull).ParamName);
        }

        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => new ListsView(lists).Numbers.CopyTo(new int[1])).ParamName);
        foreach (string text in (string[])["Latin", "€€€€€"])
        {
            byte[] texts = NinoSerializer.Serialize(new Texts(text, 1, null, null, null, null, null));
            Assert.Throws<ArgumentException>(() => new TextsView(texts).First.CopyTo(new char[4]));
            char[] copy = new char[6];
            new TextsView(texts).First.CopyTo(copy);
            Assert.Equal(text + "\0", new string(copy));
        }
    }

    [Fact]
    public void AHostileCountIsRefusedBeforeAnythingIsWalked()
    {
        // Numbers: 4 billion elements.
        byte[] huge = [254, 255, 255, 255, 255, 0, 0];
        Assert.Contains("does not fit", Assert.Throws<NinoSerializationException>(() => new ListsView([.. huge, .. new byte[100]]).Numbers.Count).Message);
    }

    [Fact]
    public void MovingOverAValueTakesAsMuchDepthAsReadingItAndAskingGoesAsDeepAsOneAsks()
    {
        // 64 by default, and the root itself is not moved over.
        Assert.Equal(0, Children(65));
        Assert.Throws<NinoSerializationException>(static () => Children(66));
        byte[] deep = Deep(500);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Tree>(deep));
        var tree = new TreeView(deep);
        int depth = 1;
        for (TreeView left = tree.Left; !left.IsNull; left = left.Left) depth++;
        Assert.Equal(500, depth);

        static int Children(int depth)
        {
            byte[] record = Deep(depth);
            NinoSerializer.Deserialize<Tree>(record, new NinoLimits { MaxDepth = 1000 });
            return new TreeView(record).Children.Count;
        }

        static byte[] Deep(int depth)
        {
            Tree? tree = null;
            for (int i = 0; i < depth; i++) tree = new Tree { Left = tree };
            return NinoSerializer.Serialize(tree!, new NinoLimits { MaxDepth = 1000 });
        }
    }

    [Fact]
    public void OfBytesLongerThanARecordMayBeOnlyMembersAtAConstantPlaceAreSeen()
    {
        byte[] tree = NinoSerializer.Serialize(new Tree { Value = 7, Left = new Tree() });
        // More than there is: whoever looked behind the first bytes would fall out of the array, and is stopped by the length before.
        ReadOnlySpan<byte> huge = System.Runtime.InteropServices.MemoryMarshal.CreateReadOnlySpan(ref tree[0], NinoLimits.Default.MaxRecordBytes + 100);
        var view = new TreeView(huge);
        Assert.Equal(7, view.Value);
        NinoSerializationException? error = null;
        try
        {
            _ = view.Children.Count;
        }
        catch (NinoSerializationException e)
        {
            error = e;
        }

        Assert.Contains("limit", error!.Message);
    }

    [Fact]
    public void NoCountIsBelievedThatTheBytesDoNotHold()
    {
        // An int[] that says it has 10 elements, and every other count in front of 40 zero bytes: each is a view or refused, and none is walked out of.
        for (int first = 0; first < 256; first++)
        {
            for (int second = 0; second < 256; second += 5)
            {
                byte[] bytes = [(byte)first, (byte)second, .. new byte[40]];
                try
                {
                    var lists = new ListsView(bytes);
                    int numbers = 0;
                    foreach (int number in lists.Numbers) numbers += 1;
                    Assert.InRange(numbers, 0, 10);
                    foreach (PointView point in lists.Points) _ = point.X;
                }
                catch (NinoSerializationException)
                {
                    // Refused.
                }
            }
        }
    }

    [Fact]
    public void AComparerInFrontOfOtherThanStringsIsRefusedAsCodecsDo()
    {
        // Numbers, with the mark of InvariantCulture.
        byte[] marked = [255, 3, 1, .. new byte[40]];
        Assert.Contains("comparer of strings", Assert.Throws<NinoSerializationException>(() => new ListsView(marked).Numbers.Count).Message);
    }

    [Fact]
    public void TypesThatKeepReferencesHaveNoViewNorWhatHoldsThem()
    {
        Type[] types = typeof(ViewTests).Assembly.GetTypes();
        Assert.DoesNotContain(types, static type => type.Name is "NodeView" or "HoldsNodeView" or "PlainView" && type.Namespace == "Store.Tests.Views");
        // Object members may hold the assembly's types that keep references.
        Assert.DoesNotContain(types, static type => type.FullName == "Store.Tests.Generator.Objects.BagView");
        Assert.True(types.Single(static type => type.Name == "OuterSecretView").IsNotPublic);
        Assert.True(types.Single(static type => type.Name == "OuterInnerView").IsPublic);
        Assert.Contains(types, static type => type.FullName == "Store.Tests.Views.WrapperOfInt32View");
        Assert.Contains(types, static type => type.FullName == "Store.Tests.Views.WrapperOfInt32ArrayView");
    }

    internal static ViewCheck Of(string name) => ViewCatalog.All.Single(check => check.Name == name);

    /// <summary>Whole records, the longest of many.</summary>
    internal List<byte[]> Records(ViewCheck check, int count)
    {
        List<byte[]> records = [];
        for (int i = 0; i < 400; i++)
        {
            byte[] record = new RandomRecord(check.Schema, _seed + i).Bytes;
            if (check.Compare(record)) records.Add(record);
        }

        return [.. records.OrderBy(static record => record.Length > 300).ThenByDescending(static record => record.Length).Take(count)];
    }
}
