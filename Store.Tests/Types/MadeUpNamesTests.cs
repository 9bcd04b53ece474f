// Names that the framework keeps for the life of the process: input, which may bring any number of them, must not make it keep more and more.

using System.Collections;
using System.Dynamic;
using System.Globalization;
using System.Reflection;
using System.Text.Json.Nodes;
using Store.Serialization;
using Store.Tests.Generator.Objects;
using Store.Tests.Log;

namespace Store.Tests.Types;

public sealed class MadeUpNamesTests
{
    internal const string Argument = "culture-names";

    /// <summary>In a process of its own: the tests' one knows the invariant culture only.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ACultureThatSomebodyMadeUpIsRefusedAndNotKept(bool isInvariant)
    {
        using var folder = new TemporaryFolder();
        string program = typeof(MadeUpNamesTests).Assembly.Location, settings = folder["cultures.runtimeconfig.json"];
        JsonNode own = JsonNode.Parse(File.ReadAllText(Path.ChangeExtension(program, ".runtimeconfig.json")))!;
        JsonObject properties = own["runtimeOptions"]!["configProperties"]!.AsObject();
        properties["System.Globalization.Invariant"] = isInvariant;
        properties["System.Globalization.PredefinedCulturesOnly"] = false;
        File.WriteAllText(settings, own.ToJsonString());
        EndedProcess child = EndedProcess.Of("dotnet", "exec", "--runtimeconfig", settings, "--depsfile", Path.ChangeExtension(program, ".deps.json"), program, Argument);
        // A machine without ICU has no cultures.
        if (child.Errors.Contains("ICU package", StringComparison.Ordinal)) return;
        Assert.True(child.ExitCode == 0, child.Text + child.Errors);
    }

    internal static int RunChild()
    {
        Assert.Equal(CultureInfo.InvariantCulture, NinoSerializer.Deserialize<CultureInfo>(NinoSerializer.Serialize(CultureInfo.InvariantCulture)));
        bool isInvariant = AppContext.TryGetSwitch("System.Globalization.Invariant", out bool isSet) && isSet;
        if (!isInvariant) CheckKnown();
        else Assert.Contains("not known", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(CultureInfo.GetCultureInfo("de-DE"))).Message, StringComparison.Ordinal);

        Read(0);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 1; i < 10_000; i++) Read(i);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, -4_000_000, 2_000_000);
        foreach (string name in CultureInfo.GetCultures(CultureTypes.AllCultures).Select(static culture => culture.Name)) Assert.Equal(name, NinoSerializer.Deserialize<CultureInfo>(NinoSerializer.Serialize(name)).Name);
        return 0;

        static void Read(int i)
        {
            string name = i.ToString("x6", CultureInfo.InvariantCulture);
            foreach (string text in (string[])[$"en-u-ca-{name}", $"de-DE-u-co-{name}", $"x-{name}", $"en-x-{name}", "en-", "en-u-", $"en\0{name}", $"de-DE\0{name}\0", "nb-N_c", "en_150", "de_DE", $"en-{name.ToUpperInvariant()}"]) Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<CultureInfo>(NinoSerializer.Serialize(text)));
        }
    }

    private static void CheckKnown()
    {
        Assert.Equal("de-DE", NinoSerializer.Deserialize<CultureInfo>(NinoSerializer.Serialize(CultureInfo.GetCultureInfo("de-DE"))).Name);
        Assert.Contains("not known", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(CultureInfo.GetCultureInfo("th-TH-u-ca-buddhist"))).Message, StringComparison.Ordinal);
        Assert.Contains("sorts as", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new CultureInfo("de-DE_phoneb"))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void NamesOfMembersThatWereReadAreNotKeptLongerThanTheObjects()
    {
        IDictionary<string, object?> template = new ExpandoObject();
        template["made up 000000"] = 7;
        byte[] record = NinoSerializer.Serialize(new Loosened { Expando = (ExpandoObject)template });
        Span<byte> digits = record.AsSpan(record.AsSpan().IndexOf("made up 000000"u8) + "made up ".Length, 6);
        int before = NamesKept();
        for (int i = 1; i <= 50_000; i++)
        {
            Assert.True(i.TryFormat(digits, out _, "D6", CultureInfo.InvariantCulture));
            IDictionary<string, object?> members = NinoSerializer.Deserialize<Loosened>(record).Expando!;
            Assert.Equal(7, members[$"made up {i:D6}"]);
            Assert.Single(members);
        }

        Assert.InRange(NamesKept() - before, 0, 100);
    }

    [Fact]
    public void AnObjectThatWasReadCanBeChangedAsAnyOther()
    {
        IDictionary<string, object?> made = new ExpandoObject();
        made["A"] = 1;
        made["B"] = null;
        var expando = (ExpandoObject)NinoSerializer.Clone(new Loosened { Expando = (ExpandoObject)made }).Expando!;
        IDictionary<string, object?> members = expando;
        Assert.Equal(["A", "B"], members.Keys);
        dynamic read = expando;
        read.C = (int)read.A + 1;
        Assert.True(members.Remove("A"));
        Assert.Equal([new("B", null), new("C", 2)], members);
        Assert.Equal(2, members.Count);
        Assert.Equal(members, NinoSerializer.Clone(new Loosened { Expando = expando }).Expando!);
        Assert.Empty(NinoSerializer.Clone(new Loosened { Expando = new() }).Expando!);

        // A name as those with which reading begins is kept all the same.
        for (int i = 0; i < 3; i++)
        {
            IDictionary<string, object?> odd = new ExpandoObject();
            odd[$"\0{i}"] = 5;
            Assert.Equal(odd, NinoSerializer.Clone(new Loosened { Expando = (ExpandoObject)odd }).Expando!);
        }
    }

    // Of the shape without names: its table of the names that came first.
    private static int NamesKept()
    {
        Type shapes = typeof(ExpandoObject).Assembly.GetType("System.Dynamic.ExpandoClass")!;
        object empty = shapes.GetField("Empty", BindingFlags.Static | BindingFlags.NonPublic)!.GetValue(null)!;
        return ((IDictionary?)shapes.GetField("_transitions", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(empty))?.Count ?? 0;
    }
}
