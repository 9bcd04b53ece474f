// Prints a model program: its types, each with what makes and fills objects of it, so that values are what code of the program may make of them.

using System.Text;
using System.Text.RegularExpressions;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Prints programs.</summary>
internal static class ModelPrinter
{
    /// <summary>What makes values, and the namespaces that models need. It is no part of what is tested.</summary>
    public const string Support = """
        public static class R
        {
            public static int Int(Random r) => r.Next(6) switch { 0 => 0, 1 => -1, _ => r.Next(1, 200) };
            public static string Text(Random r) => r.Next(12) switch { 0 => "", 1 => "\u00e4 <&>\n\"x\"", _ => new string((char)('a' + r.Next(26)), r.Next(1, 5)) };
            public static List<T> Many<T>(Random r, Func<T> one) { var all = new List<T>(); for (int i = r.Next(4); i > 0; i--) all.Add(one()); return all; }
            public static Dictionary<TKey, T> Map<TKey, T>(Random r, Func<TKey> key, Func<T> one) where TKey : notnull { var all = new Dictionary<TKey, T>(); for (int i = r.Next(4); i > 0; i--) all[key()] = one(); return all; }
            public static List<T> WholeMany<T>(Random r, Func<T> one) { var all = Many(r, one); all.RemoveAll(one => one is null); return all; }
            public static Dictionary<TKey, T> WholeMap<TKey, T>(Random r, Func<TKey> key, Func<T> one) where TKey : notnull { var all = Map(r, key, one); foreach (var pair in all) if (pair.Value is null) all.Remove(pair.Key); return all; }
            public static T? Maybe<T>(Random r, Func<T> one) => r.Next(4) == 0 ? default : one();
            public static DateTime Time(Random r) => new DateTime(2000, 1, 1, 0, 0, 0, r.Next(2) == 0 ? DateTimeKind.Utc : DateTimeKind.Unspecified).AddSeconds(r.Next());
        }
        """;

    private const string Usings = "using System.Collections; using System.Collections.Concurrent; using System.Collections.Immutable; using System.Collections.ObjectModel; using System.Linq; using System.Runtime.Serialization; using System.Text.Json; using System.Text.Json.Serialization; using System.Xml.Serialization;\n";

    /// <summary>Prints a program.</summary>
    public static string Print(ModelProgram program)
    {
        var text = new StringBuilder(Usings);
        if (program.Marks is { } marks) text.AppendLine(marks.Usings);
        foreach (ModelType type in program.Types.Where(static type => type.Kind != ModelKind.Enum && !type.IsGeneric)) text.AppendLine($"[assembly: NinoSerializable(typeof({type.Name}))]");
        foreach (MemberType one in program.Constructions.DistinctBy(static one => one.Name)) text.AppendLine($"[assembly: NinoSerializable(typeof({one.Name}))]");
        foreach (ModelType type in program.Types) Print(text, program, type);
        text.AppendLine("public static class Make").AppendLine("{");
        foreach (ModelType type in program.Types.Where(static type => type.Kind != ModelKind.Enum)) PrintMake(text, program, type);
        return text.AppendLine("}").AppendLine(Support).ToString();
    }

    private static string Keyword(ModelType type) => type.Kind switch
    {
        ModelKind.Struct => "struct",
        ModelKind.Record => "record",
        ModelKind.RecordStruct => "record struct",
        ModelKind.Interface => "interface",
        ModelKind.Enum => "enum",
        _ => "class",
    };

    private static void PrintMake(StringBuilder text, ModelProgram program, ModelType type)
    {
        if (type.IsGeneric)
        {
            text.AppendLine($"    public static {type.Name}<T>{(type.IsValue ? "" : "?")} Of{type.SimpleName}<T>(Random r, int d, Func<T> t) => {(type.IsValue ? "" : "d <= 0 ? null : ")}{type.Name}<T>.Make{type.SimpleName}(r, d, t);");
            return;
        }

        ModelType[] cases = [.. program.CasesOf(type)];
        string made = cases.Length == 0 ? "null" : $"r.Next({cases.Length}) switch {{ {string.Join(", ", cases.Select((one, i) => $"{(i == cases.Length - 1 ? "_" : i.ToString(System.Globalization.CultureInfo.InvariantCulture))} => {one.Name}.Make{one.SimpleName}(r, d)"))} }}";
        if (cases.Length > 1) made = $"({type.Name}?)({made})";
        text.AppendLine($"    public static {type.Name}{(type.IsValue ? "" : "?")} Of{type.SimpleName}(Random r, int d) => {(type.IsValue ? made : "d <= 0 ? null : " + made)};");
        if (cases.Length > 0) text.AppendLine($"    public static object Root{type.SimpleName}(int seed) => Of{type.SimpleName}(new Random(seed), 3)!;");
    }

    private static void Print(StringBuilder text, ModelProgram program, ModelType type)
    {
        if (type.NestedIn is { } outer) text.AppendLine($"public partial {Keyword(outer)} {outer.Name}").AppendLine("{");
        PrintAttributes(text, program, type);
        if (type.Kind == ModelKind.Enum)
        {
            text.AppendLine($"public enum {type.SimpleName}{(type.IsSealed ? " : byte" : "")} {{ {type.Extra} }}");
        }
        else
        {
            ModelMember[] head = type.Effective == ConstructorForm.Primary ? [.. type.Parameters] : [];
            string parameters = type.Effective == ConstructorForm.Primary ? $"({string.Join(", ", head.Select(one => Head(type, one)))})" : "";
            List<string> bases = [];
            if (type.Base is { } parent)
            {
                string arguments = type.Effective == ConstructorForm.Primary && parent.Parameters.Any() ? $"({string.Join(", ", parent.Parameters.Select(one => Given(type, one)))})" : "";
                bases.Add(parent.Name + (parent.IsGeneric ? $"<{type.BaseArgument!.Name}>" : "") + arguments);
            }

            if (type.Collection is { } collection && !type.IsWrapper) bases.Add(collection.Name);
            if (type is { IsWrapper: true, Collection: { } wrapped }) bases.Add($"ICollection<{wrapped.Name}>");
            if (type.Packs) bases.Add("IJsonOnSerializing, IJsonOnDeserialized");
            bases.AddRange(type.Interfaces.Select(static one => one.Name));
            bases.AddRange(program.Marks?.Bases(type) ?? []);
            text.AppendLine($"public {(type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "")}partial {Keyword(type)} {type.SimpleName}{(type.IsGeneric ? "<T>" : "")}{parameters}{(bases.Count > 0 ? " : " + string.Join(", ", bases) : "")}");
            text.AppendLine("{");
            foreach (ModelMember member in type.Members.Where(static one => !one.IsPositional)) text.AppendLine("    " + member.Declaration.Replace("@", member.Marks.Length > 0 ? member.Marks + " " : "", StringComparison.Ordinal));
            if (type.Kind == ModelKind.Interface) text.AppendLine($"    int {type.SimpleName}Number {{ get; set; }}");
            else PrintCode(text, program, type);
            text.AppendLine("}");
        }

        if (type.NestedIn is not null) text.AppendLine("}");
    }

    private static string Head(ModelType type, ModelMember member) => type.Members.Contains(member) && member.IsPositional ? $"{member.Marks.Replace("[", "[property: ", StringComparison.Ordinal)} {member.Type.Name} {member.Name}" : $"{TypeIn(type, member)} {Given(type, member)}";

    // A parameter that is passed on to the base of a record has the name of the property there.
    private static string Given(ModelType type, ModelMember member) => type.Kind is ModelKind.Record or ModelKind.RecordStruct && member.IsPositional ? member.Name : member.Parameter;

    private static string TypeIn(ModelType type, ModelMember member) => Argued(type, member, member.Type.Name);

    private static string ValueIn(ModelType type, ModelMember member) => Argued(type, member, member.Type.Value);

    // What a generic base says of its parameter, said of the argument.
    private static string Argued(ModelType type, ModelMember member, string text) => type.BaseArgument is { } argument && !type.Members.Contains(member) && type.Base!.Members.Contains(member) ? Regex.Replace(Regex.Replace(text, "\\bt\\(\\)", argument.Value.Replace("$", "$$", StringComparison.Ordinal)), "\\bT\\b", argument.Name) : text;

    private static void PrintAttributes(StringBuilder text, ModelProgram program, ModelType type)
    {
        if (type.Attributes.Length > 0) text.AppendLine(type.Attributes);
        if (program.Marks is { } marks)
        {
            foreach (string one in marks.OfCases(program, type)) text.AppendLine(one);
            return;
        }

        if (program.Serializer == OtherSerializer.Json)
        {
            if (!type.IsPolymorphic) return;
            foreach (ModelType one in program.CasesOf(type)) text.AppendLine($"[JsonDerivedType(typeof({one.Name}), \"{one.SimpleName}\")]");
            return;
        }

        bool holdsAnything = type.Members.Any(static one => one.Type.Name.Contains("object", StringComparison.Ordinal) || one.Type.Uses.Any(static used => used.Kind == ModelKind.Interface));
        if (type.Kind is ModelKind.Interface or ModelKind.Enum) return;
        foreach (ModelType one in holdsAnything ? program.Types.Where(static one => one is { IsConcrete: true, IsGeneric: false }) : type.IsPolymorphic ? program.CasesOf(type).Where(one => one != type) : []) text.AppendLine($"[KnownType(typeof({one.Name}))]");
    }

    private static void PrintCode(StringBuilder text, ModelProgram program, ModelType type)
    {
        PrintConstructors(text, program, type);
        foreach (ModelType one in type.Interfaces)
        {
            if (type.Chain.Skip(1).Any(parent => parent.Interfaces.Contains(one))) continue;
            string mark = program.Serializer == OtherSerializer.DataContract && type.Mode == ContractMode.Contract && type.Turns % 3 > 0 ? "[DataMember] " : "";
            text.AppendLine(type.Turns % 5 == 0 ? $"    {mark}int {one.Name}.{one.SimpleName}Number {{ get; set; }}" : $"    {mark}public int {one.SimpleName}Number {{ get; set; }}");
        }

        if (type.Extra.Length > 0) text.AppendLine("    " + type.Extra);
        if (type is { IsWrapper: true, Collection: { } item })
        {
            text.AppendLine($"    private readonly List<{item.Name}> _items = new(); public int Count => _items.Count; bool ICollection<{item.Name}>.IsReadOnly => false; public void Add({item.Name} item) => _items.Add(item); public void Clear() => _items.Clear(); public bool Contains({item.Name} item) => _items.Contains(item); public void CopyTo({item.Name}[] to, int at) => _items.CopyTo(to, at); public bool Remove({item.Name} item) => _items.Remove(item); public IEnumerator<{item.Name}> GetEnumerator() => _items.GetEnumerator(); IEnumerator IEnumerable.GetEnumerator() => _items.GetEnumerator();");
        }

        string self = type.SimpleName + (type.IsGeneric ? "<T>" : ""), given = type.IsGeneric ? ", Func<T> t" : "";
        if (!type.IsAbstract)
        {
            string arguments = string.Join(", ", type.Parameters.Select(one => ValueIn(type, one) + "!"));
            string inits = string.Join(", ", type.Chain.Reverse().SelectMany(one => one.Members.Where(static member => member.Init is not null)).GroupBy(static one => one.Name).Select(static all => all.Last()).Select(one => $"{one.Name} = {InitIn(type, one)}"));
            text.AppendLine($"    internal static {self} Make{type.SimpleName}(Random r, int d{given}) => new {self}({arguments}){(inits.Length > 0 ? $" {{ {inits} }}" : "")}.Fill{type.SimpleName}(r, d{(given.Length > 0 ? ", t" : "")});");
        }

        text.Append($"    internal {self} Fill{type.SimpleName}(Random r, int d{given}) {{ ");
        if (type.Base is { } parent) text.Append($"Fill{parent.SimpleName}(r, d{(parent.IsGeneric ? $", () => {type.BaseArgument!.Value}!" : "")}); ");
        if (type.Collection is { } collection) text.Append((type.IsWrapper ? $"foreach (var one in R.Many<{collection.Name}>(r, () => {collection.Value}!)) Add(one);" : collection.Fill!.Replace("$", "this", StringComparison.Ordinal)) + " ");
        foreach (ModelMember member in type.Members.Where(static one => one.Set is not null)) text.Append(member.Set).Append(' ');
        text.AppendLine("return this; }");
    }

    private static string InitIn(ModelType type, ModelMember member) => Argued(type, member, member.Init!);

    private static void PrintConstructors(StringBuilder text, ModelProgram program, ModelType type)
    {
        ConstructorForm form = type.Effective;
        bool isBase = program.Types.Any(one => one.Base == type), isJson = program.Serializer == OtherSerializer.Json;
        // Small draws: who may call which, and which is marked.
        int empty = type.Turns % 8, full = type.Turns / 8 % 8, marked = type.Turns / 64 % 4;
        string emptyAccess = type.IsValue || empty < 5 ? "public" : isBase ? "protected" : empty == 5 ? "internal" : "private", fullAccess = full < 6 ? "public" : isBase ? "protected" : full == 6 ? "internal" : "private";
        if (form is ConstructorForm.Empty or ConstructorForm.Both)
        {
            string mark = isJson && (marked == 1 || (emptyAccess != "public" && (marked != 2 || form == ConstructorForm.Empty))) ? "[JsonConstructor] " : program.Marks is { } marks ? marks.OfConstructor(form == ConstructorForm.Both ? marked < 2 : emptyAccess != "public") : "";
            text.AppendLine($"    {mark}{emptyAccess} {type.SimpleName}(){(type.Base is { } parent && !parent.HasEmpty ? $" : base({string.Join(", ", parent.Parameters.Select(static _ => "default!"))})" : "")} {{ {string.Join(" ", type.Members.Select(static one => one.Begin).OfType<string>())} }}");
        }

        if (form is ConstructorForm.Full or ConstructorForm.Both && (type.Parameters.Any() || (form == ConstructorForm.Full && !type.IsValue)))
        {
            string mark = isJson && (form == ConstructorForm.Both ? marked == 2 : fullAccess != "public" || marked == 3) ? "[JsonConstructor] " : program.Marks is { } marks ? marks.OfConstructor(form == ConstructorForm.Both ? marked >= 2 : fullAccess != "public") : "";
            string parameters = string.Join(", ", type.Parameters.Select(one => $"{TypeIn(type, one)} {one.Parameter}"));
            string passed = type.Base is { } parent && parent.Parameters.Any() ? $" : base({string.Join(", ", parent.Parameters.Select(static one => one.Parameter))})" : "";
            text.AppendLine($"    {mark}{fullAccess} {type.SimpleName}({parameters}){passed} {{ {string.Join(" ", type.OwnParameters.Select(static one => one.Assign).Concat(type.Members.Select(static one => one.Taken)).OfType<string>())} }}");
        }
    }
}
