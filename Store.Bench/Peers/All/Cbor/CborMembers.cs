// The workloads in CBOR (RFC 8949), each type as an array of its members, over the reader and writer of System.Formats.Cbor. Dates are .NET's own number with
// their kind, a Guid is its 16 bytes.

using System.Formats.Cbor;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>One type in CBOR.</summary>
internal interface ICborType<T>
{
    static abstract void Write(CborWriter writer, T value);

    static abstract T Read(CborReader reader);
}

internal readonly struct CborSimpleClass : ICborType<SimpleClass>
{
    public static void Write(CborWriter writer, SimpleClass value)
    {
        writer.WriteStartArray(6);
        writer.WriteInt32(value.Id);
        writer.WriteTextString(value.Name);
        writer.WriteStartArray(value.Numbers.Length);
        foreach (int number in value.Numbers) writer.WriteInt32(number);
        writer.WriteEndArray();
        writer.WriteStartArray(value.Dates.Count);
        foreach (DateTime date in value.Dates) writer.WriteInt64(date.ToBinary());
        writer.WriteEndArray();
        writer.WriteStartMap(value.Texts.Count);
        foreach (var (key, text) in value.Texts)
        {
            writer.WriteInt32(key);
            writer.WriteTextString(text);
        }
        writer.WriteEndMap();
        writer.WriteStartMap(value.Pairs.Count);
        foreach (var (key, number) in value.Pairs)
        {
            writer.WriteInt32(key);
            writer.WriteInt32(number);
        }
        writer.WriteEndMap();
        writer.WriteEndArray();
    }

    public static SimpleClass Read(CborReader reader)
    {
        Cbor.StartArray(reader, 6);
        var value = new SimpleClass { Id = reader.ReadInt32(), Name = reader.ReadTextString(), Numbers = new int[Cbor.StartArray(reader)] };
        for (int i = 0; i < value.Numbers.Length; i++) value.Numbers[i] = reader.ReadInt32();
        reader.ReadEndArray();
        int dates = Cbor.StartArray(reader);
        value.Dates = new List<DateTime>(dates);
        for (int i = 0; i < dates; i++) value.Dates.Add(DateTime.FromBinary(reader.ReadInt64()));
        reader.ReadEndArray();
        int texts = Cbor.StartMap(reader);
        value.Texts = new Dictionary<int, string>(texts);
        for (int i = 0; i < texts; i++) value.Texts.Add(reader.ReadInt32(), reader.ReadTextString());
        reader.ReadEndMap();
        int pairs = Cbor.StartMap(reader);
        value.Pairs = new Dictionary<int, int>(pairs);
        for (int i = 0; i < pairs; i++) value.Pairs.Add(reader.ReadInt32(), reader.ReadInt32());
        reader.ReadEndMap();
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborSimpleStruct : ICborType<SimpleStruct>
{
    public static void Write(CborWriter writer, SimpleStruct value)
    {
        writer.WriteStartArray(2);
        writer.WriteInt32(value.Id);
        writer.WriteInt64(value.CreatedAt.ToBinary());
        writer.WriteEndArray();
    }

    public static SimpleStruct Read(CborReader reader)
    {
        Cbor.StartArray(reader, 2);
        var value = new SimpleStruct { Id = reader.ReadInt32(), CreatedAt = DateTime.FromBinary(reader.ReadInt64()) };
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborPoco : ICborType<Poco>
{
    public static void Write(CborWriter writer, Poco value) => Cbor.Members(writer, value.Text, value.Number, value.Key, value.When);

    public static Poco Read(CborReader reader)
    {
        Cbor.StartArray(reader, 4);
        var value = new Poco { Text = reader.ReadTextString(), Number = reader.ReadInt32(), Key = Cbor.Key(reader), When = DateTime.FromBinary(reader.ReadInt64()) };
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborImmutablePoco : ICborType<ImmutablePoco>
{
    public static void Write(CborWriter writer, ImmutablePoco value) => Cbor.Members(writer, value.Text, value.Number, value.Key, value.When);

    public static ImmutablePoco Read(CborReader reader)
    {
        Cbor.StartArray(reader, 4);
        var value = new ImmutablePoco(reader.ReadTextString(), reader.ReadInt32(), Cbor.Key(reader), DateTime.FromBinary(reader.ReadInt64()));
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborSimpleModel : ICborType<SimpleModel>
{
    public static void Write(CborWriter writer, SimpleModel value)
    {
        writer.WriteStartArray(3);
        writer.WriteInt32(value.TestInt);
        writer.WriteTextString(value.TestString);
        writer.WriteBoolean(value.TestBool);
        writer.WriteEndArray();
    }

    public static SimpleModel Read(CborReader reader)
    {
        Cbor.StartArray(reader, 3);
        var value = new SimpleModel { TestInt = reader.ReadInt32(), TestString = reader.ReadTextString(), TestBool = reader.ReadBoolean() };
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborNineInts : ICborType<NineInts>
{
    public static void Write(CborWriter writer, NineInts value)
    {
        writer.WriteStartArray(9);
        writer.WriteInt32(value.P1);
        writer.WriteInt32(value.P2);
        writer.WriteInt32(value.P3);
        writer.WriteInt32(value.P4);
        writer.WriteInt32(value.P5);
        writer.WriteInt32(value.P6);
        writer.WriteInt32(value.P7);
        writer.WriteInt32(value.P8);
        writer.WriteInt32(value.P9);
        writer.WriteEndArray();
    }

    public static NineInts Read(CborReader reader)
    {
        Cbor.StartArray(reader, 9);
        var value = new NineInts
        {
            P1 = reader.ReadInt32(), P2 = reader.ReadInt32(), P3 = reader.ReadInt32(), P4 = reader.ReadInt32(), P5 = reader.ReadInt32(),
            P6 = reader.ReadInt32(), P7 = reader.ReadInt32(), P8 = reader.ReadInt32(), P9 = reader.ReadInt32(),
        };
        reader.ReadEndArray();
        return value;
    }
}

internal readonly struct CborArray<TItem, T> : ICborType<T[]> where TItem : struct, ICborType<T>
{
    public static void Write(CborWriter writer, T[] value)
    {
        writer.WriteStartArray(value.Length);
        foreach (T item in value) TItem.Write(writer, item);
        writer.WriteEndArray();
    }

    public static T[] Read(CborReader reader)
    {
        var items = new T[Cbor.StartArray(reader)];
        for (int i = 0; i < items.Length; i++) items[i] = TItem.Read(reader);
        reader.ReadEndArray();
        return items;
    }
}

internal readonly struct CborList<TItem, T> : ICborType<List<T>> where TItem : struct, ICborType<T>
{
    public static void Write(CborWriter writer, List<T> value)
    {
        writer.WriteStartArray(value.Count);
        foreach (T item in value) TItem.Write(writer, item);
        writer.WriteEndArray();
    }

    public static List<T> Read(CborReader reader)
    {
        int count = Cbor.StartArray(reader);
        var items = new List<T>(count);
        for (int i = 0; i < count; i++) items.Add(TItem.Read(reader));
        reader.ReadEndArray();
        return items;
    }
}

/// <summary>What the types share.</summary>
internal static class Cbor
{
    public static int StartArray(CborReader reader) => reader.ReadStartArray() ?? throw new InvalidDataException("An array without its length: not written here.");

    public static void StartArray(CborReader reader, int members)
    {
        int found = StartArray(reader);
        if (found != members) throw new InvalidDataException($"{members} members expected, {found} found.");
    }

    public static int StartMap(CborReader reader) => reader.ReadStartMap() ?? throw new InvalidDataException("A map without its length: not written here.");

    public static Guid Key(CborReader reader)
    {
        Span<byte> bytes = stackalloc byte[16];
        if (!reader.TryReadByteString(bytes, out int length) || length != bytes.Length) throw new InvalidDataException("A Guid has 16 bytes.");
        return new Guid(bytes);
    }

    public static void Members(CborWriter writer, string text, int number, Guid key, DateTime when)
    {
        Span<byte> bytes = stackalloc byte[16];
        key.TryWriteBytes(bytes);
        writer.WriteStartArray(4);
        writer.WriteTextString(text);
        writer.WriteInt32(number);
        writer.WriteByteString(bytes);
        writer.WriteInt64(when.ToBinary());
        writer.WriteEndArray();
    }
}
