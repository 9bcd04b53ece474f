// Views over a log and over snapshots: filters that make no objects, records of other shapes, and what is refused.

using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Evolution;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Views;

/// <summary>A chain as an older release had it.</summary>
[NinoType]
public sealed record OldChain(int Number, OldChain? Next);

[NinoType, NinoFormerName("Store.Tests.Views.OldChain")]
public sealed record NewChain(long Number, NewChain? Next);

[NinoType]
public sealed record OldPage(int Number);

[NinoType, NinoFormerName("Store.Tests.Views.OldPage")]
public sealed record NewPage(int Number)
{
    public string Title { get; init; } = "untitled";
    public int Columns { get; init; } = 2;
    public List<string> Notes { get; } = ["to do"];
    public Leaf? Mark { get; init; }
}

public class StoredViewTests
{
    [Fact]
    public void AFilterOverALogMakesNoObjects()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        for (int i = 0; i < 1000; i++)
        {
            store.Append(new Leaf(i, i % 2 == 0 ? "even" : "odd"));
            if (i % 10 == 0) store.Append(new Point(i, 0));
        }

        store.Commit();
        Assert.Equal((299, 100), Count(store));
        long least = Allocated.Least(() => Count(store), runs: 20);
        long one = Allocated.Least(() =>
        {
            foreach (ScannedRecord _ in store.Scan()) { }
        }, runs: 20);

        // What a scan itself costs, and nothing for its 1100 records.
        Assert.Equal(one, least);

        static (int Leaves, int Points) Count(NinoStore store)
        {
            int leaves = 0, points = 0;
            foreach (ScannedRecord record in store.Scan())
            {
                if (record.TryView(out LeafView leaf)) leaves += leaf.Id > 400 && leaf.Name.Equals("even") ? 1 : 0;
                else if (record.TryView(out PointView _)) points++;
            }

            return (leaves, points);
        }
    }

    [Fact]
    public void ALogWithBothShapesIsSeenAsTheNewOne()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 10; i++) store.Append(new Before.Line($"n{i}", i, i));
        }

        using NinoStore now = Simulated.Open(directory);
        for (int i = 10; i < 20; i++) now.Append(new After.Line(i, $"n{i}", 0.5m));
        now.Commit();

        int seen = 0;
        foreach (ScannedRecord record in now.Scan())
        {
            Assert.True(record.TryView(out AfterLineView line));
            After.Line read = record.As<After.Line>();
            Assert.Equal(read.Count, line.Count);
            Assert.True(line.Name.Equals(read.Name));
            Assert.Equal(read, line.Read());
            seen++;
        }

        Assert.Equal(20, seen);
    }

    /// <summary>What a store was told to write deeper than usual is rewritten as deep.</summary>
    [Fact]
    public void ADeepRecordOfAnOlderShapeIsSeenAsTheNewOne()
    {
        OldChain? chain = null;
        for (int i = 200; i >= 1; i--) chain = new OldChain(i, chain);
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxDepth = 200 });
        store.Append(chain!);
        store.Commit();
        foreach (ScannedRecord record in store.Scan())
        {
            Assert.True(record.TryView(out NewChainView view));
            Assert.Equal(1, view.Number);
            Assert.Equal(2, view.Next.Number);
        }
    }

    [Fact]
    public void AMemberThatAnOlderRecordLacksIsSeenAsItIsRead()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<OldPage>();
        byte[] bytes = NinoSerializer.Serialize(new OldPage(7));
        NewPageView view = NinoView.Open<NewPageView>(bytes, stored, new NinoViewBuffer());
        NewPage read = NinoCodec<NewPage>.Default.Decode(bytes, stored);
        Assert.Equal((7, "untitled", 2, "to do"), (view.Number, view.Title.ToString(), view.Columns, view.Notes[0].ToString()));
        Assert.Equal((7, "untitled", 2, "to do"), (read.Number, read.Title, read.Columns, read.Notes[0]));
        Assert.True(view.Mark.IsNull);
    }

    [Fact]
    public void AViewOfAnotherShapeOrTypeIsRefusedWhereItIsMade()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<Before.Line>();
        byte[] bytes = NinoSerializer.Serialize(new Before.Line("n", 1, 2m));
        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoView.Open<AfterLineView>(bytes, stored).Count);
        Assert.Contains(stored.Fingerprint.ToString("x16"), error.Message);
        Assert.Contains("NinoViewBuffer", error.Message);
        Assert.Equal(1, NinoView.Open<AfterLineView>(bytes, stored, new NinoViewBuffer()).Count);
        Assert.Equal(1, NinoView.Open<BeforeLineView>(bytes, stored).Count);
        Assert.Equal(1, NinoView.Open<BeforeLineView>(bytes, NinoSchema.Parse(stored.CanonicalBytes.Span)).Count);
        Assert.Throws<NinoSerializationException>(() => NinoView.Open<AfterLineView>(bytes.AsSpan(0, 9), stored, new NinoViewBuffer()).Count);

        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append("a text");
        store.Commit();
        foreach (ScannedRecord record in store.Scan()) Assert.False(record.TryView(out LeafView _));
    }

    [Fact]
    public async Task ItemsAndValuesOfASnapshotAreLentAsViews()
    {
        await using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);
        await store.CheckpointPartsAsync(new SnapshotParts()
            .AddItems("leaves", Enumerable.Range(0, 1000).Select(static i => new Leaf(i, $"leaf {i}")))
            .Add("tree", new Tree { Value = 7, Label = "root", Children = [new Tree { Value = 8 }] })
            .AddItems("lines", Enumerable.Range(0, 5).Select(static i => new Before.Line($"n{i}", i, i))));
        using SnapshotFile file = store.OpenSnapshot()!;
        SnapshotPart leaves = file.Part("leaves");
        Assert.Equal(299, leaves.CountItems<LeafView, int>(700, static (leaf, above) => leaf.Id > above));
        Assert.Equal(8, leaves.UseItemView<LeafView, int, int>(500, 0, static (leaf, _) => leaf.Name.Length));
        Assert.Equal(15, file.Part("tree").UseView<TreeView, int, int>(0, static (tree, _) =>
        {
            int sum = tree.Value;
            foreach (TreeView child in tree.Children) sum += child.Value;
            return sum;
        }));

        // Stored in another shape: rewritten, item by item.
        Assert.Equal(2, file.Part("lines").CountItems<AfterLineView, int>(2, static (line, above) => line.Count > above));
        Assert.Equal("n3", file.Part("lines").UseItemView<AfterLineView, int, string>(3, 0, static (line, _) => line.Name.ToString()));

        // Looked at one inside the other: each has its own bytes.
        Assert.Equal("n3 n1 n3", file.Part("lines").UseItemView<AfterLineView, SnapshotPart, string>(3, file.Part("lines"), static (line, part) =>
            $"{line.Name.ToString()} {part.UseItemView<AfterLineView, int, string>(1, 0, static (other, _) => other.Name.ToString())} {line.Name.ToString()}"));

        // What lending the bytes costs on the simulated disk, and nothing for the views.
        long items = leaves.ItemCount;
        long lending = Allocated.Least(() =>
        {
            for (long i = 0; i < items; i++) leaves.UseItem(i, 0, static (bytes, _) => bytes.Length);
        });
        long viewing = Allocated.Least(() => leaves.CountItems<LeafView, int>(700, static (leaf, above) => leaf.Id > above));
        Assert.InRange(viewing, 0, lending + 1000 - 1);

        // And those of another shape are rewritten in memory that is kept.
        SnapshotPart lines = file.Part("lines");
        long lendingLine = Allocated.Least(() => lines.UseItem(3, 0, static (bytes, _) => bytes.Length));
        Assert.InRange(Allocated.Least(() => lines.UseItemView<AfterLineView, int, long>(3, 0, static (line, _) => line.Count)), 0, lendingLine);
        Assert.Contains("'leaves'", Assert.Throws<SchemaMismatchException>(() => leaves.CountItems<PointView, int>(0, static (_, _) => true)).Message);
        Assert.Throws<InvalidOperationException>(() => leaves.UseView<LeafView, int, int>(0, static (leaf, _) => leaf.Id));
        Assert.Throws<ArgumentOutOfRangeException>(() => leaves.UseItemView<LeafView, int, int>(1000, 0, static (leaf, _) => leaf.Id));
        file.Dispose();
        Assert.Throws<ObjectDisposedException>(() => leaves.CountItems<LeafView, int>(0, static (_, _) => true));
    }
}
