// Prints what fills members that have no setter: the look at two new objects, the checks in front of writing and reading, and the filling.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class FillEmitter
{
    private const string Fill = Names.Serialization + "NinoFill";
    private const string Given = Names.Serialization + "NinoGiven";
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
        source.Line($"{member.Codec.TypeName} {into} = {Get(type, member, local)};");
        Check(source, type, member, into);
        List<int> filled = isNew ? FilledBefore(type, index) : [];
        foreach (int one in filled) source.Line($"byte[] {Before(index, one)} = {Given}.Filled<{Codec(type, one)}>(in reader, {into}, {Get(type, type.Members[one], local)});");
        string read = isRead ? "member" + index : $"default({member.Codec.Expression}).Read(ref reader)";
        source.Line(fill.Kind == FillKind.Other ? $"{Fill}Other.Other({into}, {read}, {name});"
            : isRead ? $"{Fill}.{fill.Kind}<{fill.Arguments}>(ref reader, {into}, {read}, {name});"
            : $"{Fill}.Read{fill.Kind}<{member.Codec.TypeName}, {fill.Arguments}, {member.Codec.Expression}>(ref reader, {into}, {Names.Literal(isNew)}, {name});");
        if (fill.IsUnseen) source.Line($"{Fillable}.CheckSame({into}, {Get(type, member, local)}, {name});");
        foreach (int one in filled) source.Line($"{Given}.CheckFilled<{Codec(type, one)}>(in reader, {Before(index, one)}, {Get(type, type.Members[one], local)}, {name}, {Names.Literal(type.Members[one].SchemaName)});");
    }

    /// <summary>The members that filling may change, and those that are filled.</summary>
    public static void EmitGiven(SourceWriter source, TypeModel type)
    {
        if (!type.HasGiven) return;
        IEnumerable<string> given = GivenMembers(type).Select(i => $"new {Given}Member<{type.TypeName}, {Codec(type, i)}>({Names.Literal(type.Members[i].SchemaName)}, static (ref {type.TypeName} one) => {Value(type, type.Members[i])})");
        IEnumerable<string> filled = type.Members.Where(static member => member.Fill is { IsMadeApart: false }).Select(member => $"new {Names.Serialization}NinoFilledMember<{type.TypeName}>({Names.Literal(member.Fill!.Member)}, static (ref {type.TypeName} one) => {Get(type, member, "one")})");
        source.Line($"private static readonly {Given}<{type.TypeName}> Given = new(new {Given}Member<{type.TypeName}>[] {{ {string.Join(", ", given)} }}, new {Names.Serialization}NinoFilledMember<{type.TypeName}>[] {{ {string.Join(", ", filled)} }});");
        source.Line();
    }

    /// <summary>In front of making the object: what is stored of members whose values code makes of what was read.</summary>
    public static void EmitGivenRead(SourceWriter source, TypeModel type)
    {
        if (!type.HasGiven) return;
        source.Line("byte[][] givenRead = Given.Read();");
        List<int> given = GivenMembers(type);
        for (int i = 0; i < given.Count; i++)
        {
            // Where references are kept nothing is compared with it. Of any other member the value that was read is what the object has.
            if (!type.KeepsReferences && IsMadeByCode(type.Members[given[i]])) source.Line($"givenRead[{i}] = {Given}.Read<{Codec(type, given[i])}>(in reader, member{given[i]});");
        }
    }

    public static void EmitGivenBefore(SourceWriter source, TypeModel type)
    {
        if (type.HasGiven) source.Line("byte[][] givenBefore = Given.Before(in reader, ref result);");
    }

    public static void EmitGivenCheck(SourceWriter source, TypeModel type)
    {
        if (type.HasGiven) source.Line("Given.Check(in reader, ref result, givenBefore, givenRead);");
    }

    private static List<int> GivenMembers(TypeModel type) => [.. Enumerable.Range(0, type.Members.Count).Where(i => type.Members[i].IsGiven)];

    // In the order in which they are filled: those that some other member may empty come last.
    private static List<int> FilledBefore(TypeModel type, int index) => type.Members[index].Fill!.IsMadeApart ? [] : [.. Enumerable.Range(0, type.Members.Count).Where(one =>
        type.Members[one] is { Fill.IsMadeApart: false, LooksIn: null } && (type.MayBeEmptied(one) == type.MayBeEmptied(index) ? one < index : type.MayBeEmptied(index)))];

    private static string Before(int index, int filled) => $"filled{filled}Before{index}";

    // Of the value that was read a constructor or setter may have made another one.
    private static bool IsMadeByCode(MemberModel given) => !given.IsStored || given.Set == MemberSet.Constructor;

    private static string Codec(TypeModel type, int member) => $"{type.Members[member].Codec.TypeName}, {type.Members[member].Codec.Expression}";

    private static string Value(TypeModel type, MemberModel member) => member.IsDynamic && member.Accessor is not { Get: true } ? $"(object)one.{member.Name}" : Get(type, member, "one");

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
