// From options and the unit of F# to their codecs. An option is what T? would be in C#, and boxed where that cannot tell None from a value (docs/types.md, "F#").

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>How an option is encoded.</summary>
internal enum OptionForm
{
    /// <summary>As a nullable struct.</summary>
    Nullable,

    /// <summary>As its value, whose null is None; a ValueOption of an object is boxed all the same.</summary>
    Value,

    /// <summary>As a nullable struct around the value.</summary>
    Boxed,
}

internal static class FSharpCodecs
{
    private const string Namespace = "global::Store.Serialization.Codecs.";

    public static ResolvedCodec Unit(string name) => new(name, $"{Namespace}UnitCodec<{name}>", 1, null, false, false, []);

    public static ResolvedCodec? Option(INamedTypeSymbol type, string name, Origin origin, TypeGraph graph)
    {
        ITypeSymbol argument = type.TypeArguments[0];
        if (graph.Resolve(argument, origin) is not { } inner) return null;
        graph.UsesFSharp = true;
        OptionForm form = IsBoxed(argument, inner) ? OptionForm.Boxed : argument.IsValueType ? OptionForm.Nullable : OptionForm.Value;
        string codec = form switch { OptionForm.Nullable => "ValueOptionCodec", OptionForm.Value => "ObjectOptionCodec", _ => "BoxedOptionCodec" };
        string expression = $"{Namespace}{codec}<{name}, {inner.TypeName}, {inner.Expression}, global::{GenerationParser.GeneratedNamespace}.{type.Name}Form<{inner.TypeName}>>";

        if (form == OptionForm.Value) return new ResolvedCodec(name, expression, 0, null, false, false, inner.Reaches) { Min = inner.Min };
        int size = inner.FixedSize == 0 ? 0 : 1 + inner.FixedSize;
        return new ResolvedCodec(name, expression, size, inner.Struct, true, inner.IsOpen || IsCustom(inner), inner.Reaches) { MorePresenceBytes = inner.IsNullable ? 1 + inner.MorePresenceBytes : 0 };
    }

    public static OptionForm FormOf(ResolvedCodec option) =>
        option.Expression.StartsWith(Namespace + "ValueOptionCodec<", System.StringComparison.Ordinal) ? OptionForm.Nullable
        : option.Expression.StartsWith(Namespace + "ObjectOptionCodec<", System.StringComparison.Ordinal) ? OptionForm.Value
        : OptionForm.Boxed;

    // What has no null, or one that is a value; and what may have none, as a codec of the user's.
    private static bool IsBoxed(ITypeSymbol argument, ResolvedCodec inner) =>
        FSharpTypes.IsOption(argument)
        || FSharpTypes.IsUnit(argument)
        || argument.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T
        || (FSharpTypes.IsUnion(argument) && (argument.IsValueType || FSharpUnions.HasNullCase((INamedTypeSymbol)argument)))
        || (argument.IsReferenceType && IsCustom(inner));

    private static bool IsCustom(ResolvedCodec codec) => codec.Expression.StartsWith(Namespace + "CustomCodec<", System.StringComparison.Ordinal);
}
