namespace Store.Tests.Generator.Construction;

/// <summary>A base and what is derived from it may each have a callback of one name: none hides the other.</summary>
public class InheritedCallbackTests
{
    private const string Levels = """
        [NinoType] public class Base{0}
        {
            public int Id { get; set; }
            [NinoIgnore] public List<string> Calls { get; } = [];
            [NinoOnSerializing] private void Before() => Calls.Add("base before");
            [NinoOnSerialized] protected void After() => Calls.Add("base after");
            [NinoOnDeserialized] private void Read() => Calls.Add("base read");
        }
        [NinoType] public abstract class Middle{0} : Base{0};
        [NinoType] public sealed class Other{0} : Base{0};
        [NinoType] public sealed class Uses { public Derived{1}? A; public Other{1}? B; }
        [NinoType] public class Derived{0} : Middle{0}
        {
            [NinoOnSerializing] private void Before() => Calls.Add("before");
            [NinoOnSerialized] protected new void After() => Calls.Add("after");
            [NinoOnDeserialized] private void Read() => Calls.Add("read");
        }
        """;

    [Theory]
    [InlineData("", "")]
    [InlineData("<T>", "<int>")]
    public void CallbacksOfOneNameInBaseAndDerivedAreBothCalled(string parameters, string arguments) => Programs.Run(Levels.Replace("{0}", parameters).Replace("{1}", arguments), $$"""
        var uses = new Uses { A = new() { Id = 1 }, B = new() };
        Uses read = Copy(uses);
        Equal("base before, before, base after, after", string.Join(", ", uses.A.Calls));
        Equal("base read, read", string.Join(", ", read.A!.Calls));
        Equal("base before, base after", string.Join(", ", uses.B.Calls));
        """);

    [Fact]
    public void WhatIsDoneBeforeWritingIsNotUndoneWhereWritingFails() => Programs.Run("""
        [NinoType] public sealed class Locked
        {
            [NinoIgnore] public List<string> Calls { get; } = [];
            public string Text { get => Calls.Count > 2 ? "x" : throw new InvalidOperationException("no"); set { } }
            [NinoOnSerializing] private void Before() => Calls.Add("before");
            [NinoOnSerialized] private void After() => Calls.Add("after");
        }
        """, """
        var locked = new Locked();
        try { NinoSerializer.Serialize(locked); }
        catch (InvalidOperationException) { locked.Calls.Add("failed"); }
        catch (NinoSerializationException) { locked.Calls.Add("failed"); }
        Copy(locked);
        Equal("before, failed, before, after", string.Join(", ", locked.Calls));
        """);
}
