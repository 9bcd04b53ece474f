namespace Store.Tests.Generator;

/// <summary>What an editor offers where something says what cannot be: to take it away, and nothing else.</summary>
public sealed class RemovingFixTests
{
    /// <summary>Id, title of the fix, the source before, and after.</summary>
    public static TheoryData<string, string, string, string> Fixes => new()
    {
        { "NINO010", "Remove [NinoInclude]", "[NinoType] public class A { public int X; [NinoInclude] public static int Count { get; set; } }", "[NinoType] public class A { public int X; public static int Count { get; set; } }" },
        { "NINO010", "Remove [NinoMember]", "[NinoType] public class A { public int X; [NinoMember(2)] public int this[int i] => i; }", "[NinoType] public class A { public int X; public int this[int i] => i; }" },
        { "NINO010", "Remove [NinoInclude]", "[NinoType] public class A { public int Y; private int _x; [NinoInclude] public int X { set => _x = value; } public int Get() => _x; }", "[NinoType] public class A { public int Y; private int _x; public int X { set => _x = value; } public int Get() => _x; }" },
        { "NINO010", "Remove [NinoMember]", "[NinoType]\npublic class A\n{\n    public int X;\n\n    /// <summary>Twice.</summary>\n    [NinoMember(2)] // Its place.\n    [Obsolete]\n    public int Twice => X * 2;\n}", "[NinoType]\npublic class A\n{\n    public int X;\n\n    /// <summary>Twice.</summary>\n    // Its place.\n    [Obsolete]\n    public int Twice => X * 2;\n}" },
        { "NINO010", "Remove [NinoMember]", "[NinoType] public class A { public int X; [NinoMember(2), Obsolete] public int Twice => X * 2; }", "[NinoType] public class A { public int X; [Obsolete] public int Twice => X * 2; }" },
        { "NINO010", "Remove [NinoMember]", "[NinoType] public class A { public int X; [Obsolete, Store.Serialization.NinoMemberAttribute(2)] public int Twice { get { return X * 2; } } }", "[NinoType] public class A { public int X; [Obsolete] public int Twice { get { return X * 2; } } }" },
        { "NINO010", "Remove [NinoMember] and [NinoInclude]", "[NinoType] public class A { public int X; [NinoMember(2), Obsolete, NinoInclude] public int Twice => X * 2; }", "[NinoType] public class A { public int X; [Obsolete] public int Twice => X * 2; }" },
        { "NINO010", "Remove [NinoIgnore]", "[NinoType] public class A { public int Y; [NinoInclude, NinoIgnore] public int X; }", "[NinoType] public class A { public int Y; [NinoInclude] public int X; }" },
        { "NINO010", "Remove [NinoInclude]", "[NinoType] public class A { public int Y; [NinoInclude, NinoIgnore] public int X; }", "[NinoType] public class A { public int Y; [NinoIgnore] public int X; }" },
        { "NINO010", "Remove [NinoMember]", "[NinoType]\npublic class A\n{\n    public int Y;\n    [NinoIgnore]\n    [NinoMember(3)]\n    public int X { get; set; }\n}", "[NinoType]\npublic class A\n{\n    public int Y;\n    [NinoIgnore]\n    public int X { get; set; }\n}" },
        { "NINO010", "Remove [NinoMember]", "[NinoType] public record A(int Y, [property: NinoIgnore, NinoMember(3)] int X);", "[NinoType] public record A(int Y, [property: NinoIgnore] int X);" },
        { "NINO010", "Remove [NinoMember]", "[NinoType] public class A { public A([NinoMember(1)] int other = 0) { } public int X; }", "[NinoType] public class A { public A(int other = 0) { } public int X; }" },
        { "NINO018", "Remove the former name 'Old' of 'Y'", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; [NinoFormerName(\"Old\")] public int Y; }", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; public int Y; }" },
        { "NINO018", "Remove the former name 'Old' of 'X'", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; [NinoFormerName(\"Old\"), NinoFormerName(\"Older\")] public int Y; }", "[NinoType] public class A { public int X; [NinoFormerName(\"Old\"), NinoFormerName(\"Older\")] public int Y; }" },
        { "NINO018", "Remove the former name 'Old' of 'Y'", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; [NinoFormerName(\"Oldest\"), NinoFormerName(name: \"Old\"), NinoFormerName(\"Older\")] public int Y; }", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; [NinoFormerName(\"Oldest\"), NinoFormerName(\"Older\")] public int Y; }" },
        { "NINO018", "Remove the former name 'Old' of 'X'", "[NinoType] public record A([NinoFormerName(\"Old\")] int X, [property: NinoFormerName(\"Old\")] int Y);", "[NinoType] public record A(int X, [property: NinoFormerName(\"Old\")] int Y);" },
        { "NINO018", "Remove the former name 'Old' of 'Y'", "[NinoType] public record A([NinoFormerName(\"Old\")] int X, [property: NinoFormerName(\"Old\")] int Y);", "[NinoType] public record A([NinoFormerName(\"Old\")] int X, int Y);" },
        { "NINO021", "Remove the former name 'Old' of 'B'", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; } [NinoType, NinoFormerName(\"Old\")] public class B { public int X; }", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; } [NinoType] public class B { public int X; }" },
        { "NINO021", "Remove the former name 'Old' of 'A'", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; } [NinoType, NinoFormerName(\"Old\")] public class B { public int X; }", "[NinoType] public class A { public int X; } [NinoType, NinoFormerName(\"Old\")] public class B { public int X; }" },
        { "NINO021", "Remove the former name 'Old' of 'B'", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; }\npublic partial class B { public int X; }\n[NinoFormerName(\"Old\")]\n[NinoType]\npublic partial class B;", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; }\npublic partial class B { public int X; }\n[NinoType]\npublic partial class B;" },
        { "NINO031", "Remove [NinoUnion] of 'string'", "[NinoType, NinoUnion(1, typeof(string))] public abstract class Shape;", "[NinoType] public abstract class Shape;" },
        { "NINO031", "Remove [NinoUnion] of 'string'", "[NinoType]\n// The cases.\n[NinoUnion(1, typeof(A))]\n[NinoUnion(2, typeof(string))]\npublic abstract class Shape;\n[NinoType] public class A : Shape;", "[NinoType]\n// The cases.\n[NinoUnion(1, typeof(A))]\npublic abstract class Shape;\n[NinoType] public class A : Shape;" },
        { "NINO031", "Remove [NinoUnion] of 'string'", "[NinoType,\n    NinoUnion(1, typeof(string)), // A text?\n    NinoUnion(2, typeof(A))]\npublic abstract class Shape;\n[NinoType] public class A : Shape;", "[NinoType,\n     // A text?\n    NinoUnion(2, typeof(A))]\npublic abstract class Shape;\n[NinoType] public class A : Shape;" },
        { "NINO031", "Remove [NinoUnion] of 'A'", "[NinoType, NinoUnion(1, typeof(A)), NinoUnion(2, typeof(A))] public abstract class Shape; [NinoType] public class A : Shape;", "[NinoType, NinoUnion(1, typeof(A))] public abstract class Shape; [NinoType] public class A : Shape;" },
        { "NINO031", "Remove [NinoUnion] of 'A'", "[NinoType, NinoUnion(1, typeof(A))] public abstract class Shape; [NinoType] public abstract class A : Shape;", "[NinoType] public abstract class Shape; [NinoType] public abstract class A : Shape;" },
        { "NINO031", "Remove [JsonDerivedType] of 'Uri'", "[assembly: NinoSerializable(typeof(S))]\n[System.Text.Json.Serialization.JsonDerivedType(typeof(B)), System.Text.Json.Serialization.JsonDerivedType(typeof(Uri))] public abstract class S { public int X { get; set; } } public class B : S;", "[assembly: NinoSerializable(typeof(S))]\n[System.Text.Json.Serialization.JsonDerivedType(typeof(B))] public abstract class S { public int X { get; set; } } public class B : S;" },
        { "NINO033", "Remove References", "[NinoType(References = true)] public struct A { public int X; }", "[NinoType] public struct A { public int X; }" },
        { "NINO033", "Remove References", "[NinoType(References = true, Name = \"a\")] public struct A { public int X; }", "[NinoType(Name = \"a\")] public struct A { public int X; }" },
        { "NINO033", "Remove References", "[NinoType(Name = \"a\", /* of orders */ References = true)] public struct A { public int X; }", "[NinoType(Name = \"a\" /* of orders */ )] public struct A { public int X; }" },
        { "NINO033", "Remove References", "public partial struct A { public int X; }\n[NinoType(References = true)] public partial struct A;", "public partial struct A { public int X; }\n[NinoType] public partial struct A;" },
        { "NINO033", "Remove SkipUnknownCases", "[NinoType(SkipUnknownCases = true)] public sealed class A { public int X; }", "[NinoType] public sealed class A { public int X; }" },
        { "NINO033", "Remove SkipUnknownCases", "[NinoType(References = true, SkipUnknownCases = true)] public abstract class A;", "[NinoType(References = true)] public abstract class A;" },
        { "NINO033", "Remove References", "[NinoType(References = true, SkipUnknownCases = true)] public abstract class A;", "[NinoType(SkipUnknownCases = true)] public abstract class A;" },
        { "NINO033", "Remove [NinoUnion]", "[NinoType, NinoUnion(1, typeof(A))] public sealed class A { public int X; }", "[NinoType] public sealed class A { public int X; }" },
        { "NINO033", "Remove References", "[assembly: NinoSerializable(typeof(List<int>), References = true)]", "[assembly: NinoSerializable(typeof(List<int>))]" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType] public class A { [NinoUtf8] public int X; }", "[NinoType] public class A { public int X; }" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType] public class A { [NinoMember(1), NinoUtf8] public int X; }", "[NinoType] public class A { [NinoMember(1)] public int X; }" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType] public class A { [NinoUtf8] [NinoMember(1)] public int X; }", "[NinoType] public class A { [NinoMember(1)] public int X; }" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType]\npublic class A\n{\n    [NinoMember(1)] [NinoUtf8]\n    public int X;\n}", "[NinoType]\npublic class A\n{\n    [NinoMember(1)]\n    public int X;\n}" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType]\r\npublic class A\r\n{\r\n\t[NinoMember(1)]\r\n\t[NinoUtf8]\r\n\tpublic int X;\r\n}\r\n", "[NinoType]\r\npublic class A\r\n{\r\n\t[NinoMember(1)]\r\n\tpublic int X;\r\n}\r\n" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType] public record A([NinoUtf8] int X);", "[NinoType] public record A(int X);" },
        { "NINO051", "Remove [NinoUtf8]", "[NinoType] public record A(string Y, [NinoMember(2)] [property: NinoUtf8, Obsolete] int X);", "[NinoType] public record A(string Y, [NinoMember(2)] [property: Obsolete] int X);" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public Task WhatCannotBeIsTakenAwayAndTheRestStaysAsItIs(string id, string title, string before, string after) => Editor.AssertFixedAsync(id, title, before, after);

    /// <summary>Id, the source, and how the titles begin of what is not offered: it would be the next error, or a choice that only a person can make.</summary>
    [Theory]
    [InlineData("NINO010", "public record Base(int Id); [NinoType] public record A([NinoUtf8] int Id) : Base(Id);", "Remove")]
    [InlineData("NINO010", "[NinoType] public class A { private static int _x; public A([NinoMember(1)] int x = 0) => _x = x; public int Y; }", "Remove")]
    [InlineData("NINO010", "[NinoType] public class A { public int X; [NinoMember(2)] public int Born { get; } = Environment.ProcessId; }", "Remove")]
    [InlineData("NINO010", "[NinoType] public class A { public int X; private List<int> _all = []; [NinoMember(2)] public IEnumerable<int> All => _all.ToArray(); public void Add(int x) => _all.Add(x); }", "Remove")]
    [InlineData("NINO010", "public interface IAge { int Age { get; set; } } [NinoType] public class A : IAge { public int X; [NinoInclude] int IAge.Age { get; set; } }", "Remove")]
    [InlineData("NINO018", "[NinoType] public class A { [NinoFormerName(\"X\")] public int Y; public int X; }", "Remove")]
    [InlineData("NINO018", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X, Y; }", "Remove")]
    [InlineData("NINO021", "[NinoType, NinoFormerName(\"B\")] public class A { public int X; } [NinoType] public class B { public int X; }", "Remove")]
    [InlineData("NINO031", "[NinoType, NinoUnion(1, typeof(A<>))] public abstract class Shape; [NinoType] public class A<T> : Shape { public T? X; }", "Remove")]
    [InlineData("NINO031", "[NinoType,\n#if !NEVER\nNinoUnion(1, typeof(string))\n#endif\n] public abstract class Shape;", "Remove")]
    [InlineData("NINO033", "[NinoType(Name = \"\")] public sealed class A { public int X; }", "Remove")]
    [InlineData("NINO033", "[NinoType(SkipUnknownCases = true)] public abstract class A; [NinoType] public sealed class B : A { public List<C>? Many; } [NinoType(References = true)] public sealed class C { public int X; }", "Remove References")]
    public Task WhatMayBeMeantIsNotTakenAway(string id, string source, string title) => Editor.AssertNotOfferedAsync(id, source, title);

    /// <summary>Id, what is done, the source before, and after it was done to all of the id at once.</summary>
    [Theory]
    [InlineData("NINO010", "Remove [NinoMember]", "[NinoType] public class A { public int X; [NinoMember(2)] public int Y => X; [NinoMember(3), Obsolete] public static int Z { get; set; } }", "[NinoType] public class A { public int X; public int Y => X; [Obsolete] public static int Z { get; set; } }")]
    [InlineData("NINO031", "Remove what names no case", "[NinoType, NinoUnion(1, typeof(string)), NinoUnion(2, typeof(int))] public abstract class Shape;", "[NinoType] public abstract class Shape;")]
    [InlineData("NINO031", "Remove what names no case", "[NinoUnion(1, typeof(string)), NinoUnion(2, typeof(A)), NinoUnion(3, typeof(int))]\n[NinoUnion(4, typeof(long))] [NinoUnion(5, typeof(short))]\n[NinoType] public abstract class Shape; [NinoType] public class A : Shape;", "[NinoUnion(2, typeof(A))]\n[NinoType] public abstract class Shape; [NinoType] public class A : Shape;")]
    [InlineData("NINO033", "Remove References", "[NinoType(References = true)] public struct A { public int X; }\n[NinoType(References = true)] public struct B { public int X; }", "[NinoType] public struct A { public int X; }\n[NinoType] public struct B { public int X; }")]
    [InlineData("NINO051", "Remove [NinoUtf8]", "[NinoType] public class A { [NinoUtf8] public int X, Y; [NinoMember(3), NinoUtf8] public int Z; }", "[NinoType] public class A { public int X, Y; [NinoMember(3)] public int Z; }")]
    public Task AllThatCannotBeIsTakenAwayAtOnce(string id, string kind, string before, string after) => Editor.AssertAllFixedAsync(id, kind, before, after);
}
