// From a type to its codec. Built-in codecs are named; types that need a generated one join the graph and are visited once each, so the whole
// parse is linear in the number of types and members.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class TypeGraph(Compilation compilation, IReadOnlyList<ISymbol> registering, Derivations derivations, DiagnosticSink diagnostics, CancellationToken cancellation)
{
    private readonly Dictionary<string, ParsedType> _types = [];
    private readonly Dictionary<string, ParsedUnion> _unions = [];
    private readonly Dictionary<string, ParsedFSharpUnion?> _fsharpUnions = [];
    private readonly Dictionary<ITypeSymbol, ResolvedCodec?> _resolved = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<string, ResolvedCodec?> _registeredByName = [];
    private readonly HashSet<ITypeSymbol> _open = new(SymbolEqualityComparer.Default);
    private readonly Queue<ParsedType> _unvisited = new();
    private readonly HashSet<string> _registered = [];
    private readonly SortedDictionary<string, INamedTypeSymbol> _foreignEnums = new(System.StringComparer.Ordinal);
    private readonly List<KeyedCollection> _keyed = [];
    private readonly RefusedTypes _refused = new(derivations);
    private readonly GenericGrowth _growth = new(diagnostics);

    private FurtherTypes? _further;

    public Compilation Compilation { get; } = compilation;

    public Derivations Derivations { get; } = derivations;

    public DiagnosticSink Diagnostics { get; } = diagnostics;

    public References References { get; } = new(registering);

    /// <summary>In a graph in which types without a mark are taken as if they had one (<see cref="AsIfMarked"/>): those, in the order in which they were met. Null in all others.</summary>
    public List<INamedTypeSymbol>? Unmarked { get; private init; }

    /// <summary>Enums of other assemblies, by name, with the number they are: generated code relies on its width.</summary>
    public IEnumerable<KeyValuePair<string, INamedTypeSymbol>> ForeignEnums => _foreignEnums;

    public IEnumerable<ParsedType> Types => _types.Values;

    public IEnumerable<ParsedUnion> Unions => _unions.Values;

    public IEnumerable<ParsedFSharpUnion> FSharpUnions => _fsharpUnions.Values.OfType<ParsedFSharpUnion>();

    /// <summary>A collection or option of F# was met.</summary>
    public bool UsesFSharp { get; set; }

    /// <summary>What may stand where object is declared; null when nothing declares it.</summary>
    public ObjectCases? Objects { get; private set; }

    /// <summary>The collections that were met and that hash or order something.</summary>
    public IReadOnlyList<KeyedCollection> KeyedCollections => _keyed;

    /// <summary>The codecs that were met and that users wrote.</summary>
    public UserCodecs UserCodecs { get; } = new();

    /// <summary>Types with what else is a node of the graph.</summary>
    public IEnumerable<ParsedType> Nodes => Objects is { } objects ? Types.Append(objects.Node) : Types;

    /// <summary>Lets a type without [NinoType] into the graph.</summary>
    public void Allow(ITypeSymbol type) => _registered.Add(TypeNames.Source(type));

    /// <summary>Makes a codec that the user wrote that of a type, wherever it is reached.</summary>
    public void UseCodec(ITypeSymbol type, ITypeSymbol codec, Origin origin)
    {
        _resolved[type] = _registeredByName[TypeNames.Source(type)] = CustomCodecs.ResolveRegistered(type, codec, origin, this);
    }

    /// <summary>The members of a type that gets a codec here, of a union of F# those of its cases; null for any other type.</summary>
    public IEnumerable<ParsedMember>? MembersOf(INamedTypeSymbol type)
    {
        string name = TypeNames.Source(type);
        if (_fsharpUnions.TryGetValue(name, out ParsedFSharpUnion? union)) return union?.Cases.SelectMany(static one => one.Type.Members) ?? [];
        return _types.TryGetValue(name, out ParsedType known) ? known.Members : null;
    }

    /// <summary>The cases of a base that gets a codec here; null for any other type.</summary>
    public IEnumerable<INamedTypeSymbol>? CasesOf(INamedTypeSymbol type) => _unions.TryGetValue(TypeNames.Source(type), out ParsedUnion? union) ? union.Cases.Select(static one => one.Symbol) : null;

    /// <summary>Visits the members of every type in the graph, and of those they reach.</summary>
    public void Visit()
    {
        while (_unvisited.Count > 0)
        {
            cancellation.ThrowIfCancellationRequested();
            MemberParser.Parse(_unvisited.Dequeue(), this);
        }
    }

    /// <summary>Finds the codec of a type. Returns null after reporting why there is none (or in silence, where somebody is still typing the type).</summary>
    public ResolvedCodec? Resolve(ITypeSymbol type, Origin origin)
    {
        // A null is a codec of the user's that cannot be used, which was reported.
        if (_resolved.TryGetValue(type, out ResolvedCodec? known)) return known;
        SourceReading.Touch(type);
        ResolvedCodec? codec = ResolveNew(type, origin);
        if (codec is not null) _resolved[type] = codec;
        return codec;
    }

    /// <summary>Finds the codec of objects of exactly a type, whether others derive from it or not.</summary>
    public ResolvedCodec? ResolveExactly(ITypeSymbol type, Origin origin)
    {
        if (Resolve(type, origin) is not { } codec) return null;
        bool isOther = _unions.ContainsKey(codec.TypeName) || codec.Expression == BuiltInCodecs.Registered(codec.TypeName);
        return isOther && type is INamedTypeSymbol named ? ResolveCase(named, origin) : codec;
    }

    /// <summary>Declared in this compilation, by whoever is told what is wrong.</summary>
    public bool IsLocal(ISymbol symbol) => SymbolEqualityComparer.Default.Equals(symbol.ContainingAssembly, Compilation.Assembly);

    public bool IsAccessible(ISymbol symbol) => Compilation.IsSymbolAccessibleWithin(symbol, Compilation.Assembly);

    private ResolvedCodec? ResolveNew(ITypeSymbol type, Origin origin)
    {
        if (IsRefused(type, origin)) return null;
        string name = TypeNames.Source(type);
        // Tuples with other names of their elements are one type.
        if (_registeredByName.TryGetValue(name, out ResolvedCodec? registered)) return registered;
        if (CustomCodecs.Of(type) is { } custom) return CustomCodecs.Resolve(type, custom, origin, this);
        if (BuiltInCodecs.TryGetSimple(type, out string codec, out int fixedSize)) return new ResolvedCodec(name, codec, fixedSize, null, false, false, []);
        if (BuiltInCodecs.IsType(type)) return ObjectsFor(origin).NamedType(name);
        switch (type)
        {
            case IArrayTypeSymbol { Rank: 1, IsSZArray: true } array:
                return Resolve(array.ElementType, origin) is { } element
                    ? new ResolvedCodec(name, BuiltInCodecs.Array(element.TypeName, element.Expression), 0, null, false, false, element.Reaches)
                    : null;
            case IArrayTypeSymbol grid:
                return Resolve(grid.ElementType, origin) is { } cell
                    ? new ResolvedCodec(name, BuiltInCodecs.Grid(name, cell.TypeName, cell.Expression), 0, null, false, false, cell.Reaches)
                    : null;
            case INamedTypeSymbol { SpecialType: SpecialType.System_Object }:
            case IDynamicTypeSymbol:
                return ObjectsFor(origin).Codec;
            case INamedTypeSymbol named:
                return NoEncodingReasons.Of(named) is { } reason ? NoEncoding(named, origin, reason) : ResolveNamed(named, name, origin);
            default:
                return NoEncoding(type, origin, "pointers have no meaning outside the process");
        }
    }

    private ObjectCases ObjectsFor(Origin origin) => Objects ??= new ObjectCases(Compilation.GetSpecialType(SpecialType.System_Object), origin, NinoAttributes.SkipsUnknownObjects(registering));

    private bool IsRefused(ITypeSymbol type, Origin origin)
    {
        if (_refused.Of(type) is not { } refusal) return false;
        RefusedTypes.Report(type, refusal, origin, Diagnostics);
        return true;
    }

    private ResolvedCodec? ResolveNamed(INamedTypeSymbol type, string name, Origin origin)
    {
        if (type.TypeKind == TypeKind.Enum)
        {
            if (!CheckAccessible(type, origin)) return null;
            if (!Framework.Has(type) && !IsLocal(type)) _foreignEnums[name] = type.EnumUnderlyingType!;
            return new ResolvedCodec(name, BuiltInCodecs.Enum(name), BuiltInCodecs.EnumSize(type), null, false, false, []);
        }

        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            if (Resolve(type.TypeArguments[0], origin) is not { } inner) return null;
            if (FSharpTypes.IsUnion(type.TypeArguments[0])) return NoEncoding(type, origin, "a struct of F# that is a union, or a ValueOption, has no nullable form; use an option of it");
            int size = inner.FixedSize == 0 ? 0 : 1 + inner.FixedSize;
            return new ResolvedCodec(name, BuiltInCodecs.Nullable(inner.TypeName, inner.Expression), size, inner.Struct, true, inner.IsOpen, inner.Reaches);
        }

        if (FSharpTypes.IsUnit(type)) return FSharpCodecs.Unit(name);
        if (FSharpTypes.IsOption(type)) return FSharpCodecs.Option(type, name, origin, this);
        if (BuiltInCodecs.IsGeneric(type))
        {
            UsesFSharp |= FSharpTypes.IsCore(type);
            if (ResolveAll(type.TypeArguments, origin) is not { } arguments) return null;
            if (BuiltInCodecs.KeyOf(type) is >= 0 and int key) arguments[key] = AsKey(arguments[key], type.TypeArguments[key], type, origin);
            return new ResolvedCodec(name, BuiltInCodecs.OfGeneric(type, arguments), 0, null, false, false, Reached(arguments));
        }

        if (FSharpTypes.IsUnion(type)) return ResolveFSharpUnion(type, name, origin);
        if (BuiltInCodecs.IsOfObjects(type))
        {
            return Resolve(Compilation.GetSpecialType(SpecialType.System_Object), origin) is { } any
                ? new ResolvedCodec(name, BuiltInCodecs.OfObjects(type, any, Objects!.KeyCodec), 0, null, false, false, any.Reaches)
                : null;
        }

        if (InlineArrays.ElementOf(type) is { } repeated)
        {
            return CheckAccessible(type, origin) && ResolveParts(type, [repeated], origin) is { } elements
                ? new ResolvedCodec(name, BuiltInCodecs.InlineArray(name, elements[0].TypeName, elements[0].Expression), 0, null, false, false, elements[0].Reaches) { Repeated = (elements[0], InlineArrays.LengthOf(type)) }
                : null;
        }

        if (!Framework.Has(type) && OwnCollections.Of(type) is { } own)
        {
            if (own.Problem is { } problem) return NoEncoding(type, origin, problem);
            if (!CheckAccessible(type, origin) || ResolveParts(type, own.Arguments, origin) is not { } parts) return null;
            if (UnseenMembers.ReportBeside(type, origin, this) | CallbackParser.ReportBeside(type, origin, this)) return null;
            CollectionState.ReportBeside(type, origin, this);
            UnaskedCode.ReportBeside(type, origin, this);
            if (OwnCollections.KeyOf(type, own) is var (key, argument))
            {
                // A key that is found in an element is read with it.
                int keyed = Math.Max(argument, 0);
                parts[keyed] = AsKey(parts[keyed], key, type, origin, isWhole: argument >= 0);
            }

            return new ResolvedCodec(name, BuiltInCodecs.Own(type, own, parts), 0, null, false, false, Reached(parts));
        }

        return ResolveObject(type, name, origin);
    }

    /// <summary>Notes that a collection hashes or orders something, and gives the codec for that.</summary>
    private ResolvedCodec AsKey(ResolvedCodec codec, ITypeSymbol key, INamedTypeSymbol collection, Origin origin, bool isWhole = true)
    {
        _keyed.Add(new KeyedCollection(collection, key, origin));
        return isWhole && LoopingKeys.IsObject(key) ? Objects!.KeyCodec
            : OpenKeys.MayHoldObjects(key, this) ? codec with { Expression = BuiltInCodecs.OpenKey(codec.TypeName, codec.Expression) }
            : codec;
    }

    private List<ResolvedCodec>? ResolveAll(IEnumerable<ITypeSymbol> types, Origin origin)
    {
        List<ResolvedCodec> codecs = [];
        foreach (ITypeSymbol type in types)
        {
            if (Resolve(type, origin) is not { } codec) return null;
            codecs.Add(codec);
        }

        return codecs;
    }

    /// <summary>The codecs of what a collection of the user's holds. It has no name in a schema, so it cannot be met inside of itself.</summary>
    private List<ResolvedCodec>? ResolveParts(INamedTypeSymbol type, IEnumerable<ITypeSymbol> parts, Origin origin)
    {
        if (!_growth.IsFinite(type, origin)) return null;
        if (!_open.Add(type))
        {
            NoEncoding(type, origin, "it is a collection that holds itself, and a list in a record has no name by which it could; put [NinoType] on a class that has the collection as a member, or give it a codec with [NinoCodec]");
            return null;
        }

        List<ResolvedCodec>? codecs = ResolveAll(parts, origin);
        _open.Remove(type);
        return codecs;
    }

    private static IReadOnlyList<ParsedType> Reached(List<ResolvedCodec> parts) => [.. parts.SelectMany(static part => part.Reaches).Distinct()];

    /// <summary>Finds the codec of objects of exactly a type, as a case of a base.</summary>
    public ResolvedCodec? ResolveCase(INamedTypeSymbol type, Origin origin) => ResolveExact(type, TypeNames.Source(type), origin, isCase: true);

    private ResolvedCodec? ResolveObject(INamedTypeSymbol type, string name, Origin origin)
    {
        if (type.IsValueType || type.IsSealed) return ResolveExact(type, name, origin, isCase: false);
        if (_unions.TryGetValue(name, out ParsedUnion? known)) return CheckAccessible(type, origin) ? Generated(known) : null;
        bool isAbstract = type.IsAbstract || type.TypeKind == TypeKind.Interface;
        bool isMarked = NinoAttributes.IsNinoType(type);
        if (!isMarked && !_registered.Contains(name)) return isAbstract ? NoCases(type, origin, isMarked) : ResolveExact(type, name, origin, isCase: false);

        List<(INamedTypeSymbol Type, int? Tag, LocationModel? Place)>? cases = UnionParser.Explicit(type, origin, this, out bool isInvalid);
        if (isInvalid) return null;
        if (cases is null)
        {
            cases = [.. Derivations.Of(type).Select(static derived => (derived, (int?)null, (LocationModel?)null))];
            if (cases.Count > 0 && !isAbstract) cases.Insert(0, (type, null, null));
        }

        if (cases.Count == 0) return isAbstract ? NoCases(type, origin, isMarked) : ResolveExact(type, name, origin, isCase: false);

        // As for objects: what the assembly of the base knows itself, it wrote a codec for.
        if (IsGeneratedElsewhere(type, isMarked) && cases.TrueForAll(one => SymbolEqualityComparer.Default.Equals(one.Type.ContainingAssembly, type.ContainingAssembly)))
            return CheckAccessible(type, origin) ? new ResolvedCodec(name, BuiltInCodecs.Registered(name), 0, null, false, false, []) : null;
        if (!CheckAccessible(type, origin) || !NameLengths.Check(type, origin, Diagnostics)) return null;

        var union = new ParsedUnion(type, name) { HasExplicitTags = cases[0].Tag is not null, KeepsReferences = References.AreKept(type) };
        _unions.Add(name, union);
        UnionParser.Parse(union, cases, origin, this);
        return Generated(union);
    }

    private bool IsGeneratedElsewhere(INamedTypeSymbol type, bool isMarked) => !IsLocal(type) && HasOneCodec(type, isMarked);

    /// <summary>Its codec is that of its own assembly, everywhere. Those of other types are written wherever one is needed.</summary>
    public static bool HasOneCodec(INamedTypeSymbol type, bool isMarked) =>
        isMarked && !type.IsGenericType && type.ContainingType is not { IsGenericType: true } && !FSharpTypes.IsFSharp(type.ContainingAssembly);

    /// <summary>A construction of a generic type, a tuple, or a type that is registered rather than marked: any number of assemblies write codecs for it.</summary>
    public static bool IsShared(INamedTypeSymbol type) => !HasOneCodec(type, NinoAttributes.IsNinoType(type));

    private ResolvedCodec? ResolveFSharpUnion(INamedTypeSymbol type, string name, Origin origin)
    {
        if (!FSharpTypes.IsCore(type) && !IsAllowed(type, name, origin)) return null;
        if (!_fsharpUnions.TryGetValue(name, out ParsedFSharpUnion? union))
        {
            if (!CheckAccessible(type, origin) || !_growth.IsFinite(type, origin) || !NameLengths.Check(type, origin, Diagnostics)) return null;
            _fsharpUnions.Add(name, union = Parser.FSharpUnions.Parse(type, name, origin, this));
            foreach ((uint _, ParsedType one) in union?.Cases ?? [])
            {
                _types.Add(one.Key, one);
                _unvisited.Enqueue(one);
            }
        }

        return union is null ? null : new ResolvedCodec(name, union.Expression, 0, null, false, false, union.Reaches) { Min = 4 };
    }

    private ResolvedCodec? ResolveExact(INamedTypeSymbol type, string name, Origin origin, bool isCase)
    {
        // It may be another type of that name.
        if (_types.TryGetValue(name, out ParsedType? known)) return CheckAccessible(type, origin) ? Generated(known) : null;
        if (isCase && IsRefused(type, origin)) return null;
        bool isLocal = IsLocal(type);
        bool isMarked = NinoAttributes.IsNinoType(type);
        bool isPlain = BuiltInCodecs.IsPlainData(type);
        if (!isLocal && !isMarked && !isPlain && Framework.Has(type) && (type.TypeKind != TypeKind.Struct || NoEncodingReasons.HasHiddenFields(type)))
            return NoEncoding(type, origin, NoEncodingReasons.IsException(type) ? "an exception is stored by what every one tells; declare it as Exception" : TextTrees.AdviceFor(type) ?? "this type of the framework keeps its state in private members; convert it to a type of your own");
        if (TextTrees.AdviceFor(type) is { } asText) return NoEncoding(type, origin, asText);
        if (NoEncodingReasons.FrameworkBase(type) is { } frameworkBase)
            return NoEncoding(type, origin, $"its base class '{TypeNames.Message(frameworkBase)}' keeps its state in private members, which would be lost; {(NoEncodingReasons.IsException(type) ? "declare a member as Exception to store what every exception tells, and put what else is to be stored beside it" : (isLocal && isMarked && OwnCollections.OfElements(type) is { Problem: null } ? "without [NinoType] it is stored as its elements (as a whole record with [assembly: NinoSerializable(typeof(...))]); or " : "") + "hold it in a member instead of deriving from it")}");
        if (!isPlain && !IsAllowed(type, name, origin)) return null;
        if (!CheckAccessible(type, origin)) return null;

        // A type of another assembly that is marked there has its codec there; only what that assembly could not know, a construction of its generic types, is generated here.
        if (IsGeneratedElsewhere(type, isMarked))
            return new ResolvedCodec(name, isCase ? BuiltInCodecs.Exact(name) : BuiltInCodecs.Registered(name), 0, null, false, type.IsValueType, []);

        if (!_growth.IsFinite(type, origin) || !NameLengths.Check(type, origin, Diagnostics)) return null;
        var parsed = new ParsedType(type, name, origin) { KeepsReferences = References.AreKept(type) };
        _types.Add(name, parsed);
        // What is marked is looked at in the graph itself.
        if (Unmarked is null || Unmarked.Contains(type, SymbolEqualityComparer.Default)) _unvisited.Enqueue(parsed);
        return Generated(parsed);
    }

    /// <summary>Marked or registered.</summary>
    private bool IsAllowed(INamedTypeSymbol type, string name, Origin origin)
    {
        if (NinoAttributes.IsNinoType(type) || _registered.Contains(name)) return true;
        if (Unmarked is not null)
        {
            _registered.Add(name);
            Unmarked.Add(type);
            return true;
        }

        Diagnostics.ReportTelling(NinoDiagnostics.TypeNotMarked, origin.Location, TakesMark(type) ? [] : [TypeNames.Message(type)], origin.Subject, TypeNames.Message(type), MemberAdvice.Mark(type, origin, this) + (_further ??= new FurtherTypes(this)).Of(type, origin));
        return false;
    }

    /// <summary>[NinoType] can be put on the type, and takes nothing from it: with it the attributes of another serializer are not read.</summary>
    public bool TakesMark(INamedTypeSymbol type) => IsLocal(type) && !ForeignContract.IsModel(type);

    /// <summary>A graph like this one in which types without a mark are taken as if they had one, and nothing is reported.</summary>
    public TypeGraph AsIfMarked()
    {
        var graph = new TypeGraph(Compilation, registering, Derivations, new DiagnosticSink(), cancellation) { Unmarked = [] };
        graph._registered.UnionWith(_registered);
        foreach (KeyValuePair<ITypeSymbol, ITypeSymbol> custom in UserCodecs.Registered) graph.UseCodec(custom.Key, custom.Value, new Origin("", null));
        return graph;
    }

    private static ResolvedCodec Generated(ParsedType type) =>
        new(type.Key, type.Expression, 0, type.Symbol.IsValueType ? type : null, false, false, [type]);

    private static ResolvedCodec? Generated(ParsedUnion union) =>
        union.IsInvalid ? null : new ResolvedCodec(union.Key, union.Expression, 0, null, false, false, union.Reaches) { Min = union.MinSize };

    private ResolvedCodec? NoCases(INamedTypeSymbol type, Origin origin, bool isMarked)
    {
        if (!isMarked || !origin.MayHaveNoCases) AbstractTypes.Report(type, origin, isMarked, this);
        return null;
    }

    public bool CheckAccessible(INamedTypeSymbol type, Origin origin)
    {
        if (Aliases.WhyNotNamed(type, Compilation) is { } reason)
        {
            NoEncoding(type, origin, reason);
            return false;
        }

        bool isFileLocal = TypeNames.IsFileLocal(type);
        if (!isFileLocal && IsAccessible(type)) return true;
        Diagnostics.Report(NinoDiagnostics.TypeNotAccessible, DiagnosticSink.Place(type, origin.Location), TypeNames.Message(type), isFileLocal ? ", and not file-local" : "");
        return false;
    }

    public ResolvedCodec? NoEncoding(ITypeSymbol type, Origin origin, string reason)
    {
        Diagnostics.Report(NinoDiagnostics.TypeHasNoEncoding, origin.Location, origin.Subject, TypeNames.Message(type), reason);
        return null;
    }
}
