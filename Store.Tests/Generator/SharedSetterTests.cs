namespace Store.Tests.Generator;

/// <summary>Setters that set what others hold, too, and do no harm (NINO027).</summary>
public sealed class SharedSetterTests
{
    [Theory]
    [InlineData("private byte _f; public bool A { get => (_f & 1) != 0; set => _f = (byte)(value ? _f | 1 : _f & ~1); } public bool B { get => (_f & 2) != 0; set => _f = (byte)(value ? _f | 2 : _f & ~2); }")]
    [InlineData("private byte _f; public bool A { get => (_f & 1) != 0; set { if (value) _f |= 1; else _f &= 0xFE; } } public bool B { get => (_f & 2) != 0; set { if (value) _f |= 2; else _f &= 0xFD; } }")]
    [InlineData("private uint _f; public byte A { get => (byte)_f; set => _f = (_f & 0xFFFFFF00) | value; } public byte B { get => (byte)(_f >> 8); set => _f = (_f & 0xFFFF00FF) | ((uint)value << 8); }")]
    [InlineData("private readonly HashSet<string> _changed = []; public string? Title { get; set { field = value; _changed.Add(nameof(Title)); } }")]
    [InlineData("public string? Title { get; set { field = value; Audit.Add(\"x\"); } } public List<string> Audit { get; set; } = [];")]
    [InlineData("public List<string> Audit { get; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } }")]
    [InlineData("public Dictionary<string, object?> Values { get; } = []; public string? Name { get => (string?)Values[\"Name\"]; set => Values[\"Name\"] = value; }")]
    [InlineData("public Dictionary<string, string?> Values { get; set; } = []; public string? Name { get => Values[\"Name\"]; set => Values[\"Name\"] = value; }")]
    // What is filled is put back behind it.
    [InlineData("public int Version { get; set; } public string? Root { get; set { field = value; Version++; } } public List<int> L { get; } = [];")]
    public void WhatLeavesTheOtherAsItWasIsNotTold(string members) => GeneratorHarness.Generate($"[NinoType] public class C {{ {members} }}");

    [Theory]
    [InlineData("public int Dirty { get; set; } public string? Name { get; set { field = value; Dirty |= 1; } }")]
    [InlineData("public int Version { get; set; } public string? Root { get; set { field = value; Version++; } }")]
    [InlineData("public List<string> Audit { get; set; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } }")]
    [InlineData("public List<string>? Audit { get; set; } public string? Title { get; set { field = value; Audit?.Add(\"x\"); } }")]
    // Added to, it is not put back.
    [InlineData("public List<string> Audit { get; set; } = []; public string? Title { get; set { field = value; Audit.Add(\"x\"); } } public List<int> L { get; } = [];")]
    [InlineData("public Dictionary<string, int> Log { get; set; } = []; public string? Title { get; set { field = value; Log[\"x\"] = 1; } }")]
    [InlineData("public int Version { get; init; } public string? Root { get; set { field = value; Count++; } } public int Count { get; private set; } public C(int count) => Count = count; public List<int> L { get; } = [];")]
    public void WhatChangesItIs(string members) => Assert.Contains("NINO027", GeneratorHarness.Diagnose($"[NinoType] public class C {{ {members} }}").Select(static one => one.Id));

    [Fact]
    public void BitsOfOneFieldAndWhatIsPutBackAreReadAsTheyWere() => Programs.Run("""
        [NinoType] public class Bits
        {
            private byte _f;
            public bool A { get => (_f & 1) != 0; set => _f = (byte)(value ? _f | 1 : _f & ~1); }
            public bool B { get => (_f & 2) != 0; set => _f = (byte)(value ? _f | 2 : _f & ~2); }
        }
        [NinoType] public class Page { public int Version { get; set; } public string? Root { get; set { field = value; Version++; } } public List<int> L { get; } = []; }
        """, """
        foreach (bool a in new[] { false, true }) foreach (bool b in new[] { false, true }) { Bits copy = Copy(new Bits { A = a, B = b }); Equal((a, b), (copy.A, copy.B)); }
        var page = new Page { Root = "x" };
        page.Root = "y";
        Equal(2, Copy(page).Version);
        """);
}
