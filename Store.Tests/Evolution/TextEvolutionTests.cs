using Store.Tests.Generator;

namespace Store.Tests.Evolution;

/// <summary>Strings in the one encoding and in the other are the same strings.</summary>
public sealed class TextEvolutionTests
{
    [Fact]
    public void NinoUtf8IsPutOnStringsAndTakenAway() => Programs.Run("""
        [NinoType] public sealed class Plain { public int Id; public string? Text; public string? Null; public List<string?>? All; public Dictionary<string, string?>? Map; public string? One; public char Letter; public string[]? Single; }
        [NinoType, NinoFormerName("Plain")] public sealed class Short { public int Id; [NinoUtf8] public string? Text; [NinoUtf8] public string? Null; [NinoUtf8] public List<string?>? All; [NinoUtf8] public Dictionary<string, string?>? Map; [NinoUtf8] public List<string?>? One; [NinoUtf8] public string? Letter; [NinoUtf8] public string? Single; }
        [NinoType, NinoFormerName("Short")] public sealed class Back { public int Id; public string? Text; public string? Null; public List<string?>? All; public Dictionary<string, string?>? Map; public List<string?>? Letter; public List<string?>? Null2; }
        [NinoType, NinoFormerName("Short")] public sealed class ListOfNull { [NinoFormerName("Null")] public List<string?>? All2; }
        """, """
        foreach (string text in new[] { "", "a", "äöü", "€uro", "\U0001F600", "half \uD800", new string('x', 100_000) })
        {
            var plain = new Plain { Id = 1, Text = text, All = [text, null], Map = new() { [text] = text, ["other"] = null }, One = text, Letter = 'ß', Single = [text] };
            Short read = Evolve<Plain, Short>(plain);
            Equal((1, text, null, text, null, text, text, "ß", text), (read.Id, read.Text, read.Null, read.All![0], read.All[1], read.Map![text], read.One![0], read.Letter, read.Single));
            Back back = Evolve<Short, Back>(read);
            Equal((1, text, null, text, null, text, "ß"), (back.Id, back.Text, back.Null, back.All![0], back.All[1], back.Map![text], back.Letter![0]));
            Equal(0, Evolve<Short, ListOfNull>(read).All2!.Count);
        }
        """);
}
