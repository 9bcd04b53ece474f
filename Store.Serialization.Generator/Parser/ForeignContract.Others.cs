// What the marks of other serializers on a model store that do not count, because its own serializer's come first in the table. docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal sealed partial class ForeignContract
{
    /// <summary>The attribute, as source has it, by which a serializer whose contract does not count stores a member that this one does not: it takes the class for a model of its own, and nothing leaves the member out of either; null where there is none.</summary>
    public string? MarkThatDoesNotCount(ISymbol member)
    {
        if (Exclusion(member) is not null) return null;
        foreach (ForeignSerializer other in ForeignSerializer.All)
        {
            if (other == _words || (other.TypeMark is not null && other.MarkOf(member.ContainingType) is null)) continue;
            var contract = new ForeignContract(other, _type);
            if (contract.Inclusion(member) is not null && !contract.LeavesOut(member)) return contract.IncludeMark;
        }

        return MarksOfOthers.MarksOf(member).FirstOrDefault();
    }

    /// <summary>The mark on a type by which it has this contract, as source has it.</summary>
    public string ModelMark => AttributeReading.Mark(_words.TypeMark ?? _words.Include);
}
