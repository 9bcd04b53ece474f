// Prints the methods that read: one check for all fixed-width members, every member into a local, then the object is made.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class ReadEmitter
{
    public static void Emit(SourceWriter source, TypeModel type)
    {
        switch (type.Shape)
        {
            case TypeShape.Class:
                if (type.KeepsReferences) EmitReference(source, type);
                else source.Line($"public {type.TypeName} Read({Names.Reader}) => reader.ReadPresence() ? ReadBody(ref reader) : null;");
                source.Line();
                if (!type.HasFixedBody)
                {
                    source.Block($"public {type.TypeName} ReadBody({Names.Reader})", () => EmitBody(source, type));
                    EmitAt(source, type);
                    break;
                }

                source.Line(Names.Inlined);
                source.Line($"public {type.TypeName} ReadBody({Names.Reader}) => ReadFixedBody(in reader.Take({type.MinBytes}));");
                source.Line();
                EmitFixed(source, type, "ReadFixedBody");
                break;
            case TypeShape.ValueStruct:
                source.Block($"public {type.TypeName} Read({Names.Reader})", () => EmitBody(source, type));
                EmitAt(source, type);
                break;
            case TypeShape.OpenStruct:
                source.Block($"public {type.TypeName} Read({Names.Reader})", () => EmitBody(source, type));
                source.Line();
                source.Block($"public {type.TypeName} ReadFixed(ref readonly byte source)", () =>
                {
                    HiddenMemberEmitter.EmitCheck(source, type);
                    source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in source);");
                    EmitFixedMembers(source, type);
                    if (type.FixedBytes > 0) source.Line($"start = ref {Names.Unsafe}.Add(ref start, {type.FixedBytes});");
                    for (int i = 0; i < type.Members.Count; i++)
                    {
                        MemberModel member = type.Members[i];
                        if (member.IsFixed) continue;
                        source.Line($"{member.Codec.TypeName} member{i} = default({member.Codec.Expression}).ReadFixed(in start);");
                        source.Line($"start = ref {Names.Unsafe}.Add(ref start, {member.Codec.Expression}.FixedSize);");
                    }

                    EmitConstruction(source, type);
                });
                break;
            case TypeShape.FixedStruct:
                source.Line(Names.Inlined);
                source.Line($"public {type.TypeName} Read({Names.Reader}) => ReadFixed(in reader.Take({type.MinBytes}));");
                source.Line();
                EmitFixed(source, type, "ReadFixed");
                break;
        }
    }

    // The object is made when all of it is read: what the user's constructor or setters refuse is about the whole record.
    private static void EmitAt(SourceWriter source, TypeModel type)
    {
        if (!type.IsFlat) return;
        List<int> members = [.. Enumerable.Range(0, type.Members.Count)];
        source.Line();
        source.Block($"public int ReadAt(ref readonly byte head, ref readonly byte source, int length, int position, out {type.TypeName} value)", () =>
        {
            source.Line("value = default;");
            foreach (int i in members.Where(i => !type.Members[i].IsFixed)) source.Line($"if (!{Names.Generated}.TryReadTextAt(in source, length, ref position, out string member{i})) return -1;");
            if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in head);");
            EmitFixedMembers(source, type);
            source.Line($"value = Create({string.Join(", ", members.Select(static i => "member" + i))});");
            source.Line("return position;");
        });
        source.Line();
        source.Block($"public {type.TypeName} ReadBehindHead({Names.Reader}, ref readonly byte head)", () =>
        {
            // In the order of ReadBody, so that a member that is refused is told as there.
            List<int> texts = members.FindAll(i => !type.Members[i].IsFixed);
            EmitText(texts[0]);
            if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in head);");
            EmitFixedMembers(source, type);
            texts.Skip(1).ToList().ForEach(EmitText);
            source.Line($"return Create({string.Join(", ", members.Select(static i => "member" + i))});");
        });
        source.Line();
        source.Line(Names.Inlined);
        source.Block($"private static {type.TypeName} Create({string.Join(", ", members.Select(i => $"{type.Members[i].Codec.TypeName} member{i}"))})", () => EmitConstruction(source, type));

        void EmitText(int i) => source.Line($"{type.Members[i].Codec.TypeName} member{i} = default({type.Members[i].Codec.Expression}).Read(ref reader);");
    }

    private static void EmitFixed(SourceWriter source, TypeModel type, string method)
    {
        if (WriteEmitter.IsSmall(type)) source.Line(Names.Inlined);
        source.Block($"public {type.TypeName} {method}(ref readonly byte source)", () =>
        {
            HiddenMemberEmitter.EmitCheck(source, type);
            if (type.Members.Count == 0) source.Line($"{Names.Generated}.CheckEmpty(source);");
            else source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in source);");
            EmitFixedMembers(source, type);
            EmitConstruction(source, type);
        });
    }

    private static void EmitReference(SourceWriter source, TypeModel type) => source.Block($"public {type.TypeName} Read({Names.Reader})", () =>
    {
        source.Line("uint reference = reader.ReadCompact();");
        source.Line($"return reference == 1 ? ReadBody(ref reader) : {Names.Generated}.ReadReference<{type.TypeName}>(ref reader, reference);");
    });

    private static void EmitBody(SourceWriter source, TypeModel type)
    {
        HiddenMemberEmitter.EmitCheck(source, type);
        if (type.KeepsReferences) source.Line($"int number = reader.AddReference({(type.IsMadeEarly ? $"typeof({type.TypeName})" : "")});");
        if (type.KeepsReferences && type.RunsSetters) source.Line("reader.ExpectSetters(number);");
        if (type.IsRecursive) source.Line("reader.Enter();");
        if (type.Members.Count == 0) source.Line("reader.ReadEmptyBody();");
        int first = Enumerable.Range(0, type.Members.Count).FirstOrDefault(i => !type.Members[i].IsFixed);
        int oneByOne = FirstSetOneByOne(type);
        bool isBeforeText = type.FixedBytes > 0 && type.Members[first].IsPlainString && first < oneByOne;
        if (isBeforeText) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in {Names.Generated}.TakeBeforeText(ref reader, {type.FixedBytes}, out string member{first}));");
        else if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in reader.Take({type.FixedBytes}));");
        EmitFixedMembers(source, type);
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (!member.IsFixed && !(isBeforeText && i == first) && i < oneByOne) source.Line($"{member.Codec.TypeName} member{i} = default({member.Codec.Expression}).Read(ref reader);");
        }

        if (type.IsRecursive && !type.ReadsWhenMade) source.Line("reader.Leave();");
        EmitConstruction(source, type);
    }

    /// <summary>The first member that is read when the object is made, as are all behind it but those of a fixed width: it may refer to the object itself, or is read into what the object has.</summary>
    public static int FirstSetOneByOne(TypeModel type) => type.MadeAfter >= 0 ? Math.Min(type.MadeAfter, type.FilledFrom) : type.FilledFrom;

    public static void EmitFixedMembers(SourceWriter source, TypeModel type)
    {
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (!member.IsFixed) continue;
            string place = member.Offset == 0 ? "in start" : $"in {Names.Unsafe}.Add(ref start, {member.Offset})";
            source.Line($"{member.Codec.TypeName} member{i} = default({member.Codec.Expression}).ReadFixed({place});");
        }
    }

    /// <summary>An object as its constructor leaves it: arguments without a default value of their own, and required members, are those of their types.</summary>
    public static string NewObject(TypeModel type)
    {
        ConstructionModel construction = type.Construction;
        string arguments = string.Join(", ", construction.Arguments.Select(static argument => argument.Pass(argument.Default)));
        if (construction.IsDefault) return $"default({type.TypeName})";
        if (construction.Bare != BareModel.No) return MakeBare(type);
        if (construction.Accessor is not null) return $"{AccessorEmitter.Create(type)}({arguments})";
        List<string> set = [.. construction.IgnoredRequired.Select(static name => name + " = default")];
        set.AddRange(type.Members.Where(static member => member is { IsRequired: true, Set: MemberSet.Initializer or MemberSet.ConstructorAndInitializer }).Select(static member => $"{member.Name} = default({member.Codec.TypeName})"));
        return $"new {type.TypeName}({arguments})" + (set.Count > 0 ? $" {{ {string.Join(", ", set)} }}" : "");
    }

    /// <summary>Makes the object of the members that were read.</summary>
    /// <param name="source">The file.</param>
    /// <param name="type">The type.</param>
    public static void EmitConstruction(SourceWriter source, TypeModel type)
    {
        ConstructionModel construction = type.Construction;
        bool usesInitializer = construction.UsesInitializer && type.MadeAfter < 0;
        List<string> set = usesInitializer ? [.. construction.IgnoredRequired.Select(static name => name + " = default")] : [];
        // What is filled comes behind all setters: one of the user's may empty it.
        List<Action> later = [], fills = [];
        int oneByOne = FirstSetOneByOne(type), filledFrom = type.FilledFrom, setApartFrom = FirstSetApart(type);
        var filling = new FillEmitter(source, type, "result", isNew: true);
        for (int i = 0; i < type.Members.Count; i++)
        {
            int index = i;
            MemberModel member = type.Members[i];
            bool isOneByOne = !member.IsFixed && i >= oneByOne;
            if (member.Set == MemberSet.Fill)
            {
                bool isReadInto = i >= filledFrom;
                if (isOneByOne && !isReadInto) later.Add(() => ReuseEmitter.EmitRead(source, member, index));
                fills.Add(() => filling.EmitFill(index, isRead: !isReadInto));
                continue;
            }

            string value = "member" + i;
            if (isOneByOne && filling.IsKept(i)) later.Add(() => ReuseEmitter.EmitRead(source, member, index));
            else if (isOneByOne) value = $"default({member.Codec.Expression}).Read(ref reader)";
            if (member.Set is MemberSet.Initializer or MemberSet.ConstructorAndInitializer)
            {
                if (usesInitializer && !(i > setApartFrom && member is { IsRequired: false, Reset: MemberReset.ByName })) set.Add($"{member.Name} = {value}");
                else later.Add(() => source.Line($"result.{member.Name} = {value};"));
            }
            else if (member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor)
            {
                later.Add(() => source.Line(AccessorEmitter.Set(type, member, "ref result", "result", value)));
            }
        }

        string create = Create(type);
        bool hasResult = later.Count > 0 || fills.Count > 0 || type.KeepsReferences || type.Calls(CallbackTime.Deserializing) || type.Calls(CallbackTime.Deserialized);
        string result = hasResult ? $"{type.TypeName} result = {create}" : $"return {create}";
        if (type.IsMadeEarly)
        {
            EmitEarly(source, type, create);
        }
        else if (set.Count == 0)
        {
            source.Line(result + ";");
        }
        else
        {
            source.Block(result, () =>
            {
                foreach (string line in set) source.Line(line + ",");
            }, "};");
        }

        if (type.KeepsReferences && !type.IsMadeEarly) source.Line("reader.SetReference(number, result);");
        AccessorEmitter.Call(source, type, CallbackTime.Deserializing, "result");
        foreach (Action emit in later) emit();
        filling.EmitTargets();
        foreach (Action emit in fills) emit();
        filling.EmitBehind();
        if (type.ReadsWhenMade && type.IsRecursive) source.Line("reader.Leave();");
        if (type.KeepsReferences) source.Line("reader.EndReference(number);");
        AccessorEmitter.Call(source, type, CallbackTime.Deserialized, "result");
        if (hasResult) source.Line("return result;");
    }

    /// <summary>The first member that no initializer can set, where code of the user's may see in which order members are set: those behind it are set behind it, too.</summary>
    private static int FirstSetApart(TypeModel type)
    {
        int first = type.RunsSetters ? type.Members.ToList().FindIndex(static member => member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor) : -1;
        return first < 0 ? type.Members.Count : first;
    }

    // Who was read before the object was made may have it already, without anything in it.
    private static void EmitEarly(SourceWriter source, TypeModel type, string create)
    {
        source.Line($"{type.TypeName} result = reader.EarlyReference<{type.TypeName}>(number);");
        source.Block("if (result is null)", () =>
        {
            source.Line($"result = {create};");
            source.Line("reader.SetReference(number, result);");
        });
        source.Block("else", () => source.Line($"{AccessorEmitter.CreateInPlace(type)}({string.Join(", ", type.Construction.InPlace!.Arguments.Select(static argument => argument.PassMember()).Prepend("result"))});"));
    }

    private static string MakeBare(TypeModel type)
    {
        string bare = $"{Names.Generated}.MakeBare<{type.TypeName}>()";
        return type.Construction.Bare == BareModel.Always ? bare : $"(HasConstructor ? {AccessorEmitter.Create(type)}() : {bare})";
    }

    private static string Create(TypeModel type)
    {
        ConstructionModel construction = type.Construction;
        if (construction.IsProperty) return construction.Factory!;
        if (construction.IsDefault) return $"default({type.TypeName})";
        if (construction.Bare != BareModel.No) return MakeBare(type);
        IEnumerable<string> arguments = construction.Arguments.Select(static argument => argument.PassMember());
        if (construction.Accessor is { Factory: not null }) arguments = arguments.Prepend("default");
        string call = (construction.Accessor is not null ? AccessorEmitter.Create(type) : construction.Factory ?? "new " + type.TypeName) + $"({string.Join(", ", arguments)})";
        bool mayBeNull = type.Shape == TypeShape.Class && !type.IsCase && (construction.Factory ?? construction.Accessor?.Factory) is not null;
        return mayBeNull ? $"{Names.Generated}.CheckMade({call})" : call;
    }
}
