namespace Store.Tests.Generator;

/// <summary>Types that differ only in the names of a tuple's elements are one type.</summary>
public class TupleNameTests
{
    [Fact]
    public void ARegisteredCodecIsThatOfTheTypeHoweverTheElementsAreCalled() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Keep<(int, int)>), Codec = typeof(KeepCodec))]
        public sealed class Keep<T> { private T? _value; public int Version { get; set; } public void Put(T value) => _value = value; public T? Get() => _value; }
        public readonly struct KeepCodec : INinoCodec<Keep<(int, int)>?>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Keep<(int, int)>? value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, value is null ? null! : $"{value.Get().Item1} {value.Get().Item2}");
            public Keep<(int, int)>? Read(ref NinoReader reader)
            {
                if (default(Store.Serialization.Codecs.StringCodec).Read(ref reader) is not { } text) return null;
                var keep = new Keep<(int, int)>();
                keep.Put((int.Parse(text.Split(' ')[0]), int.Parse(text.Split(' ')[1])));
                return keep;
            }
        }
        [NinoType] public sealed class Use { public Keep<(int Width, int Height)>? Size { get; set; } public List<Keep<(int X, int Y)>>? All { get; set; } public Keep<(int, int)>? Bare { get; set; } }
        """, """
        var keep = new Keep<(int, int)>();
        keep.Put((3, 4));
        Use read = Copy(new Use { Size = keep, All = [keep], Bare = keep });
        Equal(((3, 4), (3, 4), (3, 4)), (read.Size!.Get(), read.All![0].Get(), read.Bare!.Get()));
        """);

    [Fact]
    public void ACaseIsThatOfItsBaseHoweverTheElementsAreCalled() => Programs.Run("""
        [NinoType] public abstract class Event<T> { public T? Value { get; set; } }
        [NinoType] public sealed class Sized : Event<(int Width, int Height)>;
        [NinoType] public sealed class Moved : Event<(int, int)>;
        [NinoType] public sealed class Use { public Event<(int, int)>? Bare { get; set; } public Event<(int X, int Y)>? Named { get; set; } }
        """, """
        foreach (Event<(int, int)> one in new Event<(int, int)>[] { new Sized { Value = (1, 2) }, new Moved { Value = (1, 2) } })
        {
            Use read = Copy(new Use { Bare = one, Named = one });
            Equal((one.GetType(), one.GetType(), (1, 2)), (read.Bare!.GetType(), read.Named!.GetType(), read.Named.Value));
        }
        """);
}
