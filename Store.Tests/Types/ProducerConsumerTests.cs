using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>What producers and consumers share, behind its interface: read as a queue.</summary>
public sealed class ProducerConsumerTests
{
    private const string Types = """
        using System.Collections.Concurrent;
        [NinoType] public sealed class Work { public IProducerConsumerCollection<string?>? Jobs { get; set; } public IProducerConsumerCollection<int> Numbers { get; set; } = new ConcurrentBag<int>(); }
        [NinoType] public sealed class Listed { public List<string?>? Jobs { get; set; } public int[]? Numbers { get; set; } }
        [NinoType] public sealed class Stacked { public ConcurrentStack<string?>? Jobs { get; set; } public IEnumerable<int>? Numbers { get; set; } }
        [NinoType, NinoFormerName("Listed"), NinoFormerName("Stacked")] public sealed class Later { public IProducerConsumerCollection<string?>? Jobs { get; set; } public IProducerConsumerCollection<int>? Numbers { get; set; } }
        [NinoType, NinoFormerName("Later")] public sealed class LaterListed { public string?[]? Jobs { get; set; } public List<int>? Numbers { get; set; } }
        [NinoType, NinoFormerName("Work")] public sealed class LaterStacked { public ConcurrentStack<string?>? Jobs { get; set; } public IEnumerable<int>? Numbers { get; set; } }

        """;

    [Fact]
    public void ItIsReadAsAQueueInTheOrderInWhichItIsShown() => Programs.Run(Types, """
        foreach (IProducerConsumerCollection<string?> jobs in new IProducerConsumerCollection<string?>[] { new ConcurrentQueue<string?>(["a", null, "b"]), new ConcurrentStack<string?>(["b", null, "a"]), new ConcurrentBag<string?>(["b", null, "a"]) })
        {
            Work copy = Copy(new Work { Jobs = jobs });
            Equal(true, copy.Jobs is ConcurrentQueue<string?>);
            Equal((true, "a", 2), (copy.Jobs!.TryTake(out string? first), first, copy.Jobs.Count));
            Equal(",b", string.Join(",", copy.Jobs));
        }

        Equal((null, true, 0), (Copy(new Work()).Jobs, Copy(new Work()).Numbers is ConcurrentQueue<int>, Copy(new Work()).Numbers.Count));
        """);

    [Fact]
    public void AListOrArrayBecomesOneAndOneBecomesAList() => Programs.Run(Types, """
        Listed listed = new() { Jobs = ["a", null, "b"], Numbers = [1, 2] };
        Later later = Evolve<Listed, Later>(listed);
        Equal("a,,b 1,2", string.Join(",", later.Jobs!) + " " + string.Join(",", later.Numbers!));
        LaterListed back = Evolve<Later, LaterListed>(later);
        Equal("a,,b 1,2", string.Join(",", back.Jobs!) + " " + string.Join(",", back.Numbers!));
        // A stack is stored bottom first, where it is declared as one.
        LaterStacked stacked = Evolve<Work, LaterStacked>(new Work { Jobs = later.Jobs });
        Equal((true, "b"), (stacked.Jobs!.TryPop(out string? top), top));
        Equal("a,", string.Join(",", Evolve<Stacked, Later>(new Stacked { Jobs = stacked.Jobs }).Jobs!));
        Equal(Convert.ToHexString(NinoSerializer.Serialize(listed)), Convert.ToHexString(NinoSerializer.Serialize(new Work { Jobs = later.Jobs, Numbers = later.Numbers! })));
        """);

    [Fact]
    public void ToolsAndViewsReadItAsAList() => Programs.Run(Types, """
        byte[] bytes = NinoSerializer.Serialize(Copy(new Work { Jobs = new ConcurrentQueue<string?>(["a", null]), Numbers = new ConcurrentStack<int>([2, 1]) }));
        var stream = new System.IO.MemoryStream();
        using (var writer = new System.Text.Json.Utf8JsonWriter(stream)) NinoJson.Write(writer, NinoSerializer.SchemaOf<Work>(), bytes);
        Equal("{\"Jobs\":[\"a\",null],\"Numbers\":[1,2]}", System.Text.Encoding.UTF8.GetString(stream.ToArray()));
        WorkView view = NinoView.Open<WorkView>(bytes, NinoSerializer.SchemaOf<Work>());
        Equal((2, "a", 2, 2), (view.Jobs.Count, view.Jobs[0].ToString(), view.Numbers.Count, view.Numbers[1]));
        """);
}
