using Store.Serialization;
using Store.Tests.Generator;

namespace Store.Tests.Serialization;

/// <summary>A case whose length is stored is written into memory of its own first. That memory is there for the next one, whatever the case throws.</summary>
public sealed class FailedCaseTests
{
    // A record of 100 KB, for which the memory of a thread is too small: what comes from the pool instead is 128 KB.
    private const int Length = 100_000;

    [Fact]
    public void ACaseOfAUnionThatCannotBeWrittenCostsNoMemory()
    {
        var sketch = new Sketch { Mark = new Smudge { Text = new string('a', Length) } };
        byte[] destination = new byte[2 * Length];
        Smudge.Error = new InvalidOperationException("It cannot be shown.");
        long allocated = Allocated.Least(() => Assert.Same(Smudge.Error, Assert.Throws<InvalidOperationException>(() => NinoSerializer.TrySerialize(sketch, destination, out _))));
        Assert.InRange(allocated, 0, 8000);
        Smudge.Error = null;
        Assert.True(NinoSerializer.TrySerialize(sketch, destination, out int written));
        Assert.Equal(Length, ((Smudge)NinoSerializer.Deserialize<Sketch>(destination.AsSpan(0, written)).Mark!).Text.Length);
    }

    [Fact]
    public void AValueThatIsDeclaredAsObjectDoesNotEither() => Programs.Run("""
        [assembly: NinoSerializable(typeof(object), SkipUnknownCases = true)]
        [NinoType] public sealed class Sketch { public object? Mark { get; set; } }
        [NinoType] public sealed class Smudge
        {
            public static Exception? Error;
            public string Text { get; set; } = "";
            public int Last { get => Error is null ? 7 : throw Error; set { } }
        }
        """, $$"""
        var sketch = new Sketch { Mark = new Smudge { Text = new string('a', {{Length}}) } };
        byte[] destination = new byte[2 * {{Length}}];
        Smudge.Error = new InvalidOperationException("It cannot be shown.");
        long least = long.MaxValue;
        for (int i = 0; i < 10; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                NinoSerializer.TrySerialize(sketch, destination, out _);
                throw new NotSupportedException();
            }
            catch (InvalidOperationException)
            {
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Equal(true, least < 8000);
        Smudge.Error = null;
        Equal({{Length}}, ((Smudge)Copy(sketch).Mark!).Text.Length);
        """);
}

[NinoType(SkipUnknownCases = true)]
public abstract class Mark;

[NinoType]
public sealed class Smudge : Mark
{
    public static Exception? Error { get; set; }

    public string Text { get; set; } = "";

    public int Last { get => Error is null ? 7 : throw Error; set => _ = value; }
}

[NinoType]
public sealed class Sketch
{
    public Mark? Mark { get; set; }
}
