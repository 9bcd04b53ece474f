using Store.Serialization;
using Store.Serialization.Evolution;
using Store.Tests.Views;
using Xunit.Abstractions;

namespace Store.Tests.Evolution;

/// <summary>Members of a fixed width brought into another order by one instruction against the moves one by one, within the same bounds.</summary>
public sealed class FlatPlanTests(ITestOutputHelper output)
{
    private const int Seed = 20261127;
    private const int Plans = 4000;

    [Fact]
    public void AFlatPlanMakesWhatItsStepsMakeWhereverTheStoredBytesBeginAndEnd()
    {
        using GuardPage? page = GuardPage.IsSupported ? new GuardPage() : null;
        var random = new Random(Seed);
        int permuted = 0;
        for (int i = 0; i < Plans; i++)
        {
            (FixedPlan plan, int stored) = RandomPlan(random);
            var flat = new FlatPlan(plan, stored, texts: 1);
            Assert.Equal((stored, plan.TargetSize, stored + 1), (flat.StoredBytes, flat.TargetBytes, flat.MinBytes));
            if (flat.IsPermuted) permuted++;
            foreach (int behind in new[] { 0, 1, 15, 16, 17, 64 })
            {
                byte[] bytes = new byte[stored + behind];
                random.NextBytes(bytes);
                byte[] expected = new byte[plan.TargetSize];
                plan.Run(bytes.AsSpan(0, stored), expected);
                Check(page is null ? bytes : page.AtEnd(bytes));
                if (page is not null) Check(page.AtStart(bytes));

                void Check(ReadOnlySpan<byte> source)
                {
                    FlatHead head = default;
                    flat.Run(source, ref head);
                    ReadOnlySpan<byte> made = head;
                    if (!made[..expected.Length].SequenceEqual(expected)) Assert.Fail($"seed {Seed}, plan {i}, {behind} behind: {Convert.ToHexString(source)} to {Convert.ToHexString(expected)}, not {Convert.ToHexString(made[..expected.Length])}");
                }
            }
        }

        output.WriteLine($"{permuted} of {Plans} permuted");
        if (System.Runtime.Intrinsics.X86.Avx512Vbmi.IsSupported) Assert.InRange(permuted, Plans / 3, Plans - 1);
        else Assert.Equal(0, permuted);
    }

    [Fact]
    public void NoElementIsHeldToTakeNoBytes()
    {
        Assert.Equal(1, new FlatPlan(null, storedBytes: 0, texts: 0).MinBytes);
        Assert.Equal(3, new FlatPlan(null, storedBytes: 0, texts: 3).MinBytes);
        Assert.Equal(7, new FlatPlan(null, storedBytes: 7, texts: 0).MinBytes);
    }

    // Steps in a random order of sources, so that neighbours in the target are none in the source; now and then one that is no move.
    private static (FixedPlan Plan, int Stored) RandomPlan(Random random)
    {
        int stored = 0, target = 0, most = random.Next(1, 9);
        var sources = new List<(int At, FixedStep Step, int Width)>();
        for (int i = 0; i < most; i++)
        {
            (FixedStep step, int width) = RandomStep(random);
            sources.Add((stored, step, width));
            stored += step.Length;
        }

        var steps = new List<FixedStep>();
        foreach ((int at, FixedStep step, int width) in sources.OrderBy(_ => random.Next()))
        {
            if (width > 0) steps.Add(step with { Source = at, Target = target });
            target += width;
            if (random.Next(6) > 0) continue;
            byte[] constant = new byte[random.Next(1, 9)];
            random.NextBytes(constant);
            steps.Add(new FixedStep(FixedOp.Constant, 0, target, 0) { Bytes = constant });
            target += constant.Length;
        }

        return (new FixedPlan(steps, stored, target), stored);
    }

    private static (FixedStep Step, int Width) RandomStep(Random random) => random.Next(10) switch
    {
        < 5 when random.Next(1, 17) is var length => (new FixedStep(FixedOp.Copy, 0, 0, length), length),
        5 => Wider(SchemaKind.Int16, 2, SchemaKind.Int32, 4),
        6 => Wider(SchemaKind.SByte, 1, SchemaKind.Int64, 8),
        7 => Wider(SchemaKind.UInt32, 4, SchemaKind.Int64, 8),
        8 => Wider(SchemaKind.Byte, 1, SchemaKind.UInt16, 2),
        // Gone.
        _ => (new FixedStep(FixedOp.Copy, 0, 0, random.Next(1, 9)), 0),
    };

    private static (FixedStep Step, int Width) Wider(SchemaKind from, int bytes, SchemaKind to, int width) => (new FixedStep(FixedOp.Convert, 0, 0, bytes) { Conversion = ScalarConversion.Integer, From = from, To = to }, width);
}
