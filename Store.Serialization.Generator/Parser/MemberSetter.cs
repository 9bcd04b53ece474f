// How reading sets each member that is stored: by the constructor, an initializer, an accessor that C# does not let the codec call, or by filling what the object has. What cannot be set is a diagnostic.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class MemberSetter
{
    /// <summary>Decides how reading sets a member. False: it is not stored, either rightly (it is computed) or after a diagnostic.</summary>
    public static bool TryChoose(ParsedType type, ParsedMember member, IParameterSymbol? parameter, IMethodSymbol? constructor, List<ParsedMember> candidates, TypeGraph graph)
    {
        var property = member.Symbol as IPropertySymbol;
        if (property is not null && Declarations.Accessor(property, static p => p.GetMethod) is null)
            return Fail(NinoDiagnostics.MarkedMemberNotSettable, property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty ? $"'{TypeNames.Message(property.ContainingType)}' shows no getter of it outside of its assembly" : "it has no getter");
        bool usesInitializer = constructor is { MethodKind: MethodKind.Constructor } && Overloads.CanCall(constructor, graph);
        if (parameter is not null && constructor is not null)
        {
            // A collection may be what the constructor has wired.
            member.IsBacked &= !MemberParser.IsCollection(member.Type);
            bool mustRepeat = member.IsRequired && usesInitializer && !NinoAttributes.SetsRequiredMembers(constructor);
            // What a factory makes is its own affair: the object may be everybody's.
            bool isSet = mustRepeat || (constructor.MethodKind == MethodKind.Constructor && !PassedOn.IsStored(constructor, parameter, member.Symbol));
            member.Set = !isSet ? MemberSet.Constructor
                : member.IsSettable && (usesInitializer || !member.IsInitOnly) ? MemberSet.ConstructorAndInitializer
                : member.IsSettableByAccessor || member.IsSettable || member.MayHaveSetter || member.IsBacked ? MemberSet.ConstructorAndAccessor
                : MemberSet.Constructor;
            // Where it has none after all, what the constructor made of it stays.
            member.LooksForSetter = member.Set == MemberSet.ConstructorAndAccessor && !member.IsSettableByAccessor && member.MayHaveSetter;
            member.LooksForField = member is { Set: MemberSet.ConstructorAndAccessor, IsBacked: true } && property!.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasField(property, CompilerFields.OfProperty(property.Name)) is null;
            return true;
        }

        if (member.IsSettable && (usesInitializer || !member.IsInitOnly))
        {
            member.Set = MemberSet.Initializer;
            return true;
        }

        if (member.IsSettableByAccessor || (member.IsSettable && member.IsInitOnly))
        {
            member.Set = MemberSet.Accessor;
            return true;
        }

        // Of another assembly no code is seen; that says which properties are computed.
        if (property is not null && (!member.IsMarked || NonPublicState.IsStored(property)) && HiddenMembers.Says(property.ContainingType, property.Name, HiddenKind.Computed, graph)) return false;

        // Not one that is known to have a setter, though a private one. Where nobody knows the program looks for one, since a new object may have nothing that could be filled.
        bool mayFill = property is null || (Declarations.Accessor(property, static p => p.SetMethod) is null && !(member.MayHaveSetter && CompiledMembers.HasSetter(property) == true));
        string? whyNot = mayFill ? Filling.TryFind(type, member, constructor, candidates) : null;
        if (member.Fill is not null)
        {
            member.Set = MemberSet.Fill;
            member.LooksForSetter = member.MayHaveSetter;
            return true;
        }

        if (member.IsBacked)
        {
            member.Set = MemberSet.Accessor;
            member.LooksForSetter = property!.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasSetter(property) != false;
            return true;
        }

        if (member.MayHaveSetter)
        {
            member.Set = MemberSet.Accessor;
            return true;
        }

        if (property is null)
            return Fail(NinoDiagnostics.GetOnlyState, "readonly field", $"add a constructor parameter of the same name, store it with {Include()}", OrLeaveOut());
        // Made of what is stored, or shown, besides, or a constant.
        if (!MemberParser.IsMarked(property) && IsComputed(property, type.Symbol)) return false;
        if (Declarations.Accessor(property, static p => p.SetMethod) is not null)
            return Fail(NinoDiagnostics.GetOnlyState, "property", $"its setter is not public, so mark it with {Include()}, add a constructor parameter of the same name", OrLeaveOut());
        if (member.IsMarked)
            return Fail(NinoDiagnostics.MarkedMemberNotSettable, $"it has no setter, and no constructor parameter matches it: add a setter, init or a constructor parameter of the same name, {(graph.IsLocal(type.Symbol) ? "or remove the mark" : $"remove the mark there, or {TypeNames.OwnCodec(type.Symbol)}")}");
        bool isAuto = MemberParser.IsAutoProperty(property);
        if (MemberParser.IsCollection(property.Type))
            return Fail(NinoDiagnostics.GetOnlyCollection, Filling.Why(property, type.Symbol, whyNot, Include()), OrLeaveOut());
        if (isAuto && property.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasSetter(property) != false)
            return Fail(NinoDiagnostics.GetOnlyState, "property", $"'{TypeNames.Message(property.ContainingType)}' shows no setter of it outside of its assembly, so store it with {Include()} there if it has one, else add init, a setter or a constructor parameter of the same name", OrLeaveOut());
        if (isAuto)
            return Fail(NinoDiagnostics.GetOnlyState, "get-only property", "add init or a setter, add a constructor parameter of the same name", OrLeaveOut());
        return false;

        string Include() => MemberAdvice.Include(type.Symbol, member.Symbol, graph);

        string OrLeaveOut() => MemberAdvice.OrLeaveOut(type.Symbol, member.Symbol, graph);

        bool Fail(DiagnosticDescriptor descriptor, params string[] details)
        {
            graph.Diagnostics.Report(descriptor, DiagnosticSink.Place(member.Symbol, type.Origin.Location), [TypeNames.Message(type.Symbol) + "." + member.Name, .. details]);
            type.IsInvalid = true;
            return false;
        }
    }

    /// <summary>A property that nobody outside of its class can set keeps nothing of its own: it holds a constant, or a cache, or its code names only what is stored or shown besides.</summary>
    /// <param name="property">The property.</param>
    /// <param name="type">The type that is stored; the property may be of a base.</param>
    public static bool IsComputed(IPropertySymbol property, INamedTypeSymbol type)
    {
        bool hasSetter = property.SetMethod is not null;
        if (MemberParser.IsAutoProperty(property)) return !hasSetter && (Constants.Is(property) || MadeWhenAsked.IsCache(property));
        if (!hasSetter && Constants.Is(property)) return true;
        // Of a type without a mark that others may register too nobody tells them: a collection of theirs would be filled there.
        bool isTold = NinoAttributes.IsNinoType(property.ContainingType) || !TypeGraph.IsShared(type);
        return (hasSetter || isTold) && (hasSetter || MemberParser.IsCollection(property.Type) || property.OriginalDefinition.Type is ITypeParameterSymbol) && GetterReads.Of(property, type).IsAllSeen;
    }

    /// <summary>An object initializer sets everything at once. Without one, init accessors are out of reach by name.</summary>
    public static void AfterConstruction(ParsedType type)
    {
        foreach (ParsedMember member in type.Members)
        {
            if (!member.IsInitOnly) continue;
            if (member.Set == MemberSet.ConstructorAndInitializer) member.Set = MemberSet.ConstructorAndAccessor;
            if (member.Set == MemberSet.Initializer) member.Set = MemberSet.Accessor;
        }
    }
}
