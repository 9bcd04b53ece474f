// Types that join every object member at run time: those that the compilation of the member could not know.

using System.Buffers.Binary;
using System.Reflection;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>
/// Adds types to what may stand where <c>object</c> is declared, in every assembly of the process (docs/types.md, "object"). The types of the member's own
/// assembly are known without: this is for those of plug-ins, and for codecs that are chosen at run time. Safe for any number of threads.
/// </summary>
public static class NinoObjects
{
    private static readonly Lock Gate = new();
    // Each list gets cases of its own: how one is laid out depends on what else is in the list.
    private static readonly List<(Type Type, Type? Codec, string Name, Func<ObjectCase> Make)> Registered = [];
    private static bool _isSealed;

    /// <summary>What needs no registration by anybody. The generator's list is Parser/ObjectCases.cs.</summary>
    internal static IReadOnlyList<ObjectCase> BuiltIn() =>
    [
        Of<bool, BooleanCodec>(), Of<sbyte, SByteCodec>(), Of<byte, ByteCodec>(), Of<short, Int16Codec>(), Of<ushort, UInt16Codec>(), Of<int, Int32Codec>(), Of<uint, UInt32Codec>(),
        Of<long, Int64Codec>(), Of<ulong, UInt64Codec>(), Of<nint, NativeIntegerCodec<nint, long>>(), Of<nuint, NativeIntegerCodec<nuint, ulong>>(), Of<Int128, Int128Codec>(), Of<UInt128, UInt128Codec>(), Of<Half, HalfCodec>(),
        Of<float, SingleCodec>(), Of<double, DoubleCodec>(), Of<decimal, DecimalCodec>(), Of<char, CharCodec>(), Of<Guid, GuidCodec>(), Of<DateTime, DateTimeCodec>(),
        Of<DateTimeOffset, DateTimeOffsetCodec>(), Of<TimeSpan, TimeSpanCodec>(), Of<DateOnly, DateOnlyCodec>(), Of<TimeOnly, TimeOnlyCodec>(), Of<string, StringCodec>(),
        Of<byte[], ArrayCodec<byte, ByteCodec>>(),
    ];

    /// <summary>Adds a type that generated code registers, or that the engine brings. That it has a codec is checked when the first value declared as object is met.</summary>
    /// <exception cref="InvalidOperationException">A value declared as object was written, read or described already: what is stored must not depend on when this is called. Nor on the order of calls: the type was registered with a codec.</exception>
    public static void Register<T>() => Add(
        typeof(T),
        null,
        SchemaNames.Of(typeof(T)),
        static () => new ObjectCase<T, RegisteredCodec<T, ExactChoice>>(NinoCodec<T>.Exact.Describe(SchemaBuilder.ForNames()).Definition is ObjectDefinition own ? own.Name : SchemaNames.Of(typeof(T))) { FormerNames = [.. SchemaNames.FormerOf(typeof(T))] });

    /// <summary>Adds a type with a codec that you wrote. An assembly that marks or registers the type itself goes by that.</summary>
    /// <typeparam name="T">The type, as objects of it are: no base of theirs.</typeparam>
    /// <typeparam name="TCodec">Its codec.</typeparam>
    /// <param name="name">Its name in schemas, whose hash is stored with each value. Records that have another one are found by <see cref="NinoFormerNameAttribute"/> on the type.</param>
    /// <exception cref="ArgumentException">The name is empty, or the type is one that the engine knows by itself: values of it are stored as ever.</exception>
    /// <exception cref="InvalidOperationException">A value declared as object was written, read or described already: what is stored must not depend on when this is called. Nor on the order of calls: the type was registered otherwise.</exception>
    public static void Register<T, TCodec>(string name) where TCodec : struct, INinoCodec<T>
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (BuiltIn().Any(static one => one.Type == typeof(T))) throw new ArgumentException($"Values of '{typeof(T)}' can stand where object is declared without registration, and are stored as ever: '{typeof(TCodec)}' would not be asked. Register a type of your own that holds one.", nameof(T));
        Add(typeof(T), typeof(TCodec), name, () => new ObjectCase<T, CustomCodec<T, TCodec>>(name) { FormerNames = [.. SchemaNames.FormerOf(typeof(T))] });
    }

    /// <summary>What was registered. From now on nothing can be.</summary>
    internal static IReadOnlyList<ObjectCase> Seal()
    {
        Func<ObjectCase>[] registered;
        lock (Gate)
        {
            _isSealed = true;
            registered = [.. Registered.Select(static one => one.Make)];
        }

        // Outside: this looks for codecs and so runs module initializers, which may wait for another thread that registers or seals.
        return [.. registered.Select(static make => make())];
    }

    /// <summary>By the key that the framework's assemblies are signed with: anybody may name a namespace System.</summary>
    internal static bool IsFramework(Assembly assembly) =>
        assembly.GetName().GetPublicKeyToken() is { Length: sizeof(ulong) } token && BinaryPrimitives.ReadUInt64BigEndian(token) is 0x7CEC85D7BEA7798E or 0xB03F5F7F11D50A3A or 0xB77A5C561934E089 or 0xCC7B13FFCD2DDD51;

    /// <summary>As what the framework shows an object of a class of its own that it hides, nearest first: <c>IPAddress.Loopback</c> is an <c>IPAddress</c>, <c>Encoding.UTF8</c> an <c>Encoding</c>. Of classes of others only exceptions, which are stored as such.</summary>
    internal static IEnumerable<Type> ShownAs(Type type)
    {
        bool isFramework = IsFramework(type.Assembly);
        for (Type? level = type.BaseType; level is not null; level = level.BaseType)
        {
            if ((isFramework && level.Assembly == type.Assembly) || level == typeof(Exception)) yield return level;
        }
    }

    private static void Add(Type type, Type? codec, string name, Func<ObjectCase> make)
    {
        lock (Gate)
        {
            if (_isSealed) throw new InvalidOperationException($"'{name}' is registered too late: a value declared as object was written, read or described already. Call NinoObjects.Register when the program starts.");
            if (Registered.Find(one => one.Type == type) is { Type: not null } known)
            {
                if (known.Codec == codec && known.Name == name) return;
                throw new InvalidOperationException($"'{type}' is registered as '{name}' with {Shown(codec)}, and was as '{known.Name}' with {Shown(known.Codec)}: which of them is stored would depend on who comes first.");
            }

            Registered.Add((type, codec, name, make));
        }

        static string Shown(Type? codec) => codec is null ? "its own codec" : $"the codec '{codec}'";
    }

    private static ObjectCase<T, TCodec> Of<T, TCodec>() where TCodec : struct, INinoCodec<T> => new(SchemaNames.Of(typeof(T)));
}
