// Every codec that this assembly knows, into buffer writers that give what nobody expects, break their contract, throw at any call, and serialize themselves when they are asked for memory.

using System.Diagnostics;
using System.Globalization;
using System.IO.Pipelines;
using System.Reflection;
using Store.Serialization;
using Store.Tests.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

public sealed class OddWriterTests(ITestOutputHelper output)
{
    private const int RecordsAType = 1;

    [Fact]
    public void ARecordOfAnyTypeIsWrittenRightOrTheWriterIsNamedWhateverItGives()
    {
        int seed = Effort.DrawnSeed(quick: 20261128);
        long writes = 0;
        var clock = Stopwatch.StartNew();
        foreach (FuzzTarget target in SerializerFuzzTests.Targets())
        {
            MethodInfo check = typeof(OddWriterTests).GetMethod(nameof(Check), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(target.Type);
            for (int i = 0; i < RecordsAType; i++)
            {
                byte[] record = new RandomRecord(target.Schema, seed + i).Bytes;
                try
                {
                    writes += (long)check.Invoke(null, [record])!;
                }
                catch (TargetInvocationException error)
                {
                    throw new InvalidOperationException($"SEED={seed}, type '{target.Type}', record {Convert.ToHexString(record)}: {error.InnerException}", error.InnerException);
                }
            }
        }

        Assert.True(writes > 10_000, $"{writes} writes");
        Effort.Tell(output, "writes to odd buffer writers", writes, $"SEED={seed}", string.Create(CultureInfo.InvariantCulture, $"of records of every type, in {clock.Elapsed.TotalSeconds:F1} s"));
    }

    private static long Check<T>(byte[] record)
    {
        T value;
        try
        {
            value = NinoSerializer.Deserialize<T>(record);
        }
        catch (NinoSerializationException)
        {
            return 0;
        }

        // Some are written in another order, or with a count of how often they were, each time: then lengths alone can be compared.
        byte[] expected = NinoSerializer.Serialize(value);
        bool isStable = expected.AsSpan().SequenceEqual(NinoSerializer.Serialize(value)) && expected.AsSpan().SequenceEqual(NinoSerializer.Serialize(value));
        long writes = 0;
        foreach (NinoHeader header in Enum.GetValues<NinoHeader>())
        {
            byte[] whole = NinoSerializer.Serialize(value, header);
            foreach (Oddity oddity in Enum.GetValues<Oddity>())
            {
                foreach (Func<OddWriter, long> way in Ways(value, header))
                {
                    var writer = new OddWriter(oddity);
                    Write(writer, way, whole, isStable, oddity is Oddity.EmptyUnasked or Oddity.OneLess or Oddity.Nothing);
                    writes++;
                    if (oddity is not (Oddity.Exact or Oddity.Changing)) continue;
                    int step = Math.Max(1, writer.Calls / 20);
                    for (int call = 0; call < writer.Calls; call += step)
                    {
                        var throwing = new OddWriter(oddity) { ThrowsAt = call };
                        Assert.Throws<OddWriterException>(() => way(throwing));
                        throwing.AssertMarginsAreUntouched();
                        Assert.Equal(expected.Length, NinoSerializer.Serialize(value).Length);
                        if (isStable) Assert.Equal(expected, NinoSerializer.Serialize(value));
                        writes++;
                    }

                    var entered = new OddWriter(oddity)
                    {
                        Asked = () =>
                        {
                            byte[] inner = NinoSerializer.Serialize(value);
                            Assert.Equal(expected.Length, inner.Length);
                            if (isStable) Assert.Equal(expected, inner);
                            NinoSerializer.Clone(value);
                        },
                    };
                    Write(entered, way, whole, isStable, mayRefuse: false);
                    writes++;
                }
            }
        }

        return writes;
    }

    private static IEnumerable<Func<OddWriter, long>> Ways<T>(T value, NinoHeader header)
    {
        if (header == NinoHeader.None) yield return writer => NinoSerializer.Serialize((System.Buffers.IBufferWriter<byte>)writer, value);
        if (header == NinoHeader.None) yield return writer => Record(writer, value);
        yield return writer => NinoSerializer.Serialize((System.Buffers.IBufferWriter<byte>)writer, value, header);
        // A number that is not there is no object.
        if (value is not null) yield return writer => NinoSerializer.Serialize((System.Buffers.IBufferWriter<byte>)writer, value, typeof(T), header);
        yield return writer => NinoSerializer.SerializeAsync((PipeWriter)writer, value, header).AsTask().GetAwaiter().GetResult();
    }

    private static long Record<T>(OddWriter output, T value)
    {
        var writer = new NinoWriter(output);
        NinoCodec<T>.Default.WriteRecord(ref writer, in value);
        writer.Flush();
        return writer.BytesWritten;
    }

    private static void Write(OddWriter writer, Func<OddWriter, long> way, byte[] expected, bool isStable, bool mayRefuse)
    {
        try
        {
            Assert.Equal(expected.Length, way(writer));
        }
        catch (InvalidOperationException error) when (mayRefuse)
        {
            Assert.Contains("breaks the contract of IBufferWriter", error.Message, StringComparison.Ordinal);
            writer.AssertMarginsAreUntouched();
            return;
        }

        writer.AssertMarginsAreUntouched();
        Assert.Equal(expected.Length, writer.Written.Length);
        if (isStable) Assert.Equal(expected, writer.Written);
    }
}
