// There and back, by the other serializer and by this one.

using System.Reflection;
using System.Runtime.Serialization;
using System.Text.Json;
using Store.Serialization;

namespace Store.Tests.Generator.RandomModels;

/// <summary>The trip of the serializer whose attributes the types carry.</summary>
/// <param name="serializer">Which it is.</param>
/// <param name="known">Types that may stand where something else is declared.</param>
internal sealed class OtherTrip(OtherSerializer serializer, IEnumerable<Type> known)
{
    // Those of one program: the default ones would keep its types for the life of the process.
    private readonly JsonSerializerOptions _options = new();

    /// <summary>What it reads of what it wrote.</summary>
    public object? Copy(object value, Type type)
    {
        if (serializer == OtherSerializer.Json) return JsonSerializer.Deserialize(JsonSerializer.SerializeToUtf8Bytes(value, type, _options), type, _options);
        var contract = new DataContractSerializer(type, known);
        using var stream = new MemoryStream();
        contract.WriteObject(stream, value);
        stream.Position = 0;
        return contract.ReadObject(stream);
    }
}

/// <summary>The trips of this one, whichever the type is.</summary>
internal interface IOwnTrip
{
    byte[] Serialize(object value);

    object? Deserialize(ReadOnlySpan<byte> record);

    /// <summary>Reads into a value that is there.</summary>
    object? DeserializeInto(ReadOnlySpan<byte> record, object? value);

    object? Clone(object value);

    long GetSize(object value);
}

/// <inheritdoc/>
internal sealed class OwnTrip<T> : IOwnTrip
{
    public byte[] Serialize(object value) => NinoSerializer.Serialize((T)value);

    public object? Deserialize(ReadOnlySpan<byte> record) => NinoSerializer.Deserialize<T>(record);

    public object? DeserializeInto(ReadOnlySpan<byte> record, object? value)
    {
        T? into = (T?)value;
        NinoSerializer.Deserialize(record, ref into);
        return into;
    }

    public object? Clone(object value) => NinoSerializer.Clone((T)value);

    public long GetSize(object value) => NinoSerializer.GetSize((T)value);
}

/// <summary>Makes them.</summary>
internal static class OwnTrip
{
    public static IOwnTrip Of(Type type) => (IOwnTrip)Activator.CreateInstance(typeof(OwnTrip<>).MakeGenericType(type))!;

    /// <summary>What reflection wraps an exception into is none.</summary>
    public static object? Unwrapped(MethodInfo method, params object?[] arguments) => method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, arguments, null);
}
