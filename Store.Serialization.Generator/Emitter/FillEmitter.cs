// Prints what fills members that have no setter, and what is looked at and set again around that.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

/// <summary>The filling of one object. Which members take part is found once: a type may have a thousand of them.</summary>
internal sealed class FillEmitter
{
    private const string Fill = Names.Serialization + "NinoFill";
    private const string Beside = Names.Serialization + "NinoBeside";
    private const string Getters = Names.Serialization + "NinoGetters";

    private readonly SourceWriter _source;
    private readonly TypeModel _type;
    private readonly string _local;
    private readonly bool _isNew;
    private readonly UnfillableEmitter _unfillable;

    // Where it is known that the collection is filled, in the order of the encoding.
    private readonly List<int> _filled = [];

    // Collections beside those, and those themselves where there are several, or setters are called behind them.
    private readonly List<int> _others = [];

    private readonly List<int> _setAgain;
    private readonly HashSet<int> _kept;
    private readonly bool _looksAtFilled;

    /// <param name="source">The file.</param>
    /// <param name="type">The type.</param>
    /// <param name="local">The variable that holds the object.</param>
    /// <param name="isNew">The object was just made.</param>
    public FillEmitter(SourceWriter source, TypeModel type, string local, bool isNew)
    {
        (_source, _type, _local, _isNew, _unfillable) = (source, type, local, isNew, new UnfillableEmitter(source, type));
        _setAgain = [.. type.SetAgain];
        _kept = [.. _setAgain];
        if (!type.Fills) return;
        List<int> beside = [];
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (member is { Fill: not null, LooksIn: null }) _filled.Add(i);
            if (member is { Fill: null, Content: not MemberContent.Other }) beside.Add(i);
            if (member is { Content: not MemberContent.Other, IsStored: false }) _kept.Add(i);
        }

        _looksAtFilled = _filled.Count > 1 || (_filled.Count > 0 && type.CallsSettersBehind);
        if (_looksAtFilled) _others.AddRange(_filled);
        if (_filled.Count > 0) _others.AddRange(beside);
    }

    /// <summary>The value of the member is needed when collections are filled, so it is in a variable.</summary>
    public bool IsKept(int index) => _kept.Contains(index);

    /// <summary>Before the first collection is filled: which they are, and what others hold that may be or show one of them.</summary>
    public void EmitTargets()
    {
        foreach (int i in _filled) EmitTarget(i);
        if (_others.Count == 0) return;
        _source.Line($"{Beside} beside = new(in reader, {Names.Literal(_isNew)}, [{string.Join(", ", _filled.Select(static i => "into" + i))}]);");
        foreach (int i in _others.Where(i => _type.Members[i].Fill is null)) EmitContent(i);
    }

    /// <summary>Fills a member.</summary>
    /// <param name="index">Which.</param>
    /// <param name="isRead">Its value is in a variable; else it is read here.</param>
    public void EmitFill(int index, bool isRead)
    {
        MemberModel member = _type.Members[index];
        if (member.LooksIn is null)
        {
            // An observer of another one may have put a new one in its place.
            if (!member.IsStored && _filled[0] != index) _source.Line($"into{index} = {Get(index, _local)};");
            EmitFilled(index, isRead);
            if (_looksAtFilled) EmitContent(index, $"{_filled.BinarySearch(index)}");
            return;
        }

        string value = isRead ? "member" + index : $"default({member.Codec.Expression}).Read(ref reader)";
        _source.Line($"if ({AccessorEmitter.HasSetter(member.Accessor!)}) {AccessorEmitter.Set(_type, member, "ref " + _local, _local, value)}");
        _source.Block("else", () =>
        {
            EmitTarget(index);
            EmitFilled(index, isRead);
        });
    }

    /// <summary>Behind the last one.</summary>
    public void EmitBehind()
    {
        EmitSetAgain();
        foreach (int i in _others) _source.Line($"beside.Check<{Codec(i)}>(content{i}, {Other(i)}, {Names.Literal(_type.SchemaName)}, {Names.Literal(_type.Members[i].SchemaName)});");
    }

    private void EmitTarget(int index)
    {
        _source.Line($"{_type.Members[index].Codec.TypeName} into{index} = {Get(index, _local)};");
        _unfillable.EmitLook(index, "into" + index);
    }

    private void EmitFilled(int index, bool isRead)
    {
        MemberModel member = _type.Members[index];
        FillModel fill = member.Fill!;
        string into = "into" + index, name = Names.Literal(fill.Member);
        string read = isRead ? "member" + index : $"default({member.Codec.Expression}).Read(ref reader)";
        _source.Line(fill.Kind == FillKind.Loose ? $"{Fill}Loose.{fill.Arguments}(ref reader, {into}, {read}, {name});"
            : fill.Kind == FillKind.Other ? $"{Fill}Other.Other({into}, {read}, {name});"
            : isRead ? $"{Fill}.{fill.Kind}<{fill.Arguments}>(ref reader, {into}, {read}, {name});"
            : $"{Fill}.Read{fill.Kind}<{member.Codec.TypeName}, {fill.Arguments}, {member.Codec.Expression}>(ref reader, {into}, {Names.Literal(_isNew)}, {name});");
        if (fill.IsUnseen) _unfillable.EmitSame(fill, into, Get(index, _local));
    }

    // Its place among those that are filled, as text: the sign of a number is that of the machine's culture.
    private void EmitContent(int index, string position = "-1") => _source.Line($"{Beside}.Content content{index} = {Beside}.Counted(ref reader, beside.Of<{Codec(index)}>({Other(index)}, {position}));");

    // An observer may have changed other members. Where a setter that is code is called for that, it may change others again, or look at what is not put back yet: until nothing is left to do, or as many rounds as there
    // are such setters, and one, have passed: getters that never give the same twice come to no end.
    // Setters come last: in a record of an older shape they may make members that it does not have.
    private void EmitSetAgain()
    {
        List<int> byCode = _setAgain.FindAll(i => !_type.Members[i].IsStored);
        if (byCode.Count == 0) EmitPlain();
        else _source.Block($"for (int again = {byCode.Count}; again >= 0; again--)", () =>
        {
            EmitPlain();
            _source.Line("bool isDone = true;");
            foreach (int i in byCode) _source.Block(_type.Members[i].IsObject ? $"if ({Getters}.IsThereOtherwise<{_type.TypeName}, {_type.Members[i].Codec.TypeName}>(ref {_local}, {Getter(i)}, member{i}))"
                : $"if ({Getters}.GivesOther<{_type.TypeName}, {Codec(i)}>(in reader, ref {_local}, {Getter(i)}, member{i}))", () =>
            {
                _source.Line(Assign(i));
                _source.Line("isDone = false;");
            });
            _source.Line("if (isDone) break;");
        });

        foreach (int i in _filled.Where(i => !_type.Members[i].IsStored)) _unfillable.EmitSame(_type.Members[i].Fill!, "into" + i, Get(i, _local));

        void EmitPlain()
        {
            foreach (int i in _setAgain.Where(i => _type.Members[i].IsStored)) _source.Line(Assign(i));
        }
    }

    private string Getter(int index) => $"static (ref {_type.TypeName} one) => {Get(index, "one")}";

    private string Assign(int index) => AccessorEmitter.Assign(_type, _type.Members[index], _local, "member" + index);

    // Where the member is set again, what it will have then. A getter of the user's may throw, or compute what it gives of nothing, and keep that: there it is what the setter was given.
    private string Other(int index) => _type.Members[index] switch
    {
        { Fill: not null } => "into" + index,
        // Where the object is there and no setter has code, the others are not read yet.
        { IsStored: true } member when !_kept.Contains(index) || (!_isNew && !_type.FillsLast) => (member.IsDynamic ? "(object)" : "") + Get(index, _local),
        _ => "member" + index,
    };

    private string Codec(int index) => $"{_type.Members[index].Codec.TypeName}, {_type.Members[index].Codec.Expression}";

    private string Get(int index, string local) => UnfillableEmitter.Get(_type, _type.Members[index], local);
}
