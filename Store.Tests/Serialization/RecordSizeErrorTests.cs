// What the error of a record above the limit says, on every way in: whose record it is, what the limit is, and which option raises it.

using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Serialization;

public class RecordSizeErrorTests
{
    private static readonly NinoLimits Limits = new() { MaxRecordBytes = 12 };
    private static readonly Gauge AGauge = new() { Id = 1, At = DateTime.UnixEpoch };

    /// <summary>Of one size, and one that a reader reads.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ItNamesTheTypeTheLimitAndTheOption(bool isOfOneSize)
    {
        if (isOfOneSize) await Check(AGauge);
        else await Check("more than twelve characters");

        static async Task Check<T>(T value)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            byte[] withSchema = NinoSerializer.Serialize(value, NinoHeader.Schema);
            Assert.True(bytes.Length > Limits.MaxRecordBytes);
            IsNamed<T>(() => NinoSerializer.Serialize(value, Limits));
            IsNamed<T>(() => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), value, Limits));
            IsNamed<T>(() => NinoSerializer.TrySerialize(value, new byte[100], out _, Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize<T>(bytes, Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize<T>(withSchema, NinoHeader.Schema, Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize<T>(InTwo(bytes), Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize<T>(InTwo(new byte[1 << 22]), NinoHeader.Schema, Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize<T>(new MemoryStream(bytes), limits: Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize(typeof(T), new MemoryStream(bytes), limits: Limits));
            IsNamed<T>(() => NinoSerializer.Deserialize(typeof(T), bytes, limits: Limits));
            IsNamed<T>(() =>
            {
                T? into = value;
                NinoSerializer.Deserialize(bytes, ref into, Limits);
            });
            IsNamed<T>(() => NinoValue.Decode(NinoSerializer.SchemaOf<T>(), bytes, Limits));
            IsNamed<T>(await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync<T>(new MemoryStream(bytes), limits: Limits)));
            IsNamed<T>(await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeAsync<T>(PipeReader.Create(new ReadOnlySequence<byte>(bytes)), limits: Limits)));
        }
    }

    /// <summary>No option makes an array longer.</summary>
    [Fact]
    public void WhatNoArrayHoldsIsNotSaidToBeAMatterOfTheLimit()
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(static () => Throw.RecordTooLarge(Array.MaxLength));
        Assert.Contains("one array", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(nameof(NinoLimits), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TheStoreNamesThemToo()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxRecordSizeBytes = 1000 });
        string[] texts = [new('a', 1000), new('a', 1_000_000)];
        string name = NinoSerializer.SchemaOf<string>().Name;
        foreach (string text in texts)
        {
            Refused(() => store.Append(text));
            Refused(() => store.AppendAsync(text).AsTask().GetAwaiter().GetResult());
            Refused(() => store.AppendRecord(NinoSerializer.SchemaOf<string>(), new byte[text.Length + 1]));
            Refused(() => store.AppendBatch<string>(["small", text]));
            Refused(() =>
            {
                using LogAppender<string> appender = store.OpenAppender<string>();
                appender.Append(text);
            });
        }

        Assert.Contains(NinoSerializer.SchemaOf<byte[]>().Name, Assert.Throws<RecordTooLargeException>(() => store.AppendBatch<byte[]>([[1], new byte[1001]])).Message, StringComparison.Ordinal);
        Assert.Equal(0, store.LastSequence);

        void Refused(Action append)
        {
            string message = Assert.Throws<RecordTooLargeException>(append).Message;
            Assert.All(["'" + name + "'", "1000 bytes", $"{nameof(NinoStoreOptions)}.{nameof(NinoStoreOptions.MaxRecordSizeBytes)}"], part => Assert.Contains(part, message, StringComparison.Ordinal));
        }
    }

    private static void IsNamed<T>(Action refused) => IsNamed<T>(Assert.Throws<NinoSerializationException>(refused));

    private static void IsNamed<T>(NinoSerializationException error)
    {
        string name = NinoSerializer.SchemaOf<T>().Name;
        Assert.Equal(name, error.TypeName);
        Assert.All(["'" + name + "'", "12 bytes", $"{nameof(NinoLimits)}.{nameof(NinoLimits.MaxRecordBytes)}"], part => Assert.Contains(part, error.Message, StringComparison.Ordinal));
    }

    private static ReadOnlySequence<byte> InTwo(byte[] bytes) => Pieces.Of<byte>(bytes.AsMemory(0, 1), bytes.AsMemory(1));
}
