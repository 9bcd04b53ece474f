// Where the model's own serializer puts its members.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal sealed partial class ForeignContract
{
    /// <summary>Puts members without an order where the other serializer has them, as setters may ask for what is set in front of them: System.Text.Json takes 0 for theirs, DataContractSerializer has them in front of others, and all of a base first.</summary>
    public void SettleOrders(List<ParsedMember> members)
    {
        if (members.TrueForAll(static member => member.Order is null)) return;
        if (IsJson) members.ForEach(static member => member.Order ??= 0);
        if (_words.NamedOrder is null) return;
        int place = 0;
        foreach (ParsedMember member in members.OrderBy(static member => Derivations.BasesOf(Declarations.Of(member.Symbol).Last().ContainingType).Count(static level => level.TypeKind == TypeKind.Class)).ThenBy(static member => member.Order ?? -1).ToList())
            member.Order = place++;
    }

    /// <summary>Takes numbers for places, where classes of a hierarchy give the same ones: those of the base first. They are no identity then.</summary>
    public void OrderByClass(List<ParsedMember> members)
    {
        List<ParsedMember> numbered = [.. members.Where(member => member.Id > 0 && NinoAttributes.MemberId(member.Symbol) is null)];
        // Where none is given twice they are: records that have them are read by them.
        if (!_words.CountsByClass || numbered.Select(static member => member.Id).Distinct().Count() == numbered.Count) return;
        int place = 0;
        foreach (ParsedMember member in numbered.GroupBy<ParsedMember, ISymbol>(static member => member.Symbol.ContainingType, SymbolEqualityComparer.Default).SelectMany(static level => level.OrderBy(static member => member.Id)).ToList())
        {
            member.Order = place++;
            member.Id = 0;
        }
    }
}
