// Does a member hold what the parameter of that name was given? Only what the head of a record declares is known to: any other constructor may make something else of it.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class PassedOn
{
    /// <summary>True when the object has in the member what the constructor got in the parameter: it is the property that the parameter declares, or that of a base to whose head it is handed on as it is.</summary>
    public static bool IsStored(IMethodSymbol constructor, IParameterSymbol parameter, ISymbol member)
    {
        for (INamedTypeSymbol? level = constructor.ContainingType; level is not null; level = level.BaseType)
        {
            if (!level.IsRecord || !ConstructorParser.IsPrimary(constructor)) return false;
            if (SymbolEqualityComparer.Default.Equals(member.ContainingType, level)) return member.Name == parameter.Name && IsDeclaredByParameter(member);
            if (level.BaseType is not { } below || ConstructorParser.Primary(below) is not { } next || BaseArguments(constructor) is not { } arguments || arguments.Count != next.Parameters.Length) return false;
            int place = arguments.FindIndex(name => name == parameter.Name);
            if (place < 0) return false;
            (constructor, parameter) = (next, next.Parameters[place]);
        }

        return false;
    }

    /// <summary>The names of the parameters that the head of a type hands on to its base, in their order; null where anything else is handed on.</summary>
    public static List<string>? BaseArguments(IMethodSymbol primary)
    {
        List<string> names = [];
        foreach (TypeDeclarationSyntax declaration in primary.DeclaringSyntaxReferences.Select(static reference => reference.Read()).OfType<TypeDeclarationSyntax>())
        {
            if (declaration.BaseList?.Types.OfType<PrimaryConstructorBaseTypeSyntax>().FirstOrDefault() is not { } call) continue;
            foreach (ArgumentSyntax argument in call.ArgumentList.Arguments)
            {
                if (argument is not { NameColon: null, RefKindKeyword.RawKind: 0, Expression: IdentifierNameSyntax name } || !primary.Parameters.Any(parameter => parameter.Name == name.Identifier.ValueText)) return null;
                names.Add(name.Identifier.ValueText);
            }
        }

        return names;
    }

    private static bool IsDeclaredByParameter(ISymbol member) => member.DeclaringSyntaxReferences.Any(static reference => reference.Read() is ParameterSyntax);
}
