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
                source.Line($"public {type.TypeName} Read({Names.Reader}) => reader.ReadPresence() ? ReadBody(ref reader) : null;");
                source.Line();
                if (!type.HasFixedBody)
                {
                    source.Block($"public {type.TypeName} ReadBody({Names.Reader})", () => EmitBody(source, type));
                    break;
                }

                source.Line(Names.Inlined);
                source.Line($"public {type.TypeName} ReadBody({Names.Reader}) => ReadFixedBody(in reader.Take({type.MinBytes}));");
                source.Line();
                EmitFixed(source, type, "ReadFixedBody");
                break;
            case TypeShape.ValueStruct:
                source.Block($"public {type.TypeName} Read({Names.Reader})", () => EmitBody(source, type));
                break;
            case TypeShape.OpenStruct:
                source.Block($"public {type.TypeName} Read({Names.Reader})", () => EmitBody(source, type));
                source.Line();
                source.Block($"public {type.TypeName} ReadFixed(ref readonly byte source)", () =>
                {
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

    private static void EmitFixed(SourceWriter source, TypeModel type, string method)
    {
        if (WriteEmitter.IsSmall(type)) source.Line(Names.Inlined);
        source.Block($"public {type.TypeName} {method}(ref readonly byte source)", () =>
        {
            if (type.Members.Count == 0) source.Line($"{Names.Generated}.CheckEmpty(source);");
            else source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in source);");
            EmitFixedMembers(source, type);
            EmitConstruction(source, type);
        });
    }

    private static void EmitBody(SourceWriter source, TypeModel type)
    {
        if (type.IsRecursive) source.Line("reader.Enter();");
        if (type.Members.Count == 0) source.Line("reader.ReadEmptyBody();");
        if (type.FixedBytes > 0) source.Line($"ref byte start = ref {Names.Unsafe}.AsRef(in reader.Take({type.FixedBytes}));");
        EmitFixedMembers(source, type);
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (!member.IsFixed) source.Line($"{member.Codec.TypeName} member{i} = default({member.Codec.Expression}).Read(ref reader);");
        }

        if (type.IsRecursive) source.Line("reader.Leave();");
        EmitConstruction(source, type);
    }

    private static void EmitFixedMembers(SourceWriter source, TypeModel type)
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
        string arguments = string.Join(", ", construction.Arguments.Select(argument => (construction.Accessor is null ? argument.Parameter + ": " : "") + argument.Default));
        if (construction.Accessor is not null) return $"{AccessorEmitter.Create(type)}({arguments})";
        List<string> set = [.. construction.IgnoredRequired.Select(static name => name + " = default")];
        set.AddRange(type.Members.Where(static member => member is { IsRequired: true, Set: MemberSet.Initializer or MemberSet.ConstructorAndInitializer }).Select(static member => $"{member.Name} = default({member.Codec.TypeName})"));
        return $"new {type.TypeName}({arguments})" + (set.Count > 0 ? $" {{ {string.Join(", ", set)} }}" : "");
    }

    private static void EmitConstruction(SourceWriter source, TypeModel type)
    {
        ConstructionModel construction = type.Construction;
        bool usesInitializer = construction.Accessor is null;
        List<string> set = [.. construction.IgnoredRequired.Select(static name => name + " = default")];
        List<string> later = [];
        for (int i = 0; i < type.Members.Count; i++)
        {
            MemberModel member = type.Members[i];
            if (member.Set is MemberSet.Initializer or MemberSet.ConstructorAndInitializer)
            {
                if (usesInitializer) set.Add($"{member.Name} = member{i}");
                else later.Add($"result.{member.Name} = member{i};");
            }
            else if (member.Set == MemberSet.Accessor)
            {
                later.Add(AccessorEmitter.Set(type, member.Accessor!, "ref result", "result", $"member{i}"));
            }
        }

        string arguments = string.Join(", ", construction.Arguments.Select(argument =>
            (usesInitializer ? argument.Parameter + ": " : "") + (argument.Member < 0 ? argument.Default : "member" + argument.Member)));
        string create = usesInitializer ? $"new {type.TypeName}({arguments})" : $"{AccessorEmitter.Create(type)}({arguments})";
        string result = later.Count > 0 ? $"{type.TypeName} result = {create}" : $"return {create}";
        if (set.Count == 0)
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

        foreach (string line in later) source.Line(line);
        if (later.Count > 0) source.Line("return result;");
    }
}
