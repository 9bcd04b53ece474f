// Properties without a setter that give the same of every object: a constant in their declaration, which no constructor replaces. `public string Kind { get; } = "circle";` No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class Constants
{
    /// <summary>A property is one, so that nothing of it could be lost.</summary>
    public static bool Is(IPropertySymbol property)
    {
        property = property.OriginalDefinition;
        // A struct is made without its declaration, too.
        if (property.SetMethod is not null || property.ContainingType.IsValueType) return false;
        if (Given(property) is { } given) return IsConstant(given, property.Type, property.ContainingType);
        List<ExpressionSyntax> made = [.. Filling.Initializers(property)];
        return made.Count == 1 && IsConstant(made[0], property.Type, property.ContainingType) && AccessorCode.Bodies(property, onlyGetter: true).All(static body => body is AccessorDeclarationSyntax { Body: null, ExpressionBody: null })
            && !IsNamedByConstructor(property);
    }

    /// <summary>A constructor of its class may set a property.</summary>
    public static bool IsNamedByConstructor(IPropertySymbol property) =>
        property.ContainingType.InstanceConstructors.SelectMany(AccessorCode.Declared).Any(constructor => constructor.DescendantNodes().OfType<IdentifierNameSyntax>().Any(name => name.Identifier.ValueText == property.Name));

    // `Kind => "circle"`.
    private static ExpressionSyntax? Given(IPropertySymbol property) =>
        AccessorCode.Bodies(property, onlyGetter: true).Select(static body => body is ArrowExpressionClauseSyntax whole ? whole.Expression : (body as AccessorDeclarationSyntax)?.ExpressionBody?.Expression).OfType<ExpressionSyntax>().FirstOrDefault();

    private static bool IsConstant(ExpressionSyntax expression, ITypeSymbol type, INamedTypeSymbol declaring) => expression switch
    {
        LiteralExpressionSyntax => true,
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression, Operand: LiteralExpressionSyntax } => true,
        ParenthesizedExpressionSyntax inner => IsConstant(inner.Expression, type, declaring),
        BinaryExpressionSyntax { RawKind: not ((int)SyntaxKind.AsExpression or (int)SyntaxKind.IsExpression) } both => IsConstant(both.Left, type, declaring) && IsConstant(both.Right, type, declaring),
        // A constant of the class or of one around it.
        IdentifierNameSyntax name => IsConstantOf(declaring, name.Identifier.ValueText),
        // Of the framework, which are all constants or as good.
        MemberAccessExpressionSyntax { Expression: PredefinedTypeSyntax, Name.Identifier.ValueText: "Empty" or "MaxValue" or "MinValue" } => true,
        MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "TimeSpan" or "DateTime" or "Guid" or "Decimal" or "String" }, Name.Identifier.ValueText: "Zero" or "Empty" or "MaxValue" or "MinValue" or "UnixEpoch" or "One" } => true,
        InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "nameof" } } => true,
        MemberAccessExpressionSyntax access => type.TypeKind == TypeKind.Enum && (access.Expression is MemberAccessExpressionSyntax inner ? inner.Name : access.Expression as SimpleNameSyntax)?.Identifier.ValueText == type.Name && type.GetMembers(access.Name.Identifier.ValueText).Any(static member => member is IFieldSymbol { IsConst: true }),
        _ => false,
    };

    private static bool IsConstantOf(INamedTypeSymbol declaring, string name)
    {
        for (INamedTypeSymbol? around = declaring; around is not null; around = around.ContainingType)
        {
            for (INamedTypeSymbol? level = around; level is not null; level = level.BaseType)
            {
                if (level.GetMembers(name).FirstOrDefault() is { } member) return member is IFieldSymbol { IsConst: true };
            }
        }

        return false;
    }
}
