// MongoDB.Bson with class maps made at run time. BSON's own dates end at milliseconds, so they have its 64-bit representation, ticks. A BSON document is never an array: a batch is the member of a box, made
// before the clock starts.

using System.Runtime.CompilerServices;
using MongoDB.Bson;
using MongoDB.Bson.IO;
using MongoDB.Bson.Serialization;
using MongoDB.Bson.Serialization.Options;
using MongoDB.Bson.Serialization.Serializers;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>A batch as the member of a document.</summary>
public sealed class MongoBsonBox<T>
{
    public T Value { get; set; } = default!;
}

/// <summary>The row of MongoDB.Bson.</summary>
internal sealed class MongoBsonRow() : PeerRow("MongoDB.Bson")
{
    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new MongoBsonRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<Of<SimpleClass>, SimpleClass>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<Of<SimpleStruct>, SimpleStruct>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<Of<Poco>, Poco>(Name, input, check),
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<Of<ImmutablePoco>, ImmutablePoco>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<Of<SimpleModel>, SimpleModel>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<Of<NineInts>, NineInts>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => Boxed(input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => Boxed(input, check),
        (Action<List<Poco>> check, List<Poco> input) => Boxed(input, check),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => Boxed(input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => Boxed(input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => Boxed(input, check),
        _ => null,
    };

    private Cell Boxed<T>(T value, Action<T> verify) => new Cell<Of<MongoBsonBox<T>>, MongoBsonBox<T>>(Name, new MongoBsonBox<T> { Value = value }, read => verify(read.Value));

    private readonly struct Of<T> : IPeer<T>
    {
        private static readonly IBsonSerializer<T> Serializer = MongoBsonMaps.SerializerOf<T>();

        public byte[] Serialize(T value) => value.ToBson(Serializer);

        public void Write(PeerBuffer buffer, T value)
        {
            using var writer = new BsonBinaryWriter(buffer.StartStream());
            Serializer.Serialize(BsonSerializationContext.CreateRoot(writer), value);
        }

        public T Deserialize(byte[] payload) => BsonSerializer.Deserialize<T>(payload);
    }
}

/// <summary>How the workloads' members are represented. Registered before the first serializer is made.</summary>
internal static class MongoBsonMaps
{
    static MongoBsonMaps()
    {
        BsonSerializer.RegisterSerializer(new DateTimeSerializer(DateTimeKind.Utc, BsonType.Int64));
        BsonSerializer.RegisterSerializer(new GuidSerializer(GuidRepresentation.Standard));

        // Keys that are no strings cannot be names of a document.
        BsonSerializer.RegisterSerializer(new DictionaryInterfaceImplementerSerializer<Dictionary<int, string>>(DictionaryRepresentation.ArrayOfArrays));
        BsonSerializer.RegisterSerializer(new DictionaryInterfaceImplementerSerializer<Dictionary<int, int>>(DictionaryRepresentation.ArrayOfArrays));
        BsonClassMap.RegisterClassMap<SimpleStruct>(static map =>
        {
            map.AutoMap();
            map.MapCreator(static value => new SimpleStruct { Id = value.Id, CreatedAt = value.CreatedAt });
        });
    }

    public static IBsonSerializer<T> SerializerOf<T>() => BsonSerializer.LookupSerializer<T>();
}
