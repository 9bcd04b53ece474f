using System.Text.Json;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Evolution;

/// <summary>What added members get from the object that a program would make: each for itself, and nothing runs that is the program's but its constructor.</summary>
public sealed class NewObjectTests
{
    [Fact]
    public void AMemberWithoutAnEncodingLeavesTheDefaultsOfOthersAlone()
    {
        using var hard = new Fresh.Hard();
        Fresh.Mixed read = Read<Fresh.Mixed>();
        Assert.Equal((7, 3, "new", 0.5m), (read.Id, read.Retries, read.Name, read.Rate));
        Assert.Equal([4, 5], read.Levels!);
        Assert.Equal(JsonValueKind.Null, read.Any.ValueKind);
        Assert.Null(read.Mark);
    }

    [Fact]
    public void CallbacksAreNotRunOnAnObjectThatNobodyAskedFor()
    {
        using var hard = new Fresh.Hard();
        Fresh.Holder read = Read<Fresh.Holder>();
        Assert.Equal((9, 4), (read.Level, read.Inner.Level));
        Assert.Equal((4, 6), (Read<Fresh.CallsBack>().Level, Read<Fresh.CallsBackStruct>().Level));
        // And where an object is written they are.
        Assert.Throws<InvalidTimeZoneException>(() => NinoSerializer.Serialize(read));
    }

    [Fact]
    public void WhatIsNoRefusalIsNotSwallowed()
    {
        using var hard = new Fresh.Hard();
        NinoSchema stored = NinoSerializer.SchemaOf<Fresh.Small>();
        Assert.Throws<InvalidTimeZoneException>(() => NinoCodec<Fresh.Failing>.Default.Decode(NinoSerializer.Serialize(new Fresh.Small()), stored));
        Assert.Throws<IOException>(() => NinoCodec<Fresh.FailingToBeMade>.Default.Decode(NinoSerializer.Serialize(new Fresh.Small()), stored));
    }

    [Fact]
    public void TheDefaultOfAParameterIsTheSameToTheLastBit()
    {
        Fresh.Signed made = new(7), read = Read<Fresh.Signed>();
        Assert.Equal(made, read);
        Assert.True(double.IsNegative(read.A) && float.IsNegative(read.B) && !double.IsNegative(read.C));
        Assert.Equal(decimal.GetBits(made.D), decimal.GetBits(read.D));
        Assert.Equal((BitConverter.DoubleToInt64Bits(made.E), BitConverter.SingleToInt32Bits(made.F)), (BitConverter.DoubleToInt64Bits(read.E), BitConverter.SingleToInt32Bits(read.F)));
    }

    private static T Read<T>() => NinoCodec<T>.Default.Decode(NinoSerializer.Serialize(new Fresh.Small { Id = 7 }), NinoSerializer.SchemaOf<Fresh.Small>());
}

public static class Fresh
{
    // What refuses, throws and fails does so in these tests only: the fuzz tests write every type of this assembly.
    [ThreadStatic]
    private static bool t_isHard;

    public readonly struct Hard : IDisposable
    {
        public Hard() => t_isHard = true;

        public void Dispose() => t_isHard = false;
    }

    private const string Former = "Store.Tests.Evolution.Fresh+Small";

    [NinoType, NinoFormerName(Former)]
    public sealed record Signed(int Id, double A = -0d, float B = -0f, double C = 0, decimal D = -0.00m, double E = double.NaN, float F = float.NaN);

    [NinoType]
    public sealed class Small
    {
        public int Id;
    }

    [NinoType, NinoFormerName(Former)]
    public sealed class Mixed
    {
        public int Id;
        public JsonElement Any;
        public int Retries = 3;
        public string Name = "new";
        [NinoCodec(typeof(StrictCodec))] public Sign? Mark;
        public int[]? Levels = [4, 5];
        public decimal Rate { get; set; } = 0.5m;
    }

    [NinoType, NinoFormerName(Former)]
    public sealed class Holder
    {
        public int Id;
        public int Level = 9;
        public CallsBack Inner = new();
    }

    [NinoType, NinoFormerName(Former)]
    public sealed class CallsBack
    {
        public int Id;
        public int Level = 4;

        [NinoOnSerializing]
        private void Before() => ThrowWhereNobodyAsked();

        [NinoOnSerialized]
        private void After() => ThrowWhereNobodyAsked();
    }

    [NinoType, NinoFormerName(Former)]
    public struct CallsBackStruct
    {
        public int Id;
        public int Level = 6;

        public CallsBackStruct()
        {
        }

        [NinoOnSerializing]
        private readonly void Before() => ThrowWhereNobodyAsked();
    }

    [NinoType, NinoFormerName(Former)]
    public sealed class Failing
    {
        public int Id;
        public int Level = 5;
        [NinoCodec(typeof(FailingCodec))] public string? Bad;
    }

    [NinoType, NinoFormerName(Former)]
    public sealed class FailingToBeMade
    {
        public int Id;
        public int Level = 5;

        public FailingToBeMade()
        {
            if (t_isHard) throw new IOException("the disk");
        }
    }

    public sealed record Sign(string Text);

    /// <summary>Takes no null.</summary>
    public readonly struct StrictCodec : INinoCodec<Sign?>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in Sign? value) => default(StringCodec).Write(ref writer, t_isHard ? value!.Text : value?.Text!);

        public Sign? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? new Sign(text) : null;
    }

    public readonly struct FailingCodec : INinoCodec<string?>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in string? value)
        {
            if (t_isHard) throw new InvalidTimeZoneException("broken");
            default(StringCodec).Write(ref writer, value!);
        }

        public string? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader);
    }

    private static void ThrowWhereNobodyAsked()
    {
        if (t_isHard) throw new InvalidTimeZoneException("nobody asked");
    }
}
