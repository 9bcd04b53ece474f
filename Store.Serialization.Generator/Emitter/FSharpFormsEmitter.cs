// Prints how the collections and options of F# are taken apart and made, once an assembly: against its FSharp.Core, which the engine does not reference.

using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class FSharpFormsEmitter
{
    public const string HintName = "FSharpForms.g.cs";

    private const string Codecs = Names.Serialization + "Codecs.";
    private const string Collections = "global::Microsoft.FSharp.Collections.";
    private const string Core = "global::Microsoft.FSharp.Core.";
    private const string Pool = "global::System.Buffers.ArrayPool<T>.Shared";
    private const string Pair = "global::System.Collections.Generic.KeyValuePair<TKey, TValue>";

    public static string Emit()
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () =>
        {
            const string list = Collections + "FSharpList<T>", set = Collections + "FSharpSet<T>", map = Collections + "FSharpMap<TKey, TValue>";
            Form(source, "A list in its order: a chain, which is walked and never recursed into.", $"FSharpListForm<T> : {Codecs}ISequenceForm<{list}, T>", () =>
            {
                source.Line($"public static {list} OfNull => {list}.Empty;");
                source.Line();
                source.Block($"public static global::System.ReadOnlySpan<T> Elements({list} value, ref T[] rented)", () =>
                {
                    source.Line("int count = value.Length;");
                    source.Line($"rented = {Pool}.Rent(count);");
                    source.Line("int index = 0;");
                    source.Line($"for ({list} rest = value; !rest.IsEmpty; rest = rest.Tail) rented[index++] = rest.Head;");
                    source.Line("return new global::System.ReadOnlySpan<T>(rented, 0, count);");
                });
                source.Line();
                source.Block($"public static {list} Create(T[] elements)", () =>
                {
                    source.Line($"{list} made = {list}.Empty;");
                    source.Line($"for (int i = elements.Length - 1; i >= 0; i--) made = {list}.Cons(elements[i], made);");
                    source.Line("return made;");
                });
            });
            Form(source, "A set in the order of F#'s comparison, the only one there is.", $"FSharpSetForm<T> : {Codecs}ISequenceForm<{set}, T>", () =>
            {
                source.Line("public static bool IsSet => true;");
                source.Line();
                source.Line($"public static {set} OfNull => new {set}(global::System.Array.Empty<T>());");
                source.Line();
                source.Block($"public static global::System.ReadOnlySpan<T> Elements({set} value, ref T[] rented)", () =>
                {
                    source.Line("int count = value.Count;");
                    source.Line($"rented = {Pool}.Rent(count);");
                    source.Line("int index = 0;");
                    source.Line("foreach (T element in value) rented[index++] = element;");
                    source.Line("return new global::System.ReadOnlySpan<T>(rented, 0, count);");
                });
                source.Line();
                source.Block($"public static {set} Create(T[] elements)", () =>
                {
                    source.Line($"{set} made = new {set}(elements);");
                    source.Line($"return {Names.Generated}.CheckElements(made, made.Count, elements.Length);");
                });
            });
            Form(source, "A map in the order of F#'s comparison, the only one there is.", $"FSharpMapForm<TKey, TValue> : {Codecs}IMapForm<{map}, TKey, TValue>", () =>
            {
                source.Line($"public static {map} OfNull => new {map}(global::System.Array.Empty<global::System.Tuple<TKey, TValue>>());");
                source.Line();
                source.Line($"public static byte ComparerOf({map} map, {Pair}[] pairs) => 0;");
                source.Line();
                source.Block($"public static {map} Create(ref {Names.Serialization}NinoReader reader, {Pair}[] pairs, byte comparer)", () =>
                {
                    source.Line($"{map} made = OfNull;");
                    source.Line($"foreach ({Pair} pair in pairs) made = made.Add(pair.Key, pair.Value);");
                    source.Line("return made;");
                });
            });
            Option(source, "FSharpOption", "option is null", "new FSharpOption<T>(value)".Replace("FSharp", Core + "FSharp"));
            Option(source, "FSharpValueOption", "option.IsNone", Core + "FSharpValueOption<T>.NewValueSome(value)");
        });
        return source.ToString();
    }

    private static void Option(SourceWriter source, string name, string isNone, string some)
    {
        string option = Core + name + "<T>";
        Form(source, "A value or none.", $"{name}Form<T> : {Codecs}IOptionForm<{option}, T>", () =>
        {
            source.Line($"public static {option} None => default;");
            source.Line();
            source.Line($"public static {option} Some(T value) => {some};");
            source.Line();
            source.Block($"public static bool TryGet(in {option} option, out T value)", () =>
            {
                source.Line($"bool isNone = {isNone};");
                source.Line("value = isNone ? default : option.Value;");
                source.Line("return !isNone;");
            });
        });
    }

    private static void Form(SourceWriter source, string summary, string declaration, System.Action body)
    {
        source.Line($"/// <summary>{summary}</summary>");
        source.Line(Names.GeneratedCode);
        source.Line(Names.Unseen);
        source.Block("internal readonly struct " + declaration, body);
        source.Line();
    }
}
