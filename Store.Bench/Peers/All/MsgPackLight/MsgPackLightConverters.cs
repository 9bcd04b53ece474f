// One converter for each of the workloads' types: members in order, as a MessagePack array. The context gives the converters of members, lists and dictionaries.

using ProGaudi.MsgPack.Light;
using Store.Bench.Bound;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>A type as an array of its members.</summary>
/// <param name="members">Number of members.</param>
internal abstract class MembersConverter<T>(uint members) : IMsgPackConverter<T>
{
    public abstract void Initialize(MsgPackContext context);

    public void Write(T value, IMsgPackWriter writer)
    {
        writer.WriteArrayHeader(members);
        WriteMembers(value, writer);
    }

    public T Read(IMsgPackReader reader)
    {
        uint? found = reader.ReadArrayLength();
        if (found != members) throw new InvalidDataException($"{typeof(T).Name} has {members} members, not {found}.");
        return ReadMembers(reader);
    }

    protected abstract void WriteMembers(T value, IMsgPackWriter writer);

    protected abstract T ReadMembers(IMsgPackReader reader);
}

/// <summary>16 bytes.</summary>
internal sealed class GuidConverter : IMsgPackConverter<Guid>
{
    private IMsgPackConverter<byte[]> _bytes = null!;

    public void Initialize(MsgPackContext context) => _bytes = context.GetConverter<byte[]>();

    public void Write(Guid value, IMsgPackWriter writer) => _bytes.Write(value.ToByteArray(), writer);

    public Guid Read(IMsgPackReader reader) => new(_bytes.Read(reader));
}

internal sealed class SimpleClassConverter() : MembersConverter<SimpleClass>(6)
{
    private IMsgPackConverter<int> _int = null!;
    private IMsgPackConverter<string> _string = null!;
    private IMsgPackConverter<int[]> _numbers = null!;
    private IMsgPackConverter<List<DateTime>> _dates = null!;
    private IMsgPackConverter<Dictionary<int, string>> _texts = null!;
    private IMsgPackConverter<Dictionary<int, int>> _pairs = null!;

    public override void Initialize(MsgPackContext context) =>
        (_int, _string, _numbers, _dates, _texts, _pairs) = (context.GetConverter<int>(), context.GetConverter<string>(), context.GetConverter<int[]>(),
            context.GetConverter<List<DateTime>>(), context.GetConverter<Dictionary<int, string>>(), context.GetConverter<Dictionary<int, int>>());

    protected override void WriteMembers(SimpleClass value, IMsgPackWriter writer)
    {
        _int.Write(value.Id, writer);
        _string.Write(value.Name, writer);
        _numbers.Write(value.Numbers, writer);
        _dates.Write(value.Dates, writer);
        _texts.Write(value.Texts, writer);
        _pairs.Write(value.Pairs, writer);
    }

    protected override SimpleClass ReadMembers(IMsgPackReader reader) => new()
    {
        Id = _int.Read(reader), Name = _string.Read(reader), Numbers = _numbers.Read(reader), Dates = _dates.Read(reader), Texts = _texts.Read(reader), Pairs = _pairs.Read(reader),
    };
}

internal sealed class SimpleStructConverter() : MembersConverter<SimpleStruct>(2)
{
    private IMsgPackConverter<int> _int = null!;
    private IMsgPackConverter<DateTime> _date = null!;

    public override void Initialize(MsgPackContext context) => (_int, _date) = (context.GetConverter<int>(), context.GetConverter<DateTime>());

    protected override void WriteMembers(SimpleStruct value, IMsgPackWriter writer)
    {
        _int.Write(value.Id, writer);
        _date.Write(value.CreatedAt, writer);
    }

    protected override SimpleStruct ReadMembers(IMsgPackReader reader) => new() { Id = _int.Read(reader), CreatedAt = _date.Read(reader) };
}

/// <summary>Poco and ImmutablePoco: they differ in how a member is got and an object is made.</summary>
internal sealed class PocoConverter<T, TMembers>() : MembersConverter<T>(4) where TMembers : struct, IPocoMembers<T>
{
    private IMsgPackConverter<string> _string = null!;
    private IMsgPackConverter<int> _int = null!;
    private IMsgPackConverter<Guid> _guid = null!;
    private IMsgPackConverter<DateTime> _date = null!;

    public override void Initialize(MsgPackContext context) =>
        (_string, _int, _guid, _date) = (context.GetConverter<string>(), context.GetConverter<int>(), context.GetConverter<Guid>(), context.GetConverter<DateTime>());

    protected override void WriteMembers(T value, IMsgPackWriter writer)
    {
        _string.Write(TMembers.Text(value), writer);
        _int.Write(TMembers.Number(value), writer);
        _guid.Write(TMembers.Key(value), writer);
        _date.Write(TMembers.When(value), writer);
    }

    protected override T ReadMembers(IMsgPackReader reader) => TMembers.Create(_string.Read(reader), _int.Read(reader), _guid.Read(reader), _date.Read(reader));
}

internal sealed class SimpleModelConverter() : MembersConverter<SimpleModel>(3)
{
    private IMsgPackConverter<int> _int = null!;
    private IMsgPackConverter<string> _string = null!;
    private IMsgPackConverter<bool> _bool = null!;

    public override void Initialize(MsgPackContext context) => (_int, _string, _bool) = (context.GetConverter<int>(), context.GetConverter<string>(), context.GetConverter<bool>());

    protected override void WriteMembers(SimpleModel value, IMsgPackWriter writer)
    {
        _int.Write(value.TestInt, writer);
        _string.Write(value.TestString, writer);
        _bool.Write(value.TestBool, writer);
    }

    protected override SimpleModel ReadMembers(IMsgPackReader reader) => new() { TestInt = _int.Read(reader), TestString = _string.Read(reader), TestBool = _bool.Read(reader) };
}

internal sealed class NineIntsConverter() : MembersConverter<NineInts>(9)
{
    private IMsgPackConverter<int> _int = null!;

    public override void Initialize(MsgPackContext context) => _int = context.GetConverter<int>();

    protected override void WriteMembers(NineInts value, IMsgPackWriter writer)
    {
        _int.Write(value.P1, writer);
        _int.Write(value.P2, writer);
        _int.Write(value.P3, writer);
        _int.Write(value.P4, writer);
        _int.Write(value.P5, writer);
        _int.Write(value.P6, writer);
        _int.Write(value.P7, writer);
        _int.Write(value.P8, writer);
        _int.Write(value.P9, writer);
    }

    protected override NineInts ReadMembers(IMsgPackReader reader) => new()
    {
        P1 = _int.Read(reader), P2 = _int.Read(reader), P3 = _int.Read(reader), P4 = _int.Read(reader), P5 = _int.Read(reader),
        P6 = _int.Read(reader), P7 = _int.Read(reader), P8 = _int.Read(reader), P9 = _int.Read(reader),
    };
}
