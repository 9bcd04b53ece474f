using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

/// <summary>Takes <c>[NinoUtf8]</c> off a member without strings.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RemoveUtf8Fix() : RemoveMarkFix("NINO051")
{
    private const string Title = "Remove [NinoUtf8]";

    /// <inheritdoc/>
    private protected override async Task<IReadOnlyList<Removal>> RemovalsAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        if (await Place.FindAsync(document, diagnostic.Location.SourceSpan, cancellation).ConfigureAwait(false) is not { } place) return [];
        List<AttributeSyntax> marks = [.. Marks.At(place.Declaration, place.Model, cancellation).Where(static mark => mark is { IsOurs: true, Name: "NinoUtf8" }).Select(static mark => mark.Written)];
        return marks.Count > 0 ? [new Removal(Title, Title, marks)] : [];
    }
}
