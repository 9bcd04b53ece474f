using Store.Serialization;
using Store.Tests.StructArrays;

[assembly: NinoSerializable(typeof(NumberAndDate[])), NinoSerializable(typeof(List<NumberAndDate>))]
[assembly: NinoSerializable(typeof(DateAndInt[])), NinoSerializable(typeof(List<DateAndInt>))]
[assembly: NinoSerializable(typeof(ThreeWords[])), NinoSerializable(typeof(List<ThreeWords>))]
[assembly: NinoSerializable(typeof(DateAndNumber[])), NinoSerializable(typeof(List<DateAndNumber>))]
[assembly: NinoSerializable(typeof(SmallAndFlag[])), NinoSerializable(typeof(List<SmallAndFlag>))]
[assembly: NinoSerializable(typeof(Scattered[])), NinoSerializable(typeof(List<Scattered>))]
[assembly: NinoSerializable(typeof(Nested[])), NinoSerializable(typeof(List<Nested>))]
[assembly: NinoSerializable(typeof(Point[])), NinoSerializable(typeof(List<Point>))]
[assembly: NinoSerializable(typeof(Body[])), NinoSerializable(typeof(List<Body>))]
[assembly: NinoSerializable(typeof(Generic<long, byte>)), NinoSerializable(typeof(Generic<long, byte>[])), NinoSerializable(typeof(List<Generic<long, byte>>))]
[assembly: NinoSerializable(typeof(Long[])), NinoSerializable(typeof(List<Long>))]
[assembly: NinoSerializable(typeof(Doubled[])), NinoSerializable(typeof(List<Doubled>))]
[assembly: NinoSerializable(typeof(Clamped[]))]
[assembly: NinoSerializable(typeof(DateTime[])), NinoSerializable(typeof(List<DateTime>))]
[assembly: NinoSerializable(typeof(bool[])), NinoSerializable(typeof(List<bool>))]
