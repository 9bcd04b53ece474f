// Which types are derived from a base, in reach of the compilation: those marked here, those registered here, and those marked in referenced assemblies.

using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal sealed class Derivations
{
    internal const string EngineAssembly = "NinoStore.Serialization";

    // The symbols of a referenced assembly are the same ones in every compilation until the reference changes.
    private static readonly ConditionalWeakTable<IAssemblySymbol, Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>>> Referenced = new();

    private readonly Compilation _compilation;
    private readonly Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> _local;
    private List<Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>>>? _referenced;
    private Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>>? _unmarked;

    /// <param name="compilation">The compilation to look in.</param>
    /// <param name="types">The marked types of the compilation, open generic ones as they are declared, and the registered types as they are named.</param>
    public Derivations(Compilation compilation, IEnumerable<INamedTypeSymbol> types)
    {
        _compilation = compilation;
        _local = ByBase(types);
    }

    /// <summary>The types that can be made and assigned to a base, other than itself; of generic ones the constructions that the base's type arguments determine.</summary>
    public List<INamedTypeSymbol> Of(INamedTypeSymbol type)
    {
        List<INamedTypeSymbol> found = [];
        INamedTypeSymbol definition = type.OriginalDefinition;
        if (_local.TryGetValue(definition, out List<INamedTypeSymbol> local)) found.AddRange(local);
        if (!SymbolEqualityComparer.Default.Equals(definition.ContainingAssembly, _compilation.Assembly))
        {
            foreach (Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> assembly in _referenced ??= [.. _compilation.SourceModule.ReferencedAssemblySymbols.Where(ReferencesEngine).Select(static a => Referenced.GetValue(a, static key => ByBase(TypesIn(key.GlobalNamespace).Where(NinoAttributes.IsNinoType))))])
            {
                if (assembly.TryGetValue(definition, out List<INamedTypeSymbol> there)) found.AddRange(there);
            }
        }

        return [.. found.Select(candidate => Close(candidate, type)).OfType<INamedTypeSymbol>().Where(IsCase).Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default)];

        bool IsCase(INamedTypeSymbol candidate) =>
            !candidate.IsAbstract && !candidate.IsRefLikeType && !SymbolEqualityComparer.Default.Equals(candidate, type) && !TypeNames.IsFileLocal(candidate) && _compilation.IsSymbolAccessibleWithin(candidate, _compilation.Assembly);
    }

    /// <summary>The types of the project that are derived from a base and models of another serializer, registered or not: for diagnostics, which cost a look at all types.</summary>
    public IEnumerable<INamedTypeSymbol> ModelsOf(INamedTypeSymbol type) =>
        (_unmarked ??= ByBase(TypesIn(_compilation.Assembly.GlobalNamespace).Where(static one => !one.IsAbstract))).TryGetValue(type.OriginalDefinition, out List<INamedTypeSymbol> derived) ? derived.Where(ForeignContract.IsModel) : [];

    /// <summary>The construction of a type that is derived from a base: the type itself when it has no type parameters, null when it is not derived or not determined.</summary>
    public INamedTypeSymbol? Close(INamedTypeSymbol candidate, INamedTypeSymbol baseType)
    {
        INamedTypeSymbol declared = candidate.IsUnboundGenericType ? candidate.OriginalDefinition : candidate;
        foreach (INamedTypeSymbol level in BasesOf(declared))
        {
            if (SymbolEqualityComparer.Default.Equals(level, baseType) || IsSame(level, baseType) || IsVariantOf(level, baseType)) return IsOpen(declared) ? null : declared;
            if (!IsOpen(declared) || !SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, baseType.OriginalDefinition)) continue;
            Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = new(SymbolEqualityComparer.Default);
            if (!Unify(level, baseType, arguments) || ParametersOf(declared).Any(parameter => !arguments.ContainsKey(parameter) || !Allows(parameter, arguments[parameter], arguments))) continue;
            return Construct(declared, arguments);
        }

        return null;
    }

    /// <summary>A type is derived from other constructions of a generic base, and from this one never: a base that names its cases names those of all its constructions.</summary>
    public bool IsOfAnother(INamedTypeSymbol candidate, INamedTypeSymbol baseType)
    {
        INamedTypeSymbol declared = candidate.IsUnboundGenericType ? candidate.OriginalDefinition : candidate;
        List<INamedTypeSymbol> levels = [.. BasesOf(declared).Where(level => SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, baseType.OriginalDefinition))];
        return levels.Count > 0 && !SymbolEqualityComparer.Default.Equals(declared.OriginalDefinition, baseType.OriginalDefinition) && levels.TrueForAll(level =>
        {
            Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = new(SymbolEqualityComparer.Default);
            // What is not determined may well be meant.
            return !IsOpen(declared) || !Unify(level, baseType, arguments) || ParametersOf(declared).All(arguments.ContainsKey);
        });
    }

    /// <summary>They differ in the names of a tuple's elements.</summary>
    private bool IsSame(INamedTypeSymbol level, INamedTypeSymbol baseType) =>
        SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, baseType.OriginalDefinition) && !IsOpen(level) && _compilation.ClassifyCommonConversion(level, baseType).IsIdentity;

    /// <summary>An object of the one interface may stand where the other is declared, another construction of it: an IOut&lt;string&gt; is an IOut&lt;object&gt;.</summary>
    private bool IsVariantOf(INamedTypeSymbol level, INamedTypeSymbol baseType) =>
        level.TypeKind == TypeKind.Interface && SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, baseType.OriginalDefinition) && !IsOpen(level)
        && _compilation.ClassifyCommonConversion(level, baseType) is { IsImplicit: true, IsReference: true };

    /// <summary>The type parameters of a type and of those it is nested in.</summary>
    private static IEnumerable<ITypeParameterSymbol> ParametersOf(INamedTypeSymbol type) =>
        type.ContainingType is { } outer ? ParametersOf(outer).Concat(type.TypeParameters) : type.TypeParameters;

    /// <param name="type">As it is declared.</param>
    /// <param name="arguments">For the type parameters of all levels.</param>
    private static INamedTypeSymbol Construct(INamedTypeSymbol type, Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments)
    {
        INamedTypeSymbol open = type.ContainingType is { } outer && ParametersOf(outer).Any()
            ? Construct(outer, arguments).GetTypeMembers(type.Name, type.Arity).First(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, type))
            : type;
        return type.Arity == 0 ? open : open.Construct([.. type.TypeParameters.Select(parameter => arguments[parameter])]);
    }

    /// <summary>The bases of a type, nearest first, then its interfaces; itself first of all.</summary>
    public static IEnumerable<INamedTypeSymbol> BasesOf(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null && level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); level = level.BaseType) yield return level;
        foreach (INamedTypeSymbol level in type.AllInterfaces) yield return level;
    }

    private static Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> ByBase(IEnumerable<INamedTypeSymbol> types)
    {
        Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> map = new(SymbolEqualityComparer.Default);
        foreach (INamedTypeSymbol type in types)
        {
            foreach (INamedTypeSymbol level in BasesOf(type).Skip(type.TypeKind == TypeKind.Interface ? 0 : 1))
            {
                if (!map.TryGetValue(level.OriginalDefinition, out List<INamedTypeSymbol> list)) map.Add(level.OriginalDefinition, list = []);
                list.Add(type);
            }
        }

        return map;
    }

    private bool ReferencesEngine(IAssemblySymbol assembly) =>
        assembly.Modules.Any(static module => module.ReferencedAssemblies.Any(static reference => reference.Name == EngineAssembly));

    /// <summary>All types of a namespace or type, and those in them.</summary>
    public static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceOrTypeSymbol container)
    {
        foreach (ISymbol member in container.GetMembers())
        {
            if (member is not INamespaceOrTypeSymbol inner) continue;
            if (inner is INamedTypeSymbol type) yield return type;
            foreach (INamedTypeSymbol nested in TypesIn(inner)) yield return nested;
        }
    }

    private static bool Unify(ITypeSymbol pattern, ITypeSymbol actual, Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments)
    {
        switch (pattern)
        {
            case ITypeParameterSymbol parameter:
                if (arguments.TryGetValue(parameter, out ITypeSymbol known)) return SymbolEqualityComparer.Default.Equals(known, actual);
                arguments.Add(parameter, actual);
                return true;
            case IArrayTypeSymbol array:
                return actual is IArrayTypeSymbol other && other.Rank == array.Rank && Unify(array.ElementType, other.ElementType, arguments);
            case INamedTypeSymbol named:
                if (actual is not INamedTypeSymbol same || !SymbolEqualityComparer.Default.Equals(named.OriginalDefinition, same.OriginalDefinition)) return false;
                for (int i = 0; i < named.TypeArguments.Length; i++)
                {
                    if (!Unify(named.TypeArguments[i], same.TypeArguments[i], arguments)) return false;
                }

                return named.ContainingType is null || Unify(named.ContainingType, same.ContainingType!, arguments);
            default:
                return SymbolEqualityComparer.Default.Equals(pattern, actual);
        }
    }

    /// <summary>A type argument that is not what the constraints of its parameter ask for; null when all are.</summary>
    public (ITypeParameterSymbol Parameter, ITypeSymbol Argument)? Misfit(INamedTypeSymbol type)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = ArgumentsOf(type);
        for (int i = 0; i < type.TypeParameters.Length; i++)
        {
            ITypeSymbol argument = type.TypeArguments[i];
            ITypeParameterSymbol parameter = type.OriginalDefinition.TypeParameters[i];
            // One that is not known is reported as such.
            if (argument.TypeKind is TypeKind.TypeParameter or TypeKind.Error || Allows(parameter, argument, arguments)) continue;
            if (!MayGrow(argument) || !Allows(parameter, argument, arguments, mayGrow: true)) return (type.TypeParameters[i], argument);
        }

        return null;
    }

    /// <summary>Whether the compiler lets a type stand for a parameter.</summary>
    /// <param name="parameter">As it is declared.</param>
    /// <param name="argument">What stands for it.</param>
    /// <param name="arguments">What stands for it and for the others: constraints may name them.</param>
    /// <param name="mayGrow">Another generator may make it comparable to itself and the like: constraints that name type parameters are left to the compiler.</param>
    private bool Allows(ITypeParameterSymbol parameter, ITypeSymbol argument, Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments, bool mayGrow = false)
    {
        // The compiler takes dynamic for object, and ref structs where they are let in, which no conversion tells.
        if (argument.TypeKind == TypeKind.Dynamic || argument.IsRefLikeType) return true;
        if (parameter.HasValueTypeConstraint && (!argument.IsValueType || IsNullable(argument))) return false;
        if (parameter.HasReferenceTypeConstraint && !argument.IsReferenceType) return false;
        if (parameter.HasUnmanagedTypeConstraint && !argument.IsUnmanagedType) return false;
        if (parameter is { HasConstructorConstraint: true, HasValueTypeConstraint: false } && !CanBeNew(argument, mayGrow)) return false;
        return parameter.ConstraintTypes.All(constraint => (mayGrow && IsOpen(constraint)) || IsA(argument, Substitute(constraint, arguments)));
    }

    /// <summary>Another generator may write more of a type, of what it derives from, or of what it is closed over.</summary>
    private static bool MayGrow(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => MayGrow(array.ElementType),
        INamedTypeSymbol named => IsPartial(named) || BasesOf(named).Any(IsPartial) || named.TypeArguments.Any(MayGrow) || (named.ContainingType is { } outer && outer.TypeArguments.Any(MayGrow)),
        _ => false,
    };

    private static bool IsPartial(INamedTypeSymbol type) =>
        type.DeclaringSyntaxReferences.Any(static reference => reference.Read() is TypeDeclarationSyntax declaration && declaration.Modifiers.Any(SyntaxKind.PartialKeyword));

    // A constructor all of whose parameters have defaults does not count, nor one that leaves required members to its caller. A struct has one where none is declared.
    private static bool CanBeNew(ITypeSymbol type, bool mayGrow)
    {
        if (type is not INamedTypeSymbol { IsAbstract: false } named) return type.IsValueType;
        IMethodSymbol? constructor = named.InstanceConstructors.FirstOrDefault(static one => one is { DeclaredAccessibility: Accessibility.Public, Parameters.IsEmpty: true });
        if (constructor is null && !named.IsValueType) return mayGrow;
        return (constructor is not null && NinoAttributes.SetsRequiredMembers(constructor)) || ConstructorParser.FindRequired(named) is null;
    }

    /// <summary>As constraints have it: it is the type, derives from it or implements it. What is not closed yet is left to the compiler.</summary>
    private bool IsA(ITypeSymbol argument, ITypeSymbol constraint)
    {
        if (IsOpen(constraint) || IsOpen(argument) || SymbolEqualityComparer.Default.Equals(argument, constraint)) return true;
        // int converts to long, and int? to the interfaces of int: neither is the other. Tuples are the same whatever their elements are called.
        if (argument.IsValueType && constraint.IsValueType) return _compilation.ClassifyCommonConversion(argument, constraint).IsIdentity;
        if (IsNullable(argument)) return constraint.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType;
        return _compilation.ClassifyCommonConversion(argument, constraint) is { IsImplicit: true, IsUserDefined: false };
    }

    private static bool IsNullable(ITypeSymbol type) => type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    /// <summary>The type arguments of a type and of those it is nested in, by the parameters as they are declared.</summary>
    private static Dictionary<ITypeParameterSymbol, ITypeSymbol> ArgumentsOf(INamedTypeSymbol type)
    {
        Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments = new(SymbolEqualityComparer.Default);
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            for (int i = 0; i < level.TypeArguments.Length; i++) arguments[level.OriginalDefinition.TypeParameters[i]] = level.TypeArguments[i];
        }

        return arguments;
    }

    private ITypeSymbol Substitute(ITypeSymbol type, Dictionary<ITypeParameterSymbol, ITypeSymbol> arguments)
    {
        switch (type)
        {
            case ITypeParameterSymbol parameter:
                return arguments.TryGetValue(parameter, out ITypeSymbol argument) ? argument : parameter;
            case IArrayTypeSymbol array:
                return _compilation.CreateArrayTypeSymbol(Substitute(array.ElementType, arguments), array.Rank);
            case INamedTypeSymbol named when IsOpen(named):
                Dictionary<ITypeParameterSymbol, ITypeSymbol> inner = ArgumentsOf(named);
                foreach (ITypeParameterSymbol parameter in inner.Keys.ToList()) inner[parameter] = Substitute(inner[parameter], arguments);
                return Construct(named.OriginalDefinition, inner);
            default:
                return type;
        }
    }

    /// <summary>A type parameter stands in it.</summary>
    public static bool IsOpen(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol => true,
        IArrayTypeSymbol array => IsOpen(array.ElementType),
        IPointerTypeSymbol pointer => IsOpen(pointer.PointedAtType),
        INamedTypeSymbol named => named.TypeArguments.Any(IsOpen) || (named.ContainingType is { } outer && IsOpen(outer)),
        _ => false,
    };
}
