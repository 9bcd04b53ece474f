// Prints the codec of one type: its head, sizes and schema. What writes and what reads have a file each.

using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class CodecEmitter
{
    public static string Emit(TypeModel type)
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () => EmitStruct(source, type));
        return source.ToString();
    }

    /// <summary>Prints the codec itself: of a case of a union of F# one that only the file of the union sees, of any other type one that the codecs of what holds it name, and the registration.</summary>
    public static void EmitStruct(SourceWriter source, TypeModel type)
    {
        source.Line($"/// <summary>Writes and reads <c>{Names.Comment(type.SchemaName)}</c>.</summary>");
        source.Line(Names.GeneratedCode);
        if (type.UsesObsolete) source.Line(Names.MayUseObsolete);
        if (!type.IsCase) source.Line(Names.Unseen);
        source.FixedBlock($"{(type.IsCase ? "file" : "internal")} readonly struct {type.CodecName} : {Names.Serialization}INinoCodec<{type.TypeName}>", () =>
        {
            UnfillableEmitter.EmitProbe(source, type);
            HiddenCallbackEmitter.Emit(source, type);
            HiddenMemberEmitter.Emit(source, type);
            EmitSizes(source, type);
            EmitDescribe(source, type);
            WriteEmitter.Emit(source, type);
            ReadEmitter.Emit(source, type);
            ReuseEmitter.Emit(source, type);
            AccessorEmitter.Emit(source, type);
        });
    }

    private static void EmitSizes(SourceWriter source, TypeModel type)
    {
        if (type.Shape == TypeShape.OpenStruct)
        {
            EmitOpenSizes(source, type);
            return;
        }

        string form = type.Shape switch
        {
            TypeShape.FixedStruct => "Fixed",
            TypeShape.ValueStruct => "Value",
            _ => type.KeepsReferences ? "Value" : "Object",
        };
        source.Line($"public static {Names.Serialization}CodecForm Form => {(type.IsMemoryUnlimited ? $"{Names.Generated}.FormOf<{type.TypeName}, {type.CodecName}>()" : $"{Names.Serialization}CodecForm.{form}")};");
        source.Line();
        if (type.Memory.Count > 0)
        {
            source.Line($"public static global::System.ReadOnlySpan<byte> Memory => [{string.Join(", ", type.Memory)}];");
            source.Line();
        }

        source.Line($"public static int MinSize => {(type.Shape == TypeShape.Class ? 1 : type.MinBytes)};");
        source.Line();
        if (type.IsFlat)
        {
            source.Line("public static bool IsFlat => true;");
            source.Line();
            source.Line($"public static int HeadSize => {type.FixedBytes};");
            source.Line();
        }

        if (type.IsSimple)
        {
            source.Line("public static bool IsSimple => true;");
            source.Line();
            source.Line($"public bool IsStorable(in {type.TypeName} value) => {(type.ChecksRunTimeType ? $"((object)value).GetType() == typeof({type.TypeName})" : "true")};");
            source.Line();
        }

        if (type.Shape == TypeShape.ValueStruct || type.KeepsReferences) return;
        source.Line(type.Shape == TypeShape.Class ? $"public static int MinBodySize => {type.MinBytes};" : $"public static int FixedSize => {type.MinBytes};");
        source.Line();
        if (!type.HasFixedBody) return;
        source.Line($"public static int FixedBodySize => {type.MinBytes};");
        source.Line();
    }

    private static void EmitOpenSizes(SourceWriter source, TypeModel type)
    {
        IEnumerable<string> open = type.Members.Where(static member => !member.IsFixed).Select(static member => member.Codec.Expression);
        string form = Names.Serialization + "CodecForm.";
        source.Line($"private static bool IsFixed => {string.Join(" && ", open.Select(codec => $"{codec}.Form is {form}Fixed or {form}Blittable"))};");
        source.Line();
        source.Line($"public static {Names.Serialization}CodecForm Form => IsFixed ? {form}Fixed : {form}Value;");
        source.Line();
        source.Line($"public static int FixedSize => IsFixed ? {string.Join(" + ", open.Select(static codec => codec + ".FixedSize").Prepend(type.FixedBytes.ToString()))} : 0;");
        source.Line();
        source.Line($"public static int MinSize => IsFixed ? FixedSize : {type.MinBytes};");
        source.Line();
    }

    private static void EmitDescribe(SourceWriter source, TypeModel type)
    {
        source.Line($"public static {Names.Serialization}SchemaNode Describe({Names.Serialization}SchemaBuilder builder) =>");
        source.Line($"    builder.Object(typeof({(type.IsCase ? type.CodecName : type.TypeName)}), {Names.Literal(type.SchemaName)}, {Names.Literal(type.Shape == TypeShape.Class)}, DescribeFields{(type.KeepsReferences ? ", keepsReferences: true" : "")});");
        source.Line();
        // A method: for a lambda two more are compiled with every type that is described, those of the class that keeps it.
        source.Block($"private static void DescribeFields({Names.Serialization}SchemaBuilder.FieldList fields)", () =>
        {
            HiddenMemberEmitter.EmitCheck(source, type);
            // First: a type that holds itself in another may be called by that one's name.
            Names.FormerTypeNames(source, "fields", type.FormerNames);
            foreach (MemberModel member in type.Members)
            {
                string former = string.Concat(member.FormerNames.Select(static name => ", " + Names.Literal(name)));
                string evolution = member.IsRequired || former.Length > 0 ? $", {Names.Literal(member.IsRequired)}{former}" : "";
                source.Line($"fields.Add({Names.Literal(member.SchemaName)}, {member.Id}, {member.Codec.Expression}.Describe(fields.Builder){evolution});");
            }

            if (!type.HasDefaults || type.Members.Count == 0) return;
            // There is nothing in an object that none has made, and its getters may not expect that.
            if (type.Construction.Bare == BareModel.WithoutEmpty) source.Line("if (!HasConstructor) return;");
            source.Block($"fields.Defaults<{type.TypeName}>(static () => {ReadEmitter.NewObject(type)}, static ({WriteEmitter.Item(type)}, field) => field switch", () =>
            {
                for (int i = 0; i < type.Members.Count; i++)
                {
                    string value = WriteEmitter.Value(type, type.Members[i]);
                    source.Line($"{(i < type.Members.Count - 1 ? i.ToString() : "_")} => {Names.Generated}.Encode<{type.Members[i].Codec.TypeName}, {type.Members[i].Codec.Expression}>({value}),");
                }
            }, "});");
        });
        source.Line();
    }
}
