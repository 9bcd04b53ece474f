using Microsoft.CodeAnalysis;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Shop.FSharp;
using Store.Serialization;
using Store.Tests.Generator;
using Xunit.Abstractions;

namespace Store.Tests.FSharp;

/// <summary>Damaged and hostile bytes where F# types are read, values that have no encoding, and types that cannot be stored.</summary>
public sealed class FSharpDamageTests(ITestOutputHelper output)
{
    [Fact]
    public void EveryFlippedBitIsATypedErrorOrAValue()
    {
        int flips = Flip(Samples.order) + Flip(Samples.some) + Flip(Samples.none) + Flip(Samples.full) + Flip(Samples.cycle) + Flip(Samples.tree) + Flip(Samples.customer) + Flip(Samples.order.Formula);
        output.WriteLine($"{flips} bit flips");
        Assert.True(flips > 4_000);
    }

    [Fact]
    public void AnUnknownCaseIsRefusedNamingTheKnownOnes()
    {
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Payment>([1, 2, 3, 4, 0]));
        Assert.Contains("A value of 'Shop.FSharp.Payment' has the tag 0x04030201", error.Message, StringComparison.Ordinal);
        Assert.Contains("Shop.FSharp.Payment+Voucher", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AnUnknownCaseIsNullWhereTheUnionAsksForIt()
    {
        byte[] bytes = NinoSerializer.Serialize(new Shop.FSharp.Marked.Ticket(1, ListModule.OfArray([Shop.FSharp.Marked.Event.NewOpened(5)])));
        bytes[5] ^= 1;
        Assert.Null(NinoSerializer.Deserialize<Shop.FSharp.Marked.Ticket>(bytes).History.Head);
    }

    [Fact]
    public void DepthIsLimitedOnBothSides()
    {
        Assert.Contains("deeper than the limit", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(Samples.deep(5_000))).Message, StringComparison.Ordinal);
        byte[] negation = BitConverter.GetBytes(UnionDefinition.HashOf("Shop.FSharp.Expr+Neg"));
        byte[] bytes = [.. Enumerable.Repeat(negation, 1_000_000).SelectMany(static tag => tag)];
        Assert.Contains("deeper than the limit", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Expr>(bytes)).Message, StringComparison.Ordinal);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSerializer.SchemaOf<Expr>(), bytes));
    }

    [Fact]
    public void AHugeCountCostsNoMemory()
    {
        Refused<FSharpList<int>>("FE FFFFFF7F 01", "does not fit");
        Refused<FSharpSet<string>>("FE FFFFFF7F 01", "does not fit");
        Refused<FSharpMap<string, FSharpList<Payment>>>("FE FFFFFF7F 01", "does not fit");
    }

    [Fact]
    public void EqualElementsAndKeysAreRefused()
    {
        Refused<FSharpSet<string>>("03 0361 0361", "1 elements of a set");
        Refused<FSharpMap<string, FSharpList<Payment>>>("03 0361 01 0361 01", "1 keys of a dictionary");
        Refused<FSharpMap<FSharpOption<int>, int>>("FF01 02 0101000000 01000000", "other things than strings");
    }

    [Fact]
    public void AnOptionWithoutAValueIsNoRecordInEitherDirection()
    {
        Refused<FSharpOption<int>>("0000000000", "is null");
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Serialize(FSharpOption<int>.None));
    }

    [Fact]
    public void NullWhichFSharpDoesNotHaveIsReadAsEmpty()
    {
        Customer customer = NinoSerializer.Deserialize<Customer>(NinoSerializer.Serialize(new Customer(CustomerId.NewCustomerId(1), "n", null!, null!, null!, null!, default)));
        Assert.True(customer.Tags.IsEmpty && customer.Scores.IsEmpty && customer.Seen.IsEmpty);
        Assert.Null(customer.Email);
    }

    [Fact]
    public void SomeOfNullIsRefusedBecauseItWouldBeReadAsNone()
    {
        var row = new Row { Key = "k" };
        FSharpMembers value = new(null!, FSharpOption<string>.Some(null!), FSharpList<string>.Empty, new FSharpMap<string, int>([]), null!, Payment.Cash, default, default);
        Assert.Contains("An option of 'System.String' holds null", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value)).Message, StringComparison.Ordinal);
        Assert.Null(NinoSerializer.Deserialize<Row>(NinoSerializer.Serialize(row)).Value);
    }

    [Fact]
    public void NoneAsAKeyIsRefused()
    {
        var map = new FSharpMap<FSharpOption<int>, int>([Tuple.Create(FSharpOption<int>.None, 1)]);
        Assert.Contains("null key", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(map)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Hidden", "cases are private to its assembly")]
    [InlineData("Payment", "add [assembly: NinoSerializable(typeof(Shop.FSharp.Payment))]")]
    [InlineData("Shape?", "has no nullable form")]
    [InlineData("Microsoft.FSharp.Core.FSharpFunc<int, int>", "abstract class")]
    public void WhatCannotBeStoredIsAnErrorThatSaysWhy(string type, string reason)
    {
        string registered = type is "Payment" ? "" : $"[assembly: NinoSerializable(typeof({type.TrimEnd('?')}))]";
        Diagnostic[] found = Diagnose($"using Shop.FSharp; {registered} [NinoType] public sealed class Holder {{ public {type} Value {{ get; set; }} = default!; }}");
        Assert.Contains(found, diagnostic => diagnostic.GetMessage().Contains(reason, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("WithOddField")]
    [InlineData("WithOddProperty")]
    [InlineData("WithOddGetter")]
    [InlineData("WithOddValue")]
    public void AMemberWhoseNameCannotBeSpelledIsAnError(string type)
    {
        // Of a record its constructor is told, too.
        string error = Assert.Single(Diagnose($"[assembly: NinoSerializable(typeof(Shop.FSharp.{type}))]"), static one => one.Id == "NINO009").GetMessage();
        Assert.Contains($"'Shop.FSharp.{type}.first name' holds state", error, StringComparison.Ordinal);
        Assert.Contains("C# cannot spell its name, so give it another", error, StringComparison.Ordinal);
    }

    [Fact]
    public void OneThatIsLeftOutOrComputedIsNone() => Assert.DoesNotContain(Diagnose("[assembly: NinoSerializable(typeof(Shop.FSharp.WithOddComputed))]"), static one => one.Id == "NINO009");

    /// <summary>Neither an anonymous record nor an enum of such a name can be registered, or named by generated code.</summary>
    [Theory]
    [InlineData("WithOddName", "C# cannot spell the name 'Odd name'")]
    [InlineData("WithAnonymous", "'Shop.FSharp.WithAnonymous.Size'")]
    public void AMemberWhoseTypeCannotBeSpelledIsAnError(string type, string reason) =>
        Assert.Contains(reason, Assert.Single(Diagnose($"[assembly: NinoSerializable(typeof(Shop.FSharp.{type}))]")).GetMessage(), StringComparison.Ordinal);

    private static Diagnostic[] Diagnose(string source)
    {
        Compilation compilation = GeneratorHarness.Compile(source).AddReferences(MetadataReference.CreateFromFile(typeof(Payment).Assembly.Location));
        GeneratorHarness.Driver().RunAbroad(compilation, out _, out var diagnostics);
        return [.. diagnostics];
    }

    private static int Flip<T>(T value)
    {
        byte[] bytes = NinoSerializer.Serialize(value);
        NinoSchema schema = NinoSerializer.SchemaOf<T>();
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                T read = NinoSerializer.Deserialize<T>(bytes);
                // What codecs take, tools that have the schema alone take too; and it can be written again.
                NinoValue.Decode(schema, bytes);
                Assert.Equal(read, NinoSerializer.Deserialize<T>(NinoSerializer.Serialize(read)));
            }
            catch (NinoSerializationException error)
            {
                Assert.NotEmpty(error.Message);
            }

            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        return bytes.Length * 8;
    }

    private static void Refused<T>(string hex, string message)
    {
        byte[] bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Contains(message, Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<T>(bytes)).Message, StringComparison.Ordinal);
    }
}
