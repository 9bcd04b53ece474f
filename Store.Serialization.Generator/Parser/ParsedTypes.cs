// What the parser knows of types while it visits them; it turns into symbol-free models when the whole graph is known.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

/// <summary>The codec chosen for a type.</summary>
/// <param name="FixedSize">Width in bytes when it is known from the type alone, else 0.</param>
/// <param name="Struct">A generated struct codec: its width is known once its members are. With <paramref name="IsNullable"/> it is the struct inside.</param>
/// <param name="IsOpen">A struct of another assembly, or that one nullable: whether it is fixed-width is known at run time.</param>
/// <param name="Reaches">Generated types inside, at any depth of collections.</param>
internal sealed record ResolvedCodec(string TypeName, string Expression, int FixedSize, ParsedType? Struct, bool IsNullable, bool IsOpen, IReadOnlyList<ParsedType> Reaches)
{
    /// <summary>Least bytes of a value of variable width.</summary>
    public int Min { get; init; } = 1;

    /// <summary>A struct with [InlineArray]: what is repeated, and how often.</summary>
    public (ResolvedCodec Element, int Length)? Repeated { get; init; }

    /// <summary>With <see cref="IsNullable"/>: how many more presence bytes stand in front of the struct inside (an option of an option).</summary>
    public int MorePresenceBytes { get; init; }

    public CodecModel ToModel() => new(TypeName, Expression);
}

/// <summary>A type that gets a generated codec.</summary>
internal sealed class ParsedType(INamedTypeSymbol symbol, string key, Origin origin)
{
    public INamedTypeSymbol Symbol { get; } = symbol;

    /// <summary>The C# name; equal for equal types.</summary>
    public string Key { get; } = key;

    /// <summary>Who reached it first.</summary>
    public Origin Origin { get; } = origin;

    public string CodecName { get; init; } = TypeNames.Identifier(symbol) + "Codec";

    public string SchemaName { get; init; } = TypeNames.Schema(symbol);

    /// <summary>The case that it is of the union of F# that <see cref="Symbol"/> is; null for a type of its own.</summary>
    public FSharpCase? Case { get; init; }

    public List<ParsedMember> Members { get; } = [];

    public ConstructionModel? Construction { get; set; }

    /// <summary>What <see cref="Construction"/> calls; null where no member was parsed, and where no compiler shows it.</summary>
    public IMethodSymbol? Constructor { get; set; }

    /// <summary>Objects are made without running a constructor, as the serializer makes them whose model it is, because none can be called.</summary>
    public BareModel Bare { get; set; }

    /// <summary>Reading and writing a member is loading and storing a field, and there are no other fields.</summary>
    public bool HasPlainFields { get; set; }

    /// <summary>Is, has or is made by something that only what is obsolete may name.</summary>
    public bool UsesObsolete { get; set; }

    /// <summary>Nothing of it is stored because nothing is seen: that it has no state is looked at when the program runs.</summary>
    public bool IsTakenAsEmpty { get; set; }

    public bool KeepsReferences { get; init; }

    /// <summary>That the model of another serializer that holds the struct stores all of its memory, for the middle of a sentence; null where none does.</summary>
    public string? CopiedBy { get; set; }

    /// <summary>Tells what of it is lost, once <see cref="CopiedBy"/> is known.</summary>
    public Action? TellLost { get; set; }

    public List<CallbackModel> Callbacks { get; set; } = [];

    /// <summary>Members that the constructor does not take are set after construction, one by one: so that references to the object, or a callback, come before them.</summary>
    public bool IsMadeFirst => KeepsReferences || Callbacks.Exists(static callback => callback.Time == CallbackTime.Deserializing);

    /// <summary>Has an error, or reaches a type that has one: no code is generated, the diagnostic is enough.</summary>
    public bool IsInvalid { get; set; }

    /// <summary>The generated types among its members, at any depth of collections.</summary>
    public IEnumerable<ParsedType> Reaches() => Members.Where(static member => member.Codec is not null).SelectMany(static member => member.Codec!.Reaches);

    public string Expression => "global::" + GenerationParser.GeneratedNamespace + "." + CodecName;
}

/// <summary>A field or property under consideration. It is stored when a way to set it is found.</summary>
internal sealed class ParsedMember(ISymbol symbol, ITypeSymbol type, bool isMarked)
{
    public ISymbol Symbol { get; } = symbol;

    public ITypeSymbol Type { get; } = type;

    /// <summary>Carries [NinoInclude] or [NinoMember], or is stored as though it did.</summary>
    public bool IsMarked { get; } = isMarked;

    public string Name => Symbol.Name;

    /// <summary>The name in schemas.</summary>
    public string SchemaName { get; set; } = symbol.Name;

    public int Id { get; set; }

    /// <summary>Where another serializer's attribute puts it, or null.</summary>
    public int? Order { get; set; }

    /// <summary>Generated code can set it in an object initializer.</summary>
    public bool IsSettable { get; set; }

    /// <summary>It is marked, or its serializer sets it though it is readonly, and can be set through an accessor.</summary>
    public bool IsSettableByAccessor { get; set; }

    /// <summary>It is marked for another serializer and may have a setter that no compiler shows.</summary>
    public bool MayHaveSetter { get; set; }

    /// <summary>It is set by that setter: whether there is one is seen when the program runs.</summary>
    public bool IsSetUnseen => MayHaveSetter && Set == MemberSet.Accessor && !IsBacked;

    /// <summary>An auto-property without a setter that is seen, of a model whose own serializer puts the value into the field that the compiler gave it.</summary>
    public bool IsBacked { get; set; }

    /// <summary>It can be set when there is an object, by whatever way.</summary>
    public bool CanBeSet => IsSettable || IsSettableByAccessor || MayHaveSetter || IsBacked;

    /// <summary>Generated code looks for a setter when the program runs, and does without it where there is none: the collection is filled, or the value put into the field of the property, or left as the constructor made it.</summary>
    public bool LooksForSetter { get; set; }

    /// <summary>As <see cref="LooksForSetter"/>, the field of a property that a constructor takes: other compilers than that of C# give it another name.</summary>
    public bool LooksForField { get; set; }

    /// <summary>Generated code can read it by name.</summary>
    public bool IsReadable { get; set; }

    public bool IsRequired { get; set; }

    public bool IsInitOnly { get; set; }

    /// <summary>What the member was called in older records.</summary>
    public List<string> FormerNames { get; } = [.. NinoAttributes.FormerMemberNames(symbol)];

    public MemberSet Set { get; set; }

    /// <summary>How its collection is filled where nothing sets it.</summary>
    public FillModel? Fill { get; set; }

    public ResolvedCodec? Codec { get; set; }
}

/// <summary>Where a type was reached: for the message and for the place of a diagnostic.</summary>
/// <param name="Subject">Start of a message: <c>The member 'Shop.Order.Lines'</c>.</param>
internal sealed record Origin(string Subject, LocationModel? Location)
{
    /// <summary>The member whose type it is, and the stored type that has it.</summary>
    public (INamedTypeSymbol Type, ISymbol Symbol)? Member { get; init; }

    /// <summary>The type that has the member was registered: whoever does so may not want to touch what it leads to either.</summary>
    public bool IsOfRegistered => Member is { } member && !NinoAttributes.IsNinoType(member.Type);

    /// <summary>A base that is only declared here: other assemblies may derive from it, so that it has no cases is no error.</summary>
    public bool MayHaveNoCases { get; init; }

    /// <summary>The type is asked for by itself, by an attribute on it or one that names it.</summary>
    public bool IsRoot { get; init; }

    /// <summary>A base that no member declares: that none can be written for it is no error until one does.</summary>
    public bool IsOnlyBase { get; init; }
}
