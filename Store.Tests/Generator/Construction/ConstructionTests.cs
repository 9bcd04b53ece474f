using Store.Serialization;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Generator.Construction;

public class ConstructionTests
{
    [Fact]
    public void CallbacksRunInOrderBaseClassesFirst()
    {
        var session = new Session { Id = 1, Name = "n", Key = "k" };
        byte[] bytes = NinoSerializer.Serialize(session);
        Assert.Equal(["base before", "before 1", "written 1"], session.Calls);

        Session copy = NinoSerializer.Deserialize<Session>(bytes);
        Assert.Equal(["made 0  ", "base after"], copy.Calls);
        Assert.Equal("1/n/k", copy.Lookup);
    }

    [Fact]
    public void CallbacksRunForMembersElementsAndCases()
    {
        var sessions = new Sessions { One = new Session { Id = 2, Key = "x" }, Counter = new Counter { Value = 5 }, All = [new Counter(), new Counter { Value = 9 }], Named = new Named { Name = "m" }, Any = new Session { Id = 3, Key = "y" } };
        Sessions copy = NinoSerializer.Deserialize<Sessions>(NinoSerializer.Serialize(sessions));
        Assert.Equal("2//x", copy.One!.Lookup);
        Assert.Equal("3//y", ((Session)copy.Any!).Lookup);
        Assert.Equal(("m", "nothing"), (copy.Named.Name, copy.Named.AtFirst));

        // What a struct does before it is written happens to a copy.
        Assert.Equal((6, true), (copy.Counter.Value, copy.Counter.WasRead));
        Assert.Equal(5, sessions.Counter.Value);
        Assert.Equal([1, 10], copy.All!.Select(static counter => counter.Value));
        Assert.All(copy.All!, static counter => Assert.True(counter.WasRead));
    }

    [Fact]
    public void WhatACallbackThrowsIsSeen()
    {
        Assert.Equal("too loud to write", Assert.Throws<InvalidOperationException>(static () => NinoSerializer.Serialize(new Loud { Limit = 100 })).Message);
        var error = Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Deserialize<Loud>(NinoSerializer.Serialize(new Loud { Limit = 60 })));
        Assert.Equal("too loud to read", Assert.IsType<InvalidOperationException>(error.InnerException).Message);
    }

    [Fact]
    public void TheConstructorThatSetsTheStateComesBeforeThoseThatTakeWhatIsComputed()
    {
        var color = new PackedColor(1, 2, 3);
        Assert.Equal("03020100", Convert.ToHexString(NinoSerializer.Serialize(color)));
        PackedColor copy = NinoSerializer.Deserialize<PackedColor>(NinoSerializer.Serialize(color));
        Assert.Equal((1, 2, 3), (copy.R, copy.G, copy.B));
    }

    [Fact]
    public void AFactoryMethodStandsForTheConstructor()
    {
        var value = new Factories { Money = Money.Of(1, "EUR"), Percent = Percent.Half, Wrapped = Wrapped<int>.Of(4), All = [Percent.Half, default], Generic = new() { Value = "g" } };
        Factories copy = RoundTrip.Of(value);
        Assert.Same(value.Money, copy.Money);
        Assert.Equal((50, 4), (copy.Percent.Value, copy.Wrapped!.Get()));
        Assert.Equal([50, 0], copy.All!.Select(static percent => (int)percent.Value));
        Assert.Equal(("g", 1), (copy.Generic!.Value, copy.Generic.Reads));

        Money noted = NinoSerializer.Deserialize<Money>(NinoSerializer.Serialize(Noted()));
        Assert.Equal((7, "USD", "note"), (noted.Cents, noted.Currency, noted.Note));

        static Money Noted()
        {
            Money money = Money.Of(7, "USD");
            typeof(Money).GetProperty(nameof(Money.Note))!.SetValue(money, "note");
            return money;
        }
    }

    [Fact]
    public void AFactoryThatRefusesIsATypedError()
    {
        byte[] bytes = NinoSerializer.Serialize(Money.Of(12, "EUR"));
        bytes[0] = 13;
        Assert.Contains("returned null", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Money>(bytes)).Message);
        Assert.IsType<ArgumentOutOfRangeException>(Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Deserialize<Percent>([101])).InnerException);
    }

    [Fact]
    public void AParameterTakesWhatHoldsTheValueBeforeWhatIsComputedOfIt() => Programs.Run("""
        [NinoType] public sealed class Person
        {
            public Person(string name) => (_name, Letters) = (name, name);
            public string Name => _name.ToUpperInvariant();
            [NinoInclude] private readonly string _name;
            [NinoIgnore] public string Letters { get; }
        }
        [NinoType] public sealed class Same
        {
            public Same(string Name) => (_name, Letters) = (Name, Name);
            public string Name => _name.ToUpperInvariant();
            [NinoInclude] private readonly string _name;
            [NinoIgnore] public string Letters { get; }
        }
        [NinoType] public sealed class Data
        {
            public Data(string text) => _text = text.ToCharArray();
            public string Text => new(_text);
            [NinoInclude] private readonly char[] _text;
        }
        """, """
        Person read = Copy(new Person("ann"));
        Equal(("ANN", "ann"), (read.Name, read.Letters));
        Equal("0:_name:String", Fields<Person>());
        Equal("ann", Copy(new Same("ann")).Letters);
        Equal("text", Copy(new Data("text")).Text);
        """);

    [Fact]
    public void AnOperatorOrGetterStandsForTheConstructorAsAMethodDoes() => Programs.Run("""
        public interface IMade<T> { static abstract T Make(string text); }
        [NinoType] public sealed class Tag { private Tag(string text) => Text = text; public string Text { get; } [NinoConstructor] public static implicit operator Tag(string text) => new(text); }
        [NinoType] public sealed class One { private One() { } public static One Only { [NinoConstructor] get; } = new(); }
        [NinoType] public sealed class Label : IMade<Label> { private Label(string text) => Text = text; public string Text { get; } [NinoConstructor] static Label IMade<Label>.Make(string text) => new(text); public static Label Of(string text) => new(text); }
        """, """
        Equal("t", Copy((Tag)"t").Text);
        Equal(true, ReferenceEquals(One.Only, Copy(One.Only)));
        Equal("l", Copy(Label.Of("l")).Text);
        """);

    [Theory]
    [InlineData("(float X, float Y)", "(int X, int Y)", true)]
    [InlineData("(int X, (double, string) Y)", "(int X, (long, string) Y)", true)]
    [InlineData("(long X, double Y)?", "(int X, float Y)", false)]
    public void AParameterTakesNoTupleOfWhichItWouldRoundAPart(string parameter, string member, bool isRounded) => Assert.Equal(isRounded ? ["NINO006"] : [],
        GeneratorHarness.Diagnose($"[NinoType] public sealed class A {{ public A({parameter} p) {{ _ = p; }} public {member} P {{ get; }} }}").Select(static one => one.Id));

    [Fact]
    public void ADefaultValueThatIsPassedIsThatOfTheParameterToTheLastBit() => Programs.Run("""
        [NinoType]
        public sealed class Probe
        {
            [NinoConstructor] private Probe(int id, float scale = 7.038531e-26f, double step = 5e-324, string text = "\ud800") { Id = id; Scale = scale; Step = step; Text = text; }
            public static Probe Of(int id) => new(id);
            public int Id { get; }
            [NinoIgnore] public float Scale { get; }
            [NinoIgnore] public double Step { get; }
            [NinoIgnore] public string Text { get; }
        }
        """, """
        Probe made = Probe.Of(1), read = Copy(made);
        Equal((made.Scale, made.Step, made.Text), (read.Scale, read.Step, read.Text));
        """);

    [Fact]
    public void PrivateMembersOfBaseClassesAndReadonlyFieldsAreStored()
    {
        Vault copy = RoundTrip.Of(new Vault(3, "s"));
        Assert.Equal((3, "s"), copy.Reveal());
        Assert.Equal(3, copy["k"]);
    }
}
