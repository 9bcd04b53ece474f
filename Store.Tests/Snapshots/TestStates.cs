// The states that snapshot tests write: encoded by hand, so that these tests depend on no generated code.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization;

namespace Store.Tests.Snapshots;

/// <summary>A small state: a number and bytes.</summary>
public sealed record Counter(int Number, byte[] Payload)
{
    public bool Equals(Counter? other) => other is not null && other.Number == Number && other.Payload.AsSpan().SequenceEqual(Payload);

    public override int GetHashCode() => Number;

    /// <summary>A state whose every byte follows from its number, so that a mix of two states equals neither.</summary>
    public static Counter Numbered(int number, int payloadBytes = 200)
    {
        var payload = new byte[payloadBytes];
        new Random(number).NextBytes(payload);
        return new Counter(number, payload);
    }
}

/// <summary>Another type in the same folder.</summary>
public readonly record struct Score(long Points);

/// <summary><see cref="Counter"/> under the same name whose number became something that no number can be read as.</summary>
public readonly record struct CounterOfTomorrow(Guid Number);

/// <summary>A state that is far larger on disk than in memory: the numbers 0, 1, … as a list.</summary>
public readonly record struct Huge(long Count);

/// <summary>A state whose codec fails in the middle of writing.</summary>
public readonly record struct Unwritable(int BytesBeforeFailure);

public static class TestStates
{
    [ModuleInitializer]
    public static void Register()
    {
        NinoRegistry.Register<Counter, CounterCodec>();
        NinoRegistry.Register<Score, ScoreCodec>();
        NinoRegistry.Register<CounterOfTomorrow, CounterOfTomorrowCodec>();
        NinoRegistry.Register<Huge, HugeCodec>();
        NinoRegistry.Register<Unwritable, UnwritableCodec>();
    }

    private readonly struct CounterCodec : INinoCodec<Counter>
    {
        public static CodecForm Form => CodecForm.Object;

        public static int MinSize => 1;

        public static int MinBodySize => 5;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Counter), "Tests.Counter", true, static fields =>
        {
            fields.Add("Number", 0, SchemaNode.Primitive(SchemaKind.Int32));
            fields.Add("Payload", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.Byte)));
        });

        public void Write(ref NinoWriter writer, in Counter value)
        {
            writer.Take(1) = value is null ? (byte)0 : (byte)1;
            if (value is not null) WriteBody(ref writer, in value);
        }

        public Counter Read(ref NinoReader reader) => reader.Take(1) == 0 ? null! : ReadBody(ref reader);

        public void WriteBody(ref NinoWriter writer, in Counter value)
        {
            Unsafe.WriteUnaligned(ref writer.Take(4), value.Number);
            writer.WriteCompact((uint)value.Payload.Length + 1);
            writer.WriteBytes(value.Payload);
        }

        public Counter ReadBody(ref NinoReader reader)
        {
            int number = MemoryMarshal.Read<int>(reader.TakeSpan(4));
            int count = reader.ReadCount(1);
            if (count < 0) throw new NinoSerializationException("The payload is null.");
            return new Counter(number, reader.TakeSpan(count).ToArray());
        }
    }

    private readonly struct ScoreCodec : INinoCodec<Score>
    {
        public static int MinSize => 8;

        public static SchemaNode Describe(SchemaBuilder builder) =>
            builder.Object(typeof(Score), "Tests.Score", false, static fields => fields.Add("Points", 0, SchemaNode.Primitive(SchemaKind.Int64)));

        public void Write(ref NinoWriter writer, in Score value) => Unsafe.WriteUnaligned(ref writer.Take(8), value.Points);

        public Score Read(ref NinoReader reader) => new(MemoryMarshal.Read<long>(reader.TakeSpan(8)));
    }

    private readonly struct CounterOfTomorrowCodec : INinoCodec<CounterOfTomorrow>
    {
        public static int MinSize => 16;

        public static SchemaNode Describe(SchemaBuilder builder) =>
            builder.Object(typeof(CounterOfTomorrow), "Tests.Counter", false, static fields => fields.Add("Number", 0, SchemaNode.Primitive(SchemaKind.Guid)));

        public void Write(ref NinoWriter writer, in CounterOfTomorrow value) => value.Number.TryWriteBytes(System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref writer.Take(16), 16));

        public CounterOfTomorrow Read(ref NinoReader reader) => new(new Guid(reader.TakeSpan(16)));
    }

    private readonly struct HugeCodec : INinoCodec<Huge>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) =>
            builder.Object(typeof(Huge), "Tests.Huge", false, static fields => fields.Add("Numbers", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.Int64))));

        public void Write(ref NinoWriter writer, in Huge value)
        {
            writer.WriteCompact((uint)value.Count + 1);
            for (long i = 0; i < value.Count; i++) Unsafe.WriteUnaligned(ref writer.Take(8), i);
        }

        public Huge Read(ref NinoReader reader)
        {
            int count = reader.ReadCount(8);
            for (long i = 0; i < count; i++)
                if (MemoryMarshal.Read<long>(reader.TakeSpan(8)) != i) throw new NinoSerializationException($"Number {i} is another one.");
            return new Huge(count);
        }
    }

    private readonly struct UnwritableCodec : INinoCodec<Unwritable>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) =>
            builder.Object(typeof(Unwritable), "Tests.Unwritable", false, static fields => fields.Add("Bytes", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.Byte))));

        public void Write(ref NinoWriter writer, in Unwritable value)
        {
            for (int i = 0; i < value.BytesBeforeFailure; i++) writer.Take(1) = 7;
            throw new NinoSerializationException("The value has no encoding.");
        }

        public Unwritable Read(ref NinoReader reader) => throw new NinoSerializationException("There is no such record.");
    }
}
