using Store.Tests.Generator;

namespace Store.Tests.FSharp;

/// <summary>Classes that are written in C# and carry the attributes that the compiler of F# writes are no unions and records of F#: all of each is stored.</summary>
public sealed class ClassesOfCSharpTests
{
    private const string Types = """
        namespace Lib
        {
            using Microsoft.FSharp.Core;
            [NinoType, CompilationMapping(SourceConstructFlags.SumType)]
            public abstract class Shape
            {
                public int Tag => this is Circle ? 0 : 1;
                [CompilationMapping(SourceConstructFlags.UnionCase, 0)] public static Shape NewCircle(int radius) => new Circle(radius);
                [NinoType] public class Circle(int radius) : Shape { [CompilationMapping(SourceConstructFlags.Field, 0, 0)] public int Radius { get; } = radius; public int More; }
            }
            [CompilationMapping(SourceConstructFlags.RecordType)] public class Row(int a) { [CompilationMapping(SourceConstructFlags.Field, 0)] public int A { get; } = a; public int More { get; set; } }
        }
        """;

    private const string Run = """
        var circle = (Lib.Shape.Circle)Copy<Lib.Shape>(new Lib.Shape.Circle(3) { More = 4 });
        Equal((3, 4), (circle.Radius, circle.More));
        Lib.Row row = Copy(new Lib.Row(5) { More = 6 });
        Equal((5, 6), (row.A, row.More));
        """;

    [Fact]
    public void AreStoredAsWhatTheyAre()
    {
        const string Registered = "[assembly: NinoSerializable(typeof(Lib.Row))]\n";
        Programs.Run(Registered + Types, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Registered, Run, Types, seesReferenceAssembly);
    }
}
