// Beside the attributes of the serializer whose contract a type has, those of others by which that stores members too, or without which they would be lost: protobuf-net's on classes that have only [DataContract], the numbers
// of [DataMember] for protobuf-net, and what is marked for serializers of which no contract is known (MarksOfOthers). docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>What the attributes of other serializers say of the members of a type that has the contract of one.</summary>
/// <param name="words">That serializer.</param>
/// <param name="type">The type.</param>
/// <param name="protobuf">What protobuf-net reads on a type that has only the mark of another serializer, or null.</param>
internal sealed class MarksBeside(ForeignSerializer words, INamedTypeSymbol type, ForeignContract? protobuf)
{
    // No mark on the class tells whose it is: none is seen, or System.Text.Json has one on a member, which others may have, too.
    private readonly bool _isPlain = words == ForeignSerializer.Json;

    /// <summary>What protobuf-net stores of a class that only [XmlType] marks for it is stored, too.</summary>
    public bool TakesXml => HeedsMarksOfOthers || words.NumbersByOthers;

    private bool HeedsMarksOfOthers => _isPlain || words.HeedsMarksOfOthers;

    /// <summary>One of them stores the member.</summary>
    public bool Stores(ISymbol member) => NumberOf(member) is not null || IsOfProtobuf(member) || IsOfOthers(member);

    /// <summary>The attributes by which they do, as source has them.</summary>
    public IEnumerable<string> MarksOf(ISymbol member)
    {
        if (NumberOf(member) is not null && NumbersOfOthers.MarkOf(member) is { } number) yield return number;
        if (IsOfProtobuf(member) && protobuf!.MarksOf(member).FirstOrDefault() is { } own) yield return own;
        if (!IsOfOthers(member)) yield break;
        foreach (string mark in MarksOfOthers.MarksOf(member)) yield return mark;
    }

    /// <summary>The member is stored because it is public: another serializer says so of all of its class.</summary>
    public bool StoresPublic(ISymbol member) => words.HeedsMarksOfOthers && MarksOfOthers.StoresPublic(type, member);

    /// <summary>What says that all members of a class are stored, whatever their access, for the middle of a sentence; null where nothing does.</summary>
    public string? AllOf(INamedTypeSymbol level) => HeedsMarksOfOthers ? MarksOfOthers.AllOf(type, level) : null;

    /// <summary>One of them counts beside an attribute that leaves out what has none.</summary>
    public bool CountsBesideIgnore(ISymbol member) => IsOfProtobuf(member) || (words.HeedsMarksOfOthers && MarksOfOthers.MarkBesideIgnore(type, member));

    /// <summary>The number that an attribute of another of the class's serializers gives a member, by which this one stores it too; 0 where that gives it one by its name; null where there is none.</summary>
    public int? NumberOf(ISymbol member)
    {
        foreach (ISymbol symbol in Declarations.Of(member))
        {
            if ((NumberingMarkOf(symbol.ContainingType) is { } mark ? NumbersOfOthers.Of(symbol, mark) : words.NumbersByOthers ? NumbersOfOthers.OfXml(symbol) : null) is { } number) return number;
        }

        return null;
    }

    /// <summary>The full names of the attributes of others that number members of a class, by which this serializer stores them too.</summary>
    public IEnumerable<string> NumberingOf(INamedTypeSymbol level) =>
        _isPlain ? MarksOfOthers.Names
        : protobuf is not null ? [$"{protobuf.Space}.{protobuf.Include}", .. HeedsMarksOfOthers ? MarksOfOthers.Names : []]
        : NumberingMarkOf(level) is { } mark ? NumbersOfOthers.AttributesOf(level, mark) : [];

    /// <summary>The least number that counts: -1, that of a member without one, where numbers are given by name; any where they are places.</summary>
    public int LeastNumberOf(INamedTypeSymbol level) => HeedsMarksOfOthers ? int.MinValue : protobuf is not null ? -1 : NumberingMarkOf(level) is { } mark ? NumbersOfOthers.Least(mark) : 1;

    /// <summary>The members that a class names as not stored, where only <see cref="NumberingOf"/> would store them.</summary>
    public IEnumerable<string> NotNumberedBy(INamedTypeSymbol level) => protobuf?.LeftOutBy(level) ?? [];

    /// <summary>protobuf-net stores the member by an attribute of its own, on a class that has only this mark.</summary>
    private bool IsOfProtobuf(ISymbol member) => protobuf?.StoresByMark(member) == true;

    /// <summary>A serializer that is not in the table stores the member by an attribute of its own. What leaves it out of DataContractSerializer counts on a class of which no serializer is known; where [DataContract] is, what is marked is stored.</summary>
    private bool IsOfOthers(ISymbol member) => _isPlain ? MarksOfOthers.Store(type, member) : HeedsMarksOfOthers && MarksOfOthers.Mark(type, member);

    private AttributeData? NumberingMarkOf(INamedTypeSymbol level) => words.NumbersByOthers ? words.MarkOn(level) : null;
}
