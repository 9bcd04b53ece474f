namespace Store.Tests.Generator;

/// <summary>Marks on a property that overrides another one, which has others.</summary>
public class OverriddenMarkTests
{
    /// <summary>Where a base has the interface, its method is the one that implements it.</summary>
    [Fact]
    public void ACallbackThatOverridesWhatImplementsAnInterfaceIsCalledOnce() => Programs.Run("""
        public interface IAfter { [NinoOnDeserialized] void After(); }
        public abstract class Base : IAfter { public abstract void After(); }
        [NinoType] public sealed class A : Base { public int X; [NinoIgnore] public int Called; [NinoOnDeserialized] public override void After() => Called++; }
        """, "Equal((7, 1), Copy(new A { X = 7 }) is var read ? (read.X, read.Called) : default);");

    [Fact]
    public void AnOverrideThatIsMarkedIsStoredThoughWhatItOverridesIsLeftOut() => Programs.Run("""
        public abstract class Shape { [NinoIgnore] public virtual string? Label { get; set; } [NinoIgnore] public abstract int Sides { get; set; } [NinoIgnore] public virtual int Left { get; set; } [NinoInclude] protected virtual int Kept { get; set; } = 1; }
        public class Round : Shape { [NinoInclude] public override string? Label { get; set; } [NinoMember(3)] public override int Sides { get; set; } public override int Left { get; set; } [NinoIgnore] protected override int Kept { get; set; } public void Keep(int kept) => Kept = kept; public int GetKept() => Kept; }
        [NinoType] public sealed class Circle : Round { public override string? Label { get => base.Label; set => base.Label = value; } }
        [NinoType] public sealed class Hidden : Round { [NinoIgnore] public override string? Label { get; set; } }
        public abstract record Event { [NinoIgnore] public abstract int Id { get; init; } }
        [NinoType] public sealed record Made([NinoMember(2)] int Id, int Size) : Event;
        public record Mid([NinoMember(2)] int Id) : Event;
        [NinoType] public sealed record Leaf(int Id) : Mid(Id) { public override int Id { get; init; } = Id; }
        """, """
        var circle = new Circle { Label = "l", Sides = 4, Left = 5 };
        circle.Keep(6);
        Circle read = Copy(circle);
        Equal(("l", 4, 0, 0), (read.Label, read.Sides, read.Left, read.GetKept()));
        Equal((null, 4), (Copy(new Hidden { Label = "l", Sides = 4 }) is var hidden ? (hidden.Label, hidden.Sides) : default));
        Equal("2:Id:Int32 0:Size:Int32", Fields<Made>());
        Equal(new Made(7, 8), Copy(new Made(7, 8)));
        Equal(9, Copy(new Leaf(9)).Id);
        """);
}
