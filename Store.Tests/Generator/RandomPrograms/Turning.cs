// What callbacks of random programs do with members: turned around twice, each is what it was.

namespace Store.Tests.Generator.RandomPrograms;

internal static class Turning
{
    private const string Linq = "global::System.Linq.Enumerable.";

    /// <summary>A method can set the member, and there is a way to turn its values around.</summary>
    public static bool IsPossible(MemberModel member)
    {
        if (member.IsVirtual) return false;
        string of = member.Type.Print(false);
        bool isList = of.StartsWith(Framework.List.Name + "<", StringComparison.Ordinal);
        return member.Form is MemberForm.Filled or MemberForm.FilledField ? isList
            : member.Form is MemberForm.Set or MemberForm.Required or MemberForm.RequiredField or MemberForm.Field or MemberForm.PrivateField or MemberForm.PrivateSet or MemberForm.InternalIncluded or MemberForm.Backed or MemberForm.FieldKeyword
                && (isList || of is "int" or "long" or "uint" or "ulong" or "bool" or "string");
    }

    /// <summary>Spells the statement that does it.</summary>
    public static string Print(MemberModel member) => member.Type.Print(false) switch
    {
        "int" or "long" or "uint" or "ulong" => $"this.{member.Name} ^= 85;",
        "bool" => $"this.{member.Name} = !this.{member.Name};",
        "string" => $"if (this.{member.Name} is {{ }} text{member.Index}) this.{member.Name} = new string({Linq}ToArray({Linq}Reverse(text{member.Index})));",
        _ => $"this.{member.Name}?.Reverse();",
    };
}
