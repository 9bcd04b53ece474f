// Prints the view of a polymorphic base: which case it is, and the case's own view.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class UnionViewEmitter
{
    private const string Span = "global::System.ReadOnlySpan<byte>";
    private const string Helpers = Names.Serialization + "NinoViews";

    public static string Emit(UnionViewModel view)
    {
        SourceWriter source = Names.NewFile();
        ViewEmitter.In(source, view.Head, () => EmitStruct(source, view));
        return source.ToString();
    }

    private static void EmitStruct(SourceWriter source, UnionViewModel view)
    {
        ViewHead head = view.Head;
        string self = Names.Serialization + "INinoView<" + head.Name + ">";
        string record = Names.Serialization + "INinoRecordView<" + head.Name + ">";
        string flags = $"{Names.Literal(view.HasExplicitTags)}, {Names.Literal(view.SkipsUnknown)}";
        source.Line($"/// <summary>A <c>{Names.Comment(head.SchemaName)}</c>, whichever of its cases it is, as it lies in its bytes. Valid as long as the bytes are.</summary>");
        source.Line(Names.GeneratedCode);
        if (head.IsObsolete) source.Line(Names.MayUseObsolete);
        source.Block(ViewEmitter.Declaration(head, isReadOnly: true), () =>
        {
            source.Line($"private readonly {Span} _value;");
            source.Line($"private readonly {Span} _case;");
            source.Line("private readonly uint _tag;");
            source.Line();
            source.Line("/// <summary>Over a record, of which no more than the tag is checked.</summary>");
            source.Block($"public {head.Name}({Span} record) : this(record, 0)", () => source.Line($"if (_tag == 0) {Helpers}.ThrowNullRecord(typeof({head.TypeName}));"));
            source.Line();
            source.Block($"private {head.Name}({Span} value, int _)", () =>
            {
                source.Line("_value = value;");
                source.Line($"_tag = {Helpers}.Tag(value, {flags}, out _case);");
                if (view.SkipsUnknown) return;
                string known = string.Join(" or ", view.Cases.Select(static one => one.Tag + "u").Prepend("0"));
                // The codec has the words for it.
                source.Line($"if (_tag is not ({known})) {Helpers}.Read<{head.TypeName}, {head.Codec}>(value);");
            });
            source.Line();
            source.Line("/// <summary>True for null.</summary>");
            source.Line("public bool IsNull => _tag == 0;");
            source.Line();
            source.Line(view.HasExplicitTags ? "/// <summary>The number that [NinoUnion] gives the case; -1 for null.</summary>" : "/// <summary>The hash of the case's name; 0 for null.</summary>");
            source.Line(view.HasExplicitTags ? "public long Tag => (long)_tag - 1;" : "public uint Tag => _tag;");
            source.Line();
            source.Line("/// <summary>True when it is of exactly this case.</summary>");
            source.Block("public bool Is<TCase>()", () => source.Block("switch (_tag)", () =>
            {
                foreach (ViewCaseModel one in view.Cases) source.Line($"case {one.Tag}u: return {(one.IsObsolete ? $"Is{one.Tag}<TCase>()" : $"typeof(TCase) == typeof({one.TypeName})")};");
                source.Line("default: return false;");
            }));
            source.Line();
            foreach (ViewCaseModel one in view.Cases)
            {
                if (one.IsObsolete)
                {
                    source.Line(Names.MayUseObsolete);
                    source.Line($"private static bool Is{one.Tag}<TCase>() => typeof(TCase) == typeof({one.TypeName});");
                    source.Line();
                }

                if (one.View is null) continue;
                source.Line("/// <summary>The view of the case, when it is this one.</summary>");
                if (one.IsObsolete) source.Line(Names.MayUseObsolete);
                source.Block($"{(one.IsPublic ? "public" : "internal")} bool TryGet(out {one.View} view)", () =>
                {
                    source.Line($"view = _tag == {one.Tag}u ? {Helpers}.{(one.IsStruct ? "At" : "AtBody")}<{one.View}>(_case) : default;");
                    source.Line($"return _tag == {one.Tag}u;");
                });
                source.Line();
            }

            source.Line("/// <summary>The bytes of the case, without tag: empty for null.</summary>");
            source.Line(view.SkipsUnknown ? $"public {Span} CaseBytes => _case;" : $"public {Span} CaseBytes => _tag == 0 ? default : {Helpers}.Extent<{head.Name}>(_value).Slice(_value.Length - _case.Length);");
            source.Line();
            source.Line("/// <summary>Makes the value, or null.</summary>");
            source.Line($"public {head.TypeName} Read() => _value.IsEmpty ? null : {Helpers}.Read<{head.TypeName}, {head.Codec}>(_value);");
            source.Line();
            foreach ((string name, string value) in new[] { ("FixedSize", "0"), ("MinSize", head.Codec + ".MinSize"), ("MinBodySize", "0"), ("FixedBodySize", "0") })
            {
                source.Line($"static int {self}.{name} => {value};");
                source.Line();
            }

            source.Line($"static {Names.Serialization}NinoSchema {record}.Schema => {Helpers}.SchemaOf<{head.TypeName}, {head.Codec}>();");
            source.Line();
            source.Line($"static {head.Name} {record}.Over({Span} record) => new {head.Name}(record);");
            source.Line();
            source.Line($"static {head.Name} {self}.At({Span} value) => new {head.Name}(value, 0);");
            source.Line();
            source.Line($"static {head.Name} {self}.AtBody({Span} body) => throw new global::System.NotSupportedException();");
            source.Line();
            source.Line($"static void {self}.Skip({Names.Reader}) => {Helpers}.SkipValue<{head.TypeName}, {head.Codec}>(ref reader);");
            source.Line();
            source.Line($"static void {self}.SkipBody({Names.Reader}) => throw new global::System.NotSupportedException();");
        });
    }
}
