// Prints what fills members that have no setter: the look at two new objects, the checks in front of writing and reading, and the filling.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class FillEmitter
{
    private const string Fill = Names.Serialization + "NinoFill";
    private const string Beside = Names.Serialization + "NinoBeside";
    private const string Fillable = Names.Serialization + "NinoFillable";

    /// <summary>What is wrong with the members: looked at when it is first asked for.</summary>
    public static void EmitProbe(SourceWriter source, TypeModel type)
    {
        if (!type.CanProbe) return;
        IEnumerable<string> problems = type.Members.Where(static member => member.Fill is not null).Select(member =>
            $"{(member.LooksIn is null ? "" : $"{AccessorEmitter.HasSetter(member.Accessor!)} ? null : ")}{Fillable}.Problem({Get(type, member, "one")}, {Get(type, member, "one")}, {Get(type, member, "other")})");
        source.Line($"private static readonly {Names.Serialization}NinoUnfillable<{type.TypeName}> Unfillable = new(static () => {ReadEmitter.NewObject(type)}, static (one, other) => new string[] {{ {string.Join(", ", problems)} }});");
        source.Line();
    }

    /// <summary>Before a member is written.</summary>
    public static void EmitCheck(SourceWriter source, TypeModel type, MemberModel member)
    {
        if (member.Fill is not { } fill) return;
        if (member.LooksIn is null) EmitCheck(source, type, member, fill);
        else source.Block($"if (!{AccessorEmitter.HasSetter(member.Accessor!)})", () => EmitCheck(source, type, member, fill));
    }

    private static void EmitCheck(SourceWriter source, TypeModel type, MemberModel member, FillModel fill)
    {
        string value = WriteEmitter.Value(type, member);
        // A getter that is not seen is code, too. In front of what the look has shown, since this may look.
        string told = type.AreMadeAlike && !fill.IsUnseen ? "Unfillable" : Fillable;
        if (fill.Kind != FillKind.Other) source.Line($"{told}.CheckChangeable<{Element(fill)}>({value}, {Names.Literal(fill.Member)});");
        Check(source, type, member, value);
        if (fill.IsUnseen) source.Line($"{Fillable}.CheckSame({value}, {value}, {Names.Literal(fill.Member)});");
    }

    /// <summary>Fills a member of an object.</summary>
    /// <param name="source">The file.</param>
    /// <param name="type">The type.</param>
    /// <param name="index">Which member.</param>
    /// <param name="local">The variable that holds the object.</param>
    /// <param name="isRead">The member's value is in a variable; else it is read here.</param>
    /// <param name="isNew">The object was just made.</param>
    public static void EmitFill(SourceWriter source, TypeModel type, int index, string local, bool isRead, bool isNew)
    {
        MemberModel member = type.Members[index];
        if (member.LooksIn is null)
        {
            EmitFilled(source, type, index, local, isRead, isNew);
            return;
        }

        string value = isRead ? "member" + index : $"default({member.Codec.Expression}).Read(ref reader)";
        source.Line($"if ({AccessorEmitter.HasSetter(member.Accessor!)}) {AccessorEmitter.Set(type, member, "ref " + local, local, value)}");
        source.Block("else", () => EmitFilled(source, type, index, local, isRead, isNew));
    }

    private static void EmitFilled(SourceWriter source, TypeModel type, int index, string local, bool isRead, bool isNew)
    {
        MemberModel member = type.Members[index];
        FillModel fill = member.Fill!;
        string into = "into" + index, name = Names.Literal(fill.Member);
        if (member.LooksIn is not null) EmitTarget(source, type, index, local);
        string read = isRead ? "member" + index : $"default({member.Codec.Expression}).Read(ref reader)";
        source.Line(fill.Kind == FillKind.Other ? $"{Fill}Other.Other({into}, {read}, {name});"
            : isRead ? $"{Fill}.{fill.Kind}<{fill.Arguments}>(ref reader, {into}, {read}, {name});"
            : $"{Fill}.Read{fill.Kind}<{member.Codec.TypeName}, {fill.Arguments}, {member.Codec.Expression}>(ref reader, {into}, {Names.Literal(isNew)}, {name});");
        if (fill.IsUnseen) source.Line($"{Fillable}.CheckSame({into}, {Get(type, member, local)}, {name});");
        if (member.LooksIn is null && Others(type).Contains(index)) source.Line($"{Beside}.Content content{index} = beside.Of<{Codec(type, index)}>({into}, {Filled(type).IndexOf(index)});");
    }

    private static void EmitTarget(SourceWriter source, TypeModel type, int index, string local)
    {
        source.Line($"{type.Members[index].Codec.TypeName} into{index} = {Get(type, type.Members[index], local)};");
        Check(source, type, type.Members[index], "into" + index);
    }

    /// <summary>Before the first collection is filled: which they are, and what others hold that may be or show one of them.</summary>
    public static void EmitTargets(SourceWriter source, TypeModel type, string local, bool isNew)
    {
        List<int> filled = Filled(type), others = Others(type);
        foreach (int i in filled) EmitTarget(source, type, i, local);
        EmitBefore(source, type, local);
        if (others.Count == 0) return;
        source.Line($"{Beside} beside = new(in reader, {Names.Literal(isNew)}, [{string.Join(", ", filled.Select(static i => "into" + i))}]);");
        foreach (int i in others.Where(i => type.Members[i].Fill is null)) source.Line($"{Beside}.Content content{i} = beside.Of<{Codec(type, i)}>({Other(type, i, local)}, -1);");
    }

    /// <summary>Behind the last one.</summary>
    public static void EmitBehind(SourceWriter source, TypeModel type, string local)
    {
        EmitSetAgain(source, type, local);
        foreach (int i in Others(type)) source.Line($"beside.Check<{Codec(type, i)}>(content{i}, {Other(type, i, local)}, {Names.Literal(type.SchemaName)}, {Names.Literal(type.Members[i].SchemaName)});");
    }

    // What getters of the user's give whose setters were given a value.
    private static void EmitBefore(SourceWriter source, TypeModel type, string local)
    {
        foreach (int i in type.SetAgainIfChanged) source.Line($"bool had{i} = {Beside}.TryGet<{type.TypeName}, {type.Members[i].Codec.TypeName}>(ref {local}, {Getter(type, i)}, out {type.Members[i].Codec.TypeName} got{i});");
    }

    // An observer may have changed other members.
    private static void EmitSetAgain(SourceWriter source, TypeModel type, string local)
    {
        foreach (int i in type.SetAgain) source.Line(AccessorEmitter.Assign(type, type.Members[i], local, "member" + i));
        foreach (int i in type.SetAgainIfChanged) source.Line($"if ({Beside}.IsChanged<{type.TypeName}, {type.Members[i].Codec.TypeName}>(ref {local}, {Getter(type, i)}, had{i}, got{i})) {AccessorEmitter.Assign(type, type.Members[i], local, "member" + i)}");
    }

    /// <summary>The value of the member is needed when collections are filled, so it is in a variable.</summary>
    public static bool IsKept(TypeModel type, int member) => type.SetAgain.Contains(member) || type.SetAgainIfChanged.Contains(member) || (type.Fills && type.Members[member] is { Content: MemberContent.Collection, IsStored: false });

    private static string Getter(TypeModel type, int member) => $"static (ref {type.TypeName} one) => {Get(type, type.Members[member], "one")}";

    // Where it is known that the collection is filled.
    private static List<int> Filled(TypeModel type) => [.. Enumerable.Range(0, type.Members.Count).Where(i => type.Members[i] is { Fill: not null, LooksIn: null })];

    // Collections beside those, and those themselves where there are several.
    private static List<int> Others(TypeModel type)
    {
        List<int> filled = Filled(type), beside = [.. Enumerable.Range(0, type.Members.Count).Where(i => type.Members[i] is { Fill: null, Content: MemberContent.Collection })];
        return filled.Count == 0 ? [] : filled.Count == 1 ? beside : [.. filled, .. beside];
    }

    // A getter of the user's may throw, or compute what it gives: there it is what the setter was given.
    private static string Other(TypeModel type, int member, string local) =>
        type.Members[member] switch
        {
            { Fill: not null } => "into" + member,
            { IsStored: true } stored => Get(type, stored, local),
            _ => "member" + member,
        };

    private static string Codec(TypeModel type, int member) => $"{type.Members[member].Codec.TypeName}, {type.Members[member].Codec.Expression}";

    private static void Check(SourceWriter source, TypeModel type, MemberModel member, string value)
    {
        if (!type.CanProbe) return;
        int index = type.Members.Where(static one => one.Fill is not null).ToList().IndexOf(member);
        source.Line($"if (Unfillable.Exists) Unfillable.Check({index}, {value}, {Names.Literal(member.Fill!.Member)});");
    }

    private static string Element(FillModel fill) => fill.Kind is FillKind.Pairs or FillKind.Entries ? $"global::System.Collections.Generic.KeyValuePair<{fill.Arguments}>" : fill.Arguments;

    private static string Get(TypeModel type, MemberModel member, string local) =>
        member.Accessor is { Get: true } accessor ? AccessorEmitter.Get(type, accessor, "ref " + local, local) : local + "." + member.Name;
}
