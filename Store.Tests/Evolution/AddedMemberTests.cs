using Microsoft.CodeAnalysis;
using Store.Tests.Generator;
using Store.Tests.Types;

namespace Store.Tests.Evolution;

/// <summary>A member of any type of docs/types.md is added to a type: older records are read, and what they get for it can be written, read and be an element.</summary>
public sealed class AddedMemberTests
{
    private const string OwnTypes = """
        [System.Runtime.CompilerServices.InlineArray(3)] public struct Three { private int _x; }
        [System.Runtime.CompilerServices.InlineArray(2)] public struct TwoTexts { private string _x; }
        [System.Runtime.CompilerServices.InlineArray(2)] public struct TwoNodes { private Node _x; }
        [System.Runtime.CompilerServices.InlineArray(2)] public struct TwoDocuments { private System.Text.Json.JsonElement _x; }
        [System.Runtime.CompilerServices.InlineArray(2)] public struct TwoThrees { private Three _x; }
        [NinoType] public sealed class Node { public int X; public Node Next; }
        [NinoType] public record struct Holder(Memory<int> A, System.Text.Json.JsonElement B, Three C, System.Drawing.Color D, TwoNodes E);
        public struct Bag : ICollection<int>
        {
            private List<int> _all;
            private List<int> All => _all ??= [];
            public int Count => All.Count;
            public bool IsReadOnly => false;
            public void Add(int item) => All.Add(item);
            public void Clear() => All.Clear();
            public bool Contains(int item) => All.Contains(item);
            public void CopyTo(int[] array, int index) => All.CopyTo(array, index);
            public bool Remove(int item) => All.Remove(item);
            public IEnumerator<int> GetEnumerator() => All.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => All.GetEnumerator();
        }
        [NinoCodec(typeof(NameCodec))] public struct Name { public string Text; }
        public struct NameCodec : INinoCodec<Name>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);
            public void Write(ref NinoWriter writer, in Name value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, value.Text ?? "");
            public Name Read(ref NinoReader reader) => new() { Text = default(Store.Serialization.Codecs.StringCodec).Read(ref reader) ?? throw new NinoSerializationException("A name is never null.") };
        }
        """;

    private static readonly string[] OwnNames = ["Three", "TwoTexts", "TwoNodes", "TwoDocuments", "TwoThrees", "Holder", "Bag", "Name", "(Memory<int>, TwoDocuments)", "KeyValuePair<Three, Bag>"];

    [Fact]
    public void AMemberOfEveryTypeCanBeAddedOrCeaseToBeNullable()
    {
        string[] types = [.. TypesPageTests.Stored(), .. OwnNames];
        bool[] canBeNullable = CanBeNullable(types);
        string classes = string.Join("\n", types.Select((type, i) =>
            $"[NinoType, NinoFormerName(\"Before\")] public sealed class After{i} {{ public int Id; public {type} M; }}"
            + $"\n[assembly: NinoSerializable(typeof({ArrayOf(type)}))]"
            + (canBeNullable[i] ? $"\n[NinoType] public sealed class Optional{i} {{ public {type}? M; }} [NinoType, NinoFormerName(\"Optional{i}\")] public sealed class Whole{i} {{ public {type} M; }}" : "")));
        string calls = string.Join("\n", types.Select((type, i) =>
            $"Check<Before, After{i}, {type}>(\"{type}\", static after => after.M);"
            + (canBeNullable[i] ? $"\nCheck<Optional{i}, Whole{i}, {type}>(\"{type}?\", static whole => whole.M);" : "")));
        // Attributes of an assembly come before its types.
        string attributes = string.Join("\n", classes.Split('\n').Where(static line => line.StartsWith("[assembly", StringComparison.Ordinal)));
        classes = string.Join("\n", classes.Split('\n').Where(static line => !line.StartsWith("[assembly", StringComparison.Ordinal)));
        GeneratorHarness.RunWithLibrary("public static class Nothing;", $$"""
            #nullable disable
            #pragma warning disable CS0649, CS0414, CS0169, NINO021
            [assembly: NinoDefaults(View = false)]
            {{attributes}}
            {{OwnTypes}}
            {{classes}}
            [NinoType] public sealed class Before { public int Id = 7; }
            public static class Program
            {
                public static List<(byte[] Bytes, NinoSchema Schema)> Records = [];
                private static List<string> s_failures = [];

                private static void Check<TBefore, TAfter, TMember>(string type, Func<TAfter, TMember> member) where TBefore : new()
                {
                    try
                    {
                        TAfter after = NinoCodec<TAfter>.Default.Decode(NinoSerializer.Serialize(new TBefore()), NinoSerializer.SchemaOf<TBefore>());
                        byte[] again = NinoSerializer.Serialize(after);
                        NinoSerializer.Deserialize<TAfter>(again);
                        Records.Add((again, NinoSerializer.SchemaOf<TAfter>()));
                        // Elements of the least size: a codec that claims more refuses their count.
                        TMember zero = member(after);
                        TMember[] three = NinoSerializer.Deserialize<TMember[]>(NinoSerializer.Serialize(new[] { zero, zero, zero }));
                        if (three.Length != 3) throw new Exception("elements are missing");
                    }
                    catch (Exception error)
                    {
                        s_failures.Add(type + ": " + error.Message);
                    }
                }

                public static void Run()
                {
                    {{calls}}
                    if (s_failures.Count > 0) throw new Exception(s_failures.Count + " types failed:\n" + string.Join("\n", s_failures));
                }
            }
            """);
    }

    // int[,] is an element of int[][,].
    private static string ArrayOf(string type) => type.IndexOf("[,", StringComparison.Ordinal) is >= 0 and var place ? type.Insert(place, "[]") : type + "[]";

    private static bool[] CanBeNullable(string[] types)
    {
        Compilation compilation = GeneratorHarness.Compile("#nullable disable\n" + OwnTypes + string.Concat(types.Select(static (type, i) => $"public class C{i} {{ public {type} X; }}\n")));
        return [.. types.Select((type, i) => ((IFieldSymbol)compilation.GetTypeByMetadataName($"C{i}")!.GetMembers("X").Single()).Type.IsValueType && !type.Contains("FSharp", StringComparison.Ordinal))];
    }
}
