using Store.Serialization;
using Store.Tests.Views;

namespace Store.Tests.Evolution;

/// <summary>What reading a record of an older shape gives when the plan rewrites it, value by value: what all quicker ways must give too.</summary>
internal static class ReadByThePlan
{
    /// <summary>The plan from the shape of one type to that of another.</summary>
    public static NinoRecordMapper MapperOf<TStored, TOwn>() => NinoRecordMapper.Create(NinoSerializer.SchemaOf<TStored>(), NinoSerializer.SchemaOf<TOwn>());

    /// <summary>Reads a record that has a direct way, and the same by the plan alone; compares values by their bytes, and errors by all they say.</summary>
    public static void ReadsTheSame<TStored, TOwn>(byte[] record, NinoLimits? limits = null)
    {
        NinoRecordMapper mapper = MapperOf<TStored, TOwn>();
        Assert.True(mapper.HasDirectWay);
        ReadsTheSame<TOwn>(mapper, record, limits);
    }

    /// <summary>As <see cref="ReadsTheSame{TStored, TOwn}"/>, for a plan from any schema, with a direct way or without. The record ends at the page if there is one.</summary>
    public static void ReadsTheSame<TOwn>(NinoRecordMapper mapper, byte[] record, NinoLimits? limits = null, GuardPage? page = null)
    {
        NinoCodec<TOwn> codec = NinoCodec<TOwn>.Default;
        string actual = Told(() => codec.Decode(page is null ? record : page.AtEnd(record), mapper.Stored, limits)), expected = Told(() => ByThePlan<TOwn>(mapper, record, limits));
        if (expected != actual) Assert.Fail($"bytes {Convert.ToHexString(record)}\nexpected {expected}\nactual   {actual}");
    }

    private static TOwn ByThePlan<TOwn>(NinoRecordMapper mapper, byte[] record, NinoLimits? limits)
    {
        var stored = new NinoReader(record, limits, mapper.Stored);
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        bool isMapped = false;
        NinoReader reader = default;
        try
        {
            NinoWriter writer = NinoRecordMapper.WriterFor(record, buffer, limits);
            mapper.Map(ref stored, ref writer);
            writer.Flush();
            isMapped = true;
            reader = new NinoReader(buffer.Written, limits, mapper.Own);
            TOwn value = NinoCodec<TOwn>.Default.ReadRecord(ref reader);
            Assert.Equal(0, reader.Remaining);
            return value;
        }
        catch (NinoSerializationException error)
        {
            throw isMapped ? RecordErrors.LocateMapped(error, mapper, record, buffer.Written, reader.Position, limits) : mapper.Failed(error, record, stored.Position, limits);
        }
        finally
        {
            buffer.Return();
        }
    }

    private static string Told<T>(Func<T> read)
    {
        try
        {
            return Convert.ToHexString(NinoSerializer.Serialize(read()));
        }
        catch (NinoSerializationException error)
        {
            return $"{error.GetType().Name} {error.TypeName} {error.MemberPath} {error.ByteOffset} {error.Message}";
        }
    }
}
