// How long the name of a type may be that gets a generated codec. The compiler gives each method of the codec that implements one with an `in` parameter a name made of the interface's, and
// with it of the whole construction: Store.Serialization.INinoCodec<Shop.Box<System.Int32>>.Write. Metadata ends at 1,023 bytes of it. Views implement their interfaces explicitly, so it is
// the same with names of views.

using System.Text;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class NameLengths
{
    private const int MetadataNameBytesMax = 1023;

    /// <summary>Bytes of UTF-8 that are left for the name of the type.</summary>
    public static readonly int BytesMax = MetadataNameBytesMax - "Store.Serialization.INinoCodec<".Length - ">.WriteFixedBody".Length;

    /// <summary>Bytes of UTF-8 that are left for the name of a view, with its namespace.</summary>
    public static readonly int ViewBytesMax = MetadataNameBytesMax - "global::Store.Serialization.INinoRecordView<".Length - ">.FixedBodySize".Length;

    // As the compiler forms it, but that it leaves out the spaces.
    private static readonly SymbolDisplayFormat Format = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    /// <summary>False for a type whose name is too long, which is reported where it was reached.</summary>
    public static bool Check(INamedTypeSymbol type, Origin origin, DiagnosticSink diagnostics)
    {
        int bytes = 0;
        // In generated code dynamic is object.
        foreach (SymbolDisplayPart part in type.ToDisplayParts(Format)) bytes += part.Kind == SymbolDisplayPartKind.Space ? 0 : part.Symbol is IDynamicTypeSymbol ? "System.Object".Length : Encoding.UTF8.GetByteCount(part.ToString());
        if (bytes <= BytesMax) return true;
        if (!origin.IsOnlyBase) diagnostics.Report(NinoDiagnostics.LongName, origin.Location, origin.Subject, TypeNames.Message(type.OriginalDefinition), Number(bytes), Number(BytesMax));
        return false;
    }

    private static string Number(int number) => number.ToString("N0", System.Globalization.CultureInfo.InvariantCulture);
}
