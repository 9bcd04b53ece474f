// From a type of the framework to the name of its codec, by the tables of FrameworkTypes.cs.

using System.Text;
using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class BuiltInCodecs
{
    private const string Namespace = "global::Store.Serialization.Codecs.";

    public static bool TryGetSimple(ITypeSymbol type, out string codec, out int fixedSize)
    {
        bool found = FrameworkTypes.Simple.TryGetValue(TypeNames.Source(type), out (string Codec, int FixedSize) entry) && IsTheirs(type);
        codec = found ? entry.Codec.Replace("@", Namespace) : "";
        fixedSize = found ? entry.FixedSize : 0;
        return found;
    }

    public static bool IsType(ITypeSymbol type) => TypeNames.Source(type) == FrameworkTypes.Type.Name && IsTheirs(type);

    /// <summary>The codec of a value that is a type itself.</summary>
    /// <param name="cases">The list of what may stand where object is declared.</param>
    public static string Type(string cases) => FrameworkTypes.Type.Codec.Replace("@", Namespace).Replace("{0}", cases);

    public static bool IsGeneric(INamedTypeSymbol type) => type.IsGenericType && FrameworkTypes.Generic.ContainsKey(TypeNames.Metadata(type.OriginalDefinition)) && IsTheirs(type);

    /// <summary>A collection without type arguments, of what is declared as object.</summary>
    public static bool IsOfObjects(INamedTypeSymbol type) => !type.IsGenericType && FrameworkTypes.OfObjects.ContainsKey(TypeNames.Metadata(type)) && IsTheirs(type);

    /// <summary>The codec of a type for which <see cref="IsOfObjects"/> holds.</summary>
    /// <param name="type">The collection.</param>
    /// <param name="any">The codec of its elements or values.</param>
    /// <param name="key">The codec of its keys.</param>
    public static string OfObjects(INamedTypeSymbol type, ResolvedCodec any, ResolvedCodec key) => Closed(FrameworkTypes.OfObjects[TypeNames.Metadata(type)], type, [any, key]);

    /// <summary>The codec of a type for which <see cref="IsGeneric"/> holds.</summary>
    public static string OfGeneric(INamedTypeSymbol type, IReadOnlyList<ResolvedCodec> arguments) => Closed(FrameworkTypes.Generic[TypeNames.Metadata(type.OriginalDefinition)], type, arguments);

    private static string Closed(string template, INamedTypeSymbol type, IReadOnlyList<ResolvedCodec> arguments)
    {
        var codec = new StringBuilder(template);
        codec.Replace("@", Namespace);
        // Names of types hold no braces.
        codec.Replace("{self}", TypeNames.Source(type));
        for (int i = 0; i < arguments.Count; i++) codec.Replace($"{{{i}}}", arguments[i].TypeName).Replace($"{{c{i}}}", arguments[i].Expression);
        return codec.ToString();
    }

    /// <summary>What a type for which <see cref="IsGeneric"/> holds looks like in a record.</summary>
    public static CollectionForm FormOf(INamedTypeSymbol type) => NameOf(FrameworkTypes.Generic[TypeNames.Metadata(type.OriginalDefinition)]) switch
    {
        "DictionaryCodec" or "MapFormCodec" or "MapCodec" => CollectionForm.Pairs,
        "PriorityQueueCodec" or "LazyCodec" or "GroupingCodec" or "LookupCodec" => CollectionForm.Other,
        _ => CollectionForm.Elements,
    };

    /// <summary>Which type argument a type for which <see cref="IsGeneric"/> holds finds by hash code or keeps in order, or -1.</summary>
    public static int KeyOf(INamedTypeSymbol type)
    {
        string codec = FrameworkTypes.Generic[TypeNames.Metadata(type.OriginalDefinition)];
        return NameOf(codec) switch
        {
            "PriorityQueueCodec" => 1,
            "DictionaryCodec" or "MapFormCodec" or "MapCodec" or "LookupCodec" => 0,
            string name => name.EndsWith("SetCodec", System.StringComparison.Ordinal) || name == "SetInterfaceCodec" || codec.Contains("FSharpSetForm") ? 0 : -1,
        };
    }

    private static string NameOf(string codec) => codec.Substring(1, codec.IndexOf('<') - 1);

    /// <summary>Why a type of the framework has no encoding on purpose, or null.</summary>
    public static string? WhyRefused(INamedTypeSymbol type) => FrameworkTypes.Refused.TryGetValue(TypeNames.Metadata(type.OriginalDefinition), out string reason) && IsTheirs(type) ? reason : null;

    public static bool IsPlainData(INamedTypeSymbol type) =>
        type.ContainingNamespace is { Name: "System" or "Generic" } && FrameworkTypes.PlainData.Contains(TypeNames.Metadata(type.OriginalDefinition)) && IsTheirs(type);

    // Anybody may give a type of his own the full name of one of these, as a copy for older frameworks has it.
    private static bool IsTheirs(ITypeSymbol type) => type is not INamedTypeSymbol named || Framework.Has(named);

    public static string Array(string element, string elementCodec) => $"{Namespace}ArrayCodec<{element}, {elementCodec}>";

    /// <summary>An array of two or more dimensions.</summary>
    public static string Grid(string array, string element, string elementCodec) => $"{Namespace}GridCodec<{array}, {element}, {elementCodec}>";

    /// <summary>A key in which there may be values declared as object.</summary>
    public static string OpenKey(string key, string keyCodec) => $"{Namespace}OpenKeyCodec<{key}, {keyCodec}>";

    /// <summary>A struct with [InlineArray].</summary>
    public static string InlineArray(string type, string element, string elementCodec) => $"{Namespace}InlineArrayCodec<{type}, {element}, {elementCodec}>";

    /// <summary>A collection or dictionary type of the user's.</summary>
    public static string Own(INamedTypeSymbol type, OwnCollection own, IReadOnlyList<ResolvedCodec> arguments) =>
        own.IsLoose && own.Base is null ? Closed(own.Form == CollectionForm.Pairs ? FrameworkTypes.OwnLooseMap : FrameworkTypes.OwnLooseList, type, arguments)
        : own.Base is { } parent ? Closed(FrameworkTypes.Bases[TypeNames.Metadata(parent.OriginalDefinition)], type, arguments)
        : $"{Namespace}{(arguments.Count == 2 ? "OwnMapCodec" : "OwnCollectionCodec")}<{string.Join(", ", arguments.Select(static a => a.TypeName).Prepend(TypeNames.Source(type)).Concat(arguments.Select(static a => a.Expression)))}>";

    /// <summary>A codec that [NinoCodec] names.</summary>
    public static string Custom(string type, string codec) => $"{Namespace}CustomCodec<{type}, {codec}>";

    /// <summary>A codec of the user's or of another assembly may be met when the codec reads.</summary>
    public static bool IsReadElsewhere(string codec) => codec.Contains(Namespace + "CustomCodec<") || codec.Contains(Namespace + "RegisteredCodec<");

    /// <summary>The same codec with every string in it as UTF-8, or null when there is none in it.</summary>
    public static string? WithUtf8(string codec) => codec.Contains(Namespace + "StringCodec") ? codec.Replace(Namespace + "StringCodec", Namespace + "Utf8StringCodec") : null;

    public static string Nullable(string inner, string innerCodec) => $"{Namespace}NullableCodec<{inner}, {innerCodec}>";

    public static string Enum(string type) => $"{Namespace}EnumCodec<{type}>";

    public static string Registered(string type) => $"{Namespace}RegisteredCodec<{type}, {Namespace}DeclaredChoice>";

    public static string Exact(string type) => $"{Namespace}RegisteredCodec<{type}, {Namespace}ExactChoice>";

    /// <summary>Width of an enum's number.</summary>
    public static int EnumSize(INamedTypeSymbol type) => type.EnumUnderlyingType?.SpecialType switch
    {
        SpecialType.System_SByte or SpecialType.System_Byte => 1,
        SpecialType.System_Int16 or SpecialType.System_UInt16 => 2,
        SpecialType.System_Int64 or SpecialType.System_UInt64 => 8,
        _ => 4,
    };
}

internal enum CollectionForm
{
    /// <summary>A list of its first type argument.</summary>
    Elements,

    /// <summary>A map of its first to its second.</summary>
    Pairs,

    /// <summary>Something else.</summary>
    Other,
}
