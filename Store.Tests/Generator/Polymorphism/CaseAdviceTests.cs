using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator.Polymorphism;

/// <summary>What is told of an object that no generated code knows where it stands: what helps there, and never to put a mark where it is already.</summary>
public class CaseAdviceTests
{
    private const string Base = """
        namespace Lib;
        [NinoType] public abstract class Event { public int Id; }
        [NinoType] public class Started : Event;
        [NinoType] public class Full<T> : Event { public T? Value; }
        [NinoType] public class Log { public Event? Last; public Note? Note; }
        [NinoType] public class Note { public int Id; }
        public class Bare : Event;
        public class BareFull<T> : Event { public T? Value; }
        public class BareNote : Note;
        #pragma warning disable NINO032
        [NinoType, NinoUnion(4, typeof(Circle))] public abstract class Shape;
        [NinoType] public class Circle : Shape;
        [NinoType] public class Square : Shape;
        public class Dot : Shape;
        [NinoType] public class Drawing { public Shape? Shape; }
        [NinoType] public class Box { public object? Any; }
        public class Loose { public int Id; }
        public enum Kind { A }
        """;

    private const string Other = """
        namespace P2;
        [NinoType] public class Stopped : Lib.Event;
        [NinoType] public class LongNote : Lib.Note;
        [NinoType] public class Line : Lib.Shape;
        public class Unmarked : Lib.Event;
        public class Plain { public int Id; }
        """;

    private const string Told = """
        public static class Told
        {
            public static void Of(object value, string told)
            {
                object record = value switch { Lib.Event e => new Lib.Log { Last = e }, Lib.Note n => new Lib.Log { Note = n }, Lib.Shape s => new Lib.Drawing { Shape = s }, _ => new Lib.Box { Any = value } };
                Of(record, value, told);
            }

            public static void OfObject(object value, string told) => Of(new Lib.Box { Any = value }, value, told);

            private static void Of(object record, object value, string told)
            {
                try { NinoSerializer.Serialize(record); }
                catch (NinoSerializationException error)
                {
                    if (!error.Message.Contains($"A value of type '{value.GetType()}' ") || !error.Message.EndsWith(told)) throw new InvalidOperationException(error.Message);
                    return;
                }
                throw new InvalidOperationException("It was written.");
            }
        }
        """;

    private const string Reach = " A member knows what the project that declares it has in reach, itself and what it references: declare the member, or the type, so that it has. For a root or its elements, put [assembly: NinoSerializable(typeof(Lib.{0}))] into the program, which must reference the project of '{1}'.";

    private const string Derived = " A 'Note' is a polymorphic base where the mark of a derived type is in reach of the compilation. Or store it as its own type.";

    private static readonly (string, string, int)[] Libraries = [("Base", Base, 0), ("P2", Other, 1)];

    [Fact]
    public void OneThatIsMarkedWhereTheBaseDoesNotReachIsToldWhoKnowsIt()
    {
        Check("new P2.Stopped()", ". It has [NinoType]." + For(Reach, "Event", "P2.Stopped"));
        Check("new P2.LongNote()", "would be lost. It has [NinoType]." + For(Reach, "Note", "P2.LongNote") + Derived);
    }

    [Fact]
    public void OneThatIsMarkedAndGenericIsToldToRegisterTheConstructionAndWhatItIsMadeOf()
    {
        const string Register = "Its [NinoType] serves the constructions of it that are met when the declaration is compiled: register this one with [assembly: NinoSerializable(typeof(Lib.Full<{0}>))].";
        Check("new Lib.Full<int>()", For(Register, "System.Int32"));
        Check("new Lib.Full<P2.Plain[]>()", For(Register, "P2.Plain[]") + " It is made of 'P2.Plain', which is not known either. Put [NinoType] on it, or [assembly: NinoSerializable(typeof(P2.Plain))] where you cannot change it.");
    }

    [Fact]
    public void OneWithoutAMarkIsToldToTakeOne()
    {
        Check("new Lib.Bare()", "Put [NinoType] on it, or [assembly: NinoSerializable(typeof(Lib.Bare))] where you cannot change it.");
        Check("new Lib.BareFull<int>()", "). Register this construction of it with [assembly: NinoSerializable(typeof(Lib.BareFull<System.Int32>))].");
        Check("new Lib.BareNote()", "Put [NinoType] on it, or [assembly: NinoSerializable(typeof(Lib.BareNote))] where you cannot change it." + Derived);
        Check("new P2.Unmarked()", "Put [NinoType] on it, or [assembly: NinoSerializable(typeof(P2.Unmarked))] where you cannot change it." + For(Reach, "Event", "P2.Unmarked"));
    }

    /// <summary>A mark does not help there.</summary>
    [Fact]
    public void OneThatTheBaseDoesNotNameIsToldToBeNamedThere()
    {
        const string Named = "). 'Lib.Shape' has the cases that it names with [NinoUnion], and no others: add [NinoUnion(..., typeof({0}))] to it, under a number that no case has had.";
        Check("new Lib.Square()", For(Named, "Lib.Square"));
        Check("new Lib.Dot()", For(Named, "Lib.Dot") + " The type needs [NinoType], too.");
        Check("new P2.Line()", For(Named, "P2.Line") + " For that 'Base' must reference 'P2', or the type be declared where it can be named.");
    }

    [Fact]
    public void OneThatCannotBeNamedIsToldSo()
    {
        Check("Hidden.Make()", "No other code can name it: it is private, anonymous, of one file or hidden by the framework. Make it internal or public, with [NinoType], or store another 'Lib.Event'.", "public static class Hidden { private class Inner : Lib.Event; public static object Make() => new Inner(); }");
        Check("new { A = 1 }", "No other code can name it: it is private, anonymous, of one file or hidden by the framework. Convert it to one that can be named (an array or List<T> for a query), and put [NinoType] on that or register it.");
    }

    /// <summary>An object has no base that would know it: the list is that of the assembly which declares it.</summary>
    [Fact]
    public void OneThatIsDerivedFromNothingIsToldToJoinTheListOfTheAssembly()
    {
        Check("new Lib.Loose()", "Put [NinoType] on it, or [assembly: NinoSerializable(typeof(Lib.Loose))] where you cannot change it.");
        Check("new P2.Plain()", "). Put [assembly: NinoSerializable(typeof(P2.Plain))] into 'Base'.");
        Check("new Lib.Loose[1]", "). Put [assembly: NinoSerializable(typeof(Lib.Loose[]))] into 'Base'. It is made of 'Lib.Loose', which is not known either. Put [NinoType] on it, or [assembly: NinoSerializable(typeof(Lib.Loose))] where you cannot change it.");
        Check("Lib.Kind.A", "). Register it with [assembly: NinoSerializable(typeof(Lib.Kind))].");
        Check("new List<P2.Plain>()", "). Put [assembly: NinoSerializable(typeof(System.Collections.Generic.List<P2.Plain>))] into 'Base'. It is made of 'P2.Plain', which is not known either. Put [NinoType] on it, or [assembly: NinoSerializable(typeof(P2.Plain))] where you cannot change it.");
    }

    [Fact]
    public void OneThatIsMarkedInAnotherAssemblyIsToldHowItJoinsTheListOfThisOne()
    {
        Check("new P2.Stopped()", "). Its [NinoType] adds it to what 'P2' knows: put [assembly: NinoSerializable(typeof(P2.Stopped))] into 'Base', or call NinoObjects.Register<P2.Stopped>() before the first such value is met.", of: "OfObject");
        Check("new Lib.Full<int>()", "). Its [NinoType] adds no construction of it to what assemblies know: put [assembly: NinoSerializable(typeof(Lib.Full<System.Int32>))] into 'Base'.", of: "OfObject");
    }

    /// <summary>What is told is what helps.</summary>
    [Fact]
    public void WhoDoesWhatIsToldIsUnderstood() => Programs.RunWith(Libraries, """
        using Lib;
        [assembly: NinoSerializable(typeof(Event)), NinoSerializable(typeof(Bare)), NinoSerializable(typeof(BareFull<int>)), NinoSerializable(typeof(Full<P2.Plain[]>)), NinoSerializable(typeof(P2.Plain)), NinoSerializable(typeof(BareNote)), NinoSerializable(typeof(Kind)), NinoSerializable(typeof(P2.Unmarked)), NinoSerializable(typeof(List<P2.Plain>))]
        [NinoType] public class All { public List<Event> Events = []; public List<Note> Notes = []; public List<object> Objects = []; }
        """, """
        All copy = Copy(new All { Events = [new P2.Stopped(), new Bare(), new BareFull<int>(), new Full<P2.Plain[]>(), new P2.Unmarked()], Notes = [new BareNote(), new P2.LongNote()], Objects = [new P2.Plain(), Kind.A, new List<P2.Plain>()] });
        Equal("Stopped Bare BareFull`1 Full`1 Unmarked BareNote LongNote Plain Kind List`1", string.Join(" ", System.Linq.Enumerable.Select([.. copy.Events, .. copy.Notes, .. copy.Objects], one => one.GetType().Name)));
        Equal(typeof(P2.Stopped), Copy<Event>(new P2.Stopped()).GetType());
        """);

    [Fact]
    public void ATypeThatIsNamedNeedsTheMarkToo()
    {
        Assert.Empty(Diagnose("[NinoType]"));
        Assert.Contains(Diagnose(""), static diagnostic => diagnostic.Id == "NINO001");

        static ImmutableArray<Diagnostic> Diagnose(string mark) =>
            [.. GeneratorHarness.DiagnoseWithLibrary("public class Nothing;", mark + " public class Dot : Form { public int X; } [NinoType, NinoUnion(0, typeof(Dot))] public abstract class Form; [NinoType] public class A { public Form? F; }", isReferenceAssembly: false)];
    }

    private static string For(string text, params object[] names) => string.Format(System.Globalization.CultureInfo.InvariantCulture, text, names);

    private static void Check(string value, string told, string types = "", string of = "Of") => Programs.RunWith(Libraries, Told + types, $"Copy(1); Told.{of}({value}, {Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(told, quote: true)});");
}
