namespace Store.Serialization.Codecs;

/// <summary>
/// Registers what the engine brings itself, each type when it is first looked up: code for types that a program does not serialize is never compiled.
/// The generator's table of the same types is Parser/FrameworkTypes.cs; docs/types.md lists them.
/// </summary>
internal static class BuiltInCodecs
{
    private static readonly Dictionary<Type, Action> Registrations = new()
    {
        [typeof(bool)] = NinoRegistry.Register<bool, BooleanCodec>,
        [typeof(sbyte)] = NinoRegistry.Register<sbyte, SByteCodec>,
        [typeof(byte)] = NinoRegistry.Register<byte, ByteCodec>,
        [typeof(short)] = NinoRegistry.Register<short, Int16Codec>,
        [typeof(ushort)] = NinoRegistry.Register<ushort, UInt16Codec>,
        [typeof(int)] = NinoRegistry.Register<int, Int32Codec>,
        [typeof(uint)] = NinoRegistry.Register<uint, UInt32Codec>,
        [typeof(long)] = NinoRegistry.Register<long, Int64Codec>,
        [typeof(ulong)] = NinoRegistry.Register<ulong, UInt64Codec>,
        [typeof(nint)] = NinoRegistry.Register<nint, NativeIntegerCodec<nint, long>>,
        [typeof(nuint)] = NinoRegistry.Register<nuint, NativeIntegerCodec<nuint, ulong>>,
        [typeof(Int128)] = NinoRegistry.Register<Int128, Int128Codec>,
        [typeof(UInt128)] = NinoRegistry.Register<UInt128, UInt128Codec>,
        [typeof(Half)] = NinoRegistry.Register<Half, HalfCodec>,
        [typeof(float)] = NinoRegistry.Register<float, SingleCodec>,
        [typeof(double)] = NinoRegistry.Register<double, DoubleCodec>,
        [typeof(decimal)] = NinoRegistry.Register<decimal, DecimalCodec>,
        [typeof(char)] = NinoRegistry.Register<char, CharCodec>,
        [typeof(Guid)] = NinoRegistry.Register<Guid, GuidCodec>,
        [typeof(DateTime)] = NinoRegistry.Register<DateTime, DateTimeCodec>,
        [typeof(DateTimeOffset)] = NinoRegistry.Register<DateTimeOffset, DateTimeOffsetCodec>,
        [typeof(TimeSpan)] = NinoRegistry.Register<TimeSpan, TimeSpanCodec>,
        [typeof(DateOnly)] = NinoRegistry.Register<DateOnly, DateOnlyCodec>,
        [typeof(TimeOnly)] = NinoRegistry.Register<TimeOnly, TimeOnlyCodec>,
        [typeof(string)] = NinoRegistry.Register<string, StringCodec>,
    };

    /// <summary>The types that need no registration by anybody.</summary>
    public static IReadOnlyCollection<Type> Types => [.. Registrations.Keys, .. FrameworkCodecs.Registrations.Keys];

    /// <summary>Registers the type if it is one of the engine's own.</summary>
    public static void Register(Type type)
    {
        if (Registrations.TryGetValue(type, out Action? register)) register();
        else if (type.IsGenericType ? type == typeof(IEqualityComparer<string>) || type == typeof(IComparer<string>) : !type.IsArray && type.FullName!.StartsWith("System.", StringComparison.Ordinal)) FrameworkCodecs.Register(type);
    }
}
