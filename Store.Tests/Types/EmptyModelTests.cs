using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Types of another assembly that show nothing to be stored and carry no mark of a serializer: events that say all by their type, and types that keep what they hold to themselves.</summary>
public sealed class EmptyModelTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AnEventWithoutMembersIsStoredByItselfAndAsACase(bool seesReferenceAssembly) => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Stopped))] [assembly: NinoSerializable(typeof(Lib.Signal))] [assembly: NinoSerializable(typeof(Lib.Halted))] [assembly: NinoSerializable(typeof(Lib.Ping))] [assembly: NinoSerializable(typeof(Lib.Named))]
        """, """
        Equal(new Lib.Stopped(), Copy(new Lib.Stopped()));
        Equal("", Fields<Lib.Stopped>());
        Equal<Lib.Signal>(new Lib.Halted(), Copy<Lib.Signal>(new Lib.Halted()));
        Equal<Lib.Signal>(new Lib.Named("n"), Copy<Lib.Signal>(new Lib.Named("n")));
        Equal(typeof(Lib.Ping), Copy(new Lib.Ping()).GetType());
        """, """
        namespace Lib
        {
            public record Stopped;
            public abstract record Signal;
            public sealed record Halted : Signal { public string Describe() => "halted"; public static int Count; }
            public sealed record Named(string Name) : Signal;
            public sealed class Ping { public override string ToString() => "ping"; }
        }
        """, seesReferenceAssembly);

    private const string Counters = ForeignAttributes.Quiet + """
        namespace Lib
        {
            public record Counter { private int _count; public void Add() => _count++; }
            public record Lower : Counter;
            public class Quiet { private int _count; }
        }
        """;

    [Theory]
    [InlineData("Counter", "'Lib.Counter._count'")]
    [InlineData("Lower", "'Lib.Counter._count'")]
    [InlineData("Quiet", "'Lib.Quiet._count'")]
    public void OneThatHidesStateIsAnErrorWhereItsFieldsAreSeenAndRefusedAtFirstUseElsewhere(string type, string field)
    {
        string program = $"[assembly: NinoSerializable(typeof(Lib.{type}))]";
        Assert.Equal("NINO015", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Counters, program, isReferenceAssembly: false)).Id);
        Programs.Run(program + "[NinoType] public sealed record Fine(int A);", $$"""
            string[] parts = ["{{field}}: hidden from the assembly that has the codec", "Codec = "];
            Refused(() => NinoSerializer.Serialize(new Lib.{{type}}()), parts);
            Refused(() => NinoSerializer.Deserialize<Lib.{{type}}>(new byte[12]), parts);
            Refused(() => NinoSerializer.SchemaOf<Lib.{{type}}>(), parts);
            Copy(new Fine(1));
            """, Counters, seesReferenceAssembly: true);
    }

    /// <summary>Methods of a class do something with what it holds, if it holds something.</summary>
    [Fact]
    public void AClassWithMethodsIsStoredOnlyWhereItIsSeenThatThereIsNoState()
    {
        const string Library = "public class Service { public int Run() => 1; }", Program = "[assembly: NinoSerializable(typeof(Service))]";
        Programs.Run(Program, "Equal(1, Copy(new Service()).Run());", Library);
        Assert.Equal("NINO015", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Library, Program, isReferenceAssembly: true)).Id);
    }

    [Theory]
    [InlineData("[System.Text.Json.Serialization.JsonConverter(typeof(int))] public record Model;")]
    [InlineData("public class Model : System.Runtime.Serialization.ISerializable { public void GetObjectData(System.Runtime.Serialization.SerializationInfo info, System.Runtime.Serialization.StreamingContext context) { } }")]
    public void WhatIsWrittenByCodeIsNotTakenAsEmpty(string model)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(model, "[assembly: NinoSerializable(typeof(Model))]", isReferenceAssembly));
            Assert.Equal("NINO015", told.Id);
            Assert.Contains("Codec = typeof(...)", told.GetMessage());
        }
    }

    [Fact]
    public void AMessageThatKeepsOnlyWhatNewerVersionsAddIsStored() => GeneratorHarness.Generate("""
        [assembly: NinoSerializable(typeof(Ping))]
        namespace ProtoBuf
        {
            public interface IExtension;
            public interface IExtensible { IExtension GetExtensionObject(bool create); }
            [AttributeUsage(AttributeTargets.Class)] public sealed class ProtoContractAttribute : Attribute;
        }
        [ProtoBuf.ProtoContract] public class Ping : ProtoBuf.IExtensible
        {
            private ProtoBuf.IExtension? _data;
            ProtoBuf.IExtension ProtoBuf.IExtensible.GetExtensionObject(bool create) => _data ??= null!;
        }
        """);
}
