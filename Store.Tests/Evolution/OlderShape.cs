using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>Types as an older release had them, and as they are: members of a fixed width in another order and width, gone and new, in front of strings that stay.</summary>
public static class OlderShape
{
    /// <summary>Between 32 and 64 bytes before and after.</summary>
    [NinoType(Name = "Tests.Past.Item")]
    public sealed record ItemThen
    {
        public short Number { get; set; }
        public DateTime When { get; set; }
        public long Gone { get; set; }
        public Guid Key { get; set; }
        public sbyte Small { get; set; }
        public uint Count { get; set; }
        public bool IsOpen { get; set; }
        public string Text { get; set; } = "";
        public string? Note { get; set; }
    }

    [NinoType, NinoFormerName("Tests.Past.Item")]
    public sealed record Item
    {
        public int Number { get; set; }
        public bool IsOpen { get; set; }
        public Guid Key { get; set; }
        public int Added { get; set; } = 1_000_003;
        public DateTime When { get; set; }
        public long Small { get; set; }
        public ulong Count { get; set; }
        public string Text { get; set; } = "";
        public string? Note { get; set; }
    }

    /// <summary>A member that must be looked at although it is gone.</summary>
    [NinoType(Name = "Tests.Past.Flagged")]
    public sealed record FlaggedThen
    {
        public bool Gone { get; set; }
        public short Number { get; set; }
        public string Text { get; set; } = "";
    }

    [NinoType, NinoFormerName("Tests.Past.Flagged")]
    public sealed record Flagged
    {
        public int Number { get; set; }
        public string Text { get; set; } = "";
    }

    /// <summary>Less than 16 bytes, and no string.</summary>
    [NinoType(Name = "Tests.Past.Figures")]
    public sealed record FiguresThen
    {
        public short A { get; set; }
        public int B { get; set; }
        public byte C { get; set; }
    }

    [NinoType, NinoFormerName("Tests.Past.Figures")]
    public sealed record Figures
    {
        public int B { get; set; }
        public long A { get; set; }
        public ushort C { get; set; }
        public int D { get; set; } = -2;
    }

    /// <summary>More bytes than a vector has.</summary>
    [NinoType(Name = "Tests.Past.Keys")]
    public sealed record KeysThen
    {
        public Guid A { get; set; }
        public Guid B { get; set; }
        public Guid C { get; set; }
        public Guid D { get; set; }
        public short Number { get; set; }
        public string Text { get; set; } = "";
    }

    [NinoType, NinoFormerName("Tests.Past.Keys")]
    public sealed record Keys
    {
        public int Number { get; set; }
        public Guid D { get; set; }
        public Guid C { get; set; }
        public Guid B { get; set; }
        public Guid A { get; set; }
        public string Text { get; set; } = "";
    }

    /// <summary>Nothing in front of the string any more.</summary>
    [NinoType(Name = "Tests.Past.Named")]
    public sealed record NamedThen
    {
        public int Gone { get; set; }
        public string Text { get; set; } = "";
    }

    [NinoType, NinoFormerName("Tests.Past.Named")]
    public sealed record Named
    {
        public string Text { get; set; } = "";
    }

    /// <summary>Whose constructor refuses some numbers.</summary>
    [NinoType(Name = "Tests.Past.Picky")]
    public sealed record PickyThen(short Number, string Text);

    [NinoType, NinoFormerName("Tests.Past.Picky")]
    public sealed record Picky
    {
        [ThreadStatic]
        private static int t_refusals;

        public Picky(int number, string text)
        {
            (Number, Text) = (number, text);
            if (number != 13) return;
            t_refusals++;
            throw new ArgumentException("Not that one.", nameof(number));
        }

        /// <summary>How often that happened on this thread.</summary>
        public static int Refusals => t_refusals;

        public int Number { get; }
        public string Text { get; }
    }

    /// <summary>A struct with a string: not of a fixed width, and without a presence byte.</summary>
    [NinoType(Name = "Tests.Past.Corner")]
    public record struct CornerThen(short X, string Text);

    [NinoType, NinoFormerName("Tests.Past.Corner")]
    public record struct Corner(int X, string Text);

    [NinoType(Name = "Tests.Past.Money")]
    public readonly record struct MoneyThen(int Cents);

    /// <summary>Whose constructor refuses some numbers, before the second string of who has it is read.</summary>
    [NinoType, NinoFormerName("Tests.Past.Money")]
    public readonly record struct Money
    {
        public Money(int cents) => Cents = cents == 13 ? throw new ArgumentException("Not that one.", nameof(cents)) : cents;

        public int Cents { get; }
    }

    [NinoType(Name = "Tests.Past.Line")]
    public sealed record LineThen(short Number, MoneyThen Price, string Text, string Note);

    [NinoType, NinoFormerName("Tests.Past.Line")]
    public sealed record Line(int Number, Money Price, string Text, string Note);

    public static ItemThen ItemOf(int i) => new()
    {
        Number = (short)(i % 2 == 0 ? i : -i), When = new DateTime(1_000_000L * i, DateTimeKind.Utc), Gone = i, Key = new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), Small = (sbyte)(i - 3), Count = uint.MaxValue - (uint)i,
        IsOpen = i % 3 == 0, Text = $"text {i}", Note = (i % 4) switch { 0 => null, 1 => "", 2 => "n", _ => "ein längerer Text, €" },
    };

    public static Item Now(ItemThen then) => new()
    {
        Number = then.Number, IsOpen = then.IsOpen, Key = then.Key, When = then.When, Small = then.Small, Count = then.Count, Text = then.Text, Note = then.Note,
    };
}
