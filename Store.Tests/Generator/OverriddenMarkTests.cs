namespace Store.Tests.Generator;

/// <summary>Marks on a property that overrides another one, which has others.</summary>
public class OverriddenMarkTests
{
    [Fact]
    public void AnOverrideThatIsMarkedIsStoredThoughWhatItOverridesIsLeftOut() => Programs.Run("""
        public abstract class Shape { [NinoIgnore] public virtual string? Label { get; set; } [NinoIgnore] public abstract int Sides { get; set; } [NinoIgnore] public virtual int Left { get; set; } [NinoInclude] protected virtual int Kept { get; set; } = 1; }
        public class Round : Shape { [NinoInclude] public override string? Label { get; set; } [NinoMember(3)] public override int Sides { get; set; } public override int Left { get; set; } [NinoIgnore] protected override int Kept { get; set; } public void Keep(int kept) => Kept = kept; public int GetKept() => Kept; }
        [NinoType] public sealed class Circle : Round { public override string? Label { get => base.Label; set => base.Label = value; } }
        [NinoType] public sealed class Hidden : Round { [NinoIgnore] public override string? Label { get; set; } }
        public abstract record Event { [NinoIgnore] public abstract int Id { get; init; } }
        [NinoType] public sealed record Made([NinoMember(2)] int Id, int Size) : Event;
        """, """
        var circle = new Circle { Label = "l", Sides = 4, Left = 5 };
        circle.Keep(6);
        Circle read = Copy(circle);
        Equal(("l", 4, 0, 0), (read.Label, read.Sides, read.Left, read.GetKept()));
        Equal((null, 4), (Copy(new Hidden { Label = "l", Sides = 4 }) is var hidden ? (hidden.Label, hidden.Sides) : default));
        Equal("2:Id:Int32 0:Size:Int32", Fields<Made>());
        Equal(new Made(7, 8), Copy(new Made(7, 8)));
        """);
}
