namespace Store.Tests.Generator;

/// <summary>What generated code does not fill, because code of the user's, or another object, would see it.</summary>
public class ReuseTests
{
    private const string Helper = """
        public static List<(byte[], NinoSchema)> Records = [];
        public static void Read<T>(T record, ref T? value)
        {
            byte[] bytes = NinoSerializer.Serialize(record);
            Records.Add((bytes, NinoSerializer.SchemaOf<T>()));
            NinoSerializer.Deserialize(bytes, ref value);
        }
        public static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
        """;

    [Fact]
    public void WhatASetterCopiesFromIsReadAnew() => GeneratorHarness.RunWithLibrary("""
        namespace Lib;
        public sealed class Poco { private List<int> _items = []; public List<int> Items { get => _items; set { _items.Clear(); _items.AddRange(value); } } public List<int> Plain { get; set; } = []; public int[] Field = []; }
        """, """
        using Lib;
        [assembly: NinoSerializable(typeof(Poco))]
        [NinoType] public sealed class Order { private List<int> _items = []; public List<int> Items { get => _items; set { _items.Clear(); _items.AddRange(value); } } public List<int> Plain { get; set; } = []; }
        public static class Program
        {
            public static void Run()
            {
                Order? order = new() { Items = [1, 2, 3], Plain = [9] };
                (Order old, List<int> plain) = (order, order.Plain);
                Read(new Order { Items = [4, 5], Plain = [6] }, ref order);
                Equal("4,5;6", string.Join(",", order!.Items) + ";" + string.Join(",", order.Plain));
                Equal(true, ReferenceEquals(old, order) && ReferenceEquals(plain, order.Plain));

                Poco? poco = new() { Items = [1, 2, 3], Plain = [9], Field = [7] };
                (plain, int[] field) = (poco.Plain, poco.Field);
                Read(new Poco { Items = [4, 5], Plain = [6], Field = [8] }, ref poco);
                Equal("4,5;6;8", string.Join(",", poco!.Items) + ";" + string.Join(",", poco.Plain) + ";" + string.Join(",", poco.Field));
                Equal(true, ReferenceEquals(plain, poco.Plain) && ReferenceEquals(field, poco.Field));
            }
        """ + Helper + "}");

    [Fact]
    public void WhatASetterPutsIntoMembersBehindItIsNotReadInto() => GeneratorHarness.RunWithLibrary("namespace Lib;", """
        #pragma warning disable NINO027
        public static class Defaults { public static readonly List<int> None = []; }
        [NinoType] public sealed class Part { public int Value { get; set; } }
        [NinoType] public sealed class Order
        {
            private int _mode;
            private List<int>? _first;
            public int Mode { get => _mode; set { _mode = value; Chosen = Defaults.None; } }
            public List<int>? First { get => _first; set { _first = value; Second = value; } }
            public List<int>? Second { get; set; }
            public List<int>? Chosen { get; set; }
            public Part? Head { get => field; set { field = value; Tail ??= value; Last = value; } }
            public Part? Tail { get; set; }
            public Part? Last { get; set; }
        }
        public static class Program
        {
            static Order Of(int value) => new() { Mode = value, First = [value], Second = [value + 1], Chosen = [value + 2], Head = new() { Value = value + 3 }, Tail = new() { Value = value + 4 }, Last = new() { Value = value + 5 } };
            static string Text(Order order) => $"{order.Mode} {order.First![0]} {order.Second![0]} {order.Chosen![0]} {order.Head!.Value} {order.Tail!.Value} {order.Last!.Value}";
            public static void Run()
            {
                Order? order = Of(1);
                (Order old, List<int> second, Part last) = (order, order.Second!, order.Last!);
                for (int i = 10; i < 30; i += 10)
                {
                    Read(Of(i), ref order);
                    Equal(Text(Of(i)), Text(order!));
                }
                Equal(0, Defaults.None.Count);
                Equal((true, true, true), (ReferenceEquals(old, order), ReferenceEquals(second, order!.Second), ReferenceEquals(last, order.Last)));
                order.Tail = null;
                Read(Of(40), ref order);
                Equal(Text(Of(40)), Text(order!));
            }
        """ + Helper + "}");

    [Fact]
    public void WhatAConstructorMadeOfMembersIsMadeAnew() => GeneratorHarness.RunWithLibrary("""
        namespace Lib;
        public class Below(int id) { public int Twice() => 2 * id; }
        """, """
        #pragma warning disable CS9124
        [NinoType] public sealed class Computed { public Computed(int id) { Id = id; Twice = 2 * id; } public int Id { get; set; } [NinoIgnore] public int Twice; }
        [NinoType] public sealed class Captured(int id) { public int Id { get; set; } = id; public int Twice() => 2 * id; }
        [NinoType] public sealed record Headed(int Id) { public int Id { get; set; } = Id; [NinoIgnore] public int Twice { get; } = 2 * Id; }
        [NinoType] public sealed class Derived : Lib.Below { public Derived(int id) : base(id) { Id = id; } public int Id { get; set; } }
        [NinoType] public sealed class Plain { public Plain(int id) { Id = id; } public int Id { get; set; } }
        public static class Program
        {
            public static void Run()
            {
                Computed? computed = new(1);
                Read(new Computed(2), ref computed);
                Equal((2, 4), (computed!.Id, computed.Twice));
                Captured? captured = new(1);
                Read(new Captured(2), ref captured);
                Equal((2, 4), (captured!.Id, captured.Twice()));
                Headed? headed = new(1);
                Read(new Headed(2), ref headed);
                Equal((2, 4), (headed!.Id, headed.Twice));
                Derived? derived = new(1);
                Read(new Derived(2), ref derived);
                Equal((2, 4), (derived!.Id, derived.Twice()));
                Plain? plain = new(1);
                Plain old = plain;
                Read(new Plain(2), ref plain);
                Equal((2, true), (plain!.Id, ReferenceEquals(old, plain)));
            }
        """ + Helper + "}");

    [Fact]
    public void AGetterOfADefaultStructIsNotCalled() => GeneratorHarness.RunWithLibrary("namespace Lib;", """
        [NinoType] public struct Frame { private int[]? _all; public int[] All { readonly get => _all ?? throw new InvalidOperationException("default"); set => _all = value; } public string? Name; }
        [NinoType] public struct Shared { public static readonly int[] Common = [1, 2]; private int[]? _all; public int[] All { readonly get => _all ?? Common; set => _all = value; } }
        public static class Program
        {
            public static void Run()
            {
                Frame frame = default;
                Read(new Frame { All = [1], Name = "n" }, ref frame);
                Equal((1, "n"), (frame.All[0], frame.Name));

                Shared shared = default;
                Read(new Shared { All = [8, 9] }, ref shared);
                Equal((1, 8), (Shared.Common[0], shared.All[0]));
            }
        """ + Helper + "}");

    [Fact]
    public void OnlyStringsOfTheEnginesOwnEncodingAreHandedOn() => GeneratorHarness.RunWithLibrary("namespace Lib;", """
        [NinoType] public sealed class String { public List<int>? All { get; set; } }
        [NinoType] public sealed record Outer(global::String Text);
        public static class Program
        {
            public static void Run()
            {
                Outer? outer = new(new() { All = [1] });
                global::String old = outer.Text;
                Read(new Outer(new() { All = [2] }), ref outer);
                Equal((1, 2), (old.All![0], outer!.Text.All![0]));
            }
        """ + Helper + "}");
}
