// What is put into the states of the cases besides numbers and strings: objects that can be changed, blocks whose parts belong together, and a type as it was and as it is.

using Store.Serialization;

[assembly: NinoSerializable(typeof(int?))]

namespace Store.Conformance;

/// <summary>A value that can be changed in place, all the way down.</summary>
[NinoType]
internal sealed class CaseNote
{
    public int Number { get; set; }

    public string Text { get; set; } = "";

    public List<int> Marks { get; set; } = [];

    public byte[] Bytes { get; set; } = [];

    public static CaseNote Of(int number) => new() { Number = number, Text = $"note {number}", Marks = [number, number + 1], Bytes = [1, 2, (byte)number] };

    /// <summary>What its owner may do with it at any time.</summary>
    public void Spoil()
    {
        (Number, Text) = (-1, "spoilt");
        Marks.Clear();
        Marks.Add(-1);
        if (Bytes.Length > 0) Bytes[0] = 99;
    }

    public override string ToString() => $"{Number} '{Text}' [{string.Join(',', Marks)}] [{string.Join(',', Bytes)}]";
}

/// <summary>A key that can be changed in place. Equal by its bytes only, as all keys are.</summary>
[NinoType]
internal sealed class CaseKey
{
    public int Area { get; set; }

    public byte[] Tag { get; set; } = [];

    public static CaseKey Of(int number) => new() { Area = number, Tag = [7, (byte)number, (byte)(number >> 8)] };

    /// <inheritdoc cref="CaseNote.Spoil"/>
    public void Spoil()
    {
        Area = -1;
        Tag[0] = 99;
    }

    public override string ToString() => $"{Area} [{string.Join(',', Tag)}]";
}

/// <summary>A value whose parts tell whether they belong together: all cells are its stamp, and it says how many there are.</summary>
[NinoType]
internal sealed class CaseBlock
{
    public long Stamp { get; set; }

    public long[] Cells { get; set; } = [];

    public static CaseBlock Of(long stamp)
    {
        // Few lengths: often one takes the place of another of the same.
        var cells = new long[100 + (20 * (stamp % 3))];
        Array.Fill(cells, stamp);
        return new CaseBlock { Stamp = stamp, Cells = cells };
    }

    public bool IsWhole => Cells.Length == 100 + (20 * (Stamp % 3)) && Cells.AsSpan().IndexOfAnyExcept(Stamp) < 0;
}

/// <summary>A value as an earlier release had it.</summary>
[NinoType]
internal sealed record VisitThen(int Times, string Place);

/// <summary>The same value now: a wider number, and a member more.</summary>
#pragma warning disable NINO021 // What the types were and what they are stand in one program.
[NinoType, NinoFormerName("Store.Conformance.VisitThen")]
internal sealed record VisitNow(string Place, long Times, string Mood = "unknown");

/// <summary>A key as an earlier release had it.</summary>
[NinoType]
internal sealed record SpotThen(int Area, int Part);

/// <summary>The same key without the member that told two of an area apart.</summary>
[NinoType, NinoFormerName("Store.Conformance.SpotThen")]
internal sealed record SpotNow(int Area);

/// <summary>A key of one of two types, as an earlier release had them.</summary>
[NinoType, NinoUnion(0, typeof(RoomThen)), NinoUnion(1, typeof(FloorThen))]
internal abstract record PlaceThen;

[NinoType]
internal sealed record RoomThen(int Number, int Part) : PlaceThen;

[NinoType]
internal sealed record FloorThen(int Level) : PlaceThen;

/// <summary>The same key, when a room has no parts any more.</summary>
[NinoType, NinoUnion(0, typeof(RoomNow)), NinoUnion(1, typeof(FloorNow)), NinoFormerName("Store.Conformance.PlaceThen")]
internal abstract record PlaceNow;

[NinoType, NinoFormerName("Store.Conformance.RoomThen")]
internal sealed record RoomNow(int Number) : PlaceNow;

[NinoType, NinoFormerName("Store.Conformance.FloorThen")]
internal sealed record FloorNow(int Level) : PlaceNow;

/// <summary>A key that can be made and written, and refuses to be read.</summary>
[NinoType]
internal sealed class UnreadKey
{
    public UnreadKey(string name, int part) => (Name, Part) = (name, part);

    public string Name { get; }

    public int Part { get; }

    [NinoConstructor]
    public static UnreadKey Read(string name, int part) => throw new TimeoutException($"Nobody asked for the key {name}, {part}.");
}
