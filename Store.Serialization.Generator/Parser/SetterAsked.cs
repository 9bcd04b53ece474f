// A member that a setter asks, and what it finds there in a new object. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <param name="Name">Its name in the setter.</param>
/// <param name="Type">Its type.</param>
/// <param name="Initial">What a new object has there, where its declaration says that.</param>
/// <param name="IsAskedByGetter">The property's own getter asks it too: it makes of what is kept what was given.</param>
internal sealed record SetterAsked(string Name, ITypeSymbol Type, ExpressionSyntax? Initial, bool IsAskedByGetter)
{
    /// <summary>Compared with it, nothing is less or more than null.</summary>
    public bool IsLifted => Type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    public bool MayBeNull => IsLifted || Type.IsReferenceType;

    /// <summary>A constructor names it, and does not only listen to it: it may give it a value, or change what it has.</summary>
    public bool IsFilledByConstructor { get; init; }

    /// <summary>Nothing gives it a value when an object is made.</summary>
    public bool IsZeroAtFirst { get; init; }

    /// <summary>It is a number, and zero then.</summary>
    public bool IsZero => IsZeroAtFirst && Type is { IsValueType: true, TypeKind: TypeKind.Struct };

    /// <summary>Its type has its name: <c>Color.FromArgb(value)</c>.</summary>
    public bool MayBeType(ExpressionSyntax mention) => mention is IdentifierNameSyntax && mention.Parent is MemberAccessExpressionSyntax && Type.Name == Name;

    /// <summary>It is a limit, and there is none at the beginning: <c>int.MaxValue</c>.</summary>
    public bool IsWithoutLimit => Initial is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "MaxValue" or "MinValue" or "PositiveInfinity" or "NegativeInfinity" };

    /// <summary>What a new object has there makes nothing else of what it is added to, or multiplied with: what was kept is kept again.</summary>
    public bool DoesNothing(ExpressionSyntax mention) => !IsAskedByGetter && mention.Parent switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression or (int)SyntaxKind.SubtractExpression } => Initial is null || Initial.ToString() is "0" or "\"\"" or "string.Empty" or "String.Empty",
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.MultiplyExpression or (int)SyntaxKind.DivideExpression } => Initial is LiteralExpressionSyntax literal && literal.Token.Value is 1 or 1.0 or 1f or 1L or 1m,
        InterpolationSyntax => Initial is null || Initial.ToString() is "\"\"" or "string.Empty" or "String.Empty",
        _ => false,
    };
}
