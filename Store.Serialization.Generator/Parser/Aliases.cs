// Types that no name from the global namespace means, which is how generated code names every type: those of assemblies that are referenced under an alias only (extern alias), and
// those that have their name together with a type of another assembly.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class Aliases
{
    /// <summary>Why generated code cannot name a type, with all that its name has in it, or null.</summary>
    public static string? WhyNotNamed(ITypeSymbol type, Compilation compilation)
    {
        if (Find(type, compilation) is not { } found) return Namesakes(type, compilation);
        string name = found.Type.ContainingAssembly.Name;
        string assembly = SymbolEqualityComparer.Default.Equals(found.Type, type) ? $"its assembly '{name}'" : $"the assembly '{name}' of '{TypeNames.Message(found.Type)}'";
        return $"{assembly} is referenced under the alias '{found.Alias}' only, and generated code names types from the global namespace; add 'global' to the aliases of the reference, or convert it to a type of your own";
    }

    /// <summary>The alias under which alone the engine is referenced, or null.</summary>
    public static string? OfEngine(Compilation compilation) =>
        compilation.SourceModule.ReferencedAssemblySymbols.FirstOrDefault(static assembly => assembly.Name == Derivations.EngineAssembly) is { } engine ? AliasOf(engine, compilation) : null;

    /// <summary>Why the name of a type, or of one in its name, means another or none.</summary>
    private static string? Namesakes(ITypeSymbol type, Compilation compilation)
    {
        if (type is IArrayTypeSymbol array) return Namesakes(array.ElementType, compilation);
        if (type is not INamedTypeSymbol named) return null;
        INamedTypeSymbol outermost = named.OriginalDefinition;
        while (outermost.ContainingType is { } outer) outermost = outer;
        string name = TypeNames.Metadata(outermost);
        // Those of the project come first, and where several assemblies have one it finds none.
        if (!SymbolEqualityComparer.Default.Equals(compilation.GetTypeByMetadataName(name), outermost) && NamesakeOf(outermost, name, compilation) is { } other)
        {
            string both = $"'{outermost.ContainingAssembly.Name}' and {(SymbolEqualityComparer.Default.Equals(other.ContainingAssembly, compilation.Assembly) ? "this project" : $"'{other.ContainingAssembly.Name}'")}";
            return $"{both} have a type of the name '{TypeNames.Message(outermost)}' each, and generated code names types from the global namespace; rename one of them, or convert it to a type of your own";
        }

        for (INamedTypeSymbol? level = named; level is not null; level = level.ContainingType)
        {
            foreach (ITypeSymbol argument in level.TypeArguments)
            {
                if (argument is not ITypeParameterSymbol && Namesakes(argument, compilation) is { } reason) return reason;
            }
        }

        return null;
    }

    // The compiler takes one of the project before all others.
    private static INamedTypeSymbol? NamesakeOf(INamedTypeSymbol type, string name, Compilation compilation) =>
        SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly) ? null
        : compilation.GetTypesByMetadataName(name).FirstOrDefault(other => !SymbolEqualityComparer.Default.Equals(other, type) && AliasOf(other.ContainingAssembly, compilation) is null && compilation.IsSymbolAccessibleWithin(other, compilation.Assembly));

    /// <summary>Refuses a type where generated code has to name what is not its own: the base or interface that declares a callback, the base of a member without access, what the type parameters of these are constrained to, the parameters of its constructor.</summary>
    public static void Check(ParsedType type, IMethodSymbol? constructor, TypeGraph graph)
    {
        List<INamedTypeSymbol> holders = [.. type.Members.Where(static member => Accessors.Member(member) is not null).Select(Accessors.DeclaringType)];
        if (type.Construction!.Accessor is not null) holders.Add(constructor?.ContainingType ?? type.Symbol);
        holders.AddRange(Derivations.BasesOf(type.Symbol).Where(level => type.Callbacks.Any(callback => callback.DeclaringType == Accessors.Inside(level.OriginalDefinition, level))));
        IEnumerable<ITypeSymbol> called = Derivations.BasesOf(type.Symbol).Where(level => type.Callbacks.Any(callback => callback.DeclaringType == TypeNames.Source(level)));
        foreach (ITypeSymbol one in holders.Concat(called).Concat(holders.SelectMany(Accessors.Constraints)).Concat(Passed(type.Construction, constructor)))
        {
            if (WhyNotNamed(one, graph.Compilation) is not { } reason) continue;
            graph.NoEncoding(one, type.Origin, reason);
            type.IsInvalid = true;
            return;
        }
    }

    /// <summary>Types of the parameters that are given something: all, or those that are named.</summary>
    private static IEnumerable<ITypeSymbol> Passed(ConstructionModel construction, IMethodSymbol? constructor) =>
        (constructor?.Parameters ?? []).Where(parameter => construction.Arguments.Any(argument => argument.Parameter is null || argument.Parameter == Accessors.Escape(parameter.Name))).Select(static parameter => parameter.Type);

    private static (ITypeSymbol Type, string Alias)? Find(ITypeSymbol type, Compilation compilation)
    {
        if (type is IArrayTypeSymbol array) return Find(array.ElementType, compilation);
        if (AliasOf(type.ContainingAssembly, compilation) is { } alias) return (type, alias);
        for (INamedTypeSymbol? level = type as INamedTypeSymbol; level is not null; level = level.ContainingType)
        {
            foreach (ITypeSymbol argument in level.TypeArguments)
            {
                if (argument is not ITypeParameterSymbol && Find(argument, compilation) is { } found) return found;
            }
        }

        return null;
    }

    private static string? AliasOf(IAssemblySymbol? assembly, Compilation compilation) =>
        assembly is null || SymbolEqualityComparer.Default.Equals(assembly, compilation.Assembly) ? null
        : compilation.GetMetadataReference(assembly)?.Properties.Aliases is { IsDefaultOrEmpty: false } aliases && !aliases.Contains("global") && !IsInGlobal(assembly, compilation) ? aliases[0]
        : null;

    // By another reference to the same assembly.
    private static bool IsInGlobal(IAssemblySymbol assembly, Compilation compilation) =>
        compilation.GlobalNamespace.ConstituentNamespaces.Any(space => SymbolEqualityComparer.Default.Equals(space.ContainingAssembly, assembly));
}
