// Spells a random program in C#.

using System.Text;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Prints a program.</summary>
internal sealed class ProgramPrinter
{
    private const string Library = "global::Store.Serialization.";
    private const string SetsRequired = "global::System.Diagnostics.CodeAnalysis.SetsRequiredMembers";

    private readonly ProgramModel _program;
    private readonly StringBuilder _text = new();

    private ProgramPrinter(ProgramModel program) => _program = program;

    public static string Print(ProgramModel program)
    {
        var printer = new ProgramPrinter(program);
        printer.PrintAll();
        return printer._text.ToString();
    }

    private void PrintAll()
    {
        // Some derived types are meant to be no cases, and what the compiler says of members that nobody sets in the source, and of names in lower case, is not meant: reflection and generated code set them.
        _text.AppendLine("#pragma warning disable CS8618, CS9264, CS0282, CS0649, CS0169, CS0414, CS8981, NINO032");
        if (!_program.IsAnnotated) _text.AppendLine("#nullable disable");
        foreach (TypeRef type in _program.Registered) _text.AppendLine($"[assembly: {Library}NinoSerializable(typeof({Print(type)}))]");
        _text.AppendLine(OwnTypes.Source);
        _text.AppendLine(OwnCodecs.Source);
        if (!_program.IsAnnotated) _text.AppendLine("#nullable disable");
        foreach (TypeModel type in _program.Types) PrintType(type);
        ViewProbePrinter.Print(_program, _text);
    }

    private void PrintType(TypeModel type)
    {
        if (type.Form == TypeForm.Interface && !_program.HasCases(type)) return;
        if (type.Namespace.Length > 0) _text.AppendLine($"namespace {type.Namespace} {{");
        int used = 0;
        foreach (Outer outer in type.Outers)
        {
            _text.AppendLine($"{Access(type)} {outer.Kind} {TypeModel.Spell(outer.Name, TypeModel.ParameterNames.Skip(used).Take(outer.Arity))} {{");
            used += outer.Arity;
        }

        foreach (string former in type.FormerNames) _text.AppendLine($"[{Library}NinoFormerName(\"{former}\")]");
        if (type.Form == TypeForm.Enum) PrintEnum(type);
        else PrintObject(type);
        foreach (Outer _ in type.Outers) _text.AppendLine("}");
        if (type.Namespace.Length > 0) _text.AppendLine("}");
    }

    private void PrintEnum(TypeModel type) =>
        _text.AppendLine($"{Access(type)} enum {type.Name} : {type.Underlying} {{ {string.Join(", ", type.Numbers.Select(static one => $"{one.Name} = {one.Number}"))} }}");

    private void PrintObject(TypeModel type)
    {
        PrintMarks(type);
        string partial = type.IsPartial ? "partial " : "";
        List<(MemberModel Member, TypeRef Type)> passed = [.. type.Parameters];
        List<string> parents = [];
        bool hasHead = type.Making == Making.Head && passed.Count > 0;
        if (type.Base is { } parent) parents.Add(Print(parent) + (hasHead && parent.Type.Parameters.Any() ? $"({string.Join(", ", parent.Type.Parameters.Select(one => Argument(type, one.Member)))})" : ""));
        parents.AddRange(type.Interfaces.Select(static one => one.FullName()));
        string head = hasHead ? $"({string.Join(", ", passed.Select(one => (type.IsRecord && type.Members.Contains(one.Member) ? Attributes(one.Member) : "") + Print(one.Type) + " " + Argument(type, one.Member)))})" : "";
        string bases = parents.Count == 0 ? "" : " : " + string.Join(", ", parents);
        if (hasHead && type.SetsRequired) _text.AppendLine($"[method: {SetsRequired}]");
        _text.AppendLine($"{Access(type)} {Kind(type, partial)} {type.Self}{head}{bases}\n{{");
        MemberModel[] members = [.. type.Members.Where(member => !(type.IsRecord && hasHead && member.IsPassed))];
        int half = type.IsPartial ? members.Length / 2 : members.Length;
        foreach (MemberModel member in members.Take(half)) PrintMember(type, member, hasHead);
        foreach (Override one in type.Overrides) PrintOverride(type, one);
        PrintMaking(type, passed);
        if (type.IsPartial)
        {
            _text.AppendLine($"}}\n{Kind(type, partial, isAgain: true)} {type.Self}\n{{");
            foreach (MemberModel member in members.Skip(half)) PrintMember(type, member, hasHead);
        }

        if (type.HasCallbacks)
        {
            _text.AppendLine($"    [{Library}NinoIgnore] private int _begunCalls, _readCalls, _writeCalls;");
            _text.AppendLine($"    [{Library}NinoOnSerializing] private void BeforeWriting() {{ _writeCalls++; TurnMembers(); }}");
            _text.AppendLine($"    [{Library}NinoOnSerialized] private void AfterWriting() => TurnMembers();");
            _text.AppendLine($"    [{Library}NinoOnDeserializing] private void BeforeReading() => _begunCalls++;");
            _text.AppendLine($"    [{Library}NinoOnDeserialized] private void AfterReading() {{ _readCalls++; TurnMembers(); }}");
            _text.AppendLine($"    private void TurnMembers() {{ {string.Join(' ', type.Members.Where(static member => member.IsTurned).Select(Turning.Print))} }}");
        }

        _text.AppendLine("}");
    }

    private void PrintMarks(TypeModel type)
    {
        List<string> options = [];
        if (type.SchemaName is { } name) options.Add($"Name = \"{name}\"");
        if (type.SkipsUnknownCases) options.Add("SkipUnknownCases = true");
        if (type.KeepsReferences) options.Add("References = true");
        _text.AppendLine($"[{Library}NinoType{(options.Count == 0 ? "" : $"({string.Join(", ", options)})")}]");
        if (!type.HasTags) return;
        foreach (TypeModel one in _program.NamedCases(type))
            _text.AppendLine($"[{Library}NinoUnion({one.Index}, typeof({one.FullName()}))]");
    }

    private void PrintMaking(TypeModel type, List<(MemberModel Member, TypeRef Type)> passed)
    {
        bool isFactory = type.Making == Making.Factory;
        // What a struct without parameters for its members is made by, is public or not there.
        bool isPlain = passed.Count == 0 && !isFactory;
        if (isPlain ? type.IsValue || !(type.HidesMaking || type.SetsRequired) : type.Making is Making.Plain or Making.Head) return;
        string parameters = string.Join(", ", passed.Select(one => Print(one.Type) + " " + Argument(type, one.Member)));
        string given = string.Join(", ", (type.Base?.Type.Parameters ?? []).Select(one => Argument(type, one.Member)));
        string sets = string.Concat(type.Members.Where(static member => member.IsPassed).Select(member => $"this.{member.Name} = {Argument(type, member)}; "));
        string marks = (type.HidesMaking && !isFactory ? $"[{Library}NinoConstructor] " : "") + (type.SetsRequired ? $"[{SetsRequired}] " : "");
        string access = isFactory ? "private" : type.IsAbstract ? "protected" : !type.HidesMaking ? "public" : _program.HasDerived(type) ? "private protected" : "private";
        if (passed.Count > 0 || !type.IsValue) _text.AppendLine($"    {marks}{access} {type.Name}({parameters}){(given.Length > 0 ? $" : base({given})" : "")} {{ {sets}}}");
        // One that reading must not take for it, though everybody can call it.
        if (type.HidesMaking && !isFactory) _text.AppendLine($"    {(type.SetsRequired ? $"[{SetsRequired}] " : "")}public {type.Name}(global::System.DayOfWeek decoy) : this({string.Join(", ", passed.Select(one => $"default({Print(one.Type)})!"))}) {{ }}");
        if (!isFactory) return;
        _text.AppendLine($"    [{Library}NinoConstructor] {(type.HidesMaking ? "private" : "public")} static {type.Self} Make({parameters}) => new {type.Self}({string.Join(", ", passed.Select(one => Argument(type, one.Member)))});");
    }

    private void PrintMember(TypeModel type, MemberModel member, bool hasHead)
    {
        string of = Print(member.Type), name = member.Name, marks = Attributes(member);
        string start = hasHead && member.IsPassed ? $" = {Argument(type, member)}" : member.Initializer is { } initializer ? $" = {initializer}" : "";
        string end = start.Length == 0 ? "" : start + ";";
        string line = member.Form switch
        {
            MemberForm.Set or MemberForm.Init when member.IsAbstract => $"public abstract {of} {name} {{ get; {Setter(member)}; }}",
            MemberForm.Set or MemberForm.Init => $"public {(member.IsVirtual ? "virtual " : "")}{of} {name} {{ get; {Setter(member)}; }}{end}",
            MemberForm.Required => $"public required {of} {name} {{ get; set; }}{end}",
            MemberForm.RequiredField => $"public required {of} {name}{start};",
            MemberForm.GetOnly => $"public {of} {name} {{ get; }}{end}",
            MemberForm.Field => $"public {of} {name}{start};",
            MemberForm.ReadonlyField => $"public readonly {of} {name}{start};",
            MemberForm.PrivateField => $"[{Library}NinoInclude] private {of} {name}{start};",
            MemberForm.PrivateReadonlyField => $"[{Library}NinoInclude] private readonly {of} {name}{start};",
            MemberForm.PrivateSet => $"[{Library}NinoInclude] public {of} {name} {{ get; private set; }}{end}",
            MemberForm.InternalIncluded => $"[{Library}NinoInclude] internal {of} {name} {{ get; set; }}{end}",
            MemberForm.Backed => $"private {of} _{name.TrimStart('@')}{start}; {marks}public {of} {name} {{ get => _{name.TrimStart('@')}; set => _{name.TrimStart('@')} = value; }}",
            MemberForm.FieldKeyword => $"public {of} {name} {{ get => field; set => field = value; }}{end}",
            MemberForm.Filled => $"public {of} {name} {{ get; }} = new {Made((TypeRef.Collection)member.Type)}();",
            MemberForm.FilledField => $"public readonly {of} {name} = new {Made((TypeRef.Collection)member.Type)}();",
            MemberForm.Ignored => $"[{Library}NinoIgnore] public {of} {name} {{ get; set; }}{end}",
            _ => throw new InvalidOperationException($"{member.Form}"),
        };
        _text.AppendLine($"    {(member.Form == MemberForm.Backed ? "" : marks)}{line}");
    }

    private void PrintOverride(TypeModel type, Override one)
    {
        string of = Print(type.TypeOf(one.Member)), name = one.Member.Name, setter = Setter(one.Member);
        string body = one.IsPassedOn ? $"{{ get => base.{name}; {setter} => base.{name} = value; }}" : $"{{ get; {setter}; }}";
        _text.AppendLine($"    public {(one.IsSealed ? "sealed " : "")}override {of} {name} {body}{(one.Member.Initializer is { } start && !one.IsPassedOn ? $" = {start};" : "")}");
    }

    private static string Setter(MemberModel member) => member.Form == MemberForm.Init ? "init" : "set";

    private string Made(TypeRef.Collection type)
    {
        string name = type.Kind.Name[(type.Kind.Name.LastIndexOf('.') + 1)..];
        string made = name switch { "IList" or "ICollection" => "List", "ISet" => "HashSet", "IDictionary" => "Dictionary", _ => "" };
        return made.Length == 0 ? Print(type) : "global::System.Collections.Generic." + made + Print(type)[type.Kind.Name.Length..];
    }

    private static string Attributes(MemberModel member)
    {
        string text = "";
        if (member.Id is { } id) text += $"[{Library}NinoMember({id})] ";
        if (member.Codec is { } codec) text += $"[{Library}NinoCodec(typeof(global::Own.{codec.Name}))] ";
        if (member.IsUtf8) text += $"[{Library}NinoUtf8] ";
        foreach (string former in member.FormerNames) text += $"[{Library}NinoFormerName(\"{former}\")] ";
        return text;
    }

    /// <summary>The name of the parameter that a member is passed by: of a record that of the member, else with a small first letter.</summary>
    private static string Argument(TypeModel type, MemberModel member)
    {
        string name = member.Name.TrimStart('@');
        return "@" + (type.IsRecord ? name : char.ToLowerInvariant(name.TrimStart('_')[0]) + name.TrimStart('_')[1..]);
    }

    private static string Kind(TypeModel type, string partial, bool isAgain = false)
    {
        string modifiers = isAgain ? "" : (type.IsAbstract ? "abstract " : "") + (type.IsSealed ? "sealed " : "") + (type.IsReadonly ? "readonly " : "");
        return modifiers + partial + type.Form switch
        {
            TypeForm.Class => "class",
            TypeForm.Record => "record",
            TypeForm.Struct or TypeForm.ReadonlyStruct => "struct",
            TypeForm.RecordStruct or TypeForm.ReadonlyRecordStruct => "record struct",
            _ => "interface",
        };
    }

    private string Print(TypeRef type) => type.Print(_program.IsAnnotated);

    private static string Access(TypeModel type) => type.IsInternal ? "internal" : "public";
}
