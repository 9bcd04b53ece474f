// May a new object have members that are not zero? Only then is it worth code: what older records lack is zero anyway. In doubt it may.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class DefaultValues
{
    /// <summary>False when the source shows that the constructor, called with zeros, leaves only zeros, and that each member shows what is stored in it.</summary>
    public static bool MayDiffer(ParsedType type)
    {
        if (type.Symbol.IsTupleType || type.Symbol.IsAbstract || type.Case is not null || FSharpTypes.IsRecord(type.Symbol)) return false;

        // A method of the user's that makes objects is called with what was stored, never with arguments made up here: it may refuse them.
        if (type.Construction is null or { UsesFactory: true }) return false;
        // There is nothing in it yet, for which its getters may not be made.
        if (type.Bare == BareModel.Always) return false;
        return type.Constructor is not { } constructor
            || constructor.Parameters.Any(static parameter => parameter is { HasExplicitDefaultValue: true, ExplicitDefaultValue: not null })
            || type.Members.Exists(static member => !PlainMemory.IsStored(member.Symbol))
            || !LeavesZeros(constructor);
    }

    /// <summary>Every member is zero after the constructor was called with zeros, for all that its source and that of its bases shows.</summary>
    private static bool LeavesZeros(IMethodSymbol constructor)
    {
        INamedTypeSymbol type = constructor.ContainingType;

        // The constructor that every struct has.
        if (type.IsValueType && constructor is { IsImplicitlyDeclared: true, Parameters.IsEmpty: true }) return true;
        if (type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty || !IsEmpty(constructor) || type.GetMembers().Any(member => !member.IsStatic && HasInitializer(member, constructor))) return false;
        if (type.BaseType is not { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) } below) return true;
        if (PassedOn.BaseArguments(constructor) is not { } arguments) return false;
        if (arguments.Count == 0 && below.InstanceConstructors.Any(static one => one.Parameters.Length > 0 && one.Parameters.All(static parameter => parameter.IsOptional))) return false;
        List<IMethodSymbol> next = [.. below.InstanceConstructors.Where(one => one.Parameters.Length == arguments.Count && !ConstructorParser.IsCopyConstructor(one))];
        return next.Count == 1 && LeavesZeros(next[0]);
    }

    /// <summary>It has no code of its own: the compiler gave it to the type, it is its head, or there is nothing in its body.</summary>
    private static bool IsEmpty(IMethodSymbol constructor) =>
        constructor.IsImplicitlyDeclared
        || constructor.DeclaringSyntaxReferences.All(static reference => reference.Read() is TypeDeclarationSyntax or ConstructorDeclarationSyntax { Initializer: null, ExpressionBody: null, Body.Statements.Count: 0 });

    /// <summary>Is given something other than a parameter as it is: one of another type may be converted by code of the user's.</summary>
    private static bool HasInitializer(ISymbol member, IMethodSymbol constructor) => member.DeclaringSyntaxReferences.Any(reference =>
        reference.Read() switch
        {
            PropertyDeclarationSyntax property => property.Initializer,
            VariableDeclaratorSyntax variable => variable.Initializer,
            _ => null,
        } is { } initializer && !(initializer.Value is IdentifierNameSyntax name && ConstructorParser.IsPrimary(constructor) && constructor.Parameters.Any(parameter => parameter.Name == name.Identifier.ValueText && SymbolEqualityComparer.Default.Equals(parameter.Type, (member as IPropertySymbol)?.Type ?? (member as IFieldSymbol)?.Type))));
}
