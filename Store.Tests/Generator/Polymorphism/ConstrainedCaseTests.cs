namespace Store.Tests.Generator.Polymorphism;

/// <summary>Generic cases whose constraints some constructions of their base do not fulfil: they are cases of the others only, and the program compiles.</summary>
public class ConstrainedCaseTests
{
    /// <summary>What the case demands of its type argument, what fulfils it, what does not, and values of both.</summary>
    [Theory]
    [InlineData("T : IComparable<T>", "int", "5", "Item", "new Item(6)")]
    [InlineData("T : IEquatable<T[]>?", "Same", "new Same()", "int", "6")]
    [InlineData("T : new()", "Same", "new Same()", "Item", "new Item(6)")]
    [InlineData("T : new()", "Same", "new Same()", "Wanted", "new Wanted { Must = 6 }")]
    [InlineData("T : new()", "int", "5", "string", "\"6\"")]
    [InlineData("T : new()", "int", "5", "WantedValue", "new WantedValue { Must = 6 }")]
    [InlineData("T : IFormattable?", "int", "5", "int?", "6")]
    [InlineData("T : Nested<T>.IOf<int>?", "Same", "new Same()", "Item", "new Item(6)")]
    [InlineData("T : System.Numerics.INumber<T>", "double", "5.5", "Item", "new Item(6)")]
    public void ACaseIsOneOfTheConstructionsThatFulfilItsConstraints(string constraint, string fits, string fitting, string other, string another) => Programs.Run($$"""
        [NinoType] public abstract class Base<T> { public T? Value { get; set; } }
        [NinoType] public sealed class Any<T> : Base<T>;
        [NinoType] public sealed class Some<T> : Base<T> where {{constraint}};
        [NinoType] public sealed record Item(int Number = 3);
        [NinoType] public sealed record Wanted { public required int Must { get; set; } }
        [NinoType] public record struct WantedValue { public required int Must { get; set; } }
        [NinoType] public sealed record Same : IEquatable<Same[]>, Nested<Same>.IOf<int> { public bool Equals(Same[]? other) => false; }
        public static class Nested<T> { public interface IOf<TOther>; }
        [NinoType] public sealed class Holder { public Base<{{fits}}>? Fits { get; set; } public Base<{{other}}>? Other { get; set; } }
        """, $$"""
        Holder copy = Copy(new Holder { Fits = new Some<{{fits}}> { Value = {{fitting}} }, Other = new Any<{{other}}> { Value = {{another}} } });
        Equal(typeof(Some<{{fits}}>), copy.Fits!.GetType());
        Equal({{fitting}}, copy.Fits.Value);
        Equal({{another}}, copy.Other!.Value);
        """);

    /// <summary>One parameter may be the constraint of another, which numbers that only convert do not fulfil.</summary>
    [Fact]
    public void AParameterThatIsAConstraintIsComparedWithWhatStandsForIt() => Programs.Run("""
        [NinoType] public abstract class Base<T, TOther> { public TOther? Value { get; set; } }
        [NinoType] public sealed class Any<T, TOther> : Base<T, TOther>;
        [NinoType] public sealed class Some<T, TOther> : Base<T, TOther> where TOther : T;
        [NinoType] public sealed class Holder { public Base<object, string>? Text { get; set; } public Base<long, int>? Number { get; set; } public Base<(long, long), (int, int)>? Pair { get; set; } public Base<int, int>? Equal { get; set; } }
        """, """
        Holder copy = Copy(new Holder { Text = new Some<object, string> { Value = "t" }, Number = new Any<long, int> { Value = 4 }, Pair = new Any<(long, long), (int, int)>(), Equal = new Some<int, int> { Value = 5 } });
        Equal((typeof(Some<object, string>), 4, typeof(Some<int, int>)), (copy.Text!.GetType(), copy.Number!.Value, copy.Equal!.GetType()));
        """);
}
