using System.Collections.Concurrent;
using System.Diagnostics;
using Store.Serialization;
using Xunit.Abstractions;

namespace Store.Tests.Serialization;

/// <summary>Damaged bytes give the one exception or a value that is exactly these bytes: there is one encoding of each value and no third outcome.</summary>
public sealed class DamageTests(ITestOutputHelper output)
{
    private static readonly ConcurrentDictionary<Sample, bool> Markable = new();

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

    /// <summary>In the place of each byte, and in front of it: at some of them a count or a length is read.</summary>
    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void ACountThatNothingHoldsIsRefusedOrIsSomethingElseWhereverItStands(string name)
    {
        Sample sample = Samples.Get(name);
        sample.Recode(sample.Golden);
        foreach (string hex in HostileInputTests.Huge)
        {
            byte[] count = Convert.FromHexString(hex.Replace(" ", ""));
            for (int at = 0; at <= sample.Golden.Length; at++)
            {
                AssertRefusedOrCanonical(sample, [.. sample.Golden.AsSpan(0, at), .. count, .. sample.Golden.AsSpan(at)], located: false);
                if (at < sample.Golden.Length) AssertRefusedOrCanonical(sample, [.. sample.Golden.AsSpan(0, at), .. count, .. sample.Golden.AsSpan(at + 1)], located: false);
            }
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

        if (Convert.ToHexString(bytes) == Convert.ToHexString(again)) return true;
        if (sample.NullIsEmpty && bytes.Length == again.Length && bytes.Zip(again).All(static pair => pair.First == pair.Second || pair is (0, 1))) return true;
        byte[] third = sample.RecodeBare(again);
        if (sample.Reorders)
        {
            // Ordered and hashed collections put themselves in order: nothing is lost, and nothing added.
            Assert.Equal(Convert.ToHexString([.. bytes.Order()]), Convert.ToHexString([.. again.Order()]));
            Assert.Equal(Convert.ToHexString([.. again.Order()]), Convert.ToHexString([.. third.Order()]));
            return true;
        }

        Assert.Equal(Convert.ToHexString(again), Convert.ToHexString(third));
        if (sample.SkipsUnknown) Assert.True(again.Length <= bytes.Length, $"{Convert.ToHexString(bytes)} is written as {Convert.ToHexString(again)}");
        else Assert.True(MayBeMarked(sample) && IsWithoutMarks(bytes, again), $"{Convert.ToHexString(bytes)} is written as {Convert.ToHexString(again)}");
        return true;
    }

    /// <summary>Lists of strings take a comparer's mark, which they do not keep: in front of their header only.</summary>
    private static bool MayBeMarked(Sample sample) => Markable.GetOrAdd(sample, static sample => SchemaShape.Collect(sample.Schema.Root).OfType<ObjectDefinition>().SelectMany(static type => type.Fields.Select(static field => field.Node)).Prepend(sample.Schema.Root).Any(HoldsListOfStrings));

    private static bool HoldsListOfStrings(SchemaNode node) => node is { Kind: SchemaKind.List, Element.Kind: SchemaKind.String or SchemaKind.Utf8String } || node.Element is { } element && HoldsListOfStrings(element) || node.Key is { } key && HoldsListOfStrings(key);

    /// <summary>True when <paramref name="again"/> is <paramref name="bytes"/> with some marks taken out, and nothing else changed.</summary>
    private static bool IsWithoutMarks(byte[] bytes, byte[] again)
    {
        // How many marks may have been taken out in front of each byte.
        var marks = new HashSet<int>[bytes.Length + 1];
        for (int i = 0; i <= bytes.Length; i++) marks[i] = [];
        marks[0].Add(0);
        for (int i = 0; i < bytes.Length; i++)
        {
            foreach (int taken in marks[i])
            {
                int at = i - (2 * taken);
                if (at < again.Length && bytes[i] == again[at]) marks[i + 1].Add(taken);
                if (bytes[i] == 255 && i + 2 < bytes.Length && bytes[i + 1] is >= 1 and <= 4) marks[i + 2].Add(taken + 1);
            }
        }

        return marks[bytes.Length].Any(taken => bytes.Length - (2 * taken) == again.Length);
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
