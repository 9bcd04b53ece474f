// Prints how a polymorphic base is read into what is there: an object of the same class is filled, any other is made anew. Not where references are kept.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class UnionReuseEmitter
{
    public static void Emit(SourceWriter source, UnionModel union)
    {
        if (union.KeepsReferences || union.Cases.All(static one => one.Shape != CaseShape.Class)) return;
        source.Line();
        source.Line("public static bool CanReadInto => true;");
        source.Line();
        source.Block($"public void ReadInto({Names.Reader}, ref {union.TypeName} value)", () =>
        {
            // The tag once more by the method that knows all of them, where nothing is there to fill.
            source.Block("if (value is null)", () =>
            {
                source.Line("value = Read(ref reader);");
                source.Line("return;");
            });
            source.Line();
            source.Line($"{Names.Serialization}NinoReader tagged = reader;");
            source.Line(union.HasExplicitTags ? "uint tag = tagged.ReadCompact();" : $"uint tag = {Names.Generated}.ReadTag(ref tagged);");
            source.Block("switch (tag)", () =>
            {
                foreach (CaseModel one in union.Cases)
                {
                    if (one.Shape != CaseShape.Class) continue;
                    source.Block($"case {UnionEmitter.Stored(union, one.Tag)} when {Names.Serialization}NinoReuse.AsCase<{one.Codec.TypeName}>(value) is {{ }} known:", () =>
                    {
                        source.Line("reader = tagged;");
                        source.Line($"{Names.Serialization}NinoReuse.{(union.SkipsUnknown ? "ReadSized" : "ReadBody")}<{one.Codec.TypeName}, {one.Codec.Expression}>(ref reader, ref known);");
                        source.Line("value = known;");
                        source.Line("return;");
                    });
                }

                source.Line("default:");
                source.Line("    value = Read(ref reader);");
                source.Line("    return;");
            });
        });
    }
}
