using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Stores what a type keeps to itself, where it would be empty without: <c>[NinoInclude]</c> on each member, or <c>[NinoType(NonPublic = true)]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NonPublicStateFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["NINO015"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await Place.FindAsync(context).ConfigureAwait(false) is not { Declaration: BaseTypeDeclarationSyntax declared } place || place.Model.GetDeclaredSymbol(declared, context.CancellationToken) is not { } type) return;
        // A model of another serializer has the mark of that, and what a base keeps is the base's to say.
        if (Marks.On(type, "NinoType", context.CancellationToken).FirstOrDefault() is not { } mark || Edits.Written(context.Document.Project, mark.SyntaxTree) is not { } document || State(type) is not { Count: > 0 } state) return;
        List<(Document, TextChange)> changes = [];
        foreach (ISymbol member in state)
        {
            if (await Declared.FindAsync(member, context.Document.Project, context.CancellationToken).ConfigureAwait(false) is not { } written) return;
            (int position, string text) = Edits.Attribute(written.Declaration, "NinoInclude", written.Model);
            // Of `int _x, _y` it is one.
            (Document, TextChange) change = (written.Document, new TextChange(new TextSpan(position, 0), text));
            if (!changes.Contains(change)) changes.Add(change);
        }

        Edits.Offer(context, "Store what it holds with [NinoInclude]", changes);
        Edits.Offer(context, document, "Store what it holds with [NinoType(NonPublic = true)]", AttributeOptions.Set(mark, "NonPublic", "true"));
    }

    /// <summary>The fields and auto-properties that hold something; null where one of them cannot be stored, which would be the next error.</summary>
    private static List<ISymbol>? State(INamedTypeSymbol type)
    {
        List<ISymbol> state = [];
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(static field => field is { IsStatic: false, IsConst: false }))
        {
            ISymbol member = field.AssociatedSymbol ?? field;
            if (Edits.Has(member, "NinoIgnore")) continue;
            // A lock or the like is no state.
            if (field.Type.ContainingNamespace?.ToDisplayString() == "System.Threading") continue;
            // Unless a constructor takes it, or it is filled, nothing could set it.
            if (field is { IsReadOnly: true, AssociatedSymbol: null } && (field.Type is IArrayTypeSymbol or { SpecialType: SpecialType.System_String } || field.Type.AllInterfaces.All(static one => one.SpecialType != SpecialType.System_Collections_IEnumerable)) && !type.InstanceConstructors.Any(constructor => constructor.Parameters.Any(parameter => string.Equals(parameter.Name.TrimStart('_'), field.Name.TrimStart('_'), StringComparison.OrdinalIgnoreCase)))) return null;
            if (field.Type is { SpecialType: SpecialType.System_Object } or { TypeKind: TypeKind.Delegate or TypeKind.Pointer or TypeKind.FunctionPointer } || member is not (IFieldSymbol { IsImplicitlyDeclared: false, IsFixedSizeBuffer: false } or IPropertySymbol { SetMethod: not null, ExplicitInterfaceImplementations.IsEmpty: true })) return null;
            state.Add(member);
        }

        return state;
    }
}
