// Attributes of members may stand on the parameters of constructors: on those in the head of a record, where there is no other place, and on those that a class
// declares. One that belongs to no stored member is reported: it would say nothing.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class ParameterAttributes
{
    /// <summary>The parameter whose attributes count for a member, or null: of the constructor of a record that declares the member, else of one that carries attributes and has the member's name.</summary>
    public static IParameterSymbol? Of(ISymbol member)
    {
        if (member is not (IPropertySymbol or IFieldSymbol) || member.IsStatic || member.ContainingType is not { } type) return null;
        if (member is IPropertySymbol && type.IsRecord && ConstructorParser.Primary(type)?.Parameters.FirstOrDefault(parameter => parameter.Name == member.Name) is { } declaring) return declaring;
        IParameterSymbol? found = null;
        foreach (IMethodSymbol constructor in type.InstanceConstructors)
        {
            foreach (IParameterSymbol parameter in constructor.Parameters)
            {
                if (!NinoAttributes.IsForMember(parameter) || !SymbolEqualityComparer.Default.Equals(MemberOf(parameter, type), member)) continue;
                if (NinoAttributes.IsConstructor(constructor)) return parameter;
                found ??= parameter;
            }
        }

        return found;
    }

    /// <summary>Reports attributes on parameters that count for no member.</summary>
    public static void Report(ParsedType type, List<ParsedMember> members, TypeGraph graph)
    {
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType)
        {
            foreach (IParameterSymbol parameter in level.InstanceConstructors.SelectMany(static constructor => constructor.Parameters))
            {
                if (!NinoAttributes.IsForMember(parameter)) continue;
                ISymbol? member = level.IsRecord ? level.GetMembers(parameter.Name).FirstOrDefault(static one => one is IPropertySymbol) : null;
                member ??= MemberOf(parameter, level);
                if (member is not null && (NinoAttributes.IsIgnored(member) || members.Exists(one => Declarations.Of(one.Symbol).Contains(member, SymbolEqualityComparer.Default)))) continue;
                graph.Diagnostics.Report(NinoDiagnostics.MarkedMemberNotSettable, DiagnosticSink.Place(parameter, type.Origin.Location), TypeNames.Message(level) + "." + parameter.Name,
                    $"it is a constructor parameter that no stored member of '{TypeNames.Message(level)}' takes its attributes from: put the attributes on the member itself");
                type.IsInvalid = true;
            }
        }
    }

    /// <summary>The stored member of that name, declared in the same type: exactly, else ignoring case and leading underscores.</summary>
    private static ISymbol? MemberOf(IParameterSymbol parameter, INamedTypeSymbol type)
    {
        List<ISymbol> shown = [.. type.GetMembers().Where(IsShown)];
        return shown.Find(member => member.Name == parameter.Name) ?? shown.Find(member => string.Equals(member.Name.TrimStart('_'), parameter.Name.TrimStart('_'), StringComparison.OrdinalIgnoreCase));
    }

    private static bool IsShown(ISymbol member) =>
        !member.IsStatic && member switch
        {
            IFieldSymbol { IsImplicitlyDeclared: false } field => field.DeclaredAccessibility == Accessibility.Public || NinoAttributes.IsMarkedItself(field),
            IPropertySymbol { IsIndexer: false } property => property.GetMethod?.DeclaredAccessibility == Accessibility.Public || NinoAttributes.IsMarkedItself(property),
            _ => false,
        };
}
