// Views and bytes of a mapped snapshot: looking costs no allocation, and no way leads to memory that is gone. The compiler refuses to keep a view; closing waits for the last look; after that there is an exception.

using Microsoft.CodeAnalysis;
using Store.Snapshots;
using Store.Tests.Generator;
using Store.Tests.Log;
using Store.Tests.Views;

namespace Store.Tests.Snapshots;

public sealed class SnapshotViewLifetimeTests : IDisposable
{
    private const int Leaves = 5000;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>Items by number and a value, as views and as bytes; in memory and in a real mapped file; whatever was verified before.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LookingAllocatesNothing(bool isMapped)
    {
        using SnapshotFile file = Open(isMapped);
        SnapshotPart leaves = file.Part("leaves"), tree = file.Part("tree");
        long sum = 0, again = 0;
        sum = Look();
        Assert.Equal(0, Allocated.Least(() => again = Look()));
        Assert.Equal(sum, again);

        long Look()
        {
            long sum = 0;
            for (int i = 0; i < Leaves; i += 3)
            {
                sum += leaves.UseItemView<LeafView, int, int>(i, i, static (leaf, i) => leaf.Id == i && leaf.Name.Equals("leaf") ? leaf.Name.Length : 0);
                sum += leaves.UseItem(i, 0, static (bytes, _) => bytes.Length);
            }

            sum += tree.UseView<TreeView, int, int>(0, static (tree, _) =>
            {
                int sum = tree.Value;
                foreach (TreeView child in tree.Children) sum += child.Value;
                return sum;
            });
            sum += tree.UseData(0, 1, 0, static (bytes, _) => bytes.Length);
            return sum + leaves.CountItems<LeafView, int>(100, static (leaf, above) => leaf.Id > above);
        }
    }

    /// <summary>The first look verifies a page and remembers it in a table that was allocated by the first look of all: nothing for a page.</summary>
    [Fact]
    public void VerifyingAPageAllocatesNothing()
    {
        Func<ReadOnlySpan<byte>, int, int> length = static (bytes, _) => bytes.Length;

        // A page is verified once: each run has a file of its own.
        SnapshotFile[] files = [.. Enumerable.Range(0, 10).Select(_ => Open(isMapped: true))];
        Queue<SnapshotPart> parts = new(files.Select(static file => file.Part("leaves")));
        foreach (SnapshotPart part in parts) part.UseItem(0, 0, length);
        Assert.Equal(0, Allocated.Least(() =>
        {
            SnapshotPart leaves = parts.Dequeue();
            for (int i = 0; i < Leaves; i++) leaves.UseItem(i, 0, length);
        }));
        foreach (SnapshotFile file in files) file.Dispose();
    }

    [Fact]
    public async Task AMappedFileThatAnotherThreadClosesStaysUntilTheViewIsGivenBack()
    {
        using SnapshotFile file = Open(isMapped: true);
        SnapshotPart leaves = file.Part("leaves");
        using var inside = new ManualResetEventSlim();
        using var closed = new ManualResetEventSlim();
        Task<string> look = Task.Run(() => leaves.UseItemView<LeafView, (ManualResetEventSlim Inside, ManualResetEventSlim Closed), string>(Leaves - 1, (inside, closed), static (leaf, wait) =>
        {
            wait.Inside.Set();
            Assert.True(wait.Closed.Wait(Patience));

            // The file is closed by now. Its memory is not gone: this reads it.
            return $"{leaf.Id} {leaf.Name.ToString()}";
        }));
        Assert.True(inside.Wait(Patience));
        file.Dispose();
        Assert.Throws<ObjectDisposedException>(() => leaves.UseItem(0, 0, static (bytes, _) => bytes.Length));
        closed.Set();
        Assert.Equal($"{Leaves - 1} leaf", await look);
        Assert.Throws<ObjectDisposedException>(() => leaves.UseItemView<LeafView, int, int>(0, 0, static (leaf, _) => leaf.Id));
        Assert.Throws<ObjectDisposedException>(() => file.Part("tree"));
    }

    [Fact]
    public async Task ThreadsThatLookThroughViewsWhileTheFileIsClosedGetRightItemsOrTheException()
    {
        for (int round = 0; round < 20; round++)
        {
            SnapshotFile file = Open(isMapped: true, $"round{round}");
            SnapshotPart leaves = file.Part("leaves");
            Task[] readers = [.. Enumerable.Range(0, 3).Select(r => Task.Run(() =>
            {
                Action readOn = () =>
                {
                    for (int i = r; ; i = (i + 17) % Leaves) Assert.Equal(i, leaves.UseItemView<LeafView, int, int>(i, 0, static (leaf, _) => leaf.Id));
                };
                Assert.Throws<ObjectDisposedException>(readOn);
            }))];
            await Task.Delay(round % 3);
            file.Dispose();
            await Task.WhenAll(readers);
        }
    }

    /// <summary>A callback that throws gives its bytes back all the same.</summary>
    [Fact]
    public void ACallbackThatThrowsHoldsNothing()
    {
        var folder = new BytesDirectory { ["file"] = Bytes() };
        SnapshotFile file = SnapshotFile.Open(folder, "file");
        SnapshotPart leaves = file.Part("leaves");
        Assert.Throws<TimeoutException>(() => leaves.UseItemView<LeafView, int, int>(0, 0, static (_, _) => throw new TimeoutException()));
        file.Dispose();
        Assert.Equal(0, folder.OpenMappings);
    }

    /// <summary>What would keep a view or its bytes beyond the callback does not compile.</summary>
    [Theory]
    [InlineData("part.UseItemView<LeafView, int, int>(0, 0, static (leaf, _) => leaf.Id);", null)]
    [InlineData("var kept = part.UseItemView<LeafView, int, LeafView>(0, 0, static (leaf, _) => leaf);", "CS9244")]
    [InlineData("LeafView kept = default; part.UseItemView<LeafView, int, int>(0, 0, (leaf, _) => { kept = leaf; return 0; });", "CS8175")]
    [InlineData("part.UseItemView<LeafView, int, object>(0, 0, static (leaf, _) => leaf);", "CS0029")]
    [InlineData("part.UseItemView<LeafView, int, Func<int>>(0, 0, static (leaf, _) => () => leaf.Id);", "CS9108")]
    [InlineData("part.UseItemView<LeafView, Box, int>(0, new Box(), static (leaf, box) => { box.Kept = leaf; return 0; });", "CS8345")]
    [InlineData("ReadOnlySpan<byte> kept = default; part.UseItem(0, 0, (bytes, _) => { kept = bytes; return 0; });", "CS8175")]
    [InlineData("var kept = part.UseData(0, 1, 0, static (bytes, _) => bytes);", "CS")]
    public void WhatWouldKeepAViewIsRefusedByTheCompiler(string statement, string? error)
    {
        string box = error == "CS8345" ? "public LeafView Kept;" : "";
        string source = $$"""
            [NinoType] public sealed record Leaf(int Id, string? Name);
            class Box { {{box}} }
            static class Program { static void Run(Store.Snapshots.SnapshotPart part) { {{statement}} } }
            """;
        Compilation compilation = GeneratorHarness.Compile("using Store.Snapshots;\n" + source).AddReferences(MetadataReference.CreateFromFile(typeof(NinoStore).Assembly.Location));
        GeneratorHarness.Driver().RunAbroad(compilation, out Compilation output, out _);
        string[] errors = [.. output.GetDiagnostics().Where(static d => d is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false }).Select(static d => d.ToString())];
        if (error is null) Assert.Empty(errors);
        else Assert.True(errors.Any(e => e.Contains($" {error}", StringComparison.Ordinal)), $"expected {error}: {string.Join('\n', errors)}");
    }

    private static byte[] Bytes() => SnapshotPartTests.Write(new SnapshotParts()
        .AddItems("leaves", Enumerable.Range(0, Leaves).Select(static i => new Leaf(i, "leaf")))
        .Add("tree", new Tree { Value = 7, Label = "root", Children = [new Tree { Value = 8 }] }).Create(), pageSize: 4096);

    private SnapshotFile Open(bool isMapped, string name = "file.nino")
    {
        if (!isMapped) return SnapshotFile.Open(new BytesDirectory { ["file"] = Bytes() }, "file");
        File.WriteAllBytes(_folder[name], Bytes());
        return SnapshotFile.Open(_folder[name]);
    }
}
