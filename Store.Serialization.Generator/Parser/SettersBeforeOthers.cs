// Properties whose setter asks a stored member that reading sets behind it: what it keeps or refuses depends on what a new object has there, and not on what was stored.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class SettersBeforeOthers
{
    /// <summary>Tells of each (NINO028).</summary>
    /// <param name="type">The type.</param>
    /// <param name="ordered">Its members, in the order of the encoding.</param>
    /// <param name="isFixed">A member has a fixed width.</param>
    /// <param name="graph">The graph.</param>
    public static void Report(ParsedType type, List<ParsedMember> ordered, Predicate<ParsedMember> isFixed, TypeGraph graph)
    {
        if (type.Case is not null) return;
        AccessorNames? names = null;
        ILookup<string, int>? holders = null;
        for (int i = 0; i < ordered.Count; i++)
        {
            ParsedMember member = ordered[i];
            if (!SettersOfOthers.IsSet(member) || member.Symbol is not IPropertySymbol property || PlainMemory.IsStored(property) || NinoAttributes.IsIncluded(property)) continue;
            foreach (SyntaxNode setter in AccessorCode.Setters(property))
            {
                names ??= new AccessorNames();
                holders ??= SettersOfOthers.Holders(ordered, ordered.ConvertAll(SettersOfOthers.Sets), names);
                // It is told once, and of something that a program may do while the object is made nothing is known.
                if (SetterFlow.Switches(setter).Any(name => !holders.Contains(name))) continue;
                if (FindOther(setter, i) is not var (other, isRefused, changes)) continue;
                bool canBeInFront = isFixed(member) == isFixed(ordered[other]) && ordered[other].Set != MemberSet.Fill;
                string name = TypeNames.Message(type.Symbol) + "." + member.Name, behind = ordered[other].Name;
                graph.Diagnostics.Report(NinoDiagnostics.SetterBeforeOther, DiagnosticSink.Place(property, type.Origin.Location), name, behind,
                    isRefused ? "a value that was stored may be refused" : "another value than what was stored may be kept",
                    changes ? "Store the value as a field without such code, and not as this property"
                    : (canBeInFront ? $"Put '{behind}' in front of it, where it then keeps what its getter gave" : $"Let a constructor take '{behind}', where the setter then keeps what its getter gave") + ", or store the value as a field without such code, and not as this property");
                break;
            }
        }

        // The first member that it asks, whether it only refuses values by it, and whether it makes another value of what it has made.
        (int Other, bool IsRefused, bool Changes)? FindOther(SyntaxNode setter, int at)
        {
            foreach (string name in AccessorCode.Mentions(setter).Select(AccessorCode.NameOf).Distinct())
            {
                List<int> holding = [.. holders![name]];
                // What a property computes of others is as they are.
                IPropertySymbol? computed = holding.Count == 0 ? ComputedBy(name) : null;
                if (computed is not null) holding = [.. names!.NamedByGetter(computed).SelectMany(asked => holders[asked]).Where(other => IsBehind(other, at)).Distinct().OrderBy(static other => other)];
                if (holding.Count == 0 || !holding.TrueForAll(other => other != at && IsBehind(other, at))) continue;
                bool isAskedByGetter = names!.NamedByGetter(ordered[at].Symbol).Any(asked => holders[asked].Any(holding.Contains));
                var member = computed is not null ? new SetterAsked(name, computed.Type, GivenBy(computed), isAskedByGetter || names!.NamedByGetter(ordered[at].Symbol).Contains(name)) : new SetterAsked(name, ordered[holding[0]].Type, InitialOf(name), isAskedByGetter) { IsFilledByConstructor = IsFilledByConstructor(name), IsZeroAtFirst = IsZeroAtFirst(name) };
                if (SetterFlow.Of(setter, member) is not { } flow) continue;
                bool isKept = flow.Kept.Any(kept => IsOwn(kept, at) || IsShown(kept, at, holding)) && !SettersOfOthers.IsSetAgain(ordered, at);
                if (isKept || flow.Throws) return (holding[0], !isKept, flow.Computes && !isAskedByGetter);
            }

            return null;
        }

        // Not what any getter with code may be: one that nothing sets.
        IPropertySymbol? ComputedBy(string name) => LostState.Levels(type.Symbol).SelectMany(level => level.GetMembers(name)).OfType<IPropertySymbol>().FirstOrDefault(static property => property is { IsStatic: false, SetMethod: null, IsIndexer: false } && !MemberParser.IsAutoProperty(property));

        static ExpressionSyntax? GivenBy(IPropertySymbol property) => AccessorCode.Bodies(property, onlyGetter: true).SelectMany(static body => body.DescendantNodes().OfType<ExpressionSyntax>()).FirstOrDefault();

        // A field, or a property that is one, that neither an initializer nor a constructor names.
        bool IsZeroAtFirst(string name) =>
            Asked(name) is { } asked && !IsNamedByConstructor(name) && InitialOf(name) is null or LiteralExpressionSyntax { Token.Value: 0 or 0L or 0d or 0f or 0m }
            && (PlainMemory.IsStored(asked) || (asked is IPropertySymbol property && Filling.Shown(property, out bool isLazy) is { } shown && !isLazy && shown.Name != name && IsZeroAtFirst(shown.Name)));

        bool IsNamedByConstructor(string name) => Asked(name) is { } asked
            && LostState.Levels(type.Symbol).SelectMany(static level => level.InstanceConstructors).Any(constructor => (ConstructorParser.IsPrimary(constructor) && constructor.Parameters.Any(parameter => ConstructorParser.HasNameOf(asked, parameter))) || AccessorCode.Declared(constructor).Any(declared => declared.DescendantNodes().OfType<IdentifierNameSyntax>().Any(one => one.Identifier.ValueText == name)));

        bool IsFilledByConstructor(string name) => LostState.Levels(type.Symbol).SelectMany(static level => level.InstanceConstructors).SelectMany(AccessorCode.Declared)
            .SelectMany(declared => AccessorCode.Mentions(declared, name)).Any(static mention => !IsListenedTo(mention));

        // Items.CollectionChanged += OnItemsChanged;
        static bool IsListenedTo(ExpressionSyntax mention) => mention.Parent is MemberAccessExpressionSyntax { Parent: AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.AddAssignmentExpression } listening } && listening.Left == mention.Parent;

        ISymbol? Asked(string name) => LostState.Levels(type.Symbol).SelectMany(level => level.GetMembers(name)).FirstOrDefault();

        ExpressionSyntax? InitialOf(string name) => LostState.Levels(type.Symbol).SelectMany(level => level.GetMembers(name)).SelectMany(Filling.Initializers).FirstOrDefault();

        bool IsBehind(int other, int at)
        {
            ParsedMember one = ordered[other], member = ordered[at];
            if (one.Set is MemberSet.Constructor or MemberSet.ConstructorAndInitializer or MemberSet.ConstructorAndAccessor) return false;
            if (one.Set == MemberSet.Fill) return true;
            // What only an initializer can set comes before what none can.
            return other > at ? !(OnlyInitializerSets(one) && IsAccessor(member)) : OnlyInitializerSets(member) && IsAccessor(one);
        }

        bool OnlyInitializerSets(ParsedMember member) => !type.IsMadeFirst && member.Set is MemberSet.Initializer or MemberSet.ConstructorAndInitializer && (member.IsRequired || member.IsInitOnly);

        static bool IsAccessor(ParsedMember member) => member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor;

        // What its getter shows, and no other member sets again.
        bool IsOwn(string kept, int at) => kept == "field" || (holders![kept].All(other => other == at) && names!.NamedByGetter(ordered[at].Symbol).Contains(kept));

        // What another property shows. The member that is read, or what is called at the end, may set it again.
        bool IsShown(string kept, int at, List<int> holding) =>
            holders![kept].All(other => other == at) && !type.Callbacks.Exists(static callback => callback.Time == CallbackTime.Deserialized)
            && holding.TrueForAll(other => ordered[other].Symbol is not IPropertySymbol property || PlainMemory.IsStored(property))
            && LostState.Levels(type.Symbol).SelectMany(static level => level.GetMembers().OfType<IPropertySymbol>()).Any(property => property is { IsStatic: false, GetMethod.DeclaredAccessibility: Accessibility.Public } && !NinoAttributes.IsIgnored(property) && names!.NamedByGetter(property).Contains(kept));
    }
}
