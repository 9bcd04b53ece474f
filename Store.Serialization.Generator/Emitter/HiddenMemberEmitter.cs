// Prints the look at the private members of models of other assemblies, which no compiler sees, and the checks in front of describing, writing and reading.

using System.Globalization;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class HiddenMemberEmitter
{
    private const string Type = Names.Serialization + "NinoHiddenMembers";
    private const string Marks = Names.Serialization + "NinoHiddenMarks";

    // The field that is asked.
    private const string Last = "HiddenMembers";

    public static void Emit(SourceWriter source, TypeModel type)
    {
        foreach (MemberModel member in type.Members)
        {
            if (member.LooksIn is not { } level) continue;
            AccessorModel accessor = member.Accessor!;
            if (accessor.Set) source.Line($"private static readonly bool {AccessorEmitter.HasSetter(accessor)} = {Type}<{level}>.HasSetter({Names.Literal(accessor.MetadataName)});");
            if (member.LooksForField) source.Line($"private static readonly bool {AccessorEmitter.HasField(accessor)} = {Type}<{level}>.HasField({Names.Literal(accessor.Backing!)});");
        }

        if (type.Construction.Bare == BareModel.WithoutEmpty) source.Line($"private static readonly bool HasConstructor = {Type}.HasConstructor<{type.TypeName}>();");
        if (type.HiddenLevels.Count == 0) return;
        for (int i = 0; i < type.HiddenLevels.Count; i++)
        {
            HiddenLevel level = type.HiddenLevels[i];
            source.Line($"private static readonly {Type} {Field(type, i)} = new {Type}<{level.TypeName}>(new {Marks}[] {{ {string.Join(", ", level.Marks.Select(Made))} }}, {Seen(level)}{(i == 0 ? "" : ", " + Field(type, i - 1))});");
        }

        source.Line();
    }

    /// <summary>Each has been told what is above; the last one is asked.</summary>
    private static string Field(TypeModel type, int level) => level == type.HiddenLevels.Count - 1 ? Last : Last + level.ToString(CultureInfo.InvariantCulture);

    private static string Made(HiddenMarks marks) => Made(Marks,
        ("Namespace", Names.Literal(marks.Namespace)),
        ("Stores", Names.Literal(marks.Stores)),
        ("LeavesOut", Names.Literal(marks.LeavesOut)),
        ("LeavesOutMarked", marks.LeavesOutMarked ? Names.Literal(true) : null),
        ("LeftOutByClass", Array(marks.LeftOutByClass)),
        ("LeftOutByDerived", Array(marks.LeftOutByDerived)),
        ("NumberedBy", Array(marks.NumberedBy)),
        ("LeastNumber", marks.NumberedBy.Count > 0 ? marks.LeastNumber.ToString(CultureInfo.InvariantCulture) : null),
        ("NotNumbered", Array(marks.NotNumbered)));

    private static string Seen(HiddenLevel level) => Made(Names.Serialization + "NinoSeenMembers",
        ("Known", Array(level.Known)),
        ("SetUnseen", Array(level.SetUnseen)),
        ("SetUnseenOrBacked", Array(level.SetUnseenOrBacked)),
        ("CanBeMade", level.IsMadeUnseen ? $"{Type}.HasConstructor<{level.TypeName}>()" : null),
        ("IsEmpty", level.IsEmpty ? Names.Literal(true) : null));

    /// <summary>A new object, with the properties that are not as they are in any.</summary>
    private static string Made(string type, params (string Name, string? Value)[] properties) =>
        $"new {type}() {{ {string.Join(", ", properties.Where(static one => one.Value is not null).Select(static one => $"{one.Name} = {one.Value}"))} }}";

    private static string? Array(EquatableArray<string> names) => names.Count > 0 ? HiddenCallbackEmitter.Array(names) : null;

    public static void EmitCheck(SourceWriter source, TypeModel type)
    {
        if (type.HiddenLevels.Count > 0) source.Line(Last + ".Check();");
    }
}
