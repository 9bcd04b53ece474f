using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>Compilers run in the culture of their machine. Numbers look otherwise in many (in Sweden, Norway and Finland the sign of negative ones does), and must not in generated code: all tests generate it in a culture where they do.</summary>
internal static class ForeignCulture
{
    private static readonly CultureInfo s_culture = Make();

    /// <inheritdoc cref="GeneratorDriver.RunGenerators(Compilation, CancellationToken)"/>
    public static GeneratorDriver RunAbroad(this GeneratorDriver driver, Compilation compilation) => Run(() => driver.RunGenerators(compilation));

    /// <inheritdoc cref="GeneratorDriver.RunGeneratorsAndUpdateCompilation"/>
    public static GeneratorDriver RunAbroad(this GeneratorDriver driver, Compilation compilation, out Compilation output, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics)
    {
        (GeneratorDriver run, output, diagnostics) = Run(() => (driver.RunGeneratorsAndUpdateCompilation(compilation, out Compilation updated, out var found), updated, found));
        return run;
    }

    private static T Run<T>(Func<T> run)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = s_culture;
        try
        {
            return run();
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static CultureInfo Make()
    {
        var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NegativeSign = "minus ";
        culture.NumberFormat.PositiveSign = "plus ";
        culture.NumberFormat.NumberDecimalSeparator = " comma ";
        culture.NumberFormat.NaNSymbol = "none";
        culture.DateTimeFormat.DateSeparator = " of ";
        culture.DateTimeFormat.TimeSeparator = " past ";
        return CultureInfo.ReadOnly(culture);
    }
}
