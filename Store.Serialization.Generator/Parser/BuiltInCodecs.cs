// Which types of the framework have a codec in Store.Serialization, under which name, and how wide their encoding is.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class BuiltInCodecs
{
    private const string Namespace = "global::Store.Serialization.Codecs.";

    /// <summary>By C# name: the codec and its width in bytes, 0 where values differ.</summary>
    private static readonly Dictionary<string, (string Codec, int FixedSize)> Simple = new()
    {
        ["bool"] = ("BooleanCodec", 1),
        ["sbyte"] = ("SByteCodec", 1),
        ["byte"] = ("ByteCodec", 1),
        ["short"] = ("Int16Codec", 2),
        ["ushort"] = ("UInt16Codec", 2),
        ["int"] = ("Int32Codec", 4),
        ["uint"] = ("UInt32Codec", 4),
        ["long"] = ("Int64Codec", 8),
        ["ulong"] = ("UInt64Codec", 8),
        ["global::System.Int128"] = ("Int128Codec", 16),
        ["global::System.UInt128"] = ("UInt128Codec", 16),
        ["global::System.Half"] = ("HalfCodec", 2),
        ["float"] = ("SingleCodec", 4),
        ["double"] = ("DoubleCodec", 8),
        ["decimal"] = ("DecimalCodec", 16),
        ["char"] = ("CharCodec", 2),
        ["global::System.Text.Rune"] = ("RuneCodec", 4),
        ["global::System.Guid"] = ("GuidCodec", 16),
        ["global::System.DateTime"] = ("DateTimeCodec", 8),
        ["global::System.DateTimeOffset"] = ("DateTimeOffsetCodec", 10),
        ["global::System.TimeSpan"] = ("TimeSpanCodec", 8),
        ["global::System.DateOnly"] = ("DateOnlyCodec", 4),
        ["global::System.TimeOnly"] = ("TimeOnlyCodec", 8),
        ["string"] = ("StringCodec", 0),
    };

    /// <summary>Generic types by metadata name. The codec takes (first the type itself, if it stands for several,) the type arguments, then a codec for each of them.</summary>
    private static readonly Dictionary<string, (string Codec, bool TakesSelf)> Generic = new()
    {
        ["System.Collections.Generic.List`1"] = ("ListCodec", false),
        ["System.Collections.Generic.HashSet`1"] = ("HashSetCodec", false),
        ["System.Collections.Generic.Dictionary`2"] = ("DictionaryCodec", false),
        ["System.Collections.Generic.IEnumerable`1"] = ("CollectionCodec", true),
        ["System.Collections.Generic.IReadOnlyCollection`1"] = ("CollectionCodec", true),
        ["System.Collections.Generic.ICollection`1"] = ("CollectionCodec", true),
        ["System.Collections.Generic.IReadOnlyList`1"] = ("CollectionCodec", true),
        ["System.Collections.Generic.IList`1"] = ("CollectionCodec", true),
        ["System.Collections.Generic.IReadOnlyDictionary`2"] = ("MapCodec", true),
        ["System.Collections.Generic.IDictionary`2"] = ("MapCodec", true),
    };

    /// <summary>Types of the framework that are plain data and need no mark: their codecs are generated from their public members.</summary>
    private static readonly HashSet<string> PlainData =
    [
        "System.Collections.Generic.KeyValuePair`2",
        "System.ValueTuple`1", "System.ValueTuple`2", "System.ValueTuple`3", "System.ValueTuple`4",
        "System.ValueTuple`5", "System.ValueTuple`6", "System.ValueTuple`7", "System.ValueTuple`8",
        "System.Tuple`1", "System.Tuple`2", "System.Tuple`3", "System.Tuple`4", "System.Tuple`5", "System.Tuple`6", "System.Tuple`7", "System.Tuple`8",
    ];

    public static bool TryGetSimple(string sourceName, out string codec, out int fixedSize)
    {
        bool found = Simple.TryGetValue(sourceName, out (string Codec, int FixedSize) entry);
        codec = Namespace + entry.Codec;
        fixedSize = entry.FixedSize;
        return found;
    }

    public static bool IsGeneric(INamedTypeSymbol type) => type.IsGenericType && Generic.ContainsKey(TypeNames.Metadata(type.OriginalDefinition));

    /// <summary>The codec of a type for which <see cref="IsGeneric"/> holds.</summary>
    public static string OfGeneric(INamedTypeSymbol type, IReadOnlyList<ResolvedCodec> arguments)
    {
        (string codec, bool takesSelf) = Generic[TypeNames.Metadata(type.OriginalDefinition)];
        IEnumerable<string> parameters = arguments.Select(static argument => argument.TypeName).Concat(arguments.Select(static argument => argument.Expression));
        if (takesSelf) parameters = parameters.Prepend(TypeNames.Source(type));
        return $"{Namespace}{codec}<{string.Join(", ", parameters)}>";
    }

    public static bool IsPlainData(INamedTypeSymbol type) =>
        type.ContainingNamespace is { Name: "System" or "Generic" } && PlainData.Contains(TypeNames.Metadata(type.OriginalDefinition));

    public static string Array(string element, string elementCodec) => $"{Namespace}ArrayCodec<{element}, {elementCodec}>";

    public static string Nullable(string inner, string innerCodec) => $"{Namespace}NullableCodec<{inner}, {innerCodec}>";

    public static string Enum(string type) => $"{Namespace}EnumCodec<{type}>";

    public static string Registered(string type) => $"{Namespace}RegisteredCodec<{type}>";

    public static string Exact(string type) => $"{Namespace}ExactCodec<{type}>";

    /// <summary>Width of an enum's number.</summary>
    public static int EnumSize(INamedTypeSymbol type) => type.EnumUnderlyingType?.SpecialType switch
    {
        SpecialType.System_SByte or SpecialType.System_Byte => 1,
        SpecialType.System_Int16 or SpecialType.System_UInt16 => 2,
        SpecialType.System_Int64 or SpecialType.System_UInt64 => 8,
        _ => 4,
    };
}
