// Module initializers run when something of their assembly is used first, which may be while the codec of a base is put together: what they register then is a case, or is told to have come too late.

using Store.Serialization;

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Codecs of a base that are registered while its default is found.</summary>
public class RegistrationRaceTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void ACaseThatIsRegisteredWhileTheCodecIsFoundIsOne(int moment)
    {
        // Types of their own for each moment: what is registered stays.
        switch (moment)
        {
            case 1: Register<At<int>>(1); break;
            case 2: Register<At<long>>(2); break;
            default: Register<At<string>>(3); break;
        }
    }

    // Described are the cases that each of the two codecs knows, then those of both together: the third codec comes after the first, second or last of the second one's descriptions.
    private static void Register<TAt>(int moment)
    {
        NinoRegistry.RegisterWider<Plant<TAt>, Knows<TAt, Oak<TAt>>>();
        NinoRegistry.RegisterWider<Plant<TAt>, Knows<TAt, Elm<TAt>>>();
        int described = 0;
        Knows<TAt, Elm<TAt>>.Described = () =>
        {
            if (++described == moment) NinoRegistry.RegisterWider<Plant<TAt>, Knows<TAt, Fir<TAt>>>();
        };
        _ = NinoCodec<Plant<TAt>>.Default.Schema;
        bool isFound = false;
        try
        {
            isFound = NinoSerializer.Clone<Plant<TAt>>(new Fir<TAt>()) is Fir<TAt>;
        }
        catch (NinoSerializationException error)
        {
            Assert.Contains("came after the first use", error.Message, StringComparison.Ordinal);
        }

        // The last moment is after the codec was found: describing its schema.
        Assert.Equal(moment < 3, isFound);
        Assert.Equal(isFound, NinoRegistry.LateFor(typeof(Plant<TAt>)) is null);
        Assert.IsType<Oak<TAt>>(NinoSerializer.Clone<Plant<TAt>>(new Oak<TAt>()));
        Assert.IsType<Elm<TAt>>(NinoSerializer.Clone<Plant<TAt>>(new Elm<TAt>()));
    }

    private sealed class At<T>;

    private abstract class Plant<TAt>;

    private sealed class Oak<TAt> : Plant<TAt>;

    private sealed class Elm<TAt> : Plant<TAt>;

    private sealed class Fir<TAt> : Plant<TAt>;

    // As generated code of an assembly that knows one case.
    private readonly struct Knows<TAt, TCase> : INinoCodec<Plant<TAt>> where TCase : Plant<TAt>, new()
    {
        public static Action? Described { get; set; }

        public static int MinSize => 4;

        private static uint Tag => UnionDefinition.HashOf(typeof(TCase).Name);

        public static SchemaNode Describe(SchemaBuilder builder)
        {
            SchemaNode node = builder.Union(typeof(Plant<TAt>), "Plant", UnionForm.Hashed, static cases => cases.Add(Tag, cases.Builder.Object(typeof(TCase), typeof(TCase).Name, true, static _ => { })));
            Described?.Invoke();
            return node;
        }

        public void Write(ref NinoWriter writer, in Plant<TAt> value)
        {
            if (value is not TCase) NinoGenerated.ThrowUnknownCase(value.GetType(), typeof(Plant<TAt>), typeof(TCase).Name);
            NinoGenerated.WriteTag(ref writer, Tag);
            writer.Take(1) = 0;
        }

        public Plant<TAt> Read(ref NinoReader reader)
        {
            Assert.Equal(Tag, NinoGenerated.ReadTag(ref reader));
            reader.ReadEmptyBody();
            return new TCase();
        }
    }
}
