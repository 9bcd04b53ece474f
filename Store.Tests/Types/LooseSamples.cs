// Golden bytes of what is declared as object, of collections without type arguments, of types that are values, and of codecs that stand around others. Part of the table that Samples.cs joins.

using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator.Objects;
using Store.Tests.Serialization;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

public static class LooseSamples
{
    // The first four bytes of SHA-256 over the names.
    private const string Int = "1A4C5B3F"; // System.Int32
    private const string Text = "7BE15EEA"; // System.String
    private const string Bytes = "F731B517"; // System.Byte[]
    private const string Empty = "E888DF34"; // Store.Tests.Serialization.HandWritten.Nothing
    private const string Place = "A75D29FB"; // Store.Tests.Serialization.HandWritten.Point
    private const string Chain = "D0A3E2FE"; // Store.Tests.Serialization.HandWritten.Node
    private const string Null = "00000000";

    private const string ZThen5 = $"03 {Text} 037A {Int} 01000000 {Int} 05000000 {Null}";

    public static IReadOnlyList<Sample> All { get; } =
    [
        Any("object, a number", 5, Int + "05000000"),
        Any("object, a string", "a", Text + "0361"),
        Any("object, a list", new byte[] { 1, 2 }, Bytes + "03 0102", static (a, b) => ((byte[])a).SequenceEqual((byte[])b)),
        Any("object, a struct", new Point(1, 2, true), Place + "000000000000F03F 00000040 01"),
        Any("object, a class", new Node { Name = "a", Next = new Node() }, Chain + "0361 01 00 00 00 00", static (a, b) => a is Node { Name: "a", Next: { Name: null, Next: null }, Children: null } && b is Node { Name: "a", Next: { Name: null, Next: null }, Children: null }),
        new Sample<object, ObjectCodec<SkippedCases>>("object that is skipped where it is unknown", 5, Int + "04 05000000") { SkipsUnknown = true },
        new Sample<object[], ArrayCodec<object, ObjectCodec<SkippedCases>>>("objects that are skipped where they are unknown", ["abc", null, new Nothing()], $"04 {Text} 04 07616263 {Null} {Empty} 01 00", static (a, b) => Same((IEnumerable)a, b)) { SkipsUnknown = true },

        new Sample<ArrayList, SequenceCodec<ArrayList, object, ObjectCodec<SampleCases>, ArrayListForm>>("ArrayList", new(new object[] { 1, "a", null, new Nothing() }), $"05 {Int} 01000000 {Text} 0361 {Null} {Empty} 00", Same),
        new Sample<Queue, SequenceCodec<Queue, object, ObjectCodec<SampleCases>, LooseQueueForm>>("Queue without type argument", new(new object[] { 1, null }), $"03 {Int} 01000000 {Null}", Same),
        new Sample<Stack, SequenceCodec<Stack, object, ObjectCodec<SampleCases>, LooseStackForm>>("Stack without type argument", new(new object[] { 1, "a" }), $"03 {Int} 01000000 {Text} 0361", Same),
        new Sample<StringCollection, SequenceCodec<StringCollection, string, StringCodec, StringCollectionForm>>("StringCollection", new() { "b", null, "a" }, "04 0362 00 0361", Same),
        new Sample<IEnumerable, LooseListCodec<IEnumerable, ObjectCodec<SampleCases>>>("IEnumerable", new object[] { 1, null }, $"03 {Int} 01000000 {Null}", SameInList),
        new Sample<ICollection, LooseListCodec<ICollection, ObjectCodec<SampleCases>>>("ICollection", new List<object> { 1, null }, $"03 {Int} 01000000 {Null}", SameInList),
        new Sample<IList, LooseListCodec<IList, ObjectCodec<SampleCases>>>("IList", new ArrayList { 1, null }, $"03 {Int} 01000000 {Null}", SameInList),
        new Sample<IList[], ArrayCodec<IList, LooseListCodec<IList, ObjectCodec<SampleCases>>>>("IList[] of null and of an empty one", [null, Array.Empty<int>()], "03 00 01", static (a, b) => b[0] is null && SameInList(a[1], b[1])),

        Own<OwnObjects, OwnListForm<OwnObjects, object>>("class derived from ArrayList", [1, "a", null, new Nothing()], $"05 {Int} 01000000 {Text} 0361 {Null} {Empty} 00"),
        Own<OwnWaiting, OwnLooseQueueForm<OwnWaiting>>("class derived from Queue without type argument", Filled(new OwnWaiting(), static (one, element) => one.Enqueue(element)), $"03 {Int} 01000000 {Null}"),
        Own<OwnPiled, OwnLooseStackForm<OwnPiled>>("class derived from Stack without type argument", Filled(new OwnPiled(), static (one, element) => one.Push(element)), $"03 {Int} 01000000 {Null}"),
        new Sample<OwnTexts, OwnLooseCodec<OwnTexts, string, StringCodec, OwnListForm<OwnTexts, string>>>("class derived from StringCollection", ["b", null], "03 0362 00", Same),
        new Sample<OwnTable, OwnLooseMapCodec<OwnTable, ObjectKeyCodec<SampleCases>, ObjectCodec<SampleCases>>>("class derived from Hashtable", new() { ["a"] = 1 }, $"02 {Text} 0361 {Int} 01000000", static (a, b) => Entries(a).SequenceEqual(Entries(b))) { Reorders = true },

        Map<Hashtable, HashtableForm>("Hashtable", new() { ["a"] = 1 }, $"02 {Text} 0361 {Int} 01000000", reorders: true),
        Map<SortedList, LooseSortedListForm>("SortedList without type arguments", new() { [2] = null, [1] = "a" }, $"03 {Int} 01000000 {Text} 0361 {Int} 02000000 {Null}", reorders: true),
        Map<OrderedDictionary, LooseOrderedDictionaryForm>("OrderedDictionary without type arguments", new() { { "z", 1 }, { 5, null } }, ZThen5),
        Map<ListDictionary, ListDictionaryForm>("ListDictionary", new() { { "z", 1 }, { 5, null } }, ZThen5),
        Map<HybridDictionary, HybridDictionaryForm>("HybridDictionary", new() { { "z", 1 }, { 5, null } }, ZThen5),
        Map<IDictionary, LooseDictionaryForm>("IDictionary", new ListDictionary { { "z", 1 }, { 5, null } }, ZThen5),
        new Sample<ExpandoObject, LooseMapCodec<ExpandoObject, string, StringCodec, ObjectCodec<SampleCases>, ExpandoForm>>(
            "ExpandoObject",
            Expando(("Name", "n"), ("Count", 3), ("Nothing", null)),
            $"04 09 4E616D65 {Text} 036E 0B 436F756E74 {Int} 03000000 0F 4E6F7468696E67 {Null}",
            static (a, b) => a.SequenceEqual(b)),

        new Sample<Type, TextCodec<Type, TypeText<SampleCases>>>("Type", typeof(int), "19 53797374656D2E496E743332", ReferenceEquals),
        new Sample<Type[], ArrayCodec<Type, TextCodec<Type, TypeText<SampleCases>>>>("Type[] with null, of an abstract class", [null, typeof(Figure)], "03 00 17 53686F702E466967757265", static (a, b) => a.SequenceEqual(b)),

        new Sample<Dictionary<OpenKey, int>, DictionaryCodec<OpenKey, int, OpenKeyCodec<OpenKey, OpenKeyBody>, Int32Codec>>("Dictionary, of keys with an object in them", new() { [new(7, "a")] = 1, [new(7, null)] = 2 }, $"03 07000000 {Text} 0361 01000000 07000000 {Null} 02000000", static (a, b) => a.SequenceEqual(b)),
        new Sample<OwnTextQueue, OwnPriorityQueueCodec<OwnTextQueue, string, int, StringCodec, Int32Codec>>("class derived from PriorityQueue", OwnTextQueue.Of(("b", 2), ("a", 1), (null, 3)), "04 0361 01000000 0362 02000000 00 03000000", static (a, b) => a.Drained().SequenceEqual(b.Drained())) { Reorders = true },

        new Sample<Label, CustomCodec<Label, LabelCodec>>("codec of the user's, of a struct of variable width", new Label(1, "a"), "01000000 0361"),
        new Sample<Point[], ArrayCodec<Point, CustomCodec<Point, PointCodec>>>("codec of the user's, of a packed struct", [new(1, 2, true)], "02 000000000000F03F 00000040 01"),
        new Sample<Nothing[], ArrayCodec<Nothing, CustomCodec<Nothing, NothingCodec>>>("codec of the user's, of a class without nulls", [new(), new()], "05 00 00"),
        new Sample<Nothing[], ArrayCodec<Nothing, CustomCodec<Nothing, NothingCodec>>>("codec of the user's, of a class with nulls", [new(), null], "06 0100 00"),
        new Sample<string, CustomCodec<string, StringCodec>>("codec of the user's, of a string", "a", "0361"),

        new Sample<Label, RegisteredCodec<Label, DeclaredChoice>>("codec of another assembly, of a struct of variable width", new Label(1, "a"), "01000000 0361"),
        new Sample<Point[], ArrayCodec<Point, RegisteredCodec<Point, ExactChoice>>>("codec of another assembly, of a packed struct", [new(1, 2, true)], "02 000000000000F03F 00000040 01"),
        new Sample<Nothing[], ArrayCodec<Nothing, RegisteredCodec<Nothing, DeclaredChoice>>>("codec of another assembly, of a class without nulls", [new(), new()], "05 00 00"),
        new Sample<Nothing[], ArrayCodec<Nothing, RegisteredCodec<Nothing, ExactChoice>>>("codec of another assembly, of a class with nulls", [new(), null], "06 0100 00"),
    ];

    private static Sample<object, ObjectCodec<SampleCases>> Any(string name, object value, string hex, Func<object, object, bool> same = null) => new(name, value, hex, same ?? Equals);

    private static Sample<TMap, LooseMapCodec<TMap, object, ObjectKeyCodec<SampleCases>, ObjectCodec<SampleCases>, TForm>> Map<TMap, TForm>(string name, TMap value, string hex, bool reorders = false)
        where TMap : class, IDictionary
        where TForm : struct, ILooseMapForm<TMap, object> =>
        new(name, value, hex, static (a, b) => Entries(a).SequenceEqual(Entries(b))) { Reorders = reorders };

    private static Sample<TCollection, OwnLooseCodec<TCollection, object, ObjectCodec<SampleCases>, TForm>> Own<TCollection, TForm>(string name, TCollection value, string hex)
        where TCollection : class, IEnumerable, new()
        where TForm : struct, IOwnLooseForm<TCollection, object> =>
        new(name, value, hex, static (a, b) => Same((IEnumerable)a, b));

    private static T Filled<T>(T collection, Action<T, object> add)
    {
        add(collection, 1);
        add(collection, null);
        return collection;
    }

    private static IEnumerable<(object, object)> Entries(IDictionary map)
    {
        foreach (DictionaryEntry entry in map) yield return (entry.Key, entry.Value);
    }

    private static bool Same(IEnumerable a, IEnumerable b) => a.Cast<object>().Zip(b.Cast<object>()).All(static pair => Same(pair.First, pair.Second)) && a.Cast<object>().Count() == b.Cast<object>().Count();

    private static bool SameInList(IEnumerable a, IEnumerable b) => b is List<object> && Same(a, b);

    private static bool Same(object a, object b) => a is Nothing ? b is Nothing : Equals(a, b);

    private static ExpandoObject Expando(params (string Name, object Value)[] members)
    {
        var made = new ExpandoObject();
        foreach ((string name, object value) in members) ((IDictionary<string, object>)made)[name] = value;
        return made;
    }
}

/// <summary>What may stand where these samples declare object, as generated code lists it.</summary>
public readonly struct SampleCases : INinoObjectCases
{
    public static NinoObjectCases Cases { get; } = new(typeof(SampleCases), "Samples", skipsUnknown: false, Add);

    internal static void Add(NinoObjectCases cases)
    {
        cases.Add<Nothing, NothingCodec>("Store.Tests.Serialization.HandWritten.Nothing");
        cases.Add<Point, PointCodec>("Store.Tests.Serialization.HandWritten.Point");
        cases.Add<Node, NodeCodec>("Store.Tests.Serialization.HandWritten.Node");
        cases.AddBase(typeof(Figure), "Shop.Figure");
    }
}

/// <summary>The same, with the length of each.</summary>
public readonly struct SkippedCases : INinoObjectCases
{
    public static NinoObjectCases Cases { get; } = new(typeof(SkippedCases), "Skipped", skipsUnknown: true, SampleCases.Add);
}

/// <summary>A key in which something is declared as object.</summary>
public record struct OpenKey(int Number, object Any);

/// <summary>Layout: Number 4, then Any.</summary>
public readonly struct OpenKeyBody : INinoCodec<OpenKey>
{
    public static int MinSize => 8;

    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(OpenKey), "Store.Tests.Types.OpenKey", isReference: false, static fields =>
    {
        fields.Add("Number", 0, Int32Codec.Describe(fields.Builder));
        fields.Add("Any", 0, ObjectCodec<SampleCases>.Describe(fields.Builder));
    });

    public void Write(ref NinoWriter writer, in OpenKey value)
    {
        default(Int32Codec).WriteFixed(ref writer.Take(4), value.Number);
        default(ObjectCodec<SampleCases>).Write(ref writer, value.Any);
    }

    public OpenKey Read(ref NinoReader reader)
    {
        int number = default(Int32Codec).ReadFixed(in reader.Take(4));
        return new OpenKey(number, default(ObjectCodec<SampleCases>).Read(ref reader));
    }
}

public sealed class OwnTextQueue : PriorityQueue<string, int>
{
    public static OwnTextQueue Of(params (string Element, int Priority)[] items)
    {
        var made = new OwnTextQueue();
        foreach ((string element, int priority) in items) made.Enqueue(element, priority);
        return made;
    }

    public IEnumerable<(string, int)> Drained()
    {
        var copy = new PriorityQueue<string, int>(UnorderedItems);
        while (copy.TryDequeue(out string element, out int priority)) yield return (element, priority);
    }
}
