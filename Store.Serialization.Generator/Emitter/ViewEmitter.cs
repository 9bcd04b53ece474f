// Prints the view of one type: fixed-width members at constant offsets, the others found by moving over those before them. Where it begins to move it starts from
// what was found last, so that asking in order walks once.

using System.Globalization;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class ViewEmitter
{
    private const string Span = "global::System.ReadOnlySpan<byte>";
    private const string Helpers = Names.Serialization + "NinoViews";

    public static string Emit(ViewModel view)
    {
        SourceWriter source = Names.NewFile();
        In(source, view.Head, () => EmitStruct(source, view));
        return source.ToString();
    }

    /// <summary>Opens the namespace of a view.</summary>
    public static void In(SourceWriter source, ViewHead head, Action body)
    {
        if (head.Namespace.Length > 0) source.Block("namespace " + head.Namespace, body);
        else body();
    }

    /// <summary>What every view has: the attribute, the first line, and the members of its interfaces that differ in nothing but names.</summary>
    public static string Declaration(ViewHead head, bool isReadOnly) =>
        $"{(head.IsPublic ? "public" : "internal")} {(isReadOnly ? "readonly " : "")}ref struct {head.Name} : {Names.Serialization}INinoRecordView<{head.Name}>";

    private static void EmitStruct(SourceWriter source, ViewModel view)
    {
        ViewHead head = view.Head;
        List<ViewMemberModel> walked = [.. view.Members.Where(static member => member.Offset < 0)];
        bool keepsPlace = walked.Count > 1;
        string self = Names.Serialization + "INinoView<" + head.Name + ">";
        string record = Names.Serialization + "INinoRecordView<" + head.Name + ">";
        bool isClass = view.Shape == TypeShape.Class;
        source.Line($"/// <summary>A <c>{Names.Comment(head.SchemaName)}</c> as it lies in its bytes: nothing is made of it but what is asked for. Valid as long as the bytes are.</summary>");
        source.Line(Names.GeneratedCode);
        if (head.IsObsolete) source.Line(Names.MayUseObsolete);
        source.Block(Declaration(head, isReadOnly: !keepsPlace), () =>
        {
            source.Line($"private readonly {Span} _body;");
            if (keepsPlace)
            {
                source.Line("private int _member;");
                source.Line("private int _offset;");
            }

            source.Line();
            source.Line("/// <summary>Over a record, which is not checked beyond its fixed part: what is asked for is.</summary>");
            source.Line($"public {head.Name}({Span} record) => _body = {Helpers}.AtLeast(record, {view.MinBytes});");
            source.Line();
            string readOnly = keepsPlace ? "readonly " : "";
            if (isClass)
            {
                source.Line("/// <summary>True for null, which has no members.</summary>");
                source.Line($"public {readOnly}bool IsNull => _body.IsEmpty;");
                source.Line();
            }

            int index = 0;
            foreach (ViewMemberModel member in view.Members) EmitMember(source, member, member.Offset < 0 ? index++ : -1, view.FixedBytes, readOnly);
            source.Line("/// <summary>Makes the whole value.</summary>");
            source.Line($"public {readOnly}{head.TypeName} Read() => {Helpers}.{(isClass ? "ReadBody" : "Read")}<{head.TypeName}, {head.Codec}>(_body);");
            source.Line();
            if (keepsPlace)
            {
                EmitFind(source, walked, view.FixedBytes);
                source.Line();
            }

            EmitSizes(source, view, self, head.Codec, isClass);
            source.Line($"static {Names.Serialization}NinoSchema {record}.Schema => {Helpers}.SchemaOf<{head.TypeName}, {head.Codec}>();");
            source.Line();
            source.Line($"static {head.Name} {record}.Over({Span} record) => new {head.Name}(record);");
            source.Line();
            source.Line($"static {head.Name} {self}.At({Span} value) => {(isClass ? $"{Helpers}.IsPresent(value) ? new {head.Name}(value.Slice(1)) : default" : $"new {head.Name}(value)")};");
            source.Line();
            source.Line($"static {head.Name} {self}.AtBody({Span} body) => new {head.Name}(body);");
            source.Line();
            source.Block($"static void {self}.Skip({Names.Reader})", () => source.Line(isClass ? "if (reader.ReadPresence()) SkipMembers(ref reader);" : "SkipMembers(ref reader);"));
            source.Line();
            source.Line($"static void {self}.SkipBody({Names.Reader}) => SkipMembers(ref reader);");
            source.Line();
            if (walked.Exists(static member => member.IsObsolete)) source.Line(Names.MayUseObsolete);
            source.Block($"private static void SkipMembers({Names.Reader})", () =>
            {
                if (view.IsRecursive) source.Line("reader.Enter();");
                int fixedBytes = view.Members.Count == 0 ? 1 : view.FixedBytes;
                if (fixedBytes > 0) source.Line($"reader.Take({fixedBytes});");
                foreach (ViewMemberModel member in walked) source.Line(Skip(member));
                if (view.IsRecursive) source.Line("reader.Leave();");
            });
        });
    }

    private static void EmitMember(SourceWriter source, ViewMemberModel member, int index, int fixedBytes, string readOnly)
    {
        if (member.IsObsolete) source.Line(Names.MayUseObsolete);
        string access = member.IsPublic ? "public " : "internal ";
        if (index < 0)
        {
            source.Line($"public {readOnly}{member.TypeName} {member.Name} => {Helpers}.Fixed<{member.TypeName}, {member.Codec}>(_body, {member.Offset});".Replace("public ", access));
            source.Line();
            return;
        }

        // The first of them is where the fixed ones end.
        string place = index == 0 ? $"{Helpers}.From(_body, {fixedBytes})" : $"Find({index})";
        string mayBeReadOnly = index == 0 ? readOnly : "";
        source.Line(member.View is { } view
            ? $"{access}{mayBeReadOnly}{view} {member.Name} => {Helpers}.At<{view}>({place});"
            : $"{access}{mayBeReadOnly}{member.TypeName} {member.Name}() => {Helpers}.Read<{member.TypeName}, {member.Codec}>({place});");
        source.Line();
    }

    private static void EmitFind(SourceWriter source, List<ViewMemberModel> walked, int fixedBytes)
    {
        if (walked.Exists(static member => member.IsObsolete)) source.Line(Names.MayUseObsolete);
        source.Block($"private {Span} Find(int member)", () =>
        {
            source.Line("int next = _member <= member ? _member : 0;");
            source.Line($"int offset = next > 0 ? _offset : {fixedBytes};");
            source.Line($"{Names.Serialization}NinoReader reader = new {Names.Serialization}NinoReader({Helpers}.From(_body, offset));");
            source.Block("while (next < member)", () => source.Block("switch (next++)", () =>
            {
                for (int i = 0; i < walked.Count - 1; i++)
                {
                    source.Line($"case {i}:");
                    source.Line("    " + Skip(walked[i]));
                    source.Line("    break;");
                }
            }));
            source.Line();
            source.Line("_member = member;");
            source.Line("_offset = offset + reader.Position;");
            source.Line("return _body.Slice(_offset);");
        });
    }

    private static string Skip(ViewMemberModel member) =>
        member.View is { } view ? $"{Helpers}.Skip<{view}>(ref reader);" : $"{Helpers}.SkipValue<{member.TypeName}, {member.Codec}>(ref reader);";

    private static void EmitSizes(SourceWriter source, ViewModel view, string self, string codec, bool isClass)
    {
        // Of a struct that holds other structs, their codecs know: a null in place of one has as many bytes as a value.
        Constant("FixedSize", view.Shape == TypeShape.OpenStruct ? $"{codec}.FixedSize" : Number(!isClass && view.IsFixed ? view.MinBytes : 0));
        Constant("MinSize", Number(isClass ? 1 : view.MinBytes));
        Constant("MinBodySize", Number(isClass ? view.MinBytes : 0));
        Constant("FixedBodySize", Number(isClass && view.IsFixed ? view.MinBytes : 0));

        static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);

        void Constant(string name, string value)
        {
            source.Line($"static int {self}.{name} => {value};");
            source.Line();
        }
    }
}
