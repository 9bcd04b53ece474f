// Codecs that do otherwise than they say of themselves, where they are told to.

using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

public enum Fault
{
    None,
    Nothing,
    Less,
    More,
    Elsewhere,
    ElsewhereInASpan,
    Back,
    BackAfterMoreMemory,
    BackIntoOldMemory,
    ThrowsFirst,
    ThrowsLast,
}

/// <summary>What the codecs of this thread do to a value.</summary>
internal static class Faults
{
    [ThreadStatic]
    private static (Fault Fault, string At) t_now;

    /// <summary>What was rented in a codec, all full of 0xEE.</summary>
    public static List<byte[]> Taken { get; } = [];

    public static Fault For(string at) => t_now.At == at ? t_now.Fault : Fault.None;

    /// <summary>When values are read, what comes is known by its bytes.</summary>
    public static Fault ForNext(ref readonly NinoReader reader, Func<NinoReader, string> read) => t_now.Fault == Fault.None ? Fault.None : For(read(reader));

    public static T During<T>(Fault fault, string at, Func<T> run)
    {
        t_now = (fault, at);
        try
        {
            return run();
        }
        finally
        {
            t_now = default;
        }
    }

    public static void Throw(Fault fault, Fault when)
    {
        if (fault == when) throw new NinoSerializationException("It was told to.");
    }

    /// <summary>Writes so much that more memory is needed, whatever there was.</summary>
    public static void WriteMuch(ref NinoWriter writer)
    {
        for (int i = 0; i < 100; i++) writer.WriteBytes(new byte[4096]);
    }
}

[NinoCodec(typeof(ContraryTextCodec))]
public readonly record struct ContraryText(string Text);

public readonly struct ContraryTextCodec : INinoCodec<ContraryText>
{
    public static int MinSize => StringCodec.MinSize;

    public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

    public void Write(ref NinoWriter writer, in ContraryText value)
    {
        Fault fault = Faults.For(value.Text);
        Faults.Throw(fault, Fault.ThrowsFirst);
        NinoWriter copy = writer;
        switch (fault)
        {
            case Fault.Less:
                return;
            case Fault.Elsewhere:
                writer = new NinoWriter(new ArrayBufferWriter<byte>());
                writer.WriteBytes(new byte[100]);
                return;
            case Fault.ElsewhereInASpan:
                writer = new NinoWriter(new byte[100]);
                writer.WriteBytes(new byte[100]);
                return;
            case Fault.Back:
                writer.WriteBytes(new byte[50]);
                writer = copy;
                break;
            case Fault.BackAfterMoreMemory:
                Faults.WriteMuch(ref writer);
                writer = copy;
                break;
            case Fault.BackIntoOldMemory:
                // Into memory of the pool first, which is outgrown then.
                writer.WriteBytes(new byte[40_000]);
                copy = writer;
                Faults.WriteMuch(ref writer);
                for (int size = 1 << 14; size <= 1 << 20; size *= 2)
                {
                    for (int i = 0; i < 4; i++)
                    {
                        byte[] taken = ArrayPool<byte>.Shared.Rent(size);
                        taken.AsSpan().Fill(0xEE);
                        Faults.Taken.Add(taken);
                    }
                }

                writer = copy;
                writer.WriteBytes(new byte[1000]);
                return;
        }

        default(StringCodec).Write(ref writer, value.Text);
        Faults.Throw(fault, Fault.ThrowsLast);
    }

    public ContraryText Read(ref NinoReader reader)
    {
        Fault fault = Faults.ForNext(in reader, static copy => default(StringCodec).Read(ref copy));
        Faults.Throw(fault, Fault.ThrowsFirst);
        NinoReader before = reader;
        switch (fault)
        {
            case Fault.Nothing:
                return default;
            case Fault.Elsewhere:
                reader = new NinoReader(new byte[100]);
                reader.Take(50);
                return default;
            case Fault.Back:
                reader.Take(2);
                reader = before;
                break;
        }

        string text = default(StringCodec).Read(ref reader);
        Faults.Throw(fault, Fault.ThrowsLast);
        return new ContraryText(text);
    }
}

[NinoCodec(typeof(TolerantCodec))]
public readonly record struct Tolerant(string Text);

/// <summary>Writes a word and the text, and something else where the other codec fails.</summary>
public readonly struct TolerantCodec : INinoCodec<Tolerant>
{
    public static int MinSize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(StringCodec.Describe(builder));

    public void Write(ref NinoWriter writer, in Tolerant value)
    {
        writer.WriteCompact(3);
        default(StringCodec).Write(ref writer, "word");
        try
        {
            default(CustomCodec<ContraryText, ContraryTextCodec>).Write(ref writer, new ContraryText(value.Text));
        }
        catch (NinoSerializationException)
        {
            default(StringCodec).Write(ref writer, "instead");
        }
    }

    public Tolerant Read(ref NinoReader reader)
    {
        Assert.Equal(2, reader.ReadCount(1));
        Assert.Equal("word", default(StringCodec).Read(ref reader));
        try
        {
            return new Tolerant(default(CustomCodec<ContraryText, ContraryTextCodec>).Read(ref reader).Text);
        }
        catch (NinoSerializationException)
        {
            return new Tolerant("instead");
        }
    }
}

[NinoType]
public sealed class Tolerance
{
    public string Before { get; set; } = "";

    public Tolerant Text { get; set; }

    public string Behind { get; set; } = "";
}

[NinoCodec(typeof(ContraryNumberCodec))]
public readonly record struct ContraryNumber(long Number);

public readonly struct ContraryNumberCodec : INinoCodec<ContraryNumber>
{
    public static CodecForm Form => CodecForm.Fixed;

    public static int FixedSize => sizeof(long);

    public static int MinSize => sizeof(long);

    public static SchemaNode Describe(SchemaBuilder builder) => Int64Codec.Describe(builder);

    public void WriteFixed(ref byte destination, in ContraryNumber value)
    {
        Faults.Throw(Faults.For(Name(value.Number)), Fault.ThrowsFirst);
        default(Int64Codec).WriteFixed(ref destination, value.Number);
    }

    public ContraryNumber ReadFixed(ref readonly byte source)
    {
        long number = default(Int64Codec).ReadFixed(in source);
        Faults.Throw(Faults.For(Name(number)), Fault.ThrowsFirst);
        return new ContraryNumber(number);
    }

    public void Write(ref NinoWriter writer, in ContraryNumber value)
    {
        Fault fault = Faults.For(Name(value.Number));
        Faults.Throw(fault, Fault.ThrowsFirst);
        NinoWriter copy = writer;
        switch (fault)
        {
            case Fault.Less or Fault.More:
                writer.WriteBytes(new byte[fault == Fault.Less ? 7 : 9]);
                return;
            case Fault.BackAfterMoreMemory:
                Faults.WriteMuch(ref writer);
                writer = copy;
                break;
        }

        default(Int64Codec).Write(ref writer, value.Number);
    }

    public ContraryNumber Read(ref NinoReader reader)
    {
        Fault fault = Faults.ForNext(in reader, static copy => Name(default(Int64Codec).Read(ref copy)));
        Faults.Throw(fault, Fault.ThrowsFirst);
        switch (fault)
        {
            case Fault.Less or Fault.More:
                reader.Take(fault == Fault.Less ? 7 : 9);
                return default;
            case Fault.Elsewhere:
                reader = new NinoReader(new byte[100]);
                reader.Take(8);
                return default;
            default:
                return new ContraryNumber(default(Int64Codec).Read(ref reader));
        }
    }

    private static string Name(long number) => number.ToString(System.Globalization.CultureInfo.InvariantCulture);
}

[NinoCodec(typeof(ContraryBodyCodec))]
public sealed record ContraryBody(string Text);

public readonly struct ContraryBodyCodec : INinoCodec<ContraryBody?>
{
    public static CodecForm Form => CodecForm.Object;

    public static int MinSize => 1;

    public static int MinBodySize => StringCodec.MinSize;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(ContraryBody), "Store.Tests.ContraryBody", true, static fields => fields.Add("Text", 0, StringCodec.Describe(fields.Builder)));

    public void Write(ref NinoWriter writer, in ContraryBody? value)
    {
        Faults.Throw(Faults.For(value?.Text ?? ""), Fault.ThrowsFirst);
        writer.Take(1) = value is null ? (byte)0 : (byte)1;
        if (value is not null && Faults.For(value.Text) != Fault.Less) WriteBody(ref writer, in value);
    }

    public ContraryBody? Read(ref NinoReader reader)
    {
        Fault fault = Faults.ForNext(in reader, static copy => copy.ReadPresence() ? default(StringCodec).Read(ref copy) : "");
        Faults.Throw(fault, Fault.ThrowsFirst);
        if (!reader.ReadPresence()) return null;
        return fault == Fault.Nothing ? new ContraryBody("") : ReadBody(ref reader);
    }

    public void WriteBody(ref NinoWriter writer, in ContraryBody? value) => default(StringCodec).Write(ref writer, value!.Text);

    public ContraryBody ReadBody(ref NinoReader reader) => new(default(StringCodec).Read(ref reader));
}

[NinoType]
public sealed class Contrary
{
    public string Before { get; set; } = "";

    public ContraryText Text { get; set; }

    public ContraryNumber Number { get; set; }

    public ContraryBody? Body { get; set; }

    public string Middle { get; set; } = "";

    public List<ContraryNumber> Numbers { get; set; } = [];

    public ContraryText[] Texts { get; set; } = [];

    public string Behind { get; set; } = "";
}
