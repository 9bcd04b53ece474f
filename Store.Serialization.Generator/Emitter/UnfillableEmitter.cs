// Prints the look at two new objects that tells which members without a setter cannot be filled, and the checks in front of writing and reading such members.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

/// <summary>What is checked of the members of one type.</summary>
internal sealed class UnfillableEmitter
{
    private const string Fillable = Names.Serialization + "NinoFillable";

    private readonly SourceWriter _source;
    private readonly TypeModel _type;
    private readonly bool _canProbe;
    private readonly bool _areMadeAlike;

    // Of each member, how many of those in front of it are filled.
    private readonly int[] _positions;

    public UnfillableEmitter(SourceWriter source, TypeModel type)
    {
        (_source, _type, _canProbe, _areMadeAlike) = (source, type, type.CanProbe, type.AreMadeAlike);
        _positions = new int[type.Members.Count];
        for (int i = 1; i < _positions.Length; i++) _positions[i] = _positions[i - 1] + (type.Members[i - 1].Fill is null ? 0 : 1);
    }

    /// <summary>What is wrong with the members: looked at when it is first asked for.</summary>
    public static void EmitProbe(SourceWriter source, TypeModel type)
    {
        if (!type.CanProbe) return;
        IEnumerable<string> problems = type.Members.Where(static member => member.Fill is not null).Select(member =>
            $"{(member.LooksIn is null ? "" : $"{AccessorEmitter.HasSetter(member.Accessor!)} ? null : ")}{Fillable}.{(member.Fill!.Kind == FillKind.Loose ? "LooseProblem" : "Problem")}({Get(type, member, "one")}, {Get(type, member, "one")}, {Get(type, member, "other")})");
        source.Line($"private static readonly {Names.Serialization}NinoUnfillable<{type.TypeName}> Unfillable = new(static () => {ReadEmitter.NewObject(type)}, static (one, other) => new string[] {{ {string.Join(", ", problems)} }});");
        source.Line();
    }

    /// <summary>Before a member is written.</summary>
    public void EmitCheck(int index)
    {
        MemberModel member = _type.Members[index];
        if (member.Fill is not { } fill) return;
        if (member.LooksIn is null) EmitCheck(index, fill);
        else _source.Block($"if (!{AccessorEmitter.HasSetter(member.Accessor!)})", () => EmitCheck(index, fill));
    }

    private void EmitCheck(int index, FillModel fill)
    {
        string value = WriteEmitter.Value(_type, _type.Members[index]);
        // A getter that is not seen is code, too. In front of what the look has shown, since this may look.
        string told = _areMadeAlike && !fill.IsUnseen ? "Unfillable" : Fillable;
        if (fill.Kind == FillKind.Loose) _source.Line($"{Fillable}.CheckLoose({value}, {Names.Literal(fill.Member)});");
        else if (fill.Kind != FillKind.Other) _source.Line($"{told}.CheckChangeable<{Element(fill)}>({value}, {Names.Literal(fill.Member)});");
        EmitLook(index, value);
        if (fill.IsUnseen) EmitSame(fill, value, value);
    }

    /// <summary>Refuses the value of a member that is filled where the look has shown that it cannot be.</summary>
    public void EmitLook(int index, string value)
    {
        if (_canProbe) _source.Line($"if (Unfillable.Exists) Unfillable.Check({_positions[index]}, {value}, {Names.Literal(_type.Members[index].Fill!.Member)});");
    }

    /// <summary>Refuses a getter that does not give the same collection again.</summary>
    public void EmitSame(FillModel fill, string first, string again) => _source.Line($"{Fillable}.CheckSame({first}, {again}, {Names.Literal(fill.Member)});");

    private static string Element(FillModel fill) => fill.Kind is FillKind.Pairs or FillKind.Entries ? $"global::System.Collections.Generic.KeyValuePair<{fill.Arguments}>" : fill.Arguments;

    /// <summary>What the getter of a member gives of the object that a variable holds.</summary>
    public static string Get(TypeModel type, MemberModel member, string local) =>
        member.Accessor is { Get: true } accessor ? AccessorEmitter.Get(type, accessor, "ref " + local, local) : local + "." + member.Name;
}
