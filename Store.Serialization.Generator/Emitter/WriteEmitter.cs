// Prints the methods that write: one Take for all fixed-width members and plain stores at constant offsets, then the other members in order.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class WriteEmitter
{
    // Of more, what is written in line is long.
    private const int MaxInlinedTexts = 3;

    public static void Emit(SourceWriter source, TypeModel type)
    {
        switch (type.Shape)
        {
            case TypeShape.Class:
                source.Block($"public void Write({Names.Writer}, in {type.TypeName} value)", () =>
                {
                    if (type.KeepsReferences)
                    {
                        source.Line("if (writer.WriteReference(value)) WriteBody(ref writer, in value);");
                        // One of a derived type may have been written before, where another assembly knows it: reading takes none here.
                        if (type.ChecksRunTimeType) source.Line($"else if (value is not null && ((object)value).GetType() != typeof({type.TypeName})) {Names.Generated}.ThrowDerived(((object)value).GetType(), typeof({type.TypeName}));");
                        return;
                    }

                    source.Block("if (value is null)", () =>
                    {
                        source.Line("writer.Take(1) = 0;");
                        source.Line("return;");
                    });
                    source.Line();
                    source.Line("writer.Take(1) = 1;");
                    source.Line("WriteBody(ref writer, in value);");
                });
                source.Line();
                if (!type.HasFixedBody)
                {
                    EmitVariable(source, type, "WriteBody");
                    break;
                }

                source.Line(Names.Inlined);
                source.Line($"public void WriteBody({Names.Writer}, in {type.TypeName} value) => WriteFixedBody(ref writer.Take({type.MinBytes}), in value);");
                source.Line();
                if (IsSmall(type)) source.Line(Names.Inlined);
                source.Block($"public void WriteFixedBody(ref byte destination, in {type.TypeName} value)", () =>
                {
                    EmitStart(source, type);
                    if (type.Members.Count == 0) source.Line("destination = 0;");
                    EmitFixedMembers(source, type);
                });
                break;
            case TypeShape.ValueStruct:
                EmitVariable(source, type, "Write");
                break;
            case TypeShape.OpenStruct:
                source.Block($"public void Write({Names.Writer}, in {type.TypeName} value)", () => EmitBody(source, type));
                source.Line();
                source.Block($"public void WriteFixed(ref byte destination, in {type.TypeName} value)", () =>
                {
                    EmitCopy(source, type);
                    EmitFixedMembers(source, type);
                    if (type.FixedBytes > 0) source.Line($"destination = ref {Names.Unsafe}.Add(ref destination, {type.FixedBytes});");
                    foreach (MemberModel member in type.Members)
                    {
                        if (member.IsFixed) continue;
                        source.Line($"default({member.Codec.Expression}).WriteFixed(ref destination, {Value(type, member)});");
                        source.Line($"destination = ref {Names.Unsafe}.Add(ref destination, {member.Codec.Expression}.FixedSize);");
                    }

                    AccessorEmitter.Call(source, type, CallbackTime.Serialized, "item");
                });
                break;
            case TypeShape.FixedStruct:
                source.Line(Names.Inlined);
                source.Line($"public void Write({Names.Writer}, in {type.TypeName} value) => WriteFixed(ref writer.Take({type.MinBytes}), in value);");
                source.Line();
                if (IsSmall(type)) source.Line(Names.Inlined);
                source.Block($"public void WriteFixed(ref byte destination, in {type.TypeName} value)", () =>
                {
                    EmitCopy(source, type);
                    if (type.Members.Count == 0) source.Line("destination = 0;");
                    EmitFixedMembers(source, type);
                    AccessorEmitter.Call(source, type, CallbackTime.Serialized, "item");
                });
                break;
        }

        source.Line();
    }

    public static bool IsSmall(TypeModel type) => type.Members.Count <= 8;

    private static void EmitVariable(SourceWriter source, TypeModel type, string method)
    {
        if (!type.IsFlat)
        {
            source.Block($"public void {method}({Names.Writer}, in {type.TypeName} value)", () => EmitBody(source, type));
            return;
        }

        source.Block($"public void {method}({Names.Writer}, in {type.TypeName} value)", () =>
        {
            // Without room nothing is stored ahead of the cursor: so a failure is found where it is (WriteErrors).
            source.Line("ref byte place = ref writer.Open(out int room);");
            source.Line("int size = room > 0 ? WriteAt(ref place, room, in value) : -1;");
            source.Line("if (size >= 0) writer.Advance(size);");
            source.Line("else WriteInParts(ref writer, in value);");
        });
        source.Line();
        source.Block($"private static void WriteInParts({Names.Writer}, in {type.TypeName} value)", () => EmitBody(source, type));
        source.Line();
        List<int> texts = [.. Enumerable.Range(0, type.Members.Count).Where(i => !type.Members[i].IsFixed)];
        string parameters = $"(ref byte destination, long room, in {type.TypeName} value)";
        if (!IsSmall(type) || texts.Count > MaxInlinedTexts)
        {
            source.Block("public int WriteAt" + parameters, () => EmitAnyAt(source, type, texts));
            return;
        }

        // Into the loops over lists, where a call costs as much as half of the rest.
        source.Line(Names.Inlined);
        source.Block("public int WriteAt" + parameters, () => EmitUsualAt(source, type, texts));
        source.Line();
        source.Line(Names.NotInlined);
        string item = type.Shape == TypeShape.Class ? $"{type.TypeName} item" : $"in {type.TypeName} value";
        source.Block($"private static int WriteAnyAt(ref byte destination, long room, {item}, {string.Join(", ", texts.Select(static i => $"string member{i}"))})", () => EmitRest(source, type, texts));
    }

    // Strings of usual lengths need no sum of rooms, and each is looked at once: a fifth of the instructions less (docs/performance.md, "Strings and dictionaries").
    private static void EmitUsualAt(SourceWriter source, TypeModel type, List<int> texts)
    {
        EmitTexts(source, type, texts);
        source.Block($"if (room >= {type.FixedBytes} + ({texts.Count} * {Names.Generated}.UsualTextRoom) && {string.Join(" && ", texts.Select(static i => $"{Names.Generated}.IsUsualText(member{i})"))})", () =>
        {
            EmitFixedMembers(source, type);
            EmitTextsAt(source, type, texts, "WriteUsualTextAt");
            source.Line("return size;");
        });
        source.Line();
        source.Line($"return WriteAnyAt(ref destination, room, {(type.Shape == TypeShape.Class ? "item" : "in value")}, {string.Join(", ", texts.Select(static i => $"member{i}"))});");
    }

    private static void EmitAnyAt(SourceWriter source, TypeModel type, List<int> texts)
    {
        EmitTexts(source, type, texts);
        EmitRest(source, type, texts);
    }

    private static void EmitRest(SourceWriter source, TypeModel type, List<int> texts)
    {
        source.Line($"if ({string.Join(" + ", texts.Select(static i => $"{Names.Generated}.RoomForText(member{i})").Prepend(type.FixedBytes.ToString()))} > room) return -1;");
        EmitFixedMembers(source, type);
        EmitTextsAt(source, type, texts, "WriteTextAt");
        source.Line("return size;");
    }

    // Each string behind the one before it, and "size" in the end.
    private static void EmitTextsAt(SourceWriter source, TypeModel type, List<int> texts, string verb)
    {
        foreach (int i in texts)
        {
            string place = i != texts[0] ? $"ref {Names.Unsafe}.Add(ref destination, size)" : type.FixedBytes == 0 ? "ref destination" : $"ref {Names.Unsafe}.Add(ref destination, {type.FixedBytes})";
            string add = i != texts[0] ? "size +=" : type.FixedBytes == 0 ? "int size =" : $"int size = {type.FixedBytes} +";
            source.Line($"{add} {Names.Generated}.{verb}({place}, member{i});");
        }
    }

    private static void EmitBody(SourceWriter source, TypeModel type)
    {
        EmitStart(source, type);
        if (type.KeepsReferences) source.Line("int number = writer.LastReference;");
        // What is too deep is refused before a callback sees it.
        if (type.IsRecursive) source.Line("writer.Enter();");
        EmitCopy(source, type, hasWriter: true);
        if (type.Members.Count == 0) source.Line("writer.Take(1) = 0;");
        if (type.FixedBytes > 0) source.Line($"ref byte destination = ref writer.Take({type.FixedBytes});");
        EmitFixedMembers(source, type);
        // Fixed-width members hold no references.
        int madeAfter = Math.Max(type.IsMadeEarly ? 0 : type.MadeAfter, type.Members.Count(static member => member.IsFixed));
        var unfillable = new UnfillableEmitter(source, type);
        for (int i = 0; i <= type.Members.Count; i++)
        {
            if (type.KeepsReferences && i == madeAfter) source.Line("writer.SetReference(number);");
            if (i == type.Members.Count || type.Members[i] is not { IsFixed: false } member) continue;
            unfillable.EmitCheck(i);
            source.Line($"default({member.Codec.Expression}).Write(ref writer, {Value(type, member)});");
        }

        AccessorEmitter.Call(source, type, CallbackTime.Serialized, "item", hasWriter: true);
        if (type.IsRecursive) source.Line("writer.Leave();");
    }

    // The strings first, once: what is stored is what there was room for.
    private static void EmitTexts(SourceWriter source, TypeModel type, List<int> texts)
    {
        EmitStart(source, type);
        foreach (int i in texts) source.Line($"string member{i} = {Value(type, type.Members[i])};");
    }

    private static void EmitStart(SourceWriter source, TypeModel type)
    {
        if (type.Shape == TypeShape.Class) HiddenMemberEmitter.EmitCheck(source, type);
        if (type.ChecksRunTimeType) source.Line($"if (((object)value).GetType() != typeof({type.TypeName})) {Names.Generated}.ThrowDerived(((object)value).GetType(), typeof({type.TypeName}));");
        // A local: what the reference parameter points at could change with every byte stored, as far as the JIT knows.
        if (type.Shape == TypeShape.Class && type.Members.Count > 0 && !HasCopy(type)) source.Line($"{type.TypeName} item = value;");
    }

    /// <summary>Callbacks run on a local variable: an object, or the copy of a struct.</summary>
    private static bool HasCopy(TypeModel type) => type.Calls(CallbackTime.Serializing) || type.Calls(CallbackTime.Serialized);

    private static void EmitCopy(SourceWriter source, TypeModel type, bool hasWriter = false)
    {
        if (type.Shape != TypeShape.Class) HiddenMemberEmitter.EmitCheck(source, type);
        if (!HasCopy(type)) return;
        source.Line($"{type.TypeName} item = value;");
        AccessorEmitter.Call(source, type, CallbackTime.Serializing, "item", hasWriter);
    }

    private static void EmitFixedMembers(SourceWriter source, TypeModel type)
    {
        foreach (MemberModel member in type.Members)
        {
            if (!member.IsFixed) continue;
            string place = member.Offset == 0 ? "ref destination" : $"ref {Names.Unsafe}.Add(ref destination, {member.Offset})";
            source.Line($"default({member.Codec.Expression}).WriteFixed({place}, {Value(type, member)});");
        }
    }

    /// <summary>The variable of which <see cref="Value"/> takes a member.</summary>
    public static string Item(TypeModel type) => type.Shape == TypeShape.Class || HasCopy(type) ? "item" : "value";

    /// <summary>The value of a member.</summary>
    public static string Value(TypeModel type, MemberModel member)
    {
        string item = Item(type);
        return member.Accessor is { Get: true } accessor ? AccessorEmitter.Get(type, accessor, HasCopy(type) ? "ref item" : $"ref {Names.Unsafe}.AsRef(in value)", item)
            : member.IsDynamic ? $"(object){item}.{member.Name}"
            : member.Holder is { } holder ? $"(({holder}){item}).{member.Name}"
            : item + "." + member.Name;
    }
}
