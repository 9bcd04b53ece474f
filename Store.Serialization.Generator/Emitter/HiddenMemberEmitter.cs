// Prints the look at the private members of models of other assemblies, which no compiler sees, and the checks in front of describing, writing and reading.

using System.Globalization;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class HiddenMemberEmitter
{
    private const string Type = Names.Serialization + "NinoHiddenMembers";

    public static void Emit(SourceWriter source, TypeModel type)
    {
        foreach (MemberModel member in type.Members)
        {
            if (member.LooksIn is not { } level) continue;
            AccessorModel accessor = member.Accessor!;
            if (accessor.Set) source.Line($"private static readonly bool {AccessorEmitter.HasSetter(accessor)} = {Type}<{level}>.HasSetter({Names.Literal(accessor.MetadataName)});");
            if (member.LooksForField) source.Line($"private static readonly bool {AccessorEmitter.HasField(accessor)} = {Type}<{level}>.HasField({Names.Literal(accessor.Backing!)});");
        }

        if (type.HiddenLevels.Count == 0) return;
        string made = "null";
        foreach (HiddenLevel level in type.HiddenLevels)
            made = $"new {Type}<{level.TypeName}>({Names.Literal(level.Space)}, {Names.Literal(level.Include)}, {Names.Literal(level.Ignore)}, {Names.Literal(level.IsIgnoreHeeded)}, {HiddenCallbackEmitter.Array(level.Numbering)}, {level.LeastNumber.ToString(CultureInfo.InvariantCulture)}, {HiddenCallbackEmitter.Array(level.NotNumbered)}, {HiddenCallbackEmitter.Array(level.Known)}, {HiddenCallbackEmitter.Array(level.LeavingOut)}, {HiddenCallbackEmitter.Array(level.Setters)}, {HiddenCallbackEmitter.Array(level.Backed)}, {(level.IsMade ? $"{Type}.HasConstructor<{level.TypeName}>()" : "true")}, {Names.Literal(level.IsEmpty)}, {made})";
        source.Line($"private static readonly {Type} HiddenMembers = {made};");
        source.Line();
    }

    public static void EmitCheck(SourceWriter source, TypeModel type)
    {
        if (type.HiddenLevels.Count > 0) source.Line("HiddenMembers.Check();");
    }
}
