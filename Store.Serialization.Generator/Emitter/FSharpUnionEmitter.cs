// Prints the codec of a union of F#: a switch over the union's own Tag on writing, over the stored hash on reading, direct calls to the codecs of the cases behind both. Those are in the same file, which nobody else's code names.

using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class FSharpUnionEmitter
{
    public static string Emit(FSharpUnionModel union)
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () =>
        {
            source.Line($"/// <summary>Writes and reads <c>{Names.Comment(union.SchemaName)}</c>, whichever of its cases it is.</summary>");
            source.Line(Names.GeneratedCode);
            source.Line(Names.Unseen);
            source.FixedBlock($"internal readonly struct {union.CodecName} : {Names.Serialization}INinoCodec<{union.TypeName}>", () =>
            {
                source.Line($"private const string Known = {Names.Literal(string.Join(", ", union.Cases.Select(static one => $"0x{one.Tag:X8} {one.SchemaName}")))};");
                source.Line();
                source.Line("public static int MinSize => 4;");
                source.Line();
                string form = Names.Serialization + "UnionForm." + (union.SkipsUnknown ? "SkipsUnknown" : "Hashed");
                source.Line($"public static {Names.Serialization}SchemaNode Describe({Names.Serialization}SchemaBuilder builder) =>");
                source.Line($"    builder.Union(typeof({union.TypeName}), {Names.Literal(union.SchemaName)}, {form}, DescribeCases);");
                source.Line();
                source.Block($"private static void DescribeCases({Names.Serialization}SchemaBuilder.CaseList cases)", () =>
                {
                    Names.FormerTypeNames(source, "cases", union.FormerNames);
                    foreach (FSharpCaseModel one in union.Cases) source.Line($"cases.Add(0x{one.Tag:X8}u, {one.Codec}.Describe(cases.Builder));");
                });
                source.Line();
                EmitWrite(source, union);
                source.Line();
                EmitRead(source, union);
            });
            foreach (FSharpCaseModel one in union.Cases)
            {
                source.Line();
                CodecEmitter.EmitStruct(source, one.Type);
            }
        });
        return source.ToString();
    }

    private static void EmitWrite(SourceWriter source, FSharpUnionModel union) => source.Block($"public void Write({Names.Writer}, in {union.TypeName} value)", () =>
    {
        if (!union.IsStruct && !union.IsNullCase)
        {
            source.Block("if (value is null)", () =>
            {
                source.Line($"{Names.Generated}.WriteTag(ref writer, 0);");
                source.Line("return;");
            });
            source.Line();
        }

        source.Block($"switch ({(union.IsNullCase ? union.TypeName + ".GetTag(value)" : "value.Tag")})", () =>
        {
            foreach (FSharpCaseModel one in union.Cases)
            {
                source.Line($"case {one.Index}:");
                source.Line($"    {Names.Generated}.WriteTag(ref writer, 0x{one.Tag:X8}u);");
                source.Line(union.SkipsUnknown ? $"    {Names.Generated}.WriteSized<{union.TypeName}, {one.Codec}>(ref writer, in value);" : $"    default({one.Codec}).{(union.IsStruct ? "Write" : "WriteBody")}(ref writer, in value);");
                source.Line("    return;");
            }

            // A library that was compiled later has more cases than this code knows.
            source.Line("default:");
            source.Line($"    {Names.Generated}.ThrowUnknownCase(((object)value).GetType(), typeof({union.TypeName}), Known);");
            source.Line("    return;");
        });
    });

    private static void EmitRead(SourceWriter source, FSharpUnionModel union) => source.Block($"public {union.TypeName} Read({Names.Reader})", () =>
    {
        source.Line($"uint tag = {Names.Generated}.ReadTag(ref reader);");
        source.Block("switch (tag)", () =>
        {
            source.Line("case 0: return default;");
            foreach (FSharpCaseModel one in union.Cases)
                source.Line($"case 0x{one.Tag:X8}u: return {(union.SkipsUnknown ? $"{Names.Generated}.ReadSized<{union.TypeName}, {one.Codec}>(ref reader)" : $"default({one.Codec}).{(union.IsStruct ? "Read" : "ReadBody")}(ref reader)")};");
            source.Line("default:");
            source.Line(union.SkipsUnknown ? $"    {Names.Generated}.SkipCase(ref reader);" : $"    {Names.Generated}.ThrowUnknownTag({Names.Literal(union.SchemaName)}, \"0x\" + tag.ToString(\"X8\", global::System.Globalization.CultureInfo.InvariantCulture), Known);");
            source.Line("    return default;");
        });
    });
}
