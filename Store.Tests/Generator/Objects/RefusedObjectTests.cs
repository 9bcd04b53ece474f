namespace Store.Tests.Generator.Objects;

/// <summary>
/// A type that cannot be stored stands in the list of what an object member may hold: a model of another assembly with a marked member that is hidden there, and in the reference assembly that the program is compiled
/// against, too. (Where the whole assembly is seen, that is NINO019.)
/// </summary>
public sealed class RefusedObjectTests
{
    private const string Library = """
        #pragma warning disable CS0169, CS0414
        namespace MemoryPack { public sealed class MemoryPackableAttribute : Attribute; public sealed class MemoryPackIncludeAttribute : Attribute; public sealed class MemoryPackIgnoreAttribute : Attribute; }
        namespace Mem
        {
            using MemoryPack;
            [MemoryPackable] public class P { public int A { get; set; } [MemoryPackInclude] private int _b; }
            [MemoryPackable] public class Q { public int A { get; set; } }
        }
        """;

    private static readonly string s_mended = Library.Replace("[MemoryPackInclude] private", "private", StringComparison.Ordinal);

    private const string Types = """
        using System.Linq;
        [assembly: NinoSerializable(typeof(Mem.P))]
        [assembly: NinoSerializable(typeof(Mem.Q))]
        [NinoType] public partial class Dyn { public dynamic? D; }
        [NinoType] public class Line { public Mem.P? Of { get; set; } }
        [NinoType] public class Order { public List<Line>? Lines { get; set; } }
        [NinoType] public class Holder { public object? Any { get; set; } public Dyn? Inner { get; set; } }
        public static class Try
        {
            // A record of a program in which the type could be stored.
            public static byte[] AsP(byte[] bytes)
            {
                int at = bytes.AsSpan().IndexOf(BitConverter.GetBytes(UnionDefinition.HashOf("Mem.Q")));
                BitConverter.TryWriteBytes(bytes.AsSpan(at), UnionDefinition.HashOf("Mem.P"));
                return bytes;
            }
        }
        """;

    [Fact]
    public void ATypeWithHiddenMembersIsRefusedOnlyWhereAValueOfItStandsForAnObject() => Programs.Run(Types, """
        Equal(5, (int)(object)Copy(new Dyn { D = 5 }).D!);
        Equal(7, ((Mem.Q)(object)Copy(new Dyn { D = new Mem.Q { A = 7 } }).D!).A);
        Equal(8, (int)(object)((Dyn)Copy(new Holder { Any = new Dyn { D = 8 } }).Any!).D!);
        Equal(false, ((UnionDefinition)NinoSerializer.SchemaOf<Dyn>().Definitions.First(one => one is UnionDefinition)).Cases.Any(one => one.Tag == UnionDefinition.HashOf("Mem.P") || one.Tag == UnionDefinition.HashOf("Order")));
        for (int i = 0; i < 2; i++)
        {
            Refused(() => NinoSerializer.Serialize(new Dyn { D = new Mem.P() }), "'Dyn'", "'Mem.P'", "'object'", "'Mem.P._b'", "[MemoryPackInclude]");
            Refused(() => NinoSerializer.Serialize(new Dyn { D = new Order() }), "'Order' stands where 'object'", "'Mem.P._b'", "reached by 'Order' > 'Line' > 'Mem.P'");
            Refused(() => NinoSerializer.SchemaOf<Order>(), "'Mem.P._b'", "reached by 'Order' > 'Line' > 'Mem.P'");
            Refused(() => NinoSerializer.SchemaOf<Mem.P>(), "'Mem.P._b'");
        }
        Refused(() => NinoSerializer.Deserialize<Dyn>(Try.AsP(NinoSerializer.Serialize(new Dyn { D = new Mem.Q() }))), "'Dyn'", "'Mem.P._b'");
        """, Library, seesReferenceAssembly: true);

    [Fact]
    public void ATypeWithHiddenMembersIsPassedOverWhereUnknownOnesAre() => Programs.Run("[assembly: NinoSerializable(typeof(object), SkipUnknownCases = true)]\n" + Types.Replace("using System.Linq;", "", StringComparison.Ordinal), """
        Equal(3, ((Mem.Q)Copy(new Holder { Any = new Mem.Q { A = 3 } }).Any!).A);
        Equal(null, NinoSerializer.Deserialize<Holder>(Try.AsP(NinoSerializer.Serialize(new Holder { Any = new Mem.Q() }))).Any);
        Refused(() => NinoSerializer.Serialize(new Holder { Any = new Mem.P() }), "'Mem.P._b'");
        """, Library, seesReferenceAssembly: true);

    [Fact]
    public void ATypeOfAnotherAssemblyThatHoldsOneIsRefusedInTheSameWay() => Programs.RunWith(
        [
            ("Models", Library, 0),
            ("Parts", "[assembly: NinoSerializable(typeof(Mem.P))] namespace Parts { [NinoType] public class Wrap { public Mem.P? P { get; set; } public object? Any { get; set; } } }", 1),
        ],
        "using System.Linq; [assembly: NinoSerializable(typeof(Parts.Wrap))] [NinoType] public class Own { public object? Any { get; set; } }", """
        Equal(5, (int)Copy(new Own { Any = 5 }).Any!);
        try { NinoSerializer.Serialize(new Own { Any = new Parts.Wrap() }); }
        catch (NinoSerializationException error) when (error.Message.Contains("reached by 'Parts.Wrap' > 'Mem.P'")) { return; }
        throw new InvalidOperationException("Nothing was thrown.");
        """, seesReferenceAssemblies: true);

    [Fact]
    public void TheSchemaFileHasTheOthersAndSaysWhatIsRefused() => Programs.Run(Types, """
        string text = NinoSchemaFile.Describe(typeof(Dyn).Assembly);
        foreach (string part in new[] { "\n  class Dyn, ", "\n  class Mem.Q, ", "\n  class Holder, ", "\n# Mem.P has no schema", "\n# Line has no schema", "\n# Order has no schema" })
            if (!text.Contains(part)) throw new InvalidOperationException($"Not '{part}': {text}");
        if (text.Contains("class Mem.P") || text.Contains("class Order")) throw new InvalidOperationException(text);
        Equal(true, NinoSchemaFile.Compare(text, typeof(Dyn).Assembly).IsUpToDate);
        Copy(1);
        """, Library, seesReferenceAssembly: true);

    [Fact]
    public void ATypeThatIsRefusedNowIsABreakingChangeThatSaysWhy()
    {
        // Both assemblies run in this process, apart: the file of the one is given to the other.
        string path = Path.GetTempFileName();
        try
        {
            string body = $"Copy(1); System.IO.File.WriteAllText(@\"{path}\", NinoSchemaFile.Describe(typeof(Dyn).Assembly));";
            Programs.Run(Types, body, s_mended);
            Programs.Run(Types, $$"""
                NinoSchemaChanges changes = NinoSchemaFile.Compare(System.IO.File.ReadAllText(@"{{path}}"), typeof(Dyn).Assembly);
                Equal(true, changes.Breaking.Any(one => one.StartsWith("Mem.P: the type is refused now") && one.Contains("'Mem.P._b'")));
                Equal(true, changes.Breaking.Any(one => one.StartsWith("Order: the type is refused now") && one.Contains("reached by")));
                Equal(true, changes.Narrowing.Any(one => one.Contains("Mem.P")));
                Copy(1);
                """, Library, seesReferenceAssembly: true);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
