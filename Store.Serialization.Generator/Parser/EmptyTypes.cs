// Types of which no member is stored. One without any state may be (a marker event); one whose state is all out of reach may not. Of a class of another assembly that is known only where its metadata
// has private fields, which reference assemblies have not: there it is looked at when the program runs.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class EmptyTypes
{
    public static void Check(ParsedType type, TypeGraph graph)
    {
        if (BuiltInCodecs.IsPlainData(type.Symbol)) return;
        bool isLocal = graph.IsLocal(type.Symbol);
        // All fields of a struct are seen in any assembly, of a class only those that are not private.
        if (isLocal || type.Symbol.IsValueType ? !HasFields(type.Symbol) : MayBeEmpty(type))
        {
            if (isLocal && !ForeignContract.Marks(type.Symbol) && GeneratedProperties.MayGetState(type.Symbol) is { } mark)
                LostState.WarnUnseen(type, type.Symbol, $"is partial and has no state here, and another generator ([{mark}]) may give it some, which no generator sees: unless you name a codec of your own for it with [NinoCodec(typeof(...))], that is lost", graph);
            return;
        }

        graph.Diagnostics.Report(NinoDiagnostics.NothingStored, DiagnosticSink.Place(type.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol), isLocal
            ? $"it has state, so make its members public or mark them with {MemberAdvice.Include(type.Symbol, type.Symbol, graph)}"
            : $"none of its members is public and can be set, and what state it has is not seen here; convert it to a type of your own, or {TypeNames.OwnCodec(type.Symbol)}");
        type.IsInvalid = true;
    }

    private static bool HasFields(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().OfType<IFieldSymbol>().Any(static field => !field.IsStatic && !field.IsConst && !IsOfNewerVersions(field.Type) && !(field.AssociatedSymbol is IPropertySymbol property && Constants.Is(property)) && !NinoAttributes.IsIgnored(field.AssociatedSymbol ?? field))) return true;
        }

        return false;
    }

    /// <summary>What a model keeps of members that only a newer version of its class has, which is not stored: every message that the tools of protobuf-net write has one.</summary>
    private static bool IsOfNewerVersions(ITypeSymbol type) => type is INamedTypeSymbol named && TypeNames.Metadata(named) is "ProtoBuf.IExtension" or "System.Runtime.Serialization.ExtensionDataObject";

    private static bool MayBeEmpty(ParsedType type)
    {
        INamedTypeSymbol symbol = type.Symbol;
        ForeignContract? contract = ForeignContract.Of(symbol);
        if (contract is { IsJson: false }) return contract.MayBeEmpty;
        List<INamedTypeSymbol> levels = [.. Derivations.BasesOf(symbol).Where(static level => level.TypeKind == TypeKind.Class && !Framework.Has(level))];
        if (UnaskedCode.WriterOf(symbol) is not null || levels.Exists(static level => level.GetMembers().Any(ForeignContract.IsState))) return false;
        List<bool?> hidden = [.. levels.Select(CompiledMembers.HasFields)];
        if (hidden.Contains(true)) return false;
        type.IsTakenAsEmpty = hidden.Contains(null);
        // Where nothing is known: what has state shows something that can be done with it.
        return !type.IsTakenAsEmpty || symbol.IsRecord || levels.TrueForAll(static level => level.GetMembers().All(static member => member is not IMethodSymbol { MethodKind: MethodKind.Ordinary, IsOverride: false, IsStatic: false }));
    }
}
