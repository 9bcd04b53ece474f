// Stored members that nothing sets but the constructor that reading calls, and that makes another value of what it is given each time, as `A = a + 1`: what was read is written as another value, and changes again with each
// reading. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ChangingConstructors
{
    private static readonly Dictionary<string, object?> s_nothing = [];

    /// <summary>Tells of each (NINO029).</summary>
    /// <param name="type">The type.</param>
    /// <param name="constructor">The one that reading calls.</param>
    /// <param name="matches">What reading passes it.</param>
    /// <param name="graph">The graph.</param>
    public static void Report(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        if (constructor is not { MethodKind: MethodKind.Constructor }) return;
        // Reading passes them the same values each time.
        List<IParameterSymbol> left = [.. constructor.Parameters.Where(parameter => !matches.ContainsValue(parameter))];
        Dictionary<string, object?> known = [];
        // Half-written, two may have one name.
        foreach (IParameterSymbol parameter in left) known[parameter.Name] = ReadingPasses(parameter);
        foreach (ParsedMember member in type.Members)
        {
            if (member.Set != MemberSet.Constructor || NinoAttributes.IsIncluded(member.Symbol) || !matches.TryGetValue(member, out IParameterSymbol given) || StateOf(member.Symbol) is not { } state) continue;
            // What is stored of the state itself has the last word.
            bool isStored = type.Members.Exists(other => other != member && other.Set != MemberSet.Constructor && SymbolEqualityComparer.Default.Equals(other.Symbol.OriginalDefinition, state));
            if (isStored) continue;
            bool always = Changes(constructor, given.Name, state, isChanged: false, [], known);
            IParameterSymbol? by = always ? null : MadeBy(constructor, given.Name, state, left, known);
            if (!always && by is null) continue;
            bool isShown = !SymbolEqualityComparer.Default.Equals(state, member.Symbol.OriginalDefinition);
            graph.Diagnostics.Report(NinoDiagnostics.ChangingConstructor, DiagnosticSink.Place(member.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol), given.Name, member.Name,
                always ? "" : $" by '{by!.Name}', which no member gives, so that reading passes its default value", always ? "it changes whenever the object is read" : "it may change when the object is read",
                isShown ? $"Store the field '{state.Name}' with [NinoInclude], and leave the property out with [NinoIgnore]" : member.Symbol is IFieldSymbol ? "Let it be set (no readonly)" : "Give it init, or a setter with [NinoInclude] on it where that is not public, which has the last word then");
        }
    }

    /// <summary>The field, or the property that is one, whose value a member shows as it is.</summary>
    private static ISymbol? StateOf(ISymbol member)
    {
        if (member is not IPropertySymbol property || MemberParser.IsAutoProperty(property)) return member.OriginalDefinition;
        if (ChangingGetters.NameOfGiven(property) is not { } name) return null;
        return LostState.Levels(property.ContainingType.OriginalDefinition).SelectMany(level => level.GetMembers(name)).FirstOrDefault(static one => one is IFieldSymbol or IPropertySymbol)?.OriginalDefinition;
    }

    /// <summary>A constructor, or one that it calls, sets a state to something else than it was given, again and again.</summary>
    /// <param name="constructor">The constructor.</param>
    /// <param name="parameter">What is passed.</param>
    /// <param name="state">The state.</param>
    /// <param name="isChanged">It has become something else before.</param>
    /// <param name="seen">What was looked at.</param>
    /// <param name="known">What other parameters of it are passed each time.</param>
    private static bool Changes(IMethodSymbol constructor, string parameter, ISymbol state, bool isChanged, HashSet<(ISymbol Constructor, string Parameter, bool IsChanged)> seen, IReadOnlyDictionary<string, object?> known)
    {
        // Constructors that call each other in a circle are the compiler's affair.
        if (!seen.Add((constructor, parameter, isChanged)) || IsSetAnew(constructor, parameter)) return false;
        if (SymbolEqualityComparer.Default.Equals(constructor.ContainingType.OriginalDefinition, state.ContainingType) && SetTo(constructor, state, out bool isKnown) is var set && (set is not null || !isKnown))
            return set is not null && (Computed.OfName(set, parameter, known) || (isChanged && ChangingGetters.NameOfShown(set) == parameter));
        if (HeadArguments.CallOf(constructor) is not var (arguments, level) || level is null) return false;
        // Which one is called is not known without their types, unless one alone could be.
        List<IMethodSymbol> called = [.. level.InstanceConstructors.Where(next => !SymbolEqualityComparer.Default.Equals(next, constructor) && HeadArguments.Fits(next, arguments))];
        if (called.Count != 1) return false;
        foreach (IParameterSymbol next in called[0].Parameters)
        {
            if (next.IsParams || HeadArguments.Arguments(arguments, next).FirstOrDefault() is not { } argument) continue;
            bool isComputed = Computed.OfName(argument.Expression, parameter, known);
            if ((isComputed || ChangingGetters.NameOfShown(argument.Expression) == parameter) && Changes(called[0], next.Name, state, isChanged || isComputed, seen, s_nothing)) return true;
        }

        return false;
    }

    /// <summary>A parameter that reading passes its default value, by which the constructor makes a state of what it is given: with another one it made another.</summary>
    private static IParameterSymbol? MadeBy(IMethodSymbol constructor, string parameter, ISymbol state, List<IParameterSymbol> left, IReadOnlyDictionary<string, object?> known)
    {
        if (left.Count == 0 || IsSetAnew(constructor, parameter) || !SymbolEqualityComparer.Default.Equals(constructor.ContainingType.OriginalDefinition, state.ContainingType)) return null;
        if (SetTo(constructor, state, out _) is not { } set || Computed.IsAsGiven(set, parameter, known)) return null;
        HashSet<string> names = [.. set.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Select(static name => name.Identifier.ValueText)];
        return names.Contains(parameter) ? left.Find(one => names.Contains(one.Name) && SaysHow(one.Type)) : null;
    }

    // Not a service, such as a logger, of which one does as another.
    private static bool SaysHow(ITypeSymbol type) =>
        LostState.IsData(type) && (type.IsValueType || type.SpecialType == SpecialType.System_String || type.Name is "CultureInfo" or "IFormatProvider" or "IComparer" or "IEqualityComparer" or "StringComparer");

    /// <summary>The default value of a parameter, or of its type; null where it is none that arithmetic goes on with.</summary>
    private static object? ReadingPasses(IParameterSymbol parameter) =>
        parameter is { HasExplicitDefaultValue: true, ExplicitDefaultValue: { } value } ? value
        : parameter.Type.SpecialType switch
        {
            SpecialType.System_String => "",
            >= SpecialType.System_SByte and <= SpecialType.System_Double => 0,
            _ => null,
        };

    /// <summary>What a constructor itself sets a state to, once and whatever it is given.</summary>
    /// <param name="constructor">The constructor.</param>
    /// <param name="state">The state.</param>
    /// <param name="isKnown">False where it sets it in another way.</param>
    private static ExpressionSyntax? SetTo(IMethodSymbol constructor, ISymbol state, out bool isKnown)
    {
        isKnown = true;
        if (ConstructorParser.IsPrimary(constructor)) return Filling.Initializers(state).FirstOrDefault();
        foreach (ConstructorDeclarationSyntax declared in AccessorCode.Declared(constructor))
        {
            if (((SyntaxNode?)declared.Body ?? declared.ExpressionBody) is not { } body) continue;
            List<ExpressionSyntax> set = [.. AccessorCode.Mentions(body, state.Name).Where(AccessorCode.IsSet)];
            if (set.Count == 0) continue;
            isKnown = set.Count == 1;
            if (!isKnown) return null;
            if (set[0].Parent is AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } assignment && IsAlwaysDone(assignment)) return assignment.Right;
            // (A, B) = (a, b).
            if (set[0].Parent is ArgumentSyntax { Parent: TupleExpressionSyntax { Parent: AssignmentExpressionSyntax { Right: TupleExpressionSyntax values } several } names } place && IsAlwaysDone(several) && values.Arguments.Count == names.Arguments.Count)
                return values.Arguments[names.Arguments.IndexOf(place)].Expression;
            isKnown = false;
        }

        return null;

        bool IsAlwaysDone(AssignmentExpressionSyntax assignment) => assignment.Parent is ArrowExpressionClauseSyntax or ExpressionStatementSyntax { Parent: BlockSyntax { Parent: ConstructorDeclarationSyntax } };
    }

    /// <summary>The code of a constructor sets its parameter to something else.</summary>
    private static bool IsSetAnew(IMethodSymbol constructor, string parameter) =>
        AccessorCode.Declared(constructor).SelectMany(static declared => declared.DescendantNodes().OfType<IdentifierNameSyntax>()).Any(name => name.Identifier.ValueText == parameter && AccessorCode.IsSet(name));
}
