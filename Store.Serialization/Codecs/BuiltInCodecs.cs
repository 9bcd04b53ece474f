using System.Text;

namespace Store.Serialization.Codecs;

/// <summary>Registers what the engine brings itself, when the first type is looked up that nothing has registered.</summary>
internal static class BuiltInCodecs
{
    static BuiltInCodecs()
    {
        NinoRegistry.Register<bool, BooleanCodec>();
        NinoRegistry.Register<sbyte, SByteCodec>();
        NinoRegistry.Register<byte, ByteCodec>();
        NinoRegistry.Register<short, Int16Codec>();
        NinoRegistry.Register<ushort, UInt16Codec>();
        NinoRegistry.Register<int, Int32Codec>();
        NinoRegistry.Register<uint, UInt32Codec>();
        NinoRegistry.Register<long, Int64Codec>();
        NinoRegistry.Register<ulong, UInt64Codec>();
        NinoRegistry.Register<Int128, Int128Codec>();
        NinoRegistry.Register<UInt128, UInt128Codec>();
        NinoRegistry.Register<Half, HalfCodec>();
        NinoRegistry.Register<float, SingleCodec>();
        NinoRegistry.Register<double, DoubleCodec>();
        NinoRegistry.Register<decimal, DecimalCodec>();
        NinoRegistry.Register<char, CharCodec>();
        NinoRegistry.Register<Rune, RuneCodec>();
        NinoRegistry.Register<Guid, GuidCodec>();
        NinoRegistry.Register<DateTime, DateTimeCodec>();
        NinoRegistry.Register<DateTimeOffset, DateTimeOffsetCodec>();
        NinoRegistry.Register<TimeSpan, TimeSpanCodec>();
        NinoRegistry.Register<DateOnly, DateOnlyCodec>();
        NinoRegistry.Register<TimeOnly, TimeOnlyCodec>();
        NinoRegistry.Register<string, StringCodec>();
    }

    /// <summary>Returns when the constructor above has run, once in a process.</summary>
    public static void EnsureRegistered() { }
}
