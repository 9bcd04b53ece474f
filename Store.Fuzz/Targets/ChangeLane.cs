// Changes of keyed state: what is one is taken apart, decoded and written again as the same parts.

using Store.Fuzz.Driver;
using Store.KeyValue.Changes;
using Store.Serialization;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Values;

namespace Store.Fuzz.Targets;

internal sealed class ChangeLane<TKey, TValue>() : FuzzLane($"{typeof(TKey).Name}, {typeof(TValue).Name}") where TKey : notnull
{
    private readonly ChangeFormat<TKey, TValue> _format = new("state");

    public override IEnumerable<byte[]> Seeds(int seed) => Enumerable.Range(seed, 12).Select(i => new RandomRecord(_format.Schema, i).Bytes);

    public override void Run(byte[] input)
    {
        Change change;
        TKey key;
        TValue value;
        try
        {
            change = _format.Parse(input);
            key = _format.DecodeKey(change.Key);
            value = change.Operation == ChangeOperation.Put ? _format.DecodeValue(change.Value) : default!;
        }
        catch (NinoSerializationException)
        {
            return;
        }

        if (key is null) return;
        if (change.Operation == ChangeOperation.Put && value is null) return;
        NinoValue.Decode(_format.Schema, input);
        ChangeBuffer buffer = ChangeBuffer.Take();
        if (change.Operation == ChangeOperation.Put) _format.EncodePut(buffer, change.Key, value);
        else _format.EncodeDelete(buffer, change.Key);
        byte[] written = buffer.Record.ToArray();
        buffer.GiveBack();
        Change again = _format.Parse(written);
        if (again.Operation != change.Operation || !again.Key.SequenceEqual(change.Key)) throw new LaneException("written again, a change has another key or does something else");
    }
}

internal static class ChangeLane
{
    public static IReadOnlyList<FuzzLane> All() => [new ChangeLane<int, string>(), new ChangeLane<string, int>(), new ChangeLane<string, Plain>(), new ChangeLane<Guid, Dictionary<string, Plain>>(), new ChangeLane<long, byte[]>()];
}
