// Properties whose getter makes something else of the field that the compiler gave them (the keyword `field`), where the model's own serializer stores the field and not what the getter gives. No semantic model: this
// runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class FieldsBehindGetters
{
    /// <summary>Tells of each whose field is lost (NINO017).</summary>
    public static void Report(ParsedType type, TypeGraph graph)
    {
        if (NinoAttributes.IsNinoType(type.Symbol)) return;
        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        foreach (ParsedMember member in type.Members)
        {
            if (member.Symbol is not IPropertySymbol property || MemberParser.IsMarked(property) || GivesField(property) || MemberParser.BackingField(property) is not { } field || WhyStored(property, field, type.Symbol, contract) is not { } why) continue;
            graph.Diagnostics.Report(NinoDiagnostics.LostState, DiagnosticSink.Place(property, type.Origin.Location), "field of the property", TypeNames.Message(property.ContainingType.OriginalDefinition) + "." + property.Name,
                why + ", and the getter makes something else of it", "keep the value in a field of your own with [NinoInclude], or mark the property with [NinoInclude] where what its getter gives is all that is to be stored");
        }
    }

    /// <summary>By what the model's serializer stores the field, for the middle of a sentence; null where it asks the getter.</summary>
    private static string? WhyStored(IPropertySymbol property, IFieldSymbol field, INamedTypeSymbol type, ForeignContract? contract) =>
        contract?.CopiesMemory
        ?? (ForeignContract.OfLevel(property.ContainingType, type).Any(one => one.StoresAllFieldsOf(property.ContainingType)) ? "its serializer stores all fields of the class (ImplicitFields.AllFields)"
            : contract?.TakesFieldsOf(property.ContainingType) ?? property.ContainingType.IsSerializable ? "DataContractSerializer and the formatters store every field of a [Serializable] class"
            : ForeignContract.OfLevel(property.ContainingType, type).Select(one => one.MarkOnField(property, field)).FirstOrDefault(static mark => mark is not null) is { } mark ? $"{mark} is on it"
            : null);

    /// <summary>What the getter gives is the field, where that is not null: it is none of the source's, or only puts something in the place of null.</summary>
    private static bool GivesField(IPropertySymbol property)
    {
        IPropertySymbol original = property.OriginalDefinition;
        foreach (SyntaxReference part in (original.PartialImplementationPart ?? original).DeclaringSyntaxReferences)
        {
            if (part.Read() is not PropertyDeclarationSyntax declared) continue;
            if (declared.ExpressionBody is { } whole) return IsField(whole.Expression);
            if (declared.AccessorList?.Accessors.FirstOrDefault(static accessor => accessor.IsKind(SyntaxKind.GetAccessorDeclaration)) is not { } getter) continue;
            if (getter.ExpressionBody is { } brief) return IsField(brief.Expression);
            if (getter.Body is { } body) return body.Statements.All(static statement => statement is ReturnStatementSyntax { Expression: { } given } && IsField(given) || statement is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax made } && IsField(made));
        }

        return true;
    }

    private static bool IsField(ExpressionSyntax expression) => expression switch
    {
        ParenthesizedExpressionSyntax inner => IsField(inner.Expression),
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } inner => IsField(inner.Operand),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either => IsField(either.Left),
        AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceAssignmentExpression } made => IsField(made.Left),
        _ => expression.ToString() == "field",
    };
}
