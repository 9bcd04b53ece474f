namespace Store.Tests.Generator.Construction;

/// <summary>Which constructor reading calls, and what it and the members behind it are given.</summary>
public class ChosenConstructorTests
{
    [Fact]
    public void TheMarkedOneComesBeforeThatInTheHeadAndThatBeforeWhatSetsMostAndTakesLeast() => Programs.Run("""
        [NinoType] public sealed class Settable { public Settable() => How = "none"; public Settable(int a) => (A, How) = (a, "a"); public int A { get; set; } [NinoIgnore] public string How { get; } }
        [NinoType] public sealed class Whole
        {
            public Whole() => How = "none";
            public Whole(int a) => (A, How) = (a, "a");
            public Whole(int a, int b) => (A, B, How) = (a, b, "both");
            public Whole(int a, int b, string c) => (A, B, C, How) = (a, b, c, "all");
            public int A { get; set; }
            public int B { get; }
            public string? C { get; set; }
            [NinoIgnore] public string How { get; }
        }
        [NinoType] public sealed class Head(int a) { public Head() : this(5) => How = "none"; public int A { get; set; } = a; [NinoIgnore] public string How { get; } = "head"; }
        [NinoType] public sealed class Marked(int a) { [NinoConstructor] private Marked() : this(5) => How = "marked"; public int A { get; set; } = a; [NinoIgnore] public string How { get; } = "head"; }
        """, """
        Settable settable = Copy(new Settable(1));
        Equal((1, "none"), (settable.A, settable.How));
        Whole whole = Copy(new Whole(2, 3, "c"));
        Equal((2, 3, "c", "both"), (whole.A, whole.B, whole.C, whole.How));
        Head head = Copy(new Head(4));
        Equal((4, "head"), (head.A, head.How));
        Marked marked = Copy(new Marked(6));
        Equal((6, "marked"), (marked.A, marked.How));
        """);

    [Fact]
    public void AParameterTakesItsMemberWhateverTheCaseAndUnderscoresAndHasItsDefaultWhereThatIsLeftOut() => Programs.Run("""
        public interface IClock;
        [NinoType] public sealed class Timer
        {
            [NinoIgnore] private readonly IClock? _clock;
            [NinoInclude] private readonly int _ticks;
            public Timer(IClock? clock, int ticks, long SECONDS, int limit = 60) => (_clock, _ticks, Seconds, Limit) = (clock, ticks, SECONDS, limit);
            public int Seconds64 => (int)Seconds;
            public long Seconds { get; }
            [NinoIgnore] public int Limit { get; }
            public (bool, int) Look() => (_clock is null, _ticks);
        }
        public sealed class Clock : IClock;
        """, """
        Timer copy = Copy(new Timer(new Clock(), 3, 4, 5));
        Equal((true, 3, 4L, 60), (copy.Look().Item1, copy.Look().Item2, copy.Seconds, copy.Limit));
        """);

    [Fact]
    public void WhatIsSetBehindTheConstructorIsSetInOneInitializerWhereThatIsPossible() => Programs.Run("""
        [NinoType] public sealed class Room
        {
            private readonly List<string> _order = [];
            public Room(int number) => Number = number;
            public int Number { get; }
            public required string Name { get; init { field = value; _order.Add("Name"); } }
            public string? Note { get; set { field = value; _order.Add("Note"); } }
            [NinoInclude] public string? Key { get; private set { field = value; _order.Add("Key"); } }
            [NinoIgnore] public required object? Lock { get; init; }
            public static Room Of(int number) => new(number) { Name = "n", Note = "o", Key = "k", Lock = new object() };
            public string Order() => string.Join(" ", _order);
        }
        """, """
        Room room = Room.Of(3), copy = Copy(room);
        Equal((3, "n", "o", "k", null, "Name Note Key"), (copy.Number, copy.Name, copy.Note, copy.Key, copy.Lock, copy.Order()));
        """);

    [Fact]
    public void AStructIsMadeByItsOwnConstructorWithoutParameters() => Programs.Run("""
        [NinoType] public struct Begun { public Begun() => Extra = 3; public int Id { get; set; } [NinoIgnore] public int Extra; }
        [NinoType] public struct Plain { public int Id { get; set; } public string? Text { get; set; } }
        [NinoType] public sealed class Holder { public Begun One { get; set; } public Begun[]? All { get; set; } public Plain Plain { get; set; } }
        """, """
        Holder copy = Copy(new Holder { One = new() { Id = 1 }, All = [new() { Id = 2 }], Plain = new() { Id = 4, Text = "t" } });
        Equal((1, 3, 2, 3, 4, "t"), (copy.One.Id, copy.One.Extra, copy.All![0].Id, copy.All[0].Extra, copy.Plain.Id, copy.Plain.Text));
        """);

    [Fact]
    public void WhatAConstructorThrowsIsTheInnerExceptionAndTheMessageHasTheMember() => Programs.Run("""
        [NinoType] public sealed class Percent { public Percent(int value) => Value = value <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value)); public int Value { get; } }
        [NinoType] public sealed record Holder(string Name, List<Percent> All);
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Holder("n", [new(1), new(100)]));
        bytes[^4] = 101;
        try { NinoSerializer.Deserialize<Holder>(bytes); }
        catch (NinoSerializationException error)
        {
            Equal(("All[1].Value", typeof(ArgumentOutOfRangeException)), (error.MemberPath, error.InnerException!.GetType()));
            Copy(new Holder("n", []));
            return;
        }
        throw new InvalidOperationException("Nothing was thrown.");
        """);
}
