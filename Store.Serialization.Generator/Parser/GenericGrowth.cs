// Where a generic type reaches constructions of itself that are ever larger, the types to generate code for never end.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal sealed class GenericGrowth(DiagnosticSink diagnostics)
{
    // Type arguments nested deeper than any program needs: the construction grows without end.
    private const int DepthMax = 12;

    // And as many constructions of one type, of more than a few levels, as no program needs: where it reaches several larger ones, they multiply long before that depth.
    private const int UsualDepthMax = 3;
    private const int DeepConstructionsMax = 300;

    private readonly Dictionary<ISymbol, int> _deep = new(SymbolEqualityComparer.Default);

    /// <summary>Counts a construction. False after reporting, once a generic type, that there is no end of them.</summary>
    public bool IsFinite(INamedTypeSymbol type, Origin origin)
    {
        int depth = Depth(type);
        if (depth <= UsualDepthMax) return true;
        int count = _deep.TryGetValue(type.OriginalDefinition, out int known) ? known : 0;
        if (depth <= DepthMax && count < DeepConstructionsMax)
        {
            _deep[type.OriginalDefinition] = count + 1;
            return true;
        }

        // Once: all the others are as large.
        _deep[type.OriginalDefinition] = int.MaxValue;
        if (count == int.MaxValue) return false;
        diagnostics.Report(NinoDiagnostics.EndlessGeneric, origin.Location, origin.Subject, TypeNames.Message(type.OriginalDefinition));
        return false;
    }

    private static int Depth(ITypeSymbol type)
    {
        int depth = 0;
        if (type is IArrayTypeSymbol array) return Depth(array.ElementType) + 1;
        for (INamedTypeSymbol? level = type as INamedTypeSymbol; level is not null; level = level.ContainingType)
        {
            foreach (ITypeSymbol argument in level.TypeArguments) depth = System.Math.Max(depth, 1 + Depth(argument));
        }

        return depth;
    }
}
