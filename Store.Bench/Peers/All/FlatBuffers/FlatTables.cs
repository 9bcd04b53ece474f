// The workloads as FlatBuffers: what its compiler would write for this schema, over the builder and the accessors of its library.
//
//   struct Pair { first:int; second:int; }        struct Key { low:long; high:long; }        struct SimpleStruct { id:int; created_at:long; }
//   table Text { key:int; value:string; }
//   table SimpleClass { id:int; name:string; numbers:[int]; dates:[long]; texts:[Text]; pairs:[Pair]; }
//   table Poco { text:string; number:int; key:Key; when:long; }
//   table SimpleModel { test_int:int; test_string:string; test_bool:bool; }
//   table NineInts { p1:int; ... p9:int; }
//   table One { value:SimpleStruct; }   table Structs { items:[SimpleStruct]; }   table Items { items:[a table]; }
//
// Dates are .NET's own number with their kind. A table's field n has its place at 4 + 2n of the vtable.

using System.Runtime.InteropServices;
using Google.FlatBuffers;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>One type as a table.</summary>
internal interface IFlatTable<T>
{
    /// <summary>Writes the value; the table's offset.</summary>
    static abstract int Pack(FlatBufferBuilder builder, T value);

    /// <summary>Reads a new object.</summary>
    static abstract T Unpack(Table table);
}

internal readonly struct FlatSimpleClass : IFlatTable<SimpleClass>
{
    public static int Pack(FlatBufferBuilder builder, SimpleClass value)
    {
        int name = builder.CreateString(value.Name).Value;
        builder.StartVector(sizeof(int), value.Numbers.Length, sizeof(int));
        builder.Add(value.Numbers);
        int numbers = builder.EndVector().Value;
        builder.StartVector(sizeof(long), value.Dates.Count, sizeof(long));
        for (int i = value.Dates.Count - 1; i >= 0; i--) builder.AddLong(value.Dates[i].ToBinary());
        int dates = builder.EndVector().Value;

        int count = 0;
        Span<int> offsets = value.Texts.Count <= 64 ? stackalloc int[64] : new int[value.Texts.Count];
        foreach (var (key, text) in value.Texts)
        {
            int textOffset = builder.CreateString(text).Value;
            builder.StartTable(2);
            builder.AddInt(0, key, 0);
            builder.AddOffset(1, textOffset, 0);
            offsets[count++] = builder.EndTable();
        }
        builder.StartVector(sizeof(int), count, sizeof(int));
        while (count > 0) builder.AddOffset(offsets[--count]);
        int texts = builder.EndVector().Value;

        builder.StartVector(2 * sizeof(int), value.Pairs.Count, sizeof(int));
        foreach (var (key, number) in value.Pairs)
        {
            builder.Prep(sizeof(int), 2 * sizeof(int));
            builder.PutInt(number);
            builder.PutInt(key);
        }
        int pairs = builder.EndVector().Value;

        builder.StartTable(6);
        builder.AddOffset(5, pairs, 0);
        builder.AddOffset(4, texts, 0);
        builder.AddOffset(3, dates, 0);
        builder.AddOffset(2, numbers, 0);
        builder.AddOffset(1, name, 0);
        builder.AddInt(0, value.Id, 0);
        return builder.EndTable();
    }

    public static SimpleClass Unpack(Table table)
    {
        ByteBuffer bytes = table.bb;
        (int dates, int dateCount) = Flat.Vector(table, 3);
        (int texts, int textCount) = Flat.Vector(table, 4);
        (int pairs, int pairCount) = Flat.Vector(table, 5);
        var value = new SimpleClass
        {
            Id = Flat.Int(table, 0),
            Name = Flat.String(table, 1),
            Numbers = table.__vector_as_array<int>(4 + (2 * 2)) ?? [],
            Dates = new List<DateTime>(dateCount),
            Texts = new Dictionary<int, string>(textCount),
            Pairs = new Dictionary<int, int>(pairCount),
        };
        for (int i = 0; i < dateCount; i++) value.Dates.Add(DateTime.FromBinary(bytes.GetLong(dates + (i * sizeof(long)))));
        for (int i = 0; i < textCount; i++)
        {
            var text = new Table(table.__indirect(texts + (i * sizeof(int))), bytes);
            value.Texts.Add(Flat.Int(text, 0), Flat.String(text, 1));
        }
        for (int i = 0; i < pairCount; i++) value.Pairs.Add(bytes.GetInt(pairs + (i * 8)), bytes.GetInt(pairs + (i * 8) + 4));
        return value;
    }
}

internal readonly struct FlatPoco : IFlatTable<Poco>
{
    public static int Pack(FlatBufferBuilder builder, Poco value) => Flat.Members(builder, value.Text, value.Number, value.Key, value.When);

    public static Poco Unpack(Table table) => new() { Text = Flat.String(table, 0), Number = Flat.Int(table, 1), Key = Flat.Key(table, 2), When = Flat.Date(table, 3) };
}

internal readonly struct FlatImmutablePoco : IFlatTable<ImmutablePoco>
{
    public static int Pack(FlatBufferBuilder builder, ImmutablePoco value) => Flat.Members(builder, value.Text, value.Number, value.Key, value.When);

    public static ImmutablePoco Unpack(Table table) => new(Flat.String(table, 0), Flat.Int(table, 1), Flat.Key(table, 2), Flat.Date(table, 3));
}

internal readonly struct FlatSimpleModel : IFlatTable<SimpleModel>
{
    public static int Pack(FlatBufferBuilder builder, SimpleModel value)
    {
        int text = builder.CreateString(value.TestString).Value;
        builder.StartTable(3);
        builder.AddOffset(1, text, 0);
        builder.AddInt(0, value.TestInt, 0);
        builder.AddBool(2, value.TestBool, false);
        return builder.EndTable();
    }

    public static SimpleModel Unpack(Table table)
    {
        int flag = table.__offset(4 + (2 * 2));
        return new SimpleModel { TestInt = Flat.Int(table, 0), TestString = Flat.String(table, 1), TestBool = flag != 0 && table.bb.Get(flag + table.bb_pos) != 0 };
    }
}

internal readonly struct FlatNineInts : IFlatTable<NineInts>
{
    public static int Pack(FlatBufferBuilder builder, NineInts value)
    {
        builder.StartTable(9);
        builder.AddInt(8, value.P9, 0);
        builder.AddInt(7, value.P8, 0);
        builder.AddInt(6, value.P7, 0);
        builder.AddInt(5, value.P6, 0);
        builder.AddInt(4, value.P5, 0);
        builder.AddInt(3, value.P4, 0);
        builder.AddInt(2, value.P3, 0);
        builder.AddInt(1, value.P2, 0);
        builder.AddInt(0, value.P1, 0);
        return builder.EndTable();
    }

    public static NineInts Unpack(Table table) => new()
    {
        P1 = Flat.Int(table, 0), P2 = Flat.Int(table, 1), P3 = Flat.Int(table, 2), P4 = Flat.Int(table, 3), P5 = Flat.Int(table, 4),
        P6 = Flat.Int(table, 5), P7 = Flat.Int(table, 6), P8 = Flat.Int(table, 7), P9 = Flat.Int(table, 8),
    };
}

/// <summary>A struct alone: a root is always a table.</summary>
internal readonly struct FlatOneStruct : IFlatTable<SimpleStruct>
{
    public static int Pack(FlatBufferBuilder builder, SimpleStruct value)
    {
        builder.StartTable(1);
        builder.AddStruct(0, Flat.Struct(builder, value), 0);
        return builder.EndTable();
    }

    public static SimpleStruct Unpack(Table table)
    {
        int at = table.__offset(4);
        return at == 0 ? default : Flat.Struct(table.bb, at + table.bb_pos);
    }
}

internal readonly struct FlatStructs : IFlatTable<SimpleStruct[]>
{
    public static int Pack(FlatBufferBuilder builder, SimpleStruct[] value)
    {
        builder.StartVector(Flat.StructBytes, value.Length, sizeof(long));
        for (int i = value.Length - 1; i >= 0; i--) Flat.Struct(builder, value[i]);
        int items = builder.EndVector().Value;
        builder.StartTable(1);
        builder.AddOffset(0, items, 0);
        return builder.EndTable();
    }

    public static SimpleStruct[] Unpack(Table table)
    {
        (int start, int count) = Flat.Vector(table, 0);
        var items = new SimpleStruct[count];
        for (int i = 0; i < items.Length; i++) items[i] = Flat.Struct(table.bb, start + (i * Flat.StructBytes));
        return items;
    }
}

/// <summary>A vector of tables.</summary>
internal readonly struct FlatItems<TTable, T> : IFlatTable<List<T>> where TTable : struct, IFlatTable<T>
{
    // Reused: the offsets of the items are collected before the vector is written.
    private static int[] _offsets = [];

    public static int Pack(FlatBufferBuilder builder, List<T> value)
    {
        if (_offsets.Length < value.Count) _offsets = new int[value.Count];
        int[] offsets = _offsets;
        for (int i = 0; i < value.Count; i++) offsets[i] = TTable.Pack(builder, value[i]);
        builder.StartVector(sizeof(int), value.Count, sizeof(int));
        for (int i = value.Count - 1; i >= 0; i--) builder.AddOffset(offsets[i]);
        int items = builder.EndVector().Value;
        builder.StartTable(1);
        builder.AddOffset(0, items, 0);
        return builder.EndTable();
    }

    public static List<T> Unpack(Table table)
    {
        (int start, int count) = Flat.Vector(table, 0);
        var items = new List<T>(count);
        for (int i = 0; i < count; i++) items.Add(TTable.Unpack(new Table(table.__indirect(start + (i * sizeof(int))), table.bb)));
        return items;
    }
}

/// <summary>What the tables share.</summary>
internal static class Flat
{
    /// <summary>int, 4 bytes of padding, long.</summary>
    public const int StructBytes = 16;

    public static int Int(Table table, int field)
    {
        int at = table.__offset(4 + (2 * field));
        return at == 0 ? 0 : table.bb.GetInt(at + table.bb_pos);
    }

    public static string String(Table table, int field)
    {
        int at = table.__offset(4 + (2 * field));
        return at == 0 ? "" : table.__string(at + table.bb_pos);
    }

    public static DateTime Date(Table table, int field)
    {
        int at = table.__offset(4 + (2 * field));
        return at == 0 ? default : DateTime.FromBinary(table.bb.GetLong(at + table.bb_pos));
    }

    public static Guid Key(Table table, int field)
    {
        int at = table.__offset(4 + (2 * field));
        if (at == 0) return default;
        Span<long> halves = [table.bb.GetLong(at + table.bb_pos), table.bb.GetLong(at + table.bb_pos + sizeof(long))];
        return MemoryMarshal.Read<Guid>(MemoryMarshal.AsBytes(halves));
    }

    /// <summary>Where a vector begins, and its items.</summary>
    public static (int Start, int Count) Vector(Table table, int field)
    {
        int at = table.__offset(4 + (2 * field));
        return at == 0 ? (0, 0) : (table.__vector(at), table.__vector_len(at));
    }

    public static SimpleStruct Struct(ByteBuffer bytes, int at) => new() { Id = bytes.GetInt(at), CreatedAt = DateTime.FromBinary(bytes.GetLong(at + 8)) };

    public static int Struct(FlatBufferBuilder builder, SimpleStruct value)
    {
        builder.Prep(sizeof(long), StructBytes);
        builder.PutLong(value.CreatedAt.ToBinary());
        builder.Pad(sizeof(int));
        builder.PutInt(value.Id);
        return builder.Offset;
    }

    /// <summary>The table Poco, for both classes that have its members.</summary>
    public static int Members(FlatBufferBuilder builder, string text, int number, Guid key, DateTime when)
    {
        int textOffset = builder.CreateString(text).Value;
        Span<Guid> keys = [key];
        Span<long> halves = MemoryMarshal.Cast<Guid, long>(keys);
        builder.StartTable(4);
        builder.AddLong(3, when.ToBinary(), 0);
        builder.Prep(sizeof(long), 2 * sizeof(long));
        builder.PutLong(halves[1]);
        builder.PutLong(halves[0]);
        builder.AddStruct(2, builder.Offset, 0);
        builder.AddInt(1, number, 0);
        builder.AddOffset(0, textOffset, 0);
        return builder.EndTable();
    }
}
