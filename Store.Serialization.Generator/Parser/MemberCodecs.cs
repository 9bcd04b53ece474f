// The codec of a member: what its own attributes ask for, else that of its type.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class MemberCodecs
{
    /// <summary>Null after reporting why there is none.</summary>
    public static ResolvedCodec? Resolve(ParsedMember member, Origin origin, TypeGraph graph)
    {
        if (member.Symbol is IFieldSymbol { IsFixedSizeBuffer: true })
        {
            graph.Diagnostics.Report(NinoDiagnostics.TypeHasNoEncoding, origin.Location, origin.Subject, TypeNames.Message(member.Type), "a fixed buffer has no type of its own that a codec could be for; use a struct with [InlineArray], or an array");
            return null;
        }

        if (NinoAttributes.Codec(member.Symbol) is { } custom) return CustomCodecs.Resolve(member.Type, custom, origin, graph);
        ResolvedCodec? codec = graph.Resolve(member.Type, origin);
        if (codec is null || !NinoAttributes.IsUtf8(member.Symbol)) return codec;
        if (BuiltInCodecs.WithUtf8(codec.Expression) is { } utf8) return codec with { Expression = utf8 };
        graph.Diagnostics.Report(NinoDiagnostics.NoStrings, origin.Location, origin.Subject, TypeNames.Message(member.Type));
        return null;
    }
}
