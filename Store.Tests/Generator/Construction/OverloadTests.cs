namespace Store.Tests.Generator.Construction;

/// <summary>Reading calls the constructor that was chosen, whatever others the compiler could take for its arguments. The others make an object that is a thousand off.</summary>
public class OverloadTests
{
    [Fact]
    public void AParameterThatTheCompilerTellsItsCallerHasItsDefaultValueAndNotTheNameOfGeneratedCode() => Programs.Run("""
        [NinoType] public sealed class Traced
        {
            public Traced(int id, [System.Runtime.CompilerServices.CallerMemberName] string member = "none", [System.Runtime.CompilerServices.CallerFilePath] string? path = null, [System.Runtime.CompilerServices.CallerLineNumber] int line = -1)
            {
                Id = id;
                From = $"{member} {path} {line}";
            }

            public int Id { get; }
            [NinoIgnore] public string From { get; }
        }
        """, """
        Traced copy = Copy(new Traced(7));
        Equal((7, "none  -1"), (copy.Id, copy.From));
        """);

    [Fact]
    public void TheChosenConstructorIsCalledWhateverOthersFit() => Programs.Run("""
        [NinoType] public sealed class Shorter { public Shorter(int id) { Id = id + 1000; } [NinoConstructor] public Shorter(int id, bool isRead = true) { Id = id; } public int Id { get; } }
        [NinoType] public sealed class Nearer { public Nearer(int id) { Id = id + 1000; } [NinoConstructor] public Nearer(long id) { Id = (int)id; } public int Id { get; } }
        [NinoType] public sealed class Alike { public Alike(int id, string? text = null) { Id = id + 1000; } [NinoConstructor] public Alike(int id, bool isRead = true) { Id = id; } public int Id { get; } }
        [NinoType] public sealed class Head(int id, int more = 3) { public Head(int id) : this(id + 1000, 4) { } public int Id { get; } = id; [NinoIgnore] public int More { get; } = more; }
        [NinoType] public sealed class Made
        {
            private Made(int id) { Id = id; }
            [NinoConstructor] public static Made Of(int id, string note = "") => new Made(id);
            public static Made Of(int id) => new Made(id + 1000);
            public int Id { get; }
        }
        [NinoType] public sealed class Turned { [NinoConstructor] public Turned(int id, string text) { Id = id; Text = text; } public Turned(string text, int id) { Id = id + 1000; Text = text; } public int Id { get; } public string Text { get; } }
        [NinoType] public sealed class Some { [NinoConstructor] public Some(int? id) { Id = id ?? 0; } public Some(int id) { Id = id + 1000; } public Some(int id, params int[] more) { Id = id + 1000; } public int Id { get; } }
        [NinoType] public sealed class Seen { [NinoConstructor] public Seen(in int id) { Id = id; } public Seen(int id) { Id = id + 1000; } public int Id { get; } }
        [NinoType] public sealed class Preferred
        {
            [NinoConstructor] public Preferred(int id) { Id = id; }
            [System.Runtime.CompilerServices.OverloadResolutionPriority(1)] public Preferred(long id) { Id = (int)id + 1000; }
            public int Id { get; }
        }
        [NinoType] public struct Begun { [NinoConstructor] public Begun(int begin = 5) { Begin = begin; } [NinoIgnore] public int Begin; }
        """, """
        Equal(1, Copy(new Shorter(1, true)).Id);
        Equal(2, Copy(new Nearer(2L)).Id);
        Equal(3, Copy(new Alike(3, true)).Id);
        Head head = Copy(new Head(4, 7));
        Equal((4, 3), (head.Id, head.More));
        Equal(5, Copy(Made.Of(5, "")).Id);
        Equal(6, Copy(new Turned(6, "t")).Id);
        Equal(7, Copy(new Some((int?)7)).Id);
        int eight = 8;
        Equal(8, Copy(new Seen(in eight)).Id);
        Equal(1009, Copy(new Preferred(9)).Id);
        Equal(5, Copy(default(Begun)).Begin);
        """);

    /// <summary>It may make something else of a parameter, and what it makes again of what it made is another value.</summary>
    [Fact]
    public void WhatIsStoredWinsOverAConstructorThatSetsRequiredMembers() => Programs.Run("""
        [NinoType] public sealed class Marked { public required string Name { get; set; } public required int Level { get; init; } [SetsRequiredMembers] public Marked(string name, int level) { Name = name + "!"; Level = level + 1; } }
        [NinoType] public sealed class Between
        {
            private int _low, _high;
            public required int Low { get => _low; set => _low = value <= _high ? value : throw new ArgumentException("Too high."); }
            public required int High { get => _high; set => _high = value >= _low ? value : throw new ArgumentException("Too low."); }
            [SetsRequiredMembers] public Between(int low, int high) { _low = low; _high = high; }
        }
        """, """
        Marked marked = Copy(new Marked("a", 1));
        Equal(("a!", 2), (marked.Name, marked.Level));
        Between between = Copy(new Between(3, 9));
        Equal((3, 9), (between.Low, between.High));
        """);

    [Fact]
    public void AMemberAddedSinceHasTheValueThatTheChosenConstructorGives() => Programs.Run("""
        [NinoType] public sealed record Old(int Id);
        [NinoType, NinoFormerName("Old")] public sealed class Added { public Added(int id) : this(id, 1) { } [NinoConstructor] public Added(int id, int level = 9) { Id = id; Level = level; } public int Id { get; } public int Level { get; } }
        """, """
        Equal(9, Evolve<Old, Added>(new Old(1)).Level);
        """);
}
