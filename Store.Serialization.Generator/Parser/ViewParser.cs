// Which types get a view over their bytes, how it is called, and through what each member is seen. Runs when the whole graph is known: whether a member can be
// seen depends on whether its type has a view.

using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class ViewParser
{
    // Views are ref structs that implement interfaces.
    private const int CSharp13 = 1300;

    // Of a base that is a class of its own, the view of objects of exactly that class.
    private const string Exact = "ExactView";

    // What a view has itself; a member of that name gets another.
    private static readonly HashSet<string> Taken = ["IsNull", "Read", "Equals", "GetHashCode", "GetType", "ToString", "MemberwiseClone", "Finalize", "ReferenceEquals", "Find", "SkipMembers", "_body", "_member", "_offset"];

    private readonly TypeGraph _graph;
    private readonly Dictionary<string, ViewName> _names = [];
    private readonly HashSet<ParsedType> _withReferences;
    private readonly bool _isDefault;

    public ViewParser(TypeGraph graph, List<ParsedType> types, List<ParsedUnion> unions)
    {
        _graph = graph;
        _isDefault = NinoAttributes.ViewsByDefault(graph.Compilation.Assembly);
        var references = new ReferenceHolders(graph, unions);
        _withReferences = references.Find(types);
        if (graph.Compilation is CSharpCompilation { LanguageVersion: < (LanguageVersion)CSharp13 }) return;
        HashSet<string> unionKeys = [.. unions.Select(static union => union.Key)];
        List<(string Key, INamedTypeSymbol Symbol, string Suffix)> wanted = [];
        foreach (ParsedType type in types)
        {
            if (type.Case is null && IsWanted(type.Symbol, _withReferences.Contains(type))) wanted.Add((type.Key, type.Symbol, unionKeys.Contains(type.Key) ? Exact : "View"));
        }

        foreach (ParsedUnion union in unions)
        {
            bool keeps = references.IsHeld(union.Symbol) || union.Reaches.Any(_withReferences.Contains);
            if (IsWanted(union.Symbol, keeps)) wanted.Add(("union " + union.Key, union.Symbol, "View"));
        }

        Dictionary<string, int> taken = wanted.Select(one => Place(one.Symbol).Space + "." + ShortName(one.Symbol) + one.Suffix).GroupBy(static name => name).ToDictionary(static group => group.Key, static group => group.Count());
        foreach ((string key, INamedTypeSymbol symbol, string suffix) in wanted)
        {
            (string space, bool isPublic) = Place(symbol);
            string name = ShortName(symbol) + suffix;
            // Names that are short for more than one type are told apart by the whole name, which is cut: that of Part, exactly, and that of a PartExact by what no name of a type has.
            if (taken[space + "." + name] > 1 || Encoding.UTF8.GetByteCount(FullName(space, name)) > NameLengths.ViewBytesMax) name = TypeNames.Identifier(symbol) + (suffix == Exact ? "_7" : "") + suffix;
            if (SameName(space, name) is { } other)
            {
                graph.Diagnostics.Report(NinoDiagnostics.NoView, DiagnosticSink.Place(symbol, null), TypeNames.Message(symbol), $"there is a {other} already; rename that one, or write [NinoType(View = false)]");
                continue;
            }

            _names.Add(key, new ViewName(name, space, isPublic));
        }
    }

    public ViewModel? ToModel(ParsedType type, TypeModel model)
    {
        if (!_names.TryGetValue(type.Key, out ViewName name)) return null;
        Dictionary<string, ParsedMember> parsed = type.Members.ToDictionary(static member => member.SchemaName);
        List<ViewMemberModel> members = [];
        HashSet<string> used = [name.Name, .. Taken];
        foreach (MemberModel member in model.Members)
        {
            ParsedMember source = parsed[member.SchemaName];
            View? view = member.IsFixed ? new View("", IsPublic(source.Type)) : ViewOf(source);
            string text = member.IsFixed || view is not null ? source.Name : "Read" + source.Name;
            while (!used.Add(text)) text += "_";
            bool isPublic = source.Symbol.DeclaredAccessibility == Accessibility.Public && view?.IsPublic != false;
            members.Add(new ViewMemberModel(Accessors.Escape(text), isPublic, member.Codec.TypeName, member.Codec.Expression, member.Offset, member.IsFixed ? null : view?.Name, NinoAttributes.NamesObsolete(source.Type)));
        }

        return new ViewModel(Head(name, model.TypeName, type.Expression, model.HintName, model.SchemaName) with { IsObsolete = NinoAttributes.NamesObsolete(type.Symbol) }, model.Shape, model.IsRecursive, model.FixedBytes, model.MinBytes, new EquatableArray<ViewMemberModel>(members));
    }

    public UnionViewModel? ToModel(ParsedUnion union, UnionModel model)
    {
        if (!_names.TryGetValue("union " + union.Key, out ViewName name)) return null;
        Dictionary<string, ParsedCase> parsed = union.Cases.ToDictionary(static one => one.Codec.TypeName);
        IEnumerable<ViewCaseModel> cases = model.Cases.Select(one =>
        {
            View? view = Named(one.Codec.TypeName) ?? ForeignCase(parsed[one.Codec.TypeName].Symbol);
            return new ViewCaseModel(model.HasExplicitTags ? one.Tag + 1 : one.Tag, one.Codec.TypeName, one.Shape == CaseShape.Struct, view?.IsPublic == true, view?.Name, NinoAttributes.NamesObsolete(parsed[one.Codec.TypeName].Symbol));
        });
        return new UnionViewModel(Head(name, model.TypeName, union.Expression, model.HintName, model.SchemaName) with { IsObsolete = NinoAttributes.NamesObsolete(union.Symbol) }, model.HasExplicitTags, model.SkipsUnknown, new EquatableArray<ViewCaseModel>(cases));
    }

    private bool IsWanted(INamedTypeSymbol symbol, bool keepsReferences)
    {
        bool? asked = NinoAttributes.View(symbol);
        if (!(asked ?? _isDefault)) return false;
        if (!keepsReferences) return true;
        if (asked == true)
            _graph.Diagnostics.Report(NinoDiagnostics.NoView, DiagnosticSink.Place(symbol, null), TypeNames.Message(symbol), "it keeps references or holds objects that do, and those can only be read with the whole record; remove View = true");
        return false;
    }

    private View? ViewOf(ParsedMember member)
    {
        bool isUtf8 = NinoAttributes.IsUtf8(member.Symbol);
        return NinoAttributes.Codec(member.Symbol) is not null ? null : ViewOf(member.Type, isUtf8);
    }

    private View? ViewOf(ITypeSymbol type, bool isUtf8)
    {
        if (_graph.Resolve(type, new Origin("", null)) is not { } codec || codec.Expression.Contains("Codecs.CustomCodec<")) return null;
        if (BuiltInCodecs.TryGetSimple(type, out _, out int size))
        {
            if (codec.TypeName == "string") return new View(Engine(isUtf8 ? "NinoUtf8View" : "NinoStringView"), true);
            return size > 0 ? Scalar(codec, true) : null;
        }

        if (type is IArrayTypeSymbol { Rank: 1, IsSZArray: true } array) return Elements(array.ElementType, isUtf8);
        if (type is not INamedTypeSymbol named) return null;
        if (named.TypeKind == TypeKind.Enum) return Scalar(codec, IsPublic(named));
        if (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T) return Optional(named.TypeArguments[0], codec, isUtf8);
        if (FSharpTypes.IsOption(named)) return FSharpCodecs.FormOf(codec) switch { OptionForm.Nullable => Optional(named.TypeArguments[0], codec, isUtf8), OptionForm.Value when named.IsReferenceType => ViewOf(named.TypeArguments[0], isUtf8), _ => null };
        if (BuiltInCodecs.IsGeneric(named))
        {
            return BuiltInCodecs.FormOf(named) switch
            {
                CollectionForm.Elements => Elements(named.TypeArguments[0], isUtf8),
                CollectionForm.Pairs => Pairs(named.TypeArguments[0], named.TypeArguments[1], isUtf8),
                _ => null,
            };
        }

        if (InlineArrays.ElementOf(named) is { } repeated) return Elements(repeated, isUtf8);
        if (codec.Expression.Contains("Codecs.Own") && OwnCollections.Of(named) is { } own)
        {
            return own.Form switch
            {
                CollectionForm.Elements => Elements(own.Arguments[0], isUtf8),
                CollectionForm.Pairs => Pairs(own.Arguments[0], own.Arguments[1], isUtf8),
                _ => null,
            };
        }

        if (codec.Expression == BuiltInCodecs.Registered(codec.TypeName)) return Foreign(named, "View");
        return codec.Expression.EndsWith("Union", System.StringComparison.Ordinal) ? Named("union " + codec.TypeName) : Named(codec.TypeName);
    }

    private View? Elements(ITypeSymbol element, bool isUtf8)
    {
        if (ViewOf(element, isUtf8) is not { } view) return null;
        const string Value = "NinoValueView<";
        // Numbers are seen themselves, and indexed.
        string scalar = Engine(Value);
        return view.Name.StartsWith(scalar, System.StringComparison.Ordinal) ? view with { Name = Engine("NinoArrayView<") + view.Name.Substring(scalar.Length) } : view with { Name = $"{Engine("NinoListView")}<{view.Name}>" };
    }

    private View? Pairs(ITypeSymbol key, ITypeSymbol value, bool isUtf8) =>
        ViewOf(key, isUtf8) is { } keyView && ViewOf(value, isUtf8) is { } valueView
            ? new View($"{Engine("NinoMapView")}<{keyView.Name}, {valueView.Name}>", keyView.IsPublic && valueView.IsPublic)
            : null;

    private View? Optional(ITypeSymbol inner, ResolvedCodec codec, bool isUtf8)
    {
        if (ViewOf(inner, isUtf8) is not { } view) return null;
        return view.Name.StartsWith(Engine("NinoValueView<"), System.StringComparison.Ordinal) ? Scalar(codec, view.IsPublic) : view with { Name = $"{Engine("NinoOptionalView")}<{view.Name}>" };
    }

    // What is generated beside the views is internal: the forms of F# are.
    private static View Scalar(ResolvedCodec codec, bool isPublic) => new($"{Engine("NinoValueView")}<{codec.TypeName}, {codec.Expression}>", isPublic && !codec.Expression.Contains(GenerationParser.GeneratedNamespace));

    private View? Named(string key) => _names.TryGetValue(key, out ViewName name) ? new View("global::" + FullName(Spelled(name.Space), name.Name), name.IsPublic) : null;

    /// <summary>The view of objects of exactly a type of another assembly: of a base that is a class of its own, "View" is that of whichever case.</summary>
    private View? ForeignCase(INamedTypeSymbol type)
    {
        if (Foreign(type, Exact) is { } exact) return exact;
        bool isUnion = !type.IsGenericType && type.ContainingAssembly.GetTypeByMetadataName(FullName(Space(type), ShortName(type) + "View")) is { } view && !view.GetMembers("CaseBytes").IsEmpty;
        return isUnion ? null : Foreign(type, "View");
    }

    /// <summary>The view that the assembly of a marked type has for it, where it can be seen from here.</summary>
    private View? Foreign(INamedTypeSymbol type, string suffix)
    {
        if (type.IsGenericType || _graph.IsLocal(type)) return null;
        return type.ContainingAssembly.GetTypeByMetadataName(FullName(Space(type), ShortName(type) + suffix)) is { IsRefLikeType: true } view && _graph.IsAccessible(view)
            && view.AllInterfaces.Any(static one => one.Name == "INinoRecordView")
            && view.GetMembers("Read").Any(member => member is IMethodSymbol { Parameters.IsEmpty: true } read && SymbolEqualityComparer.Default.Equals(read.ReturnType, type)) && Aliases.WhyNotNamed(view, _graph.Compilation) is null
            ? new View(TypeNames.Source(view), IsPublic(view))
            : null;
    }

    /// <summary>The type or namespace that has the name of a view.</summary>
    private string? SameName(string space, string name)
    {
        string full = FullName(space, name);
        if (_graph.Compilation.Assembly.GetTypeByMetadataName(full) is { } type) return $"type '{TypeNames.Message(type)}'";
        INamespaceSymbol? level = _graph.Compilation.GlobalNamespace;
        foreach (string part in full.Split('.')) level = level?.GetNamespaceMembers().FirstOrDefault(one => one.Name == part);
        return level is null ? null : $"namespace '{full}'";
    }

    private static string FullName(string space, string name) => space.Length > 0 ? space + "." + name : name;

    private static ViewHead Head(ViewName name, string typeName, string codec, string hintName, string schemaName) =>
        new(typeName, codec, name.Name, Spelled(name.Space), name.IsPublic, hintName.Substring(0, hintName.Length - ".g.cs".Length) + ".View.g.cs", schemaName);

    /// <summary>Beside the type, as accessible as it; the views of other assemblies' types are this one's own.</summary>
    private (string Space, bool IsPublic) Place(INamedTypeSymbol type) =>
        _graph.IsLocal(type) ? (Space(type), IsPublic(type)) : (GenerationParser.GeneratedNamespace, false);

    /// <summary>The name itself, as metadata has it.</summary>
    private static string Space(INamedTypeSymbol type) => type.ContainingNamespace is { IsGlobalNamespace: false } space ? TypeNames.Space(space) : "";

    /// <summary>A namespace as source spells it.</summary>
    private static string Spelled(string space) => space.Length == 0 ? "" : string.Join(".", space.Split('.').Select(Accessors.Escape));

    /// <summary><c>OuterInner</c>, <c>PairOfInt32AndItem</c>.</summary>
    private static string ShortName(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return ShortName(array.ElementType) + "Array";
        if (type is IDynamicTypeSymbol) return "Object";
        if (type is not INamedTypeSymbol named) return type.Name;
        string outer = named.ContainingType is { } containing ? ShortName(containing) : "";
        string arguments = string.Join("And", named.TypeArguments.Select(ShortName));
        return outer + named.Name + (arguments.Length > 0 ? "Of" + arguments : "");
    }

    /// <summary>Seen by everybody, with all types it is nested in and closed over.</summary>
    private static bool IsPublic(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return IsPublic(array.ElementType);
        if (type is not INamedTypeSymbol named) return true;
        return named.DeclaredAccessibility == Accessibility.Public && named.TypeArguments.All(IsPublic) && (named.ContainingType is null || IsPublic(named.ContainingType));
    }

    private static string Engine(string name) => "global::Store.Serialization." + name;

    private sealed record ViewName(string Name, string Space, bool IsPublic);

    private sealed record View(string Name, bool IsPublic);
}
