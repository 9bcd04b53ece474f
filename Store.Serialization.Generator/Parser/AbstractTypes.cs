// What is told of an abstract class or interface of which no case is known: NINO011.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class AbstractTypes
{
    public static void Report(INamedTypeSymbol type, Origin origin, bool isMarked, TypeGraph graph)
    {
        string kind = type.TypeKind == TypeKind.Interface ? "an interface" : "an abstract class";
        string? leaveOut = origin.Member is { } member ? MemberAdvice.LeaveOut(member.Type, member.Symbol, graph) : null;
        List<INamedTypeSymbol> models = [.. graph.Derivations.ModelsOf(type)];
        string example = models.Find(model => graph.IsAccessible(model) && !Derivations.IsOpen(model)) is { } model ? ", as in " + TypeNames.Registration(model) : "";
        string register = models.Count > 0 ? ", register those that are models of another serializer" + example : "";
        string what = isMarked ? $" from which no [NinoType] in reach is derived: put [NinoType] on the types that are meant{register}"
            : TextTrees.AdviceFor(type) is { } asText ? $", and {asText}{(leaveOut is null ? "" : ", or " + leaveOut)}"
            : type.AllInterfaces.Any(static one => one.SpecialType == SpecialType.System_Collections_IEnumerable) ? ": use a concrete collection such as List<T>, HashSet<T>, Dictionary<TKey, TValue> or an array"
            : Framework.Has(type) ? $" of the framework: {(leaveOut is null ? "" : leaveOut + ", ")}{(origin.Member is { } foreign && !graph.IsLocal(foreign.Symbol) ? $"or for '{TypeNames.Message(foreign.Type)}' {TypeNames.OwnCodec(foreign.Type)}" : "declare a concrete type, store what is needed of it in a type of your own, or give the member a codec of your own with [NinoCodec]")}"
            : graph.TakesMark(type) && origin.IsOfRegistered ? $": register it and the types derived from it that are stored, each as in {TypeNames.Registration(type)}, put [NinoType] on them, or use a concrete class or struct"
            : graph.TakesMark(type) ? $": put [NinoType] on it and on the types derived from it{register}, or use a concrete class or struct"
            : $"{(graph.IsLocal(type) ? "" : " of another assembly")}: register it and the types derived from it that are stored, each as in {TypeNames.Registration(type)}, or use a concrete class or struct";
        if (!graph.TakesMark(type)) models.Add(type);
        graph.Diagnostics.ReportTelling(NinoDiagnostics.AbstractType, origin.Location, [.. models.Select(TypeNames.Message)], origin.Subject, TypeNames.Message(type), kind + what);
    }
}
