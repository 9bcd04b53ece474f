// The methods that Salar.Bois.CodeGen writes the bodies of.

using Salar.BinaryBuffers;
using Salar.Bois.CodeGen;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Generated readers and writers.</summary>
internal static partial class BoisGeneratedCode
{
    [BoisWriter] public static partial void WriteSimpleClass(SimpleClass value, BufferWriterBase writer);
    [BoisReader] public static partial SimpleClass ReadSimpleClass(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteSimpleClasses(List<SimpleClass> value, BufferWriterBase writer);
    [BoisReader] public static partial List<SimpleClass> ReadSimpleClasses(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteSimpleStruct(SimpleStruct value, BufferWriterBase writer);
    [BoisReader] public static partial SimpleStruct ReadSimpleStruct(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteSimpleStructs(SimpleStruct[] value, BufferWriterBase writer);
    [BoisReader] public static partial SimpleStruct[] ReadSimpleStructs(BufferReaderBase reader);
    [BoisWriter] public static partial void WritePoco(Poco value, BufferWriterBase writer);
    [BoisReader] public static partial Poco ReadPoco(BufferReaderBase reader);
    [BoisWriter] public static partial void WritePocos(List<Poco> value, BufferWriterBase writer);
    [BoisReader] public static partial List<Poco> ReadPocos(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteSimpleModel(SimpleModel value, BufferWriterBase writer);
    [BoisReader] public static partial SimpleModel ReadSimpleModel(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteSimpleModels(List<SimpleModel> value, BufferWriterBase writer);
    [BoisReader] public static partial List<SimpleModel> ReadSimpleModels(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteNineInts(NineInts value, BufferWriterBase writer);
    [BoisReader] public static partial NineInts ReadNineInts(BufferReaderBase reader);
    [BoisWriter] public static partial void WriteNineIntsList(List<NineInts> value, BufferWriterBase writer);
    [BoisReader] public static partial List<NineInts> ReadNineIntsList(BufferReaderBase reader);
}

/// <summary>One type's generated methods as a type argument, so that they are called directly.</summary>
internal interface IBoisType<T>
{
    static abstract void Write(T value, BufferWriterBase writer);

    static abstract T Read(BufferReaderBase reader);
}

internal readonly struct BoisSimpleClass : IBoisType<SimpleClass>
{
    public static void Write(SimpleClass value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleClass(value, writer);
    public static SimpleClass Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleClass(reader);
}

internal readonly struct BoisSimpleClasses : IBoisType<List<SimpleClass>>
{
    public static void Write(List<SimpleClass> value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleClasses(value, writer);
    public static List<SimpleClass> Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleClasses(reader);
}

internal readonly struct BoisSimpleStruct : IBoisType<SimpleStruct>
{
    public static void Write(SimpleStruct value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleStruct(value, writer);
    public static SimpleStruct Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleStruct(reader);
}

internal readonly struct BoisSimpleStructs : IBoisType<SimpleStruct[]>
{
    public static void Write(SimpleStruct[] value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleStructs(value, writer);
    public static SimpleStruct[] Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleStructs(reader);
}

internal readonly struct BoisPoco : IBoisType<Poco>
{
    public static void Write(Poco value, BufferWriterBase writer) => BoisGeneratedCode.WritePoco(value, writer);
    public static Poco Read(BufferReaderBase reader) => BoisGeneratedCode.ReadPoco(reader);
}

internal readonly struct BoisPocos : IBoisType<List<Poco>>
{
    public static void Write(List<Poco> value, BufferWriterBase writer) => BoisGeneratedCode.WritePocos(value, writer);
    public static List<Poco> Read(BufferReaderBase reader) => BoisGeneratedCode.ReadPocos(reader);
}

internal readonly struct BoisSimpleModel : IBoisType<SimpleModel>
{
    public static void Write(SimpleModel value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleModel(value, writer);
    public static SimpleModel Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleModel(reader);
}

internal readonly struct BoisSimpleModels : IBoisType<List<SimpleModel>>
{
    public static void Write(List<SimpleModel> value, BufferWriterBase writer) => BoisGeneratedCode.WriteSimpleModels(value, writer);
    public static List<SimpleModel> Read(BufferReaderBase reader) => BoisGeneratedCode.ReadSimpleModels(reader);
}

internal readonly struct BoisNineInts : IBoisType<NineInts>
{
    public static void Write(NineInts value, BufferWriterBase writer) => BoisGeneratedCode.WriteNineInts(value, writer);
    public static NineInts Read(BufferReaderBase reader) => BoisGeneratedCode.ReadNineInts(reader);
}

internal readonly struct BoisNineIntsList : IBoisType<List<NineInts>>
{
    public static void Write(List<NineInts> value, BufferWriterBase writer) => BoisGeneratedCode.WriteNineIntsList(value, writer);
    public static List<NineInts> Read(BufferReaderBase reader) => BoisGeneratedCode.ReadNineIntsList(reader);
}
