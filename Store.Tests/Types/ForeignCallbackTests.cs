using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Models that another serializer calls around writing and reading are called here at the same times: by attribute or by interface, also where the method is private in another assembly.</summary>
public sealed class ForeignCallbackTests
{
    // As their packages declare them.
    private const string Attributes = """
        namespace MemoryPack
        {
            public sealed class MemoryPackableAttribute : Attribute; public sealed class MemoryPackOnSerializingAttribute : Attribute; public sealed class MemoryPackOnSerializedAttribute : Attribute;
            public sealed class MemoryPackOnDeserializingAttribute : Attribute; public sealed class MemoryPackOnDeserializedAttribute : Attribute;
        }
        namespace MessagePack
        {
            public sealed class MessagePackObjectAttribute : Attribute; public sealed class KeyAttribute(int x) : Attribute { public int X => x; }
            public interface IMessagePackSerializationCallbackReceiver { void OnBeforeSerialize(); void OnAfterDeserialize(); }
        }
        namespace ProtoBuf
        {
            public sealed class ProtoContractAttribute : Attribute; public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; }
            public sealed class ProtoBeforeSerializationAttribute : Attribute; public sealed class ProtoAfterSerializationAttribute : Attribute;
            public sealed class ProtoBeforeDeserializationAttribute : Attribute; public sealed class ProtoAfterDeserializationAttribute : Attribute;
        }

        """;

    private const string Models = """
        namespace Lib
        {
            using MemoryPack; using MessagePack; using ProtoBuf; using System.Runtime.Serialization; using System.Text.Json.Serialization;
            public static class Log { public static List<string> Calls = []; }
            [MemoryPackable] public class Packed
            {
                public int A { get; set; }
                [MemoryPackOnSerializing] public void Before() => Log.Calls.Add("before " + A);
                [MemoryPackOnSerialized] private void Written() => Log.Calls.Add("written " + A);
                [MemoryPackOnDeserializing] private void Made() => Log.Calls.Add("made " + A);
                [MemoryPackOnDeserialized] internal void Read() => Log.Calls.Add("read " + A);
                [OnSerializing] private void NotOfMemoryPack(StreamingContext context) => Log.Calls.Add("never");
            }
            [MessagePackObject] public class Keyed : IMessagePackSerializationCallbackReceiver
            {
                [Key(0)] public int A { get; set; }
                void IMessagePackSerializationCallbackReceiver.OnBeforeSerialize() => Log.Calls.Add("before " + A);
                public void OnAfterDeserialize() => Log.Calls.Add("read " + A);
            }
            [ProtoContract] public class Tagged
            {
                [ProtoMember(1)] public int A { get; set; }
                [ProtoBeforeSerialization] protected void Before() => Log.Calls.Add("before " + A);
                [ProtoAfterSerialization] private void Written() => Log.Calls.Add("written " + A);
                [ProtoBeforeDeserialization] protected virtual void Made() => Log.Calls.Add("made " + A);
                [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("read " + A + " " + (context.Context is null));
            }
            [DataContract] public class Base
            {
                [DataMember] public int Id { get; set; }
                [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("base " + Id);
            }
            [DataContract] public class Contract : Base
            {
                [DataMember] public int A { get; set; }
                [OnSerializing] private void Before(StreamingContext context) => Log.Calls.Add("before " + A);
                [OnSerialized] public void Written(StreamingContext context) => Log.Calls.Add("written " + A);
                [OnDeserializing] private void Made(StreamingContext context) { Log.Calls.Add("made " + A); A = 99; }
                [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("read " + A);
            }
            [DataContract] public class Both
            {
                [DataMember(Order = 1)] public int A { get; set; }
                [ProtoBeforeSerialization] public void Before() => Log.Calls.Add("before " + A);
                [ProtoAfterDeserialization, OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("read " + A);
            }
            public class Json : IJsonOnSerializing, IJsonOnSerialized, IJsonOnDeserializing, IJsonOnDeserialized
            {
                public int A { get; set; }
                void IJsonOnSerializing.OnSerializing() => Log.Calls.Add("before " + A);
                public void OnSerialized() => Log.Calls.Add("written " + A);
                public void OnDeserializing() => Log.Calls.Add("made " + A);
                void IJsonOnDeserialized.OnDeserialized() => Log.Calls.Add("read " + A);
            }
            public struct Point : IJsonOnDeserialized { public int A { get; set; } public void OnDeserialized() => A++; }
        }
        """;

    private const string Calls = """
        Equal("before 1, written 1, made 0, read 1", Of(new Packed { A = 1 }));
        Equal("before 2, read 2", Of(new Keyed { A = 2 }));
        Equal("before 3, written 3, made 0, read 3 True", Of(new Tagged { A = 3 }));
        Equal("before 4, written 4, made 0, base 7, read 4", Of(new Contract { A = 4, Id = 7 }));
        Equal("before 8, read 8", Of(new Both { A = 8 }));
        Equal("before 5, written 5, made 0, read 5", Of(new Json { A = 5 }));
        Equal(7, Copy(new Point { A = 6 }).A);
        static string Of<T>(T value) { Log.Calls.Clear(); Copy(value); return string.Join(", ", Log.Calls); }
        """;

    private const string Registrations = """
        using Lib;
        [assembly: NinoSerializable(typeof(Packed))] [assembly: NinoSerializable(typeof(Keyed))] [assembly: NinoSerializable(typeof(Tagged))] [assembly: NinoSerializable(typeof(Contract))]
        [assembly: NinoSerializable(typeof(Both))] [assembly: NinoSerializable(typeof(Json))] [assembly: NinoSerializable(typeof(Point))]

        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ModelsOfAnotherAssemblyAreCalledAlsoWhereTheirMethodsArePrivate(bool seesReferenceAssembly) => Programs.Run(Registrations, Calls, Attributes + Models, seesReferenceAssembly);

    [Fact]
    public void ModelsOfTheSameAssemblyAreCalled() => Programs.Run(Registrations + Attributes + Models, Calls);

    /// <summary>Around setting the members, as MongoDB.Bson does it; not of a type that has no attribute of it, or that of a serializer of the table.</summary>
    [Fact]
    public void AModelOfMongoIsCalledByISupportInitialize()
    {
        const string Library = """
            namespace MongoDB.Bson.Serialization.Attributes { public sealed class BsonElementAttribute : Attribute; public sealed class BsonIgnoreExtraElementsAttribute : Attribute; }
            namespace Lib
            {
                using MongoDB.Bson.Serialization.Attributes; using System.ComponentModel;
                public static class Log { public static List<string> Calls = []; }
                public class Base : ISupportInitialize { public int A { get; set; } void ISupportInitialize.BeginInit() => Log.Calls.Add("begin " + A); public void EndInit() => Log.Calls.Add("end " + A); }
                public class ByMember : Base { [BsonElement] public int B { get; set; } }
                [BsonIgnoreExtraElements] public class ByType : Base;
                [System.Runtime.Serialization.DataContract] public class Contract : Base { [BsonElement] public int B { get; set; } }
            }
            """, Register = "using Lib; [assembly: NinoSerializable(typeof(Base))] [assembly: NinoSerializable(typeof(ByMember))] [assembly: NinoSerializable(typeof(ByType))] [assembly: NinoSerializable(typeof(Contract))]\n", Run = """
            Equal("", Of(new Base { A = 1 }));
            Equal("begin 0, end 2", Of(new ByMember { A = 2 }));
            Equal("begin 0, end 3", Of(new ByType { A = 3 }));
            Equal("", Of(new Contract { B = 4 }));
            static string Of<T>(T value) { Log.Calls.Clear(); Copy(value); return string.Join(", ", Log.Calls); }
            """;
        Programs.Run(Register + Library, Run);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(Register, Run, Library, seesReferenceAssembly);
    }

    private const string CalledByRuntime = """
        namespace MessagePack { public sealed class MessagePackObjectAttribute : Attribute; public sealed class KeyAttribute(int x) : Attribute { public int X => x; } public interface IMessagePackSerializationCallbackReceiver { void OnBeforeSerialize(); void OnAfterDeserialize(); } }
        namespace Lib
        {
            using System.Runtime.Serialization; using MessagePack;
            public static class Log { public static List<string> Calls = []; }
            [DataContract] public class Contract : IDeserializationCallback { [DataMember] public int A { get; set; } [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("read " + A); void IDeserializationCallback.OnDeserialization(object? sender) => Log.Calls.Add("called " + A + sender); }
            [DataContract] public class Below : Contract { [DataMember] public int B { get; set; } }
            [Serializable] public class Sold : IDeserializationCallback { public List<int> All = []; [NonSerialized] public int Sum; public virtual void OnDeserialization(object? sender) => Log.Calls.Add("sold " + (Sum = All.Count)); }
            [Serializable] public class SoldOn : Sold { public override void OnDeserialization(object? sender) { base.OnDeserialization(sender); Log.Calls.Add("on"); } }
            public struct Point : IDeserializationCallback { public int A { get; set; } public void OnDeserialization(object? sender) => A++; }
            [MessagePackObject] public class Keyed : IDeserializationCallback { [Key(0)] public int A { get; set; } public void OnDeserialization(object? sender) => Log.Calls.Add("never"); }
            [DataContract] public class Ordered : IMessagePackSerializationCallbackReceiver { [DataMember(Order = 0)] public int A { get; set; } public void OnBeforeSerialize() => Log.Calls.Add("before " + A); void IMessagePackSerializationCallbackReceiver.OnAfterDeserialize() => Log.Calls.Add("read " + A); }
            [Serializable] public class Two : System.Text.Json.Serialization.IJsonOnDeserialized { public int A { get; set; } [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("two " + A); public void OnDeserialized() => Log.Calls.Add("never"); }
            [DataContract] public class Marked : IMessagePackSerializationCallbackReceiver { [DataMember(Order = 0)] public int A { get; set; } [OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("marked " + A); public void OnBeforeSerialize() => Log.Calls.Add("never"); public void OnAfterDeserialize() => Log.Calls.Add("never"); }
        }
        """;

    private const string RunOfRuntime = """
        Equal("called 1, read 1", Of(new Contract { A = 1 }));
        Equal("called 2, read 2", Of(new Below { A = 2, B = 3 }));
        Equal("sold 1", Of(new Sold { All = { 5 } }));
        Equal("sold 2, on", Of(new SoldOn { All = { 5, 6 } }));
        Equal(7, Copy(new Point { A = 6 }).A);
        Equal("", Of(new Keyed { A = 1 }));
        static string Of<T>(T value) { Log.Calls.Clear(); Copy(value); return string.Join(", ", Log.Calls); }
        """;

    private const string RegistrationsOfRuntime = """
        using Lib;
        [assembly: NinoSerializable(typeof(Contract))] [assembly: NinoSerializable(typeof(Below))] [assembly: NinoSerializable(typeof(Sold))] [assembly: NinoSerializable(typeof(SoldOn))] [assembly: NinoSerializable(typeof(Point))] [assembly: NinoSerializable(typeof(Keyed))]
        [assembly: NinoSerializable(typeof(Ordered))] [assembly: NinoSerializable(typeof(Marked))] [assembly: NinoSerializable(typeof(Two))]

        """;

    /// <summary>DataContractSerializer and the formatters call it, the former before what attributes mark; no other serializer does.</summary>
    [Fact]
    public void WhatHasIDeserializationCallbackIsCalledByIt()
    {
        Programs.Run(RegistrationsOfRuntime + CalledByRuntime, RunOfRuntime);
        foreach (bool seesReferenceAssembly in new[] { false, true }) Programs.Run(RegistrationsOfRuntime, RunOfRuntime, CalledByRuntime, seesReferenceAssembly);
    }

    /// <summary>MessagePack takes [DataContract] for a mark of its own. What attributes call may be seen by no compiler.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AModelOfDataContractIsCalledByTheInterfaceOfMessagePackWhereNoAttributeCallsIt(bool seesReferenceAssembly) => Programs.Run(RegistrationsOfRuntime, """
        Equal("before 1, read 1", Of(new Ordered { A = 1 }));
        Equal("marked 2", Of(new Marked { A = 2 }));
        Equal("two 3", Of(new Two { A = 3 }));
        static string Of<T>(T value) { Log.Calls.Clear(); Copy(value); return string.Join(", ", Log.Calls); }
        """, CalledByRuntime, seesReferenceAssembly);

    [Fact]
    public void AModelIsCalledOnceWhateverMarksItsMethodHas() => Programs.Run("""
        using System.Runtime.Serialization; using System.Text.Json.Serialization;
        [assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Two))]
        [DataContract] public class Model { [DataMember] public int A { get; set; } public int Calls; [NinoOnDeserialized, OnDeserialized] public virtual void Read() => Calls++; }
        public class Two : IJsonOnDeserialized { public int A { get; set; } [NinoIgnore] public int Calls; [OnDeserialized] private void Read(StreamingContext context) => Calls++; public void OnDeserialized() => Calls++; }
        """, """
        Equal(1, Copy(new Model()).Calls);
        Equal(1, Copy(new Two()).Calls);
        """);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AHiddenMethodThatIsOverriddenIsCalledOnce(bool seesReferenceAssembly) => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Leaf))] [assembly: NinoSerializable(typeof(Closed))] [assembly: NinoSerializable(typeof(LateLeaf))] [assembly: NinoSerializable(typeof(Quiet))]
        [assembly: NinoSerializable(typeof(Twice))] [assembly: NinoSerializable(typeof(Hiding))]
        """, """
        Equal("leaf", Of(new Leaf()));
        Equal("closed", Of(new Closed()));
        Equal("late leaf", Of(new LateLeaf()));
        Equal("quiet", Of(new Quiet()));
        Equal("twice", Of(new Twice()));
        Equal("base, hiding", Of(new Hiding()));
        static string Of<T>(T value) { Log.Calls.Clear(); Copy(value); return string.Join(", ", Log.Calls); }
        """, """
        namespace ProtoBuf
        {
            public sealed class ProtoContractAttribute : Attribute; public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } public sealed class ProtoAfterDeserializationAttribute : Attribute;
        }
        namespace Lib
        {
            using System.Runtime.Serialization;
            public static class Log { public static List<string> Calls = []; }
            [DataContract] public class Base { [DataMember] public int Id { get; set; } [OnDeserialized] private protected virtual void Read(StreamingContext context) => Log.Calls.Add("base"); }
            [DataContract] public class Middle : Base { [OnDeserialized] private protected override void Read(StreamingContext context) => Log.Calls.Add("middle"); }
            [DataContract] public class Leaf : Middle { [OnDeserialized] private protected override void Read(StreamingContext context) => Log.Calls.Add("leaf"); }
            [DataContract] public class Open<T> { [DataMember] public T? Value { get; set; } [OnDeserialized] internal virtual void Read(StreamingContext context) => Log.Calls.Add("open"); }
            [DataContract] public class Closed : Open<int> { [OnDeserialized] internal override void Read(StreamingContext context) => Log.Calls.Add("closed"); }
            [DataContract] public class Unmarked { [DataMember] public int Id { get; set; } internal virtual void Read(StreamingContext context) => Log.Calls.Add("unmarked"); }
            [DataContract] public class Late : Unmarked { [OnDeserialized] internal override void Read(StreamingContext context) => Log.Calls.Add("late"); }
            [DataContract] public class LateLeaf : Late { [OnDeserialized] internal override void Read(StreamingContext context) => Log.Calls.Add("late leaf"); }
            [DataContract] public class Quiet : Middle { private protected override void Read(StreamingContext context) => Log.Calls.Add("quiet"); }
            [ProtoBuf.ProtoContract] public class Twice { [ProtoBuf.ProtoMember(1)] public int Id { get; set; } [ProtoBuf.ProtoAfterDeserialization, OnDeserialized] private void Read(StreamingContext context) => Log.Calls.Add("twice"); }
            [DataContract] public class Hiding : Base { [OnDeserialized] private protected new virtual void Read(StreamingContext context) => Log.Calls.Add("hiding"); }
        }
        """, seesReferenceAssembly);

    [Fact]
    public void AnOverrideThatNoCompilerSawIsCalledOnce()
    {
        const string seen = """
            namespace Lib
            {
                using System.Runtime.Serialization;
                [DataContract] public class Base { [DataMember] public int Id { get; set; } public static int Calls; }
                [DataContract] public class Middle : Base;
                [DataContract] public class Leaf : Middle;
            }
            """;
        Programs.Run("[assembly: NinoSerializable(typeof(Lib.Leaf))]", """
            Copy(new Lib.Leaf());
            Equal(11, Lib.Base.Calls);
            """, seen, laterLibrary: seen
                .Replace("public static int Calls;", "public static int Calls; [OnDeserialized] private void Alone(StreamingContext context) => Calls += 10; [OnDeserialized] private protected virtual void Read(StreamingContext context) => Calls += 100;")
                .Replace("Middle : Base;", "Middle : Base { [OnDeserialized] private protected override void Read(StreamingContext context) => Calls += 1000; }")
                .Replace("Leaf : Middle;", "Leaf : Middle { [OnDeserialized] private protected override void Read(StreamingContext context) => Calls += 1; }"));
    }

    [Theory]
    [InlineData("Obsolete")]
    [InlineData("Obsolete(\"Of another serializer.\")")]
    [InlineData("Obsolete(\"Not to be called.\", error: true)")]
    public void AnObsoleteCallbackGivesNoWarningInGeneratedCode(string obsolete) => GeneratorHarness.Generate($$"""
        using System.Runtime.Serialization;
        [assembly: NinoSerializable(typeof(Model))] [assembly: NinoSerializable(typeof(Derived))] [assembly: NinoSerializable(typeof(Cell))]
        [DataContract] public class Model
        {
            [DataMember] public int Id { get; set; }
            [OnDeserialized, {{obsolete}}] public void Read(StreamingContext context) => Id++;
            [OnSerializing, {{obsolete}}] private void Before(StreamingContext context) => Id++;
        }
        [DataContract] public sealed class Derived : Model { [DataMember] public int Of { get; set; } }
        [DataContract] public struct Cell { [DataMember] public int Id; [OnDeserialized, {{obsolete}}] public void Read(StreamingContext context) => Id++; }
        """);

    [Fact]
    public void AHiddenMethodThatCannotBeCalledIsRefusedBeforeAnythingIsWritten() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Wrong))] [assembly: NinoSerializable(typeof(Cell))] [assembly: NinoSerializable(typeof(Plain))]
        """, """
        Refused(new Wrong(), "Lib.Wrong.Read' is marked with [OnDeserialized] and cannot be called");
        Refused(new Cell(), "of a struct of another assembly it has to be public");
        Equal(3, Copy(new Plain { A = 3 }).A);
        static void Refused<T>(T value, string why)
        {
            try { NinoSerializer.Serialize(value); }
            catch (NinoSerializationException error) when (error.Message.Contains(why)) { return; }
            throw new InvalidOperationException(typeof(T) + " was written");
        }
        """, """
        namespace Lib
        {
            using System.Runtime.Serialization;
            [DataContract] public class Wrong { [DataMember] public int A { get; set; } [OnDeserialized] private static void Read(StreamingContext context) { } }
            [DataContract] public struct Cell { [DataMember] public int A { get; set; } [OnDeserialized] private void Read(StreamingContext context) => A++; }
            [DataContract] public struct Plain { [DataMember] public int A { get; set; } private void Read(StreamingContext context) => A++; }
        }
        """);

    [Theory]
    [InlineData("[DataContract] public class A { [DataMember] public int X; [OnDeserialized] public static void ‹Read›(StreamingContext context) { } }", "'A.Read' cannot be called as [OnDeserialized]: it is static")]
    [InlineData("[DataContract] public class A { [DataMember] public int X; [OnSerializing] private void ‹Before›(int x) { } }", "'A.Before' cannot be called as [OnSerializing]: it has parameters")]
    [InlineData("[DataContract] public class A { [DataMember] public int X; [NinoOnSerializing] private void ‹Before›(StreamingContext x) { } }", "'A.Before' cannot be called as [NinoOnSerializing]: it has parameters")]
    [InlineData("public struct A : System.Text.Json.Serialization.IJsonOnDeserialized { public int X; void System.Text.Json.Serialization.IJsonOnDeserialized.‹OnDeserialized›() { } }", "a struct implements it explicitly")]
    [InlineData("public struct A : IDeserializationCallback { public int X; void IDeserializationCallback.‹OnDeserialization›(object? sender) { } }", "a struct implements it explicitly")]
    public void ACallbackOfAnotherSerializerThatCannotBeCalledIsAnError(string source, string message)
    {
        string marked = "using System.Runtime.Serialization; [assembly: NinoSerializable(typeof(A))] " + source;
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose(marked.Replace("‹", "").Replace("›", "")));
        Assert.Equal("NINO040", diagnostic.Id);
        Assert.Contains(message, diagnostic.GetMessage(null));
        Assert.Equal(marked.IndexOf('‹') + GeneratorHarness.Usings.Length, diagnostic.Location.SourceSpan.Start);
    }

    [Fact]
    public void ATypeOfOnesOwnIsNotCalledByTheMarksOfOthers() => Programs.Run("""
        [NinoType] public class Own : System.Text.Json.Serialization.IJsonOnDeserialized, System.Runtime.Serialization.IDeserializationCallback
        {
            public int A { get; set; }
            [NinoIgnore] public int Calls;
            [System.Runtime.Serialization.OnDeserialized] private void Read(System.Runtime.Serialization.StreamingContext context) => Calls++;
            public void OnDeserialized() => Calls++;
            public void OnDeserialization(object? sender) => Calls++;
        }
        """, "Equal(0, Copy(new Own()).Calls);");
}
