using System.Diagnostics;
using Store.Serialization;
using Xunit.Abstractions;

namespace Store.Tests.Serialization;

/// <summary>Damaged bytes give the one exception or a value that is exactly these bytes: there is one encoding of each value and no third outcome.</summary>
public sealed class DamageTests(ITestOutputHelper output)
{
    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void ARecordCutAtAnyByteIsRefused(string name)
    {
        Sample sample = Samples.Get(name);
        for (int length = 0; length < sample.Golden.Length; length++)
        {
            var error = Assert.Throws<NinoSerializationException>(() => sample.Recode(sample.Golden.AsSpan(0, length)));
            Assert.Equal(sample.Schema.Name, error.TypeName);
            Assert.InRange(error.ByteOffset, 0, length);
        }
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void AByteAfterARecordIsRefused(string name)
    {
        Sample sample = Samples.Get(name);
        var error = Assert.Throws<NinoSerializationException>(() => sample.Recode([.. sample.Golden, 0]));
        Assert.Equal(sample.Golden.Length, error.ByteOffset);
        Assert.Null(error.MemberPath);
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void AnyFlippedBitIsRefusedOrIsAnotherValuesOwnEncoding(string name)
    {
        Sample sample = Samples.Get(name);
        byte[] bytes = [.. sample.Golden];
        // Tables of the framework that are made on first use are not counted.
        sample.Recode(bytes);
        AssertRefusedOrCanonical(sample, bytes, isMeasured: false);
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            AssertRefusedOrCanonical(sample, bytes);
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void MutatedRecordsAreRefusedOrCanonicalAndCostBoundedMemory()
    {
        int inputs = Math.Max(120_000, Effort.Mutations(100_000)), seed = Effort.DrawnSeed(quick: 20261123);
        var random = new Random(seed);
        int accepted = 0;

        // Tables of the framework that are made on first use are not counted.
        foreach (Sample sample in Samples.All) sample.Recode(sample.Golden);
        var clock = Stopwatch.StartNew();
        for (int i = 0; i < inputs; i++)
        {
            Sample sample = Samples.All[random.Next(Samples.All.Count)];
            byte[] input = Mutate(sample.Golden, random);
            try
            {
                // Every eighth with the search for the place of damage, which costs far more than the rest.
                if (AssertRefusedOrCanonical(sample, input, located: i % 8 == 0)) accepted++;
            }
            catch (Exception error)
            {
                throw new InvalidOperationException($"seed {seed}, input {i}, sample '{sample.Name}', bytes {Convert.ToHexString(input)}", error);
            }
        }

        Effort.Tell(output, "mutated inputs", inputs, $"SEED={seed}", $"records, {accepted} accepted, {inputs - accepted} refused in {clock.ElapsedMilliseconds} ms");
        Assert.InRange(accepted, 1, inputs - 1);
    }

    // Bounded: what the bytes could hold, times the memory of an entry, plus the exceptions with their stack traces.
    private static bool AssertRefusedOrCanonical(Sample sample, byte[] bytes, bool located = true, bool isMeasured = true)
    {
        long most = 65_536 + (bytes.Length * 256), before = GC.GetAllocatedBytesForCurrentThread();
        byte[]? again = Read(sample, bytes, located);
        if (isMeasured && GC.GetAllocatedBytesForCurrentThread() - before > most)
        {
            // What the process makes once is not the record's: a table of the thread's that grows with every ThreadLocal there ever was (a ConcurrentBag has one).
            before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Equal(again, Read(sample, bytes, located));
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, most);
        }

        if (again is null) return false;

        // Lists take a comparer's mark, which they do not keep; ordered and hashed collections put themselves in order.
        bool mayDiffer = sample.Reorders || bytes.AsSpan().IndexOf((byte)255) >= 0 && bytes.Zip(bytes.Skip(1)).Any(static pair => pair is (255, >= 1 and <= 4));
        if (mayDiffer) Assert.Equal(again.Length, sample.RecodeBare(again).Length);
        else Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(again));
        return true;
    }

    /// <summary>What is read written again; null where the bytes are refused.</summary>
    private static byte[]? Read(Sample sample, byte[] bytes, bool located)
    {
        try
        {
            return located ? sample.Recode(bytes) : sample.RecodeBare(bytes);
        }
        catch (NinoSerializationException error)
        {
            if (located) Assert.Equal(sample.Schema.Name, error.TypeName);
            if (located) Assert.InRange(error.ByteOffset, 0, bytes.Length);
            return null;
        }
    }

    private static byte[] Mutate(byte[] golden, Random random)
    {
        List<byte> bytes = [.. golden];
        for (int edits = random.Next(1, 4); edits > 0; edits--)
        {
            int at = random.Next(bytes.Count + 1);
            switch (random.Next(6))
            {
                case 0 when at < bytes.Count:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1 when at < bytes.Count:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 2:
                    bytes.Insert(at, (byte)random.Next(256));
                    break;
                case 3 when at < bytes.Count:
                    bytes.RemoveRange(at, random.Next(1, Math.Min(9, bytes.Count - at + 1)));
                    break;
                case 4:
                    byte[] noise = new byte[random.Next(1, 20)];
                    random.NextBytes(noise);
                    bytes.InsertRange(at, noise);
                    break;
                case 5:
                    bytes.InsertRange(at, [254, (byte)random.Next(256), (byte)random.Next(256), (byte)random.Next(256), (byte)random.Next(256)]);
                    break;
            }
        }

        return [.. bytes];
    }
}
