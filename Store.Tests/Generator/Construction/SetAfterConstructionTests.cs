namespace Store.Tests.Generator.Construction;

/// <summary>What a constructor makes of its parameter is not always what was stored: a member that can be set is set to that.</summary>
public class SetAfterConstructionTests
{
    [Fact]
    public void AMemberThatCanBeSetHasWhatWasStoredWhateverTheConstructorMakesOfIt() => Programs.Run("""
        #pragma warning disable CS8907
        [NinoType] public sealed record Doubled(int X) { public int X { get; init; } = X * 2; }
        [NinoType] public readonly record struct Forgotten(int X) { public int X { get; init; } }
        [NinoType] public sealed class Clamped
        {
            public Clamped(int level) { Level = Math.Min(level, 10); Seen = level; }
            public int Level { get; set; }
            [NinoIgnore] public int Seen { get; }
        }
        [NinoType(References = true)] public sealed class Numbered(int id) { public int Id { get; init; } = id + 1; public Numbered? Self { get; set; } public string? Name { get; init; } }
        [NinoType] public sealed class Hidden
        {
            [NinoConstructor] private Hidden(int id, int marked) { Id = id + 1; Marked = marked + 1; }
            public int Id { get; init; }
            [NinoInclude] public int Marked { get; private set; }
            public static Hidden New(int id) => new(id - 1, id - 1);
        }
        [NinoType] public sealed class Wanted { public Wanted(int id) { Id = id + 1; } public required int Id { get; init; } }
        [NinoType] public sealed class Called { public Called(int id) { Id = id + 1; } public int Id { get; init; } [NinoIgnore] public int AtFirst; [NinoOnDeserializing] private void Begin() => AtFirst = Id; }
        [NinoType] public record Base(int Id) { public int Id { get; set; } = Id + 1; }
        [NinoType] public sealed record Derived(int Id, string? Text) : Base(Id);
        """, """
        Equal(6, Copy(new Doubled(0) { X = 6 }).X);
        Equal(6, Copy(new Forgotten(0) { X = 6 }).X);
        Clamped clamped = Copy(new Clamped(3) { Level = 30 });
        Equal((30, 30), (clamped.Level, clamped.Seen));
        var numbered = new Numbered(1) { Name = "n" };
        numbered.Self = numbered;
        Numbered read = Copy(numbered);
        Equal((2, "n", true), (read.Id, read.Name, ReferenceEquals(read, read.Self)));
        Hidden hidden = Copy(Hidden.New(5));
        Equal((5, 5), (hidden.Id, hidden.Marked));
        Equal(3, Copy(new Wanted(0) { Id = 3 }).Id);
        Called called = Copy(new Called(0) { Id = 8 });
        Equal((8, 9), (called.Id, called.AtFirst));
        Equal(9, ((Base)Copy(new Derived(0, "t") { Id = 9 })).Id);
        """);

    [Fact]
    public void AStructWithoutAConstructorOfItsOwnIsMadeOfZerosBeforeItsCallback() => Programs.Run("""
        [NinoType] public struct Called { public required int Id { get; set; } public required string? Name { get; init; } [NinoIgnore] public bool Began; [NinoOnDeserializing] private void Begin() => Began = Id == 0; }
        [NinoType] public record struct Ignores { public int Id { get; set; } [NinoIgnore] public required int Other { get; set; } [NinoOnDeserializing] public void Begin() { } }
        [NinoType] public struct Boxed<T> { public required T Value; [NinoOnDeserializing] public void Begin() { } }
        [NinoType, NinoFormerName("Called")] public struct Later { public required int Id { get; set; } public int Level { get => field - 5; set => field = value + 5; } [NinoOnDeserializing] public void Begin() { } }
        [NinoType] public sealed record Holder(Called[] Called, Called? Maybe, Boxed<int> Boxed);
        """, """
        Called called = Copy(new Called { Id = 3, Name = "n" });
        Equal((3, "n", true), (called.Id, called.Name, called.Began));
        Equal(4, Copy(new Ignores { Id = 4, Other = 5 }).Id);
        Holder holder = Copy(new Holder([called], called, new Boxed<int> { Value = 6 }));
        Equal((3, "n", 6), (holder.Called[0].Id, holder.Maybe!.Value.Name, holder.Boxed.Value));
        Equal((3, -5), (Evolve<Called, Later>(called).Id, Evolve<Called, Later>(called).Level));
        """);

    [Fact]
    public void APositionalMemberIsSetOnce()
    {
        string code = GeneratorHarness.SourceOf(GeneratorHarness.Generate("[NinoType] public record Base(int Id); [NinoType] public sealed record Derived(int Id, string? Text) : Base(Id);"), "DerivedCodec.g.cs");
        Assert.Contains("return new global::Derived(Id: member0, Text: member1);", code, StringComparison.Ordinal);
    }

    [Fact]
    public void AParameterThatWouldLoseDigitsOfAMemberIsNotTheMembers()
    {
        foreach ((string member, string parameter) in new[] { ("int", "float"), ("uint", "float"), ("long", "float"), ("long", "double"), ("ulong", "double"), ("nint", "double"), ("int?", "float?") })
        {
            Microsoft.CodeAnalysis.Diagnostic only = Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public class A {{ public {member} X {{ get; }} public A({parameter} x) {{ }} }}"));
            Assert.Equal("NINO006", only.Id);
        }

        GeneratorHarness.Generate("[NinoType] public class A { public int X { get; } public A(double x) { X = (int)x; } } [NinoType] public class B { public short X { get; } public B(float x) { X = (short)x; } } [NinoType] public class C { public int X { get; } public C(long? x) { X = (int)(x ?? 0); } }");
    }

    [Fact]
    public void AnObjectThatAFactoryMadeIsNotFilled() => Programs.Run("""
        [NinoType] public sealed class Unit
        {
            private static readonly Dictionary<int, Unit> All = [];
            public int Id { get; private set; }
            public string? Note { get; set; }
            [NinoConstructor] public static Unit Of(int id) { if (!All.TryGetValue(id, out Unit? unit)) All.Add(id, unit = new Unit { Id = id }); return unit; }
        }
        [NinoType] public sealed class Open
        {
            private static readonly Open Shared = new() { Name = "shared" };
            public string? Name { get; set; }
            [NinoConstructor] private static Open Of() => new();
            public static Open Get() => Shared;
        }
        """, """
        byte[] two = NinoSerializer.Serialize(new Open { Name = "two" });
        Open held = Open.Get();
        NinoSerializer.Deserialize(two, ref held!);
        Equal(("two", "shared"), (held.Name, Open.Get().Name));
        Unit unit = Unit.Of(1);
        NinoSerializer.Deserialize(NinoSerializer.Serialize(Unit.Of(2)), ref unit!);
        Equal((2, 1), (unit.Id, Unit.Of(1).Id));
        Records.Add((two, NinoSerializer.SchemaOf<Open>()));
        """);
}
