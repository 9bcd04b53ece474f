// Codecs that users wrote and name with [NinoCodec] on a member or type, or with [NinoSerializable(..., Codec = ...)]. Where one cannot be used, a
// diagnostic says why: nothing falls back to another encoding.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class CustomCodecs
{
    /// <summary>The codec that a type names for itself, or null.</summary>
    public static ITypeSymbol? Of(ITypeSymbol type) => type is INamedTypeSymbol { IsTupleType: false } ? NinoAttributes.Codec(type.OriginalDefinition) : null;

    /// <summary>The codec of a value, or null after reporting why it cannot be used.</summary>
    public static ResolvedCodec? Resolve(ITypeSymbol type, ITypeSymbol codec, Origin origin, TypeGraph graph)
    {
        if (codec is IErrorTypeSymbol || type is IErrorTypeSymbol)
        {
            RefusedTypes.Report(type, type is IErrorTypeSymbol missing ? RefusedTypes.Missing(missing) : RefusedTypes.Missing((IErrorTypeSymbol)codec), origin, graph.Diagnostics);
            return null;
        }

        ITypeSymbol closed = Close(codec, type);
        string name = TypeNames.Source(type);
        if (Problem(type, closed, graph) is { } problem)
        {
            graph.Diagnostics.Report(NinoDiagnostics.UnusableCodec, origin.Location, TypeNames.Message(codec), Inside(origin.Subject), problem);
            return null;
        }

        if (graph.IsLocal(closed)) graph.UserCodecs.AddWritten((INamedTypeSymbol)closed.OriginalDefinition);

        // Whether it has a fixed width, only the codec knows: as of a struct of another assembly.
        return new ResolvedCodec(name, BuiltInCodecs.Custom(name, TypeNames.Source(closed)), 0, null, false, type.IsValueType, []);
    }

    /// <summary>As <see cref="Resolve"/>, of what a registration names: one type has one codec.</summary>
    public static ResolvedCodec? ResolveRegistered(ITypeSymbol type, ITypeSymbol codec, Origin origin, TypeGraph graph)
    {
        if (graph.UserCodecs.Register(type, codec) is not { } other) return Resolve(type, codec, origin, graph);
        graph.Diagnostics.Report(NinoDiagnostics.UnusableCodec, origin.Location, TypeNames.Message(codec), $"the type '{TypeNames.Message(type)}'", $"'{TypeNames.Message(other)}' is registered for it, too: name one of the two");
        return null;
    }

    /// <summary>The codecs of a graph that are written in this compilation, each with the hash of its code, in order: what a running program has written with one is in its files.</summary>
    public static EquatableArray<string> Written(TypeGraph graph) => InOrder(graph.UserCodecs.Written.Select(Written));

    /// <summary>Each once, in order.</summary>
    public static EquatableArray<string> InOrder(IEnumerable<string> codecs) => new(codecs.Distinct().OrderBy(static codec => codec, StringComparer.Ordinal));

    /// <summary>True for what may be a call of <c>NinoObjects.Register&lt;T, TCodec&gt;</c>.</summary>
    public static bool MayBeChosenBy(SyntaxNode node) =>
        node is InvocationExpressionSyntax call && ((call.Expression as MemberAccessExpressionSyntax)?.Name ?? call.Expression) is GenericNameSyntax { Identifier.ValueText: "Register", TypeArgumentList.Arguments.Count: 2 };

    /// <summary>The codec that such a call chooses at run time, as in <see cref="Written(TypeGraph)"/>; null where it is none, or not written in this compilation.</summary>
    public static string? ChosenBy(SyntaxNode call, SemanticModel model, CancellationToken cancellation) =>
        model.GetSymbolInfo(call, cancellation).Symbol is IMethodSymbol { ContainingType: { Name: "NinoObjects" } holder, TypeArguments: { Length: 2 } arguments }
        && holder.ContainingNamespace.ToDisplayString() + "." == NinoAttributes.Namespace
        && arguments[1] is INamedTypeSymbol codec
        && SymbolEqualityComparer.Default.Equals(codec.ContainingAssembly, model.Compilation.Assembly)
            ? Written(codec.OriginalDefinition)
            : null;

    private static string Written(INamedTypeSymbol codec) => TypeNames.Metadata(codec) + " " + TypeNames.Hash(Code(codec));

    // Without what stands between the words: a comment changes nothing. Nor does the order of the files that have parts of it.
    private static string Code(INamedTypeSymbol codec) =>
        string.Join(" ", codec.DeclaringSyntaxReferences.Select(static part => string.Join(" ", part.Read().DescendantTokens().Select(static token => token.Text))).OrderBy(static part => part, StringComparer.Ordinal));

    /// <summary>The subject of a sentence in the middle of another.</summary>
    private static string Inside(string subject) => subject.StartsWith("The ", StringComparison.Ordinal) ? "t" + subject.Substring(1) : subject;

    /// <summary>A generic type names an open codec: <c>[NinoCodec(typeof(BoxCodec&lt;&gt;))] struct Box&lt;T&gt;</c>. It takes the arguments of the type.</summary>
    private static ITypeSymbol Close(ITypeSymbol codec, ITypeSymbol type) =>
        codec is INamedTypeSymbol { IsUnboundGenericType: true } open && type is INamedTypeSymbol { IsGenericType: true } named && open.TypeParameters.Length == named.TypeArguments.Length
            ? open.OriginalDefinition.Construct([.. named.TypeArguments])
            : codec;

    private static string? Problem(ITypeSymbol type, ITypeSymbol codec, TypeGraph graph)
    {
        string wanted = $"INinoCodec<{TypeNames.Message(type)}>";
        if (codec is not INamedTypeSymbol named || named.IsUnboundGenericType) return $"name a closed type, a struct that implements {wanted}";
        if (named.TypeKind != TypeKind.Struct || named.IsRefLikeType) return $"it must be a struct that implements {wanted}";
        if (!named.AllInterfaces.Any(i => i.Name == "INinoCodec" && i.TypeArguments.Length == 1 && SymbolEqualityComparer.Default.Equals(i.TypeArguments[0], type)))
            return named.AllInterfaces.FirstOrDefault(static i => i.Name == "INinoCodec" && i.TypeArguments.Length == 1) is { } other
                ? $"it is a codec of '{TypeNames.Message(other.TypeArguments[0])}', and {wanted} is needed"
                : $"it must implement {wanted}";
        if ((Aliases.WhyNotNamed(type, graph.Compilation) ?? Aliases.WhyNotNamed(named, graph.Compilation)) is { } reason) return reason;
        if (FileLocal(named) is { } local)
            return $"generated code is in another file, and {(SymbolEqualityComparer.Default.Equals(local, named) ? "it" : $"'{TypeNames.Message(local)}' in its name")} is file-local: make it, and the types it is nested in, internal or public";
        return graph.IsAccessible(named) ? null : "make it, and the types it is nested in, internal or public";
    }

    /// <summary>A type in the name of another, or itself, that only its own file can name.</summary>
    private static INamedTypeSymbol? FileLocal(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => FileLocal(array.ElementType),
        INamedTypeSymbol named => TypeNames.IsFileLocal(named) ? named : TypeNames.AllArguments(named).Select(FileLocal).FirstOrDefault(static one => one is not null),
        _ => null,
    };
}
