// What the generator writes codecs for although it carries no attribute: the third party's classes and the batches as records of their own.

using Store.Bench.Workloads;
using Store.Serialization;

[assembly: NinoSerializable(typeof(Poco))]
[assembly: NinoSerializable(typeof(ImmutablePoco))]
[assembly: NinoSerializable(typeof(List<SimpleClass>))]
[assembly: NinoSerializable(typeof(SimpleStruct[]))]
[assembly: NinoSerializable(typeof(List<Poco>))]
[assembly: NinoSerializable(typeof(List<ImmutablePoco>))]
[assembly: NinoSerializable(typeof(List<SimpleModel>))]
[assembly: NinoSerializable(typeof(List<NineInts>))]
