// Prints the methods that read into what is there. A class whose members can be set is filled; of one that is made anew the strings are handed on; a struct is made
// anew from its own members, filled. Only of fields and of properties that are nothing but one is the value used that is there: a getter may throw or give what others
// have, and a setter may empty what it holds before it copies from its value.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class ReuseEmitter
{
    public static void Emit(SourceWriter source, TypeModel type)
    {
        if (!type.CanReadInto) return;
        source.Line();
        source.Line("public static bool CanReadInto => true;");
        source.Line();
        if (type.Shape == TypeShape.ValueStruct)
        {
            source.Line($"public void ReadInto({Names.Reader}, ref {type.TypeName} value) => value = ReadFrom(ref reader, in value);");
            source.Line();
            source.Block($"private static {type.TypeName} ReadFrom({Names.Reader}, in {type.TypeName} value)", () => EmitRemade(source, type));
            return;
        }

        source.Block($"public void ReadInto({Names.Reader}, ref {type.TypeName} value)", () =>
        {
            source.Line("if (reader.ReadPresence()) ReadBodyInto(ref reader, ref value);");
            source.Line("else value = null;");
        });
        source.Line();
        source.Block($"public void ReadBodyInto({Names.Reader}, ref {type.TypeName} value)", () =>
        {
            string isOther = type.ChecksRunTimeType ? $" || ((object)item).GetType() != typeof({type.TypeName})" : "";
            source.Line($"{type.TypeName} item = value;");
            source.Block($"if (item is null{isOther})", () =>
            {
                source.Line("value = ReadBody(ref reader);");
                source.Line("return;");
            });
            source.Line();
            if (type.CanRefill) EmitShared(source, type);
            if (type.CanRefill) EmitFilled(source, type);
            else source.Line("value = ReadFrom(ref reader, item);");
        });
        if (type.CanRefill) return;
        source.Line();
        source.Block($"private static {type.TypeName} ReadFrom({Names.Reader}, {type.TypeName} value)", () => EmitRemade(source, type));
    }

    // Where the constructor put one collection into two members, only a new object can have what was stored. Behind setters that are code it is looked at when these have run.
    private static void EmitShared(SourceWriter source, TypeModel type)
    {
        if (type.FillsLast) return;
        List<string> filled = [.. type.Members.Where(static member => member is { Fill: not null, LooksIn: null }).Select(member => UnfillableEmitter.Get(type, member, "item"))];
        List<string> others = [.. type.Members.Where(static member => member is { Fill: null, Content: not MemberContent.Other }).Select(member => UnfillableEmitter.Get(type, member, "item"))];
        if (filled.Count == 0 || others.Count == 0) return;
        source.Block($"if ({Names.Serialization}NinoBeside.IsShared([{string.Join(", ", filled)}], [{string.Join(", ", others)}]))", () =>
        {
            source.Line("value = ReadBody(ref reader);");
            source.Line("return;");
        });
        source.Line();
    }

    private static void EmitThoseBehind(SourceWriter source, TypeModel type, int index)
    {
        for (int i = index; i < type.Members.Count; i++)
        {
            if (type.Members[i] is { IsFixed: false, IsStored: true, Fill: null }) EmitThere(source, type, i, "item", "ref item");
        }
    }

    private static void EmitFilled(SourceWriter source, TypeModel type)
    {
        HiddenMemberEmitter.EmitCheck(source, type);
        AccessorEmitter.Call(source, type, CallbackTime.Deserializing, "item");
        if (type.IsRecursive) source.Line("reader.Enter();");
        if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in reader.Take({type.FixedBytes}));");
        bool fillsLast = type.FillsLast;
        List<int> last = [];
        var filling = new FillEmitter(source, type, "item", isNew: false);
        // Setters that are code of the user's, and observers of what is filled, may put that, or another object, into members behind it: these are read into what they held before.
        int firstWithCode = type.Members.ToList().FindIndex(member => fillsLast ? member is { Fill: null, IsStored: false } : member.Fill is not null);
        if (!fillsLast) filling.EmitTargets();
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (i == firstWithCode) EmitThoseBehind(source, type, i);
            if (member.IsFixed)
            {
                string place = member.Offset == 0 ? "in start" : $"in {Names.Unsafe}.Add(ref start, {member.Offset})";
                string fixedValue = $"default({member.Codec.Expression}).ReadFixed({place})";
                if (filling.IsKept(i)) source.Line($"{member.Codec.TypeName} member{i} = {fixedValue};");
                source.Line(AccessorEmitter.Assign(type, member, "item", filling.IsKept(i) ? "member" + i : fixedValue));
                continue;
            }

            if (member.Fill is not null)
            {
                // Into what a getter of the user's shows, no codec reads by itself: others may have it too. What a setter of the user's may empty is filled behind that.
                if (fillsLast) last.Add(i);
                if (fillsLast || !member.IsStored) EmitRead(source, member, i);
                if (!fillsLast) filling.EmitFill(i, isRead: !member.IsStored);
                continue;
            }

            if (!member.IsStored) EmitRead(source, member, i);
            else if (firstWithCode >= 0 && i > firstWithCode) EmitReadInto(source, member, i);
            else EmitReused(source, type, i, "item", "ref item");
            source.Line(AccessorEmitter.Assign(type, member, "item", "member" + i));
        }

        if (fillsLast) filling.EmitTargets();
        foreach (int i in last) filling.EmitFill(i, isRead: true);
        filling.EmitBehind();
        if (type.IsRecursive) source.Line("reader.Leave();");
        AccessorEmitter.Call(source, type, CallbackTime.Deserialized, "item");
    }

    private static void EmitRemade(SourceWriter source, TypeModel type)
    {
        HiddenMemberEmitter.EmitCheck(source, type);
        if (type.IsRecursive) source.Line("reader.Enter();");
        if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in reader.Take({type.FixedBytes}));");
        ReadEmitter.EmitFixedMembers(source, type);
        int oneByOne = ReadEmitter.FirstSetOneByOne(type);
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (member.IsFixed || i >= oneByOne) continue;
            // What an object that is dropped holds may be changed by whoever keeps that object; strings cannot be.
            if (member.IsStored && member.Fill is null && (type.Shape == TypeShape.ValueStruct || member.IsString)) EmitReused(source, type, i, "value", $"ref {Names.Unsafe}.AsRef(in value)");
            else EmitRead(source, member, i);
        }

        if (type.IsRecursive && !type.ReadsWhenMade) source.Line("reader.Leave();");
        ReadEmitter.EmitConstruction(source, type);
    }

    private static void EmitReused(SourceWriter source, TypeModel type, int index, string item, string byReference)
    {
        EmitThere(source, type, index, item, byReference);
        EmitReadInto(source, type.Members[index], index);
    }

    private static void EmitThere(SourceWriter source, TypeModel type, int index, string item, string byReference)
    {
        MemberModel member = type.Members[index];
        string get = member.Accessor is { Get: true } accessor ? AccessorEmitter.Get(type, accessor, byReference, item) : item + "." + member.Name;
        source.Line($"{member.Codec.TypeName} member{index} = {get};");
    }

    private static void EmitReadInto(SourceWriter source, MemberModel member, int index) =>
        source.Line($"{Names.Serialization}NinoReuse.Read<{member.Codec.TypeName}, {member.Codec.Expression}>(ref reader, ref member{index});");

    public static void EmitRead(SourceWriter source, MemberModel member, int index) =>
        source.Line($"{member.Codec.TypeName} member{index} = default({member.Codec.Expression}).Read(ref reader);");
}
