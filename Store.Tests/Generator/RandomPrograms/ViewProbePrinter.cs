// Prints, beside the types of a random program, one method a type that looks at a record through its view: views are ref structs, which reflection cannot hold.

using System.Text;

namespace Store.Tests.Generator.RandomPrograms;

internal static class ViewProbePrinter
{
    /// <summary>The class of these methods.</summary>
    public const string ClassName = "ViewProbe";

    // What views have themselves: a member of such a name has another one there (docs/views.md).
    private static readonly HashSet<string> OwnNames = ["IsNull", "Read", "Tag", "CaseBytes", "Bytes", "Over", "At", "AtBody", "Skip", "SkipBody", "Schema", "FixedSize", "MinSize", "MinBodySize", "FixedBodySize"];

    private static readonly HashSet<string> NoFixedWidth = ["global::System.Numerics.BigInteger", "global::System.Text.Json.JsonElement", "global::System.Drawing.Color", "global::System.ValueTuple"];

    /// <summary>True where a method is printed for the type.</summary>
    public static bool HasProbe(ProgramModel program, TypeModel type) => !program.HasReferences && type is { Arity: 0, IsConcrete: true };

    public static void Print(ProgramModel program, StringBuilder text)
    {
        text.AppendLine($"internal static class {ClassName}\n{{");
        foreach (TypeModel type in program.Types.Where(type => HasProbe(program, type)))
        {
            string view = "global::" + (type.Namespace.Length == 0 ? "" : type.Namespace + ".") + string.Concat(type.Levels.Select(static level => level.Name.TrimStart('@'))) + "View";
            text.AppendLine($"    public static global::System.Collections.Generic.List<(string, object)> Probe{type.Index}(byte[] bytes)\n    {{");
            text.AppendLine("        var members = new global::System.Collections.Generic.List<(string, object)>();");
            text.AppendLine($"        var view = new {view}(bytes);\n        members.Add((\"\", view.Read()!));");
            if (!program.HasDerived(type))
            {
                foreach (MemberModel member in type.AllMembers.Reverse())
                {
                    // A member of a base's type parameter is of another width in each construction.
                    TypeRef of = member.Type is TypeRef.Maybe maybe ? maybe.Inner : member.Type;
                    if (!member.IsStored || member.IsTurned || OwnNames.Contains(member.Name.TrimStart('@')) || of is not TypeRef.Scalar scalar) continue;
                    if (member.Codec is not null || scalar.Kind.Name.StartsWith("global::Own.", StringComparison.Ordinal)) text.AppendLine($"        members.Add((\"{member.State}\", view.Read{member.Name.TrimStart('@')}()!));");
                    else if (scalar.Kind.Name == "string") text.AppendLine($"        members.Add((\"{member.State}\", view.{member.Name}.Read()!));");
                    else if (scalar.IsValue && !NoFixedWidth.Contains(scalar.Kind.Name)) text.AppendLine($"        members.Add((\"{member.State}\", view.{member.Name}!));");
                }
            }

            text.AppendLine("        return members;\n    }");
        }

        text.AppendLine("}");
    }
}
