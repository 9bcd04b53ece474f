// Methods marked as callbacks: those of base classes first; an override is called once, through the method it overrides.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class CallbackParser
{
    public static List<CallbackModel> Parse(ParsedType type, TypeGraph graph)
    {
        Stack<INamedTypeSymbol> levels = new();
        for (INamedTypeSymbol? level = type.Symbol; level is not null && level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); level = level.BaseType) levels.Push(level);

        List<(IMethodSymbol Method, CallbackTime Time)> found = [];
        foreach (IMethodSymbol method in levels.SelectMany(static level => level.GetMembers().OfType<IMethodSymbol>()))
        {
            foreach (CallbackTime time in NinoAttributes.Callbacks(method))
            {
                string? problem = method.IsStatic ? "it is static"
                    : method.Parameters.Length > 0 ? "it has parameters"
                    : !method.ReturnsVoid ? "it returns something"
                    : method.IsGenericMethod ? "it is generic"
                    : method.IsAsync ? "it is async: nobody could wait for its end"
                    : !method.CanBeReferencedByName ? "it has no name of its own"
                    : null;
                if (problem is not null)
                {
                    graph.Diagnostics.Report(NinoDiagnostics.BadCallback, DiagnosticSink.Place(method, type.Origin.Location), TypeNames.Message(method.ContainingType) + "." + method.Name, "NinoOn" + time, problem);
                    type.IsInvalid = true;
                }
                else if (!found.Exists(other => other.Time == time && Overrides(method, other.Method)))
                {
                    found.Add((method, time));
                }
            }
        }

        return [.. found.Select(callback => ToModel(callback.Method, callback.Time, graph))];
    }

    private static CallbackModel ToModel(IMethodSymbol method, CallbackTime time, TypeGraph graph)
    {
        bool byName = graph.IsAccessible(method);
        return new CallbackModel(
            time,
            Accessors.Escape(method.Name),
            method.Name,
            byName ? TypeNames.Source(method.ContainingType) : Accessors.Inside(method.OriginalDefinition.ContainingType, method.ContainingType),
            byName ? null : Accessors.Holder(method.ContainingType),
            method.ContainingType.IsValueType);
    }

    private static bool Overrides(IMethodSymbol method, IMethodSymbol other)
    {
        for (IMethodSymbol? level = method.OverriddenMethod; level is not null; level = level.OverriddenMethod)
        {
            if (SymbolEqualityComparer.Default.Equals(level, other)) return true;
        }

        return false;
    }
}
