// Prints the codec of a polymorphic base: a test of the exact type on writing, a switch over the tag on reading, direct calls behind both.

using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class UnionEmitter
{
    // Up to so many cases a chain of comparisons is faster than a look-up.
    private const int MaxChain = 16;

    public static string Emit(UnionModel union)
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () =>
        {
            source.Line($"/// <summary>Writes and reads <c>{Names.Comment(union.SchemaName)}</c>, whichever of its cases it is.</summary>");
            source.Line(Names.GeneratedCode);
            if (union.UsesObsolete) source.Line(Names.MayUseObsolete);
            source.Line(Names.Unseen);
            source.FixedBlock($"internal readonly struct {union.CodecName} : {Names.Serialization}INinoCodec<{union.TypeName}>", () =>
            {
                source.Line($"private const string Known = {Names.Literal(string.Join(", ", union.Cases.Select(one => $"{Show(union, one.Tag)} {one.SchemaName}")))};");
                source.Line();
                if (union.KeepsReferences)
                {
                    source.Line($"private static readonly global::System.Type[] Cases = {{ {string.Join(", ", union.Cases.Select(static one => $"typeof({one.Codec.TypeName})"))} }};");
                    source.Line();
                }

                source.Line($"public static int MinSize => {(union.HasExplicitTags || union.KeepsReferences ? 1 : 4)};");
                source.Line();
                EmitDescribe(source, union);
                EmitWrite(source, union);
                EmitRead(source, union);
                UnionReuseEmitter.Emit(source, union);
                if (union.Cases.Count > MaxChain) EmitIndexes(source, union);
            });
        });
        return source.ToString();
    }

    private static void EmitDescribe(SourceWriter source, UnionModel union)
    {
        string forms = string.Join(" | ", Forms(union).Select(static form => Names.Serialization + "UnionForm." + form));
        source.Line($"public static {Names.Serialization}SchemaNode Describe({Names.Serialization}SchemaBuilder builder) =>");
        source.Line($"    builder.Union(typeof({union.TypeName}), {Names.Literal(union.SchemaName)}, {forms}, DescribeCases);");
        source.Line();
        source.Block($"private static void DescribeCases({Names.Serialization}SchemaBuilder.CaseList cases)", () =>
        {
            Names.FormerTypeNames(source, "cases", union.FormerNames);
            foreach (CaseModel one in union.Cases) source.Line($"cases.Add({Tag(union, one.Tag)}, {one.Codec.Expression}.Describe(cases.Builder));");
        });
        source.Line();
    }

    private static IEnumerable<string> Forms(UnionModel union)
    {
        yield return union.HasExplicitTags ? "ExplicitTags" : "Hashed";
        if (union.SkipsUnknown) yield return "SkipsUnknown";
        if (union.KeepsReferences) yield return "KeepsReferences";
    }

    private static void EmitWrite(SourceWriter source, UnionModel union)
    {
        source.Block($"public void Write({Names.Writer}, in {union.TypeName} value)", () =>
        {
            source.Line($"{union.TypeName} item = value;");
            if (union.KeepsReferences)
            {
                source.Line($"if (item is not null && !{Names.Generated}.IsCase(item, Cases)) {Unknown(union)}");
                source.Line("if (!writer.WriteReference(item)) return;");
            }
            else
            {
                source.Block("if (item is null)", () =>
                {
                    source.Line(union.HasExplicitTags ? "writer.WriteCompact(0);" : $"{Names.Generated}.WriteTag(ref writer, 0);");
                    source.Line("return;");
                });
            }

            source.Line();
            if (union.Cases.Count > MaxChain)
            {
                source.Line("int index;");
                source.Line($"if (!Indexes.TryGetValue(((object)item).GetType(), out index)) {Unknown(union)}");
                source.Block("switch (index)", () =>
                {
                    for (int i = 0; i < union.Cases.Count; i++)
                    {
                        CaseModel one = union.Cases[i];
                        source.Block($"case {i}:", () => EmitWriteCase(source, union, one));
                    }
                });
                return;
            }

            foreach (CaseModel one in union.Cases)
            {
                source.Block($"if (((object)item).GetType() == typeof({one.Codec.TypeName}))", () => EmitWriteCase(source, union, one));
                source.Line();
            }

            source.Line(Unknown(union));
        });
        source.Line();
    }

    private static void EmitWriteCase(SourceWriter source, UnionModel union, CaseModel one)
    {
        source.Line(union.HasExplicitTags ? $"writer.WriteCompact({Stored(union, one.Tag)});" : $"{Names.Generated}.WriteTag(ref writer, {Stored(union, one.Tag)});");
        // Whoever reads numbers what is stored in a union that keeps references, whatever it is.
        bool isNumbered = union.KeepsReferences && one.Shape == CaseShape.Struct;
        if (isNumbered) source.Line("int number = writer.LastReference;");
        source.Line(one.Shape == CaseShape.Struct ? $"{one.Codec.TypeName} one = ({one.Codec.TypeName})(object)item;" : $"{one.Codec.TypeName} one = {Names.Unsafe}.As<{one.Codec.TypeName}>(item);");
        source.Line(union.SkipsUnknown ? $"{Names.Generated}.WriteSized<{one.Codec.TypeName}, {one.Codec.Expression}>(ref writer, in one);"
            : one.Shape == CaseShape.Class ? $"default({one.Codec.Expression}).WriteBody(ref writer, in one);"
            : $"default({one.Codec.Expression}).Write(ref writer, in one);");
        if (isNumbered) source.Line("writer.SetReference(number);");
        source.Line("return;");
    }

    private static void EmitRead(SourceWriter source, UnionModel union)
    {
        source.Block($"public {union.TypeName} Read({Names.Reader})", () =>
        {
            if (union.KeepsReferences)
            {
                source.Line("uint reference = reader.ReadCompact();");
                source.Line($"if (reference != 1) return {Names.Generated}.ReadCaseReference<{union.TypeName}>(ref reader, reference, Cases);");
            }

            source.Line(union.HasExplicitTags ? "uint tag = reader.ReadCompact();" : $"uint tag = {Names.Generated}.ReadTag(ref reader);");
            source.Block("switch (tag)", () =>
            {
                source.Line(union.KeepsReferences ? $"case 0: return {Names.Generated}.CheckCase<{union.TypeName}>(null);" : "case 0: return null;");
                foreach (CaseModel one in union.Cases) source.Line($"case {Stored(union, one.Tag)}: return {ReadCase(union, one)};");
                if (union.SkipsUnknown)
                {
                    source.Line("default:");
                    source.Line($"    {Names.Generated}.SkipCase(ref reader);");
                    source.Line("    return null;");
                }
                else
                {
                    source.Line("default:");
                    source.Line($"    {Names.Generated}.ThrowUnknownTag({Names.Literal(union.SchemaName)}, {(union.HasExplicitTags ? "(tag - 1).ToString(global::System.Globalization.CultureInfo.InvariantCulture)" : "\"0x\" + tag.ToString(\"X8\", global::System.Globalization.CultureInfo.InvariantCulture)")}, Known);");
                    source.Line("    return null;");
                }
            });
        });
    }

    private static string ReadCase(UnionModel union, CaseModel one) =>
        union.SkipsUnknown ? $"{Names.Generated}.ReadSized<{one.Codec.TypeName}, {one.Codec.Expression}>(ref reader)"
        : one.Shape == CaseShape.Class ? $"default({one.Codec.Expression}).ReadBody(ref reader)"
        : one.Shape == CaseShape.Struct && union.KeepsReferences ? $"{Names.Generated}.ReadNumbered<{union.TypeName}, {one.Codec.TypeName}, {one.Codec.Expression}>(ref reader)"
        : one.Shape == CaseShape.Struct ? $"default({one.Codec.Expression}).Read(ref reader)"
        : $"{Names.Generated}.CheckCase(default({one.Codec.Expression}).Read(ref reader))";

    private static void EmitIndexes(SourceWriter source, UnionModel union)
    {
        const string Dictionary = "global::System.Collections.Generic.Dictionary<global::System.Type, int>";
        source.Line();
        source.Block($"private static readonly {Dictionary} Indexes = new {Dictionary}", () =>
        {
            for (int i = 0; i < union.Cases.Count; i++) source.Line($"{{ typeof({union.Cases[i].Codec.TypeName}), {i} }},");
        }, "};");
    }

    private static string Unknown(UnionModel union) =>
        $"{Names.Generated}.ThrowUnknownCase(((object)item).GetType(), typeof({union.TypeName}), Known);";

    private static string Tag(UnionModel union, uint tag) => union.HasExplicitTags ? $"{tag}u" : $"0x{tag:X8}u";

    /// <summary>Explicit tags are stored as the number above: 0 is null.</summary>
    public static string Stored(UnionModel union, uint tag) => Tag(union, union.HasExplicitTags ? tag + 1 : tag);

    private static string Show(UnionModel union, uint tag) => union.HasExplicitTags ? $"{tag}" : $"0x{tag:X8}";
}
