namespace Store.Tests.Generator.References;

/// <summary>What two members share, where its type keeps no references, and where it does.</summary>
public class SharedValueTests
{
    private const string Types = """
        [assembly: NinoSerializable(typeof(List<int>))]
        [NinoType] public sealed class Leaf { public int Id; }
        [NinoType(References = true)] public sealed class Node { public List<int>? List; public object? Any; }
        [NinoType] public sealed class Pairs
        {
            public List<int>? ListA; public List<int>? ListB;
            public int[]? ArrayA; public int[]? ArrayB;
            public Dictionary<string, int>? MapA; public Dictionary<string, int>? MapB;
            public string? TextA; public string? TextB;
            public Leaf? LeafA; public Leaf? LeafB;
            public object? AnyA; public object? AnyB;
            public Node? NodeA; public Node? NodeB;
        }

        """;

    [Fact]
    public void AListArrayDictionaryOrStringThatTwoMembersShareComesBackAsTwo() => Programs.Run(Types, """
        List<int> list = [1];
        int[] array = [2];
        Dictionary<string, int> map = new() { ["k"] = 3 };
        string text = new('t', 100);
        var leaf = new Leaf { Id = 4 };
        Pairs copy = Copy(new Pairs { ListA = list, ListB = list, ArrayA = array, ArrayB = array, MapA = map, MapB = map, TextA = text, TextB = text, LeafA = leaf, LeafB = leaf });
        Equal((1, 2, 3, text, 4), (copy.ListB![0], copy.ArrayB![0], copy.MapB!["k"], copy.TextB, copy.LeafB!.Id));
        Equal((false, false, false, false, false), (ReferenceEquals(copy.ListA, copy.ListB), ReferenceEquals(copy.ArrayA, copy.ArrayB), ReferenceEquals(copy.MapA, copy.MapB), ReferenceEquals(copy.TextA, copy.TextB), ReferenceEquals(copy.LeafA, copy.LeafB)));
        """);

    [Fact]
    public void SoItDoesWhereObjectIsDeclaredAndInsideOfObjectsThatKeepReferences() => Programs.Run(Types, """
        List<int> list = [1];
        Node first = new() { List = list, Any = list }, second = new() { List = list, Any = list };
        Pairs copy = Copy(new Pairs { NodeA = first, NodeB = second });
        Equal((1, 1), (copy.NodeA!.List![0], ((List<int>)copy.NodeB!.Any!)[0]));
        Equal((false, false, false), (ReferenceEquals(copy.NodeA.List, copy.NodeA.Any), ReferenceEquals(copy.NodeA.List, copy.NodeB.List), ReferenceEquals(copy.NodeA.Any, copy.NodeB.Any)));
        foreach (object shared in (object[])[list, new Leaf { Id = 4 }, 5, new string('t', 100)])
        {
            Pairs both = Copy(new Pairs { AnyA = shared, AnyB = shared });
            Equal((shared.GetType(), false), (both.AnyA!.GetType(), ReferenceEquals(both.AnyA, both.AnyB)));
        }
        """);

    [Fact]
    public void AnObjectOfAClassThatKeepsReferencesIsOneThereToo() => Programs.Run(Types, """
        var node = new Node { List = [1] };
        Pairs copy = Copy(new Pairs { AnyA = node, AnyB = node, NodeA = node, NodeB = new Node { Any = node } });
        Equal((true, true, true), (ReferenceEquals(copy.AnyA, copy.AnyB), ReferenceEquals(copy.AnyA, copy.NodeA), ReferenceEquals(copy.AnyA, copy.NodeB!.Any)));
        Equal(1, copy.NodeA!.List![0]);
        """);
}
