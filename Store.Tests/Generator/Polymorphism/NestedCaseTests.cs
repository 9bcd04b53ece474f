namespace Store.Tests.Generator.Polymorphism;

/// <summary>Cases that are nested in a generic type: its type arguments are theirs.</summary>
public class NestedCaseTests
{
    [Fact]
    public void CasesInsideTheirGenericBaseAreFoundForEachConstruction() => Programs.Run("""
        [NinoType] public abstract partial record Result<T>
        {
            [NinoType] public sealed record Ok(T Value) : Result<T>;
            [NinoType] public sealed record Fail(string Why) : Result<T>;
            [NinoType] public sealed record Both<TOther>(T Value, TOther Other) : Result<T>;
        }
        [NinoType] public sealed record Holder(Result<int> Number, Result<string>[] Texts);
        """, """
        Holder copy = Copy(new Holder(new Result<int>.Ok(5), [new Result<string>.Fail("w"), new Result<string>.Ok("t")]));
        Equal(new Result<int>.Ok(5), copy.Number);
        Equal(new Result<string>.Fail("w"), copy.Texts[0]);
        Equal(new Result<string>.Ok("t"), copy.Texts[1]);
        """);

    [Fact]
    public void ACaseAndItsBaseMayBeNestedSideBySide() => Programs.Run("""
        public static class Outer<TKey, TValue>
        {
            [NinoType] public abstract class Change { public TKey Key { get; set; } = default!; }
            [NinoType] public sealed class Put : Change { public TValue Value { get; set; } = default!; }
            public static class Inner { [NinoType] public sealed class Swap<TOther> : Slot<TOther, TKey> { public TOther Other { get; set; } = default!; public TValue? Value { get; set; } } }
        }
        [NinoType] public abstract class Slot<T1, T2> { public T1? First { get; set; } }
        [NinoType] public sealed class Pair<T1, T2> : Slot<T2, T1>;
        [NinoType] public sealed record Holder(Outer<int, string>.Change Change, Slot<int, string> Slot);
        """, """
        Holder copy = Copy(new Holder(new Outer<int, string>.Put { Key = 3, Value = "v" }, new Pair<string, int> { First = 4 }));
        Equal((3, "v", 4), (copy.Change.Key, ((Outer<int, string>.Put)copy.Change).Value, ((Pair<string, int>)copy.Slot).First));
        """);

    [Fact]
    public void ABaseMayNameCasesThatAreNestedInIt() => Programs.Run("""
        [NinoType, NinoUnion(0, typeof(Result<>.Ok)), NinoUnion(1, typeof(Result<>.Fail))] public abstract record Result<T>
        {
            [NinoType] public sealed record Ok(T Value) : Result<T>;
            [NinoType] public sealed record Fail(string Why) : Result<T>;
        }
        [NinoType] public sealed record Holder(Result<int> Number, Result<string> Text);
        """, """
        var holder = new Holder(new Result<int>.Ok(5), new Result<string>.Fail("w"));
        Equal(holder, Copy(holder));
        Equal((1 + 4) + (1 + 2), NinoSerializer.Serialize(holder).Length);
        """);

    [Fact]
    public void EachConstructionOfABaseHasThoseOfTheNamedCasesThatAreDerivedFromIt() => Programs.Run("""
        [NinoType, NinoUnion(0, typeof(Text)), NinoUnion(1, typeof(Number)), NinoUnion(2, typeof(Many<>)), NinoUnion(3, typeof(Any<>)), NinoUnion(4, typeof(Whole<>))] public abstract record Result<T>;
        [NinoType] public sealed record Text(string Value) : Result<string>;
        [NinoType] public sealed record Number(int Value) : Result<int>;
        [NinoType] public sealed record Many<T>(T First) : Result<List<T>>;
        [NinoType] public sealed record Any<T>(T Value) : Result<T>;
        [NinoType] public sealed record Whole<T>(T Value) : Result<T> where T : struct;
        public sealed record Odd : Result<int>;
        [NinoType] public sealed record Holder(Result<string> Text, Result<int> Number, Result<List<int>> Many, Result<string> Any, Result<int> Whole);
        """, """
        var holder = new Holder(new Text("a"), new Number(1), new Many<int>(2), new Any<string>("b"), new Whole<int>(3));
        Equal(holder, Copy(holder));
        var error = new NinoSerializationException("");
        try { NinoSerializer.Serialize(holder with { Text = null!, Whole = new Odd() }); } catch (NinoSerializationException e) { error = e; }
        Equal(true, error.Message.Contains("(1 Number, 3 Any<System.Int32>, 4 Whole<System.Int32>)"));
        """);

    [Fact]
    public void ANestedCaseWhoseConstraintsTheArgumentsDoNotMeetIsNone() => Programs.Run("""
        public static class Of<T> where T : struct { [NinoType] public sealed record Value(T Item) : Result<T>; }
        [NinoType] public abstract record Result<T>;
        [NinoType] public sealed record Text<T>(string Why) : Result<T>;
        [NinoType] public sealed record Holder(Result<int> Number, Result<string> Text);
        """, """
        var holder = new Holder(new Of<int>.Value(5), new Text<string>("t"));
        Equal(holder, Copy(holder));
        """);

    [Fact]
    public void CasesInsideAGenericBaseOfAnotherAssemblyAreFound() => Programs.Run("""
        [NinoType] public sealed record Holder(Lib.Result<int> Number);
        [NinoType] public sealed record Mine<T>(T Value) : Lib.Result<T>;
        """, """
        Equal(new Holder(new Lib.Result<int>.Ok(5)), Copy(new Holder(new Lib.Result<int>.Ok(5))));
        Equal(new Holder(new Mine<int>(6)), Copy(new Holder(new Mine<int>(6))));
        """, """
        namespace Lib;
        [NinoType] public abstract record Result<T> { [NinoType] public sealed record Ok(T Value) : Result<T>; }
        """);
}
