using System.Buffers;
using System.Collections.Concurrent;
using System.Reflection;
using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>A type may be asked for before the assembly that registers it is loaded: what failed then is found later, by every verb.</summary>
public sealed class LateRegistrationTests
{
    [Fact]
    public void ATypeThatIsRegisteredAfterItWasAskedForIsFound()
    {
        IsFoundLater<Late<short>, StructCodec<short>>(default);
        IsFoundLater<LateOne<short>, ClassCodec<short>>(new());
    }

    [Fact]
    public void ItIsFoundWhicheverVerbAskedFirst()
    {
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize<Late<int>>([1]));
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize<LateOne<int>>([1]));
        NinoRegistry.Register<Late<int>, StructCodec<int>>();
        NinoRegistry.Register<LateOne<int>, ClassCodec<int>>();
        Assert.Equal(default, NinoSerializer.Deserialize<Late<int>>([1]));
        Assert.NotNull(NinoSerializer.Deserialize<LateOne<int>>([1]));
    }

    [Fact]
    public void ManyThreadsThatAskForTheFirstTimeGetOneCodec()
    {
        NinoRegistry.Register<LateOne<Guid>, ClassCodec<Guid>>();
        NinoRegistry.Register<Late<Guid>, StructCodec<Guid>>();
        using var start = new Barrier(8);
        var found = new (object Class, object Struct, object List)[8];
        WatchedThread[] threads = [.. Enumerable.Range(0, found.Length).Select(i => new WatchedThread(() =>
        {
            start.SignalAndWait();
            NinoSerializer.Serialize(new LateOne<Guid>());
            NinoSerializer.Serialize(default(Late<Guid>));
            NinoSerializer.Serialize(new List<LateOne<Guid>>());
            found[i] = (NinoCodec<LateOne<Guid>>.Settled.Codec, NinoCodec<Late<Guid>>.Settled.Codec, NinoCodec<List<LateOne<Guid>>>.Default);
        }))];
        foreach (WatchedThread thread in threads) thread.Start();
        foreach (WatchedThread thread in threads) thread.Join();
        Assert.All(found, static codecs => Assert.Equal<(object, object, object)>((NinoCodec<LateOne<Guid>>.Default, NinoCodec<Late<Guid>>.Default, NinoCodec<List<LateOne<Guid>>>.Settled.Codec), codecs));
    }

    [Fact]
    public void NothingIsMadeOfATypeThatIsAnnouncedUntilItIsLookedUp()
    {
        // In the name of an assembly that nobody asks for its types.
        Assembly other = typeof(FactAttribute).Assembly;
        ConcurrentDictionary<Type, bool> registered = [];
        Announce(typeof(Late<long>), NinoRegistry.RegisterAnnounced<Late<long>, StructCodec<long>>);
        Announce(typeof(LateOne<long>), NinoRegistry.RegisterAnnounced<LateOne<long>, ClassCodec<long>>);
        NinoSerializer.Serialize(1);
        Assert.Empty(registered);
        Assert.Equal([1], NinoSerializer.Serialize(default(Late<long>)));
        Assert.Equal(typeof(Late<long>), Assert.Single(registered).Key);
        Assert.Single(NinoSerializer.Deserialize<List<LateOne<long>>>(NinoSerializer.Serialize(new List<LateOne<long>> { new() })));
        Assert.True(registered.ContainsKey(typeof(LateOne<long>)));

        void Announce(Type type, Action<Assembly> register) => NinoRegistry.Announce(type, other, () =>
        {
            registered[type] = true;
            register(other);
        });
    }

    [Fact]
    public void OfSeveralWhoAnnounceOrRegisterATypeTheFirstHasIt()
    {
        Assembly own = GetType().Assembly, second = typeof(FactAttribute).Assembly;
        NinoRegistry.Announce(typeof(Late<byte>), own, () => NinoRegistry.RegisterAnnounced<Late<byte>, StructCodec<byte>>(own));
        NinoRegistry.Announce(typeof(Late<byte>), second, () => NinoRegistry.RegisterAnnounced<Late<byte>, OtherCodec<byte>>(second));
        Assert.Contains(NinoRegistry.SchemasOf(second, out _), static schema => schema.Name == "OtherByte");
        NinoRegistry.Register<Late<byte>, OtherCodec<byte>>();
        Assert.Equal([1], NinoSerializer.Serialize(default(Late<byte>)));
        Assert.Contains(NinoRegistry.SchemasOf(own, out _), static schema => schema.Name == "LateByte");
    }

    private static void IsFoundLater<T, TCodec>(T value) where TCodec : struct, INinoCodec<T>
    {
        var output = new ArrayBufferWriter<byte>();
        T? into = value;
        // Often enough for code that is compiled again, knowing more.
        for (int i = 0; i < 100; i++)
        {
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(value));
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(output, value));
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(new List<T> { value }));
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize<T>([1]));
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Deserialize([1], ref into));
            Assert.Throws<NinoTypeNotRegisteredException>(() => NinoCodec<T>.Default);
        }

        NinoRegistry.Register<T, TCodec>();
        Assert.Equal([1], NinoSerializer.Serialize(value));
        Assert.Equal(1, NinoSerializer.Serialize(output, value));
        Assert.Single(NinoSerializer.Deserialize<List<T>>(NinoSerializer.Serialize(new List<T> { value })));
        NinoSerializer.Deserialize([1], ref into);
        Assert.IsType<T>(NinoSerializer.Deserialize<T>([1]));
        Assert.Same(NinoCodec<T>.Default, NinoCodec<T>.Settled.Codec);
    }

    private readonly record struct Late<TAt>;

    private sealed class LateOne<TAt>;

    private readonly struct StructCodec<TAt> : INinoCodec<Late<TAt>>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Late<TAt>), "Late" + typeof(TAt).Name, false, static fields => fields.Add("Number", 0, SchemaNode.Primitive(SchemaKind.Byte)));

        public void Write(ref NinoWriter writer, in Late<TAt> value) => writer.Take(1) = 1;

        public Late<TAt> Read(ref NinoReader reader)
        {
            reader.Take(1);
            return default;
        }
    }

    private readonly struct OtherCodec<TAt> : INinoCodec<Late<TAt>>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Late<TAt>), "Other" + typeof(TAt).Name, false, static fields => fields.Add("Number", 0, SchemaNode.Primitive(SchemaKind.Byte)));

        public void Write(ref NinoWriter writer, in Late<TAt> value) => writer.Take(1) = 2;

        public Late<TAt> Read(ref NinoReader reader) => throw new InvalidOperationException();
    }

    private readonly struct ClassCodec<TAt> : INinoCodec<LateOne<TAt>>
    {
        public static CodecForm Form => CodecForm.Object;

        public static int MinSize => 1;

        public static int MinBodySize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(LateOne<TAt>), "LateOne" + typeof(TAt).Name, true, static fields => fields.Add("Number", 0, SchemaNode.Primitive(SchemaKind.Byte)));

        public void Write(ref NinoWriter writer, in LateOne<TAt> value)
        {
            writer.Take(1) = value is null ? (byte)0 : (byte)1;
            if (value is not null) WriteBody(ref writer, in value);
        }

        public LateOne<TAt> Read(ref NinoReader reader) => reader.Take(1) == 0 ? null! : ReadBody(ref reader);

        public void WriteBody(ref NinoWriter writer, in LateOne<TAt> value) => writer.Take(1) = 1;

        public LateOne<TAt> ReadBody(ref NinoReader reader)
        {
            reader.Take(1);
            return new();
        }
    }
}
