// Which structs are nothing but plain fields whose encodings are their memory, so that the engine may move arrays of them without asking their codec for
// each element (Store.Serialization, Codecs/StructMemory.cs). Only what source shows: every field is a stored member's, no accessor or constructor of the user's runs.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class PlainMemory
{
    private const byte Any = 0;
    private const byte Boolean = 1;
    private const byte DateTime = 2;

    // A size takes a byte, and longer structs gain nothing.
    private const int MembersMax = 64;

    private const string Codecs = "global::Store.Serialization.Codecs.";

    private static readonly Dictionary<string, byte> s_limits = new()
    {
        ["SByteCodec"] = Any,
        ["ByteCodec"] = Any,
        ["Int16Codec"] = Any,
        ["UInt16Codec"] = Any,
        ["Int32Codec"] = Any,
        ["UInt32Codec"] = Any,
        ["Int64Codec"] = Any,
        ["UInt64Codec"] = Any,
        ["Int128Codec"] = Any,
        ["UInt128Codec"] = Any,
        ["HalfCodec"] = Any,
        ["SingleCodec"] = Any,
        ["DoubleCodec"] = Any,
        ["CharCodec"] = Any,
        ["GuidCodec"] = Any,
        ["TimeSpanCodec"] = Any,
        ["EnumCodec"] = Any,
        ["ComponentsCodec"] = Any,
        ["BooleanCodec"] = Boolean,
        ["DateTimeCodec"] = DateTime,
    };

    /// <summary>Size and limit of every field in the order of the encoding, or null.</summary>
    /// <param name="ordered">The members in the order of the encoding.</param>
    public static List<byte>? Of(ParsedType type, IReadOnlyList<ParsedMember> ordered)
    {
        List<byte> memory = [];
        return type.HasPlainFields && TryAdd(ordered, memory, depth: 0) && memory.Count is > 0 and <= 2 * MembersMax ? memory : null;
    }

    /// <summary>Decides <see cref="ParsedType.HasPlainFields"/>.</summary>
    public static bool HasPlainFields(ParsedType type, IMethodSymbol? constructor)
    {
        INamedTypeSymbol symbol = type.Symbol;
        if (constructor is null || !symbol.IsValueType || type.Callbacks.Count > 0 || symbol.IsTupleType || !symbol.Locations.Any(static location => location.IsInSource) || !IsPlain(constructor)) return false;
        List<ISymbol> fields = [.. symbol.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic && !field.IsConst).Select(static field => field.AssociatedSymbol ?? field)];
        return fields.Count == type.Members.Count
            && type.Members.TrueForAll(member => fields.Contains(member.Symbol, SymbolEqualityComparer.Default) && (member.Symbol is not IPropertySymbol property || IsPlain(property)));
    }

    /// <summary>A type of the framework whose encoding is its memory, of any bits.</summary>
    public static bool IsAnyPattern(INamedTypeSymbol type, out int size) =>
        BuiltInCodecs.TryGetSimple(type, out string codec, out size) && TryGetLimit(codec, out byte limit) && limit == Any;

    /// <summary>A field, or a property whose accessors the compiler wrote: getting gives what setting was given.</summary>
    public static bool IsStored(ISymbol member)
    {
        if (member is not IPropertySymbol property) return member is IFieldSymbol;
        // The compiler marks them in other assemblies; not where it had a body to compile.
        if (property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty) return IsGenerated(property.GetMethod) && (property.SetMethod is null || IsGenerated(property.SetMethod));
        return IsPlain(property.OriginalDefinition, mayHaveInitializer: true);
    }

    private static bool IsGenerated(IMethodSymbol? accessor) => accessor?.OriginalDefinition.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "CompilerGeneratedAttribute") == true;

    private static bool TryAdd(IEnumerable<ParsedMember> ordered, List<byte> memory, int depth)
    {
        foreach (ParsedMember member in ordered)
        {
            if (member.Codec is not { IsNullable: false } codec || memory.Count > 2 * MembersMax) return false;
            if (codec.Struct is { } inner)
            {
                // The layout of all its members is fixed-width here, so the order of the encoding is that of the members. While the user types, a struct may contain itself.
                if (depth > MembersMax || !inner.HasPlainFields || inner.Members.Count == 0 || !TryAdd(inner.Members, memory, depth + 1)) return false;
                continue;
            }

            if (codec.FixedSize is <= 0 or > byte.MaxValue || !TryGetLimit(codec.Expression, out byte limit)) return false;
            memory.Add((byte)codec.FixedSize);
            memory.Add(limit);
        }

        return true;
    }

    private static bool TryGetLimit(string codec, out byte limit)
    {
        string name = codec.StartsWith(Codecs, System.StringComparison.Ordinal) ? codec.Substring(Codecs.Length) : "";
        int arguments = name.IndexOf('<');
        return s_limits.TryGetValue(arguments < 0 ? name : name.Substring(0, arguments), out limit);
    }

    // The constructor that every struct has, or the head of a record struct.
    private static bool IsPlain(IMethodSymbol constructor) =>
        constructor is { IsImplicitlyDeclared: true, Parameters.Length: 0 }
        || (constructor.ContainingType.IsRecord && constructor.DeclaringSyntaxReferences.Any(static reference => reference.Read() is RecordDeclarationSyntax));

    // No accessor has a body, in this part or another.
    private static bool IsPlain(IPropertySymbol property, bool mayHaveInitializer = false) =>
        property.DeclaringSyntaxReferences.Length == 1 && property.DeclaringSyntaxReferences[0].Read() switch
        {
            ParameterSyntax => true,
            PropertyDeclarationSyntax { ExpressionBody: null, AccessorList: { } list } declared => (mayHaveInitializer || declared.Initializer is null)
                && !declared.Modifiers.Any(static modifier => modifier.ValueText is "partial" or "extern" or "abstract")
                && list.Accessors.All(static accessor => accessor is { Body: null, ExpressionBody: null }),
            _ => false,
        };
}
