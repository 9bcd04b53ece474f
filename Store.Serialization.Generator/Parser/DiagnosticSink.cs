// Collects diagnostics as values, each once: a member of a generic type is seen again in every construction of it.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class DiagnosticSink
{
    private readonly HashSet<DiagnosticModel> _seen = [];
    private readonly List<DiagnosticModel> _diagnostics = [];

    public void Report(DiagnosticDescriptor descriptor, LocationModel? location, params string[] arguments) => ReportTelling(descriptor, location, [], arguments);

    /// <param name="told">What an editor is told beside the message: what it offers goes by it.</param>
    public void ReportTelling(DiagnosticDescriptor descriptor, LocationModel? location, IReadOnlyList<string> told, params string[] arguments)
    {
        var diagnostic = new DiagnosticModel(descriptor.Id, location, new EquatableArray<string>(told), new EquatableArray<string>(arguments));
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
