// Collects diagnostics as values, each once: a member of a generic type is seen again in every construction of it.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class DiagnosticSink
{
    private readonly HashSet<DiagnosticModel> _seen = [];
    private readonly List<DiagnosticModel> _diagnostics = [];

    public void Report(DiagnosticDescriptor descriptor, LocationModel? location, params string[] arguments) => Report(descriptor, location, [], arguments);

    /// <param name="models">Types of which it is said, and that are to be registered and not marked: what an editor offers goes by it.</param>
    public void Report(DiagnosticDescriptor descriptor, LocationModel? location, IReadOnlyList<INamedTypeSymbol> models, params string[] arguments)
    {
        var diagnostic = new DiagnosticModel(descriptor.Id, location, new EquatableArray<string>(models.Select(TypeNames.Message)), new EquatableArray<string>(arguments));
        if (_seen.Add(diagnostic)) _diagnostics.Add(diagnostic);
    }

    public EquatableArray<DiagnosticModel> ToModels() => new(_diagnostics
        .OrderBy(static diagnostic => diagnostic.Location?.Path, System.StringComparer.Ordinal)
        .ThenBy(static diagnostic => diagnostic.Location?.Span.Start)
        .ThenBy(static diagnostic => diagnostic.Id, System.StringComparer.Ordinal));

    /// <summary>The place of a symbol in source; for a symbol of another assembly, the place that reached it.</summary>
    public static LocationModel? Place(ISymbol symbol, LocationModel? otherwise)
    {
        foreach (Location location in symbol.Locations)
        {
            if (Place(location) is { } place) return place;
        }

        return otherwise;
    }

    public static LocationModel? Place(Location? location)
    {
        if (location is not { IsInSource: true, SourceTree: { } tree }) return null;
        SourceReading.Touch(tree);
        return new LocationModel(tree.FilePath, location.SourceSpan, location.GetLineSpan().Span);
    }
}
