using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>Types with every kind of member of a fixed width, of every size that is read in its own way, and of every form.</summary>
public static class OlderKinds
{
    public enum Level : byte
    {
        Low,
        High = 7,
    }

    [NinoType]
    public record struct Spot(short X, int Y);

    /// <summary>Members that may be absent, and that not all bits are a value of.</summary>
    [NinoType]
    public sealed record Mixed
    {
        public int? Maybe { get; set; }
        public Level Level { get; set; }
        public Spot Spot { get; set; }
        public bool IsOpen { get; set; }
        public char Letter { get; set; }
        public DateTimeOffset At { get; set; } = DateTimeOffset.UnixEpoch;
        public string Text { get; set; } = "";
        public string? Note { get; set; }
    }

    /// <summary>No string, and a member that may be absent.</summary>
    [NinoType]
    public sealed record Alone
    {
        public long Number { get; set; }
        public Spot? Spot { get; set; }
        public decimal Price { get; set; }
        public Level Level { get; set; }
    }

    /// <summary>A struct: not an object in lists, where none is null.</summary>
    [NinoType]
    public record struct Tagged(int Number, ushort Small, string Text);

    /// <summary>One zero byte.</summary>
    [NinoType]
    public sealed record Empty;

    /// <summary>Between 64 bytes and as many as a head has.</summary>
    [NinoType]
    public sealed record Wide
    {
        public Guid A { get; set; }
        public Guid B { get; set; }
        public Guid C { get; set; }
        public Guid D { get; set; }
        public Guid E { get; set; }
        public Guid F { get; set; }
        public long Number { get; set; }
        public long Last { get; set; } = 9;
        public string Text { get; set; } = "";
    }

    /// <summary>More bytes than a head has, with those behind it that may be overwritten.</summary>
    [NinoType]
    public sealed record Wider
    {
        public Guid A { get; set; }
        public Guid B { get; set; }
        public Guid C { get; set; }
        public Guid D { get; set; }
        public Guid E { get; set; }
        public Guid F { get; set; }
        public Guid G { get; set; }
        public Guid H { get; set; }
        public long Number { get; set; }
        public bool IsLast { get; set; } = true;
        public string Text { get; set; } = "";
    }

    /// <summary>As <see cref="Wider"/>, without a string.</summary>
    [NinoType]
    public sealed record WiderFigures
    {
        public Int128 A { get; set; }
        public Int128 B { get; set; }
        public Int128 C { get; set; }
        public Int128 D { get; set; }
        public Int128 E { get; set; }
        public Int128 F { get; set; }
        public Int128 G { get; set; }
        public Int128 H { get; set; }
        public byte Last { get; set; } = 9;
    }

    /// <summary>A string fewer than there is now.</summary>
    [NinoType(Name = "Tests.Past.Noted")]
    public sealed record NotedThen(int Number, string Text);

    [NinoType, NinoFormerName("Tests.Past.Noted")]
    public sealed record Noted(int Number, string Text, string Note = "");

    /// <summary>A letter that is a string now.</summary>
    [NinoType(Name = "Tests.Past.Lettered")]
    public sealed record LetteredThen(int Number, char Letter, string Text);

    [NinoType, NinoFormerName("Tests.Past.Lettered")]
    public sealed record Lettered(int Number, string Letter, string Text);

    /// <summary>Nothing but strings.</summary>
    [NinoType]
    public sealed record Texts
    {
        public string A { get; set; } = "";
        public string B { get; set; } = "";
        public string? C { get; set; }
    }

    /// <summary>Members that are set when the object is made, and code that runs then.</summary>
    [NinoType]
    public sealed record Told(int Number, string Text)
    {
        public byte Level { get; init; }

        [NinoOnDeserialized]
        private void OnRead() => Heard = Number + Text.Length;

        [NinoIgnore]
        public int Heard { get; private set; }
    }
}
