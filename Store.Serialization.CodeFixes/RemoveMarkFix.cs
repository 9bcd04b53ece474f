using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Takes attributes off that say what cannot be.</summary>
public abstract class RemoveMarkFix : CodeFixProvider
{
    private protected RemoveMarkFix(params string[] ids) => FixableDiagnosticIds = [.. ids];

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    // Those of one list go together: two of three leave one comma, and all of them leave no list.
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => FixAllProvider.Create(FixAllAsync);

    /// <summary>What can be taken off.</summary>
    private protected abstract Task<IReadOnlyList<Removal>> RemovalsAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation);

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (Removal removal in await RemovalsAsync(context.Document, context.Diagnostics[0], context.CancellationToken).ConfigureAwait(false))
        {
            if (Changes(removal, context.Document.Project) is { } changes) Edits.Offer(context, removal.Title, changes, removal.Kind);
        }
    }

    private static List<(Document, TextChange)>? Changes(Removal removal, Project project)
    {
        List<(Document, TextChange)> all = [];
        foreach (IGrouping<SyntaxTree, AttributeSyntax> file in removal.Attributes.GroupBy(static attribute => attribute.SyntaxTree))
        {
            if (Edits.Written(project, file.Key) is not { } document || AttributeRemoval.Of(file) is not { } changes) return null;
            all.AddRange(changes.Select(change => (document, change)));
        }

        return all.Count > 0 ? all : null;
    }

    private async Task<Document?> FixAllAsync(FixAllContext context, Document document, ImmutableArray<Diagnostic> diagnostics)
    {
        SyntaxTree? tree = await document.GetSyntaxTreeAsync(context.CancellationToken).ConfigureAwait(false);
        List<AttributeSyntax> removed = [];
        foreach (Diagnostic diagnostic in diagnostics)
        {
            IReadOnlyList<Removal> removals = await RemovalsAsync(document, diagnostic, context.CancellationToken).ConfigureAwait(false);
            removed.AddRange(removals.Where(one => one.Kind == context.CodeActionEquivalenceKey).SelectMany(static one => one.Attributes).Where(attribute => attribute.SyntaxTree == tree && AttributeRemoval.Of([attribute]) is not null));
        }

        SourceText text = await document.GetTextAsync(context.CancellationToken).ConfigureAwait(false);
        return AttributeRemoval.Of(removed) is { Count: > 0 } changes ? document.WithText(text.WithChanges(changes)) : document;
    }
}

/// <summary>What can be taken off.</summary>
/// <param name="Title">What an editor calls it.</param>
/// <param name="Kind">What fixing all fixes together.</param>
/// <param name="Attributes">What goes.</param>
internal sealed record Removal(string Title, string Kind, IReadOnlyList<AttributeSyntax> Attributes);
