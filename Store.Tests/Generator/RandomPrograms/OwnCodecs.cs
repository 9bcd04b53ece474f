// Types of a program that have codecs of their own, and codecs that it names on members (docs/types.md, "a codec of your own").

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>A codec that a member may name.</summary>
/// <param name="Name">The name of the codec.</param>
/// <param name="Of">The type of the member, without annotations.</param>
/// <param name="Exchanged">What becomes of a value whose member loses the codec in the next version, or gets it; null where its schema is one that the type's own is not exchanged with.</param>
internal sealed record OwnCodec(string Name, string Of, Func<Shape, Shape>? Exchanged)
{
    public bool Fits(TypeRef type) => type.Print(false) == Of;
}

internal static class OwnCodecs
{
    /// <summary>Those that members name.</summary>
    public static IReadOnlyList<OwnCodec> OfMembers { get; } =
    [
        new("WideCodec", "int", static shape => shape),
        new("BackwardsCodec", "string", static shape => shape is Shape.Atom { Value: string text } ? Shapes.OfPlain(new string([.. text.Reverse()])) : shape),
        new("SpelledCodec", "int?", null),
        new("GuidTextCodec", "global::System.Guid", null),
        new("JoinedCodec", "global::System.Collections.Generic.List<int>", null),
    ];

    /// <summary>Types with codecs, and codecs, as every program declares them.</summary>
    public const string Source = """
        namespace Own {
        #nullable enable
        using global::System.Linq;
        using global::Store.Serialization;
        using global::Store.Serialization.Codecs;

        [NinoCodec(typeof(SealCodec))] public sealed class Seal(string text) { public string Text { get; } = text; }

        [NinoCodec(typeof(CentsCodec))] public readonly record struct Cents(long Amount) : global::System.IComparable<Cents> { public int CompareTo(Cents other) => Amount.CompareTo(other.Amount); }

        [NinoCodec(typeof(LabelCodec))] public readonly struct Label(string text) : global::System.IEquatable<Label> {
            private readonly string? _text = text;
            public string Text => _text ?? "";
            public bool Equals(Label other) => Text == other.Text;
            public override bool Equals(object? other) => other is Label label && Equals(label);
            public override int GetHashCode() => Text.GetHashCode();
        }

        [NinoCodec(typeof(DeedCodec))] public class Deed(int number, string? title) { public int Number { get; } = number; public string? Title { get; } = title; }

        [NinoCodec(typeof(CrateCodec<>))] public readonly struct Crate<T>(int size) { public int Size { get; } = size; }

        [NinoCodec(typeof(ModeCodec))] public enum Mode : byte { Off, On = 7 }

        public readonly struct SealCodec : INinoCodec<Seal?> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Seal? value) => default(StringCodec).Write(ref writer, value?.Text!);
            public Seal? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? new Seal(text) : null;
        }

        public readonly struct CentsCodec : INinoCodec<Cents> {
            public static CodecForm Form => CodecForm.Fixed;
            public static int FixedSize => 8;
            public static int MinSize => 8;
            public static SchemaNode Describe(SchemaBuilder builder) => Int64Codec.Describe(builder);
            public void WriteFixed(ref byte destination, in Cents value) => default(Int64Codec).WriteFixed(ref destination, value.Amount);
            public Cents ReadFixed(ref readonly byte source) => new(default(Int64Codec).ReadFixed(in source));
            public void Write(ref NinoWriter writer, in Cents value) => WriteFixed(ref writer.Take(8), in value);
            public Cents Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
        }

        public readonly struct LabelCodec : INinoCodec<Label> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Label value) => default(StringCodec).Write(ref writer, value.Text);
            public Label Read(ref NinoReader reader) => new(default(StringCodec).Read(ref reader) ?? throw new NinoSerializationException("A label is never null."));
        }

        public readonly struct DeedCodec : INinoCodec<Deed?> {
            public static CodecForm Form => CodecForm.Object;
            public static int MinSize => 1;
            public static int MinBodySize => 5;
            public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Deed), "Own.Deed", isReference: true, static fields => {
                fields.Add("Number", 0, Int32Codec.Describe(fields.Builder));
                fields.Add("Title", 0, StringCodec.Describe(fields.Builder));
            });
            public void Write(ref NinoWriter writer, in Deed? value) {
                writer.Take(1) = value is null ? (byte)0 : (byte)1;
                if (value is not null) WriteBody(ref writer, in value);
            }
            public Deed? Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null;
            public void WriteBody(ref NinoWriter writer, in Deed? value) {
                default(Int32Codec).Write(ref writer, value!.Number);
                default(StringCodec).Write(ref writer, value.Title!);
            }
            public Deed? ReadBody(ref NinoReader reader) => new(default(Int32Codec).Read(ref reader), default(StringCodec).Read(ref reader));
        }

        public readonly struct CrateCodec<T> : INinoCodec<Crate<T>> {
            public static CodecForm Form => CodecForm.Fixed;
            public static int FixedSize => 4;
            public static int MinSize => 4;
            public static SchemaNode Describe(SchemaBuilder builder) => Int32Codec.Describe(builder);
            public void WriteFixed(ref byte destination, in Crate<T> value) => default(Int32Codec).WriteFixed(ref destination, value.Size);
            public Crate<T> ReadFixed(ref readonly byte source) => new(default(Int32Codec).ReadFixed(in source));
            public void Write(ref NinoWriter writer, in Crate<T> value) => WriteFixed(ref writer.Take(4), in value);
            public Crate<T> Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
        }

        public readonly struct ModeCodec : INinoCodec<Mode> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Mode value) => default(StringCodec).Write(ref writer, value.ToString());
            public Mode Read(ref NinoReader reader) => global::System.Enum.Parse<Mode>(default(StringCodec).Read(ref reader)!);
        }

        public readonly struct WideCodec : INinoCodec<int> {
            public static CodecForm Form => CodecForm.Fixed;
            public static int FixedSize => 8;
            public static int MinSize => 8;
            public static SchemaNode Describe(SchemaBuilder builder) => Int64Codec.Describe(builder);
            public void WriteFixed(ref byte destination, in int value) => default(Int64Codec).WriteFixed(ref destination, value);
            public int ReadFixed(ref readonly byte source) => checked((int)default(Int64Codec).ReadFixed(in source));
            public void Write(ref NinoWriter writer, in int value) => WriteFixed(ref writer.Take(8), in value);
            public int Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
        }

        public readonly struct BackwardsCodec : INinoCodec<string?> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in string? value) => default(StringCodec).Write(ref writer, Turned(value)!);
            public string? Read(ref NinoReader reader) => Turned(default(StringCodec).Read(ref reader));
            private static string? Turned(string? text) => text is null ? null : new string(text.Reverse().ToArray());
        }

        public readonly struct SpelledCodec : INinoCodec<int?> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in int? value) => default(StringCodec).Write(ref writer, value?.ToString(global::System.Globalization.CultureInfo.InvariantCulture)!);
            public int? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? int.Parse(text, global::System.Globalization.CultureInfo.InvariantCulture) : null;
        }

        public readonly struct GuidTextCodec : INinoCodec<global::System.Guid> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in global::System.Guid value) => default(StringCodec).Write(ref writer, value.ToString());
            public global::System.Guid Read(ref NinoReader reader) => global::System.Guid.Parse(default(StringCodec).Read(ref reader));
        }

        public readonly struct JoinedCodec : INinoCodec<global::System.Collections.Generic.List<int>?> {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in global::System.Collections.Generic.List<int>? value) => default(StringCodec).Write(ref writer, value is null ? null! : string.Join(",", value));
            public global::System.Collections.Generic.List<int>? Read(ref NinoReader reader) =>
                default(StringCodec).Read(ref reader) is { } text ? new(text.Split(',', global::System.StringSplitOptions.RemoveEmptyEntries).Select(int.Parse)) : null;
        }
        #nullable restore
        }
        """;

    /// <summary>Makes a value of a type with a codec; null where it is another type.</summary>
    public static object? Make(Type type, Random random) => type switch
    {
        { Namespace: not "Own" } => null,
        { Name: "Seal" or "Label" } => Activator.CreateInstance(type, ScalarValues.Make(typeof(string), random, false)),
        { Name: "Cents" } => Activator.CreateInstance(type, ScalarValues.Make(typeof(long), random, false)),
        { Name: "Deed" } => Activator.CreateInstance(type, random.Next(), random.Next(3) == 0 ? null : "title"),
        { Name: "Crate`1" } => Activator.CreateInstance(type, random.Next()),
        _ => null,
    };

    /// <summary>The shape of a value of a type with a codec; null where it is another type.</summary>
    public static Shape? ShapeOf(object value) => value.GetType() is { Namespace: "Own", IsEnum: false } type && (type.Name is "Seal" or "Label" or "Cents" or "Deed" or "Crate`1")
        ? new Shape.Atom(type.Name, string.Join(' ', type.GetProperties().OrderBy(static one => one.Name, StringComparer.Ordinal).Select(one => Shapes.OfPlain(one.GetValue(value)))), value)
        : null;

    /// <summary>What a value of a type with one member has in it.</summary>
    public static object Inner(object value) => value.GetType().GetProperties().Single().GetValue(value)!;
}
