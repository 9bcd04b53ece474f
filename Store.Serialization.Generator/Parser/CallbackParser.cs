// Methods marked as callbacks: those of base classes first; an override is called once, through the method it overrides. Then those of interfaces.

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

        IReadOnlyList<string> spaces = ForeignCallbacks.Spaces(type.Symbol);
        List<(IMethodSymbol Method, CallbackTime Time)> found = [];
        List<CallbackModel> models = [];
        foreach (INamedTypeSymbol level in levels)
        {
            // Called by name, or through what it overrides.
            SortedSet<string> known = new(System.StringComparer.Ordinal);
            foreach (IMethodSymbol method in level.GetMembers().OfType<IMethodSymbol>())
            {
                IEnumerable<(CallbackTime Time, string Mark, bool IsOwn)> marks = NinoAttributes.Callbacks(method).Select(static time => (time, "NinoOn" + time, true))
                    .Concat(ForeignCallbacks.Marks(method, spaces).Select(static one => (one.Time, one.Mark, false)));
                foreach ((CallbackTime time, string mark, bool isOwn) in marks)
                {
                    if (Problem(method, isOwn) is { } problem)
                    {
                        graph.Diagnostics.Report(NinoDiagnostics.BadCallback, DiagnosticSink.Place(method, type.Origin.Location), TypeNames.Message(method.ContainingType) + "." + method.Name, mark, problem);
                        type.IsInvalid = true;
                    }
                    else if (!found.Exists(other => other.Time == time && (SymbolEqualityComparer.Default.Equals(method, other.Method) || Declarations.Overrides(method, other.Method))))
                    {
                        found.Add((method, time));
                        models.Add(ToModel(method, time, graph));
                    }

                    known.Add(method.Name);
                }
            }

            if (spaces.Count > 0 && ForeignCallbacks.MayHideSome(type.Symbol, level)) models.AddRange(Hidden(level, spaces, known));
        }

        ReportOfInterfaces(type, found, graph);
        // Those of attributes come behind it, as DataContractSerializer has them.
        models.InsertRange(0, ByInterface(type, ForeignCallbacks.OfRuntime(type.Symbol).Concat(ForeignCallbacks.OfMongo(type.Symbol)), found, graph));
        // One serializer's only: a type that no mark of its own tells may be written for several.
        bool isCalledByAttribute = found.Exists(one => ForeignCallbacks.Marks(one.Method, spaces).Any());
        if (!isCalledByAttribute) models.AddRange(ByInterface(type, ForeignCallbacks.ByInterface(type.Symbol), found, graph).Select(static one => one with { IsAlternative = true }));
        return models;
    }

    /// <summary>Nothing calls the methods of a collection that is stored as its elements.</summary>
    /// <returns>True after reporting one.</returns>
    public static bool ReportBeside(INamedTypeSymbol collection, Origin origin, TypeGraph graph)
    {
        bool any = false;
        foreach (IMethodSymbol method in Derivations.BasesOf(collection).Where(static level => level.TypeKind != TypeKind.Interface && !Framework.Has(level)).SelectMany(static level => level.GetMembers().OfType<IMethodSymbol>()))
        {
            foreach (CallbackTime time in NinoAttributes.Callbacks(method))
            {
                graph.Diagnostics.Report(NinoDiagnostics.BadCallback, DiagnosticSink.Place(method, origin.Location), TypeNames.Message(method.ContainingType) + "." + method.Name, "NinoOn" + time, $"'{TypeNames.Message(collection)}' is a collection, which is stored as its elements, and nothing calls its methods: do it in a callback of the object that holds the collection");
                any = true;
            }
        }

        return any;
    }

    /// <summary>Marks on methods of interfaces say nothing of those that implement them.</summary>
    private static void ReportOfInterfaces(ParsedType type, List<(IMethodSymbol Method, CallbackTime Time)> found, TypeGraph graph)
    {
        foreach (IMethodSymbol declared in type.Symbol.AllInterfaces.Where(static one => !Framework.Has(one)).SelectMany(static one => one.GetMembers().OfType<IMethodSymbol>()))
        {
            foreach (CallbackTime time in NinoAttributes.Callbacks(declared))
            {
                if (type.Symbol.FindImplementationForInterfaceMember(declared) is IMethodSymbol method && IsFound(method, time, found)) continue;
                graph.Diagnostics.Report(NinoDiagnostics.BadCallback, DiagnosticSink.Place(declared, type.Origin.Location), TypeNames.Message(declared.ContainingType) + "." + declared.Name, "NinoOn" + time, $"it is of an interface: mark the method of '{TypeNames.Message(type.Symbol)}' that implements it");
                type.IsInvalid = true;
            }
        }
    }

    /// <summary>The method is called already, or what it overrides, or an override of it: where a base has the interface, its method is the one that implements it.</summary>
    private static bool IsFound(IMethodSymbol method, CallbackTime time, List<(IMethodSymbol Method, CallbackTime Time)> found) =>
        found.Exists(one => one.Time == time && (Declarations.Of(method).Contains(one.Method, SymbolEqualityComparer.Default) || Declarations.Overrides(one.Method, method)));

    private static string? Problem(IMethodSymbol method, bool isOwn) =>
        method.IsStatic ? "it is static"
        : method.Parameters.Length > 0 && (isOwn || !ForeignCallbacks.TakesContext(method)) ? "it has parameters"
        : !method.ReturnsVoid ? "it returns something"
        : method.IsGenericMethod ? "it is generic"
        : method.IsAsync ? "it is async: nobody could wait for its end"
        : method is { IsPartialDefinition: true, PartialImplementationPart: null } ? "it is a partial method without a body here, and what other source generators write is not seen: call that from a method with one"
        : !method.CanBeReferencedByName ? "it has no name of its own"
        : null;

    private static string? ParameterOf(IMethodSymbol method) => method.Parameters.IsEmpty ? null : TypeNames.Source(method.Parameters[0].Type);

    private static CallbackModel ToModel(IMethodSymbol method, CallbackTime time, TypeGraph graph)
    {
        bool byName = graph.IsAccessible(method);
        return new CallbackModel(
            time,
            Accessors.Escape(method.Name),
            method.Name,
            byName ? TypeNames.Source(method.ContainingType) : Accessors.Inside(method.OriginalDefinition.ContainingType, method.ContainingType),
            byName ? null : Accessors.Holder(method.ContainingType),
            method.ContainingType.IsValueType,
            ParameterOf(method));
    }

    /// <summary>What the level of another assembly keeps to itself, at every time: whether there is anything is seen when the program runs.</summary>
    private static IEnumerable<CallbackModel> Hidden(INamedTypeSymbol level, IReadOnlyList<string> spaces, IEnumerable<string> known)
    {
        var hidden = new HiddenCallbacks(new EquatableArray<string>(spaces), new EquatableArray<string>(known));
        foreach (CallbackTime time in (CallbackTime[])[CallbackTime.Serializing, CallbackTime.Serialized, CallbackTime.Deserializing, CallbackTime.Deserialized])
            yield return new CallbackModel(time, "", "", TypeNames.Source(level), null, DeclaredInStruct: false, Hidden: hidden);
    }

    private static IEnumerable<CallbackModel> ByInterface(ParsedType type, IEnumerable<(IMethodSymbol Declared, CallbackTime Time)> called, List<(IMethodSymbol Method, CallbackTime Time)> found, TypeGraph graph)
    {
        foreach ((IMethodSymbol declared, CallbackTime time) in called)
        {
            // Of a class by the interface, so that whatever implements it is called; of a struct that would be a copy in a box.
            var method = type.Symbol.FindImplementationForInterfaceMember(declared) as IMethodSymbol;
            if (method is not null && IsFound(method, time, found)) continue;
            if (!type.Symbol.IsValueType)
            {
                yield return new CallbackModel(time, declared.Name, declared.Name, TypeNames.Source(declared.ContainingType), null, DeclaredInStruct: false, ParameterOf(declared));
            }
            else if (method is { MethodKind: MethodKind.Ordinary } && graph.IsAccessible(method))
            {
                yield return ToModel(method, time, graph);
            }
            else
            {
                string name = TypeNames.Message(type.Symbol) + "." + TypeNames.Message(declared.ContainingType) + "." + declared.Name;
                graph.Diagnostics.Report(NinoDiagnostics.BadCallback, DiagnosticSink.Place(method ?? (ISymbol)type.Symbol, type.Origin.Location), name, declared.ContainingType.Name, "a struct implements it explicitly, so it could only be called on a copy");
                type.IsInvalid = true;
            }
        }
    }
}
