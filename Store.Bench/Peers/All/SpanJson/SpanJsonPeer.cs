// SpanJson: UTF-8 both ways. For the reused rows its result is an array of the shared pool, given back before the next one.

using System.Buffers;
using System.Runtime.CompilerServices;
using SpanJson;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>SpanJson.</summary>
internal readonly struct SpanJsonPeer : IAnyPeer
{
    private static ArraySegment<byte> _written;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new SpanJsonRow());

    public byte[] Serialize<T>(T value) => JsonSerializer.Generic.Utf8.Serialize(value);

    public void Write<T>(PeerBuffer buffer, T value)
    {
        if (_written.Array is { } last) ArrayPool<byte>.Shared.Return(last);
        _written = default;
        _written = JsonSerializer.Generic.Utf8.SerializeToArrayPool(value);
    }

    public T Deserialize<T>(byte[] payload) => JsonSerializer.Generic.Utf8.Deserialize<T>(payload);

    public byte[] Written(PeerBuffer buffer) => _written.ToArray();

    internal readonly struct Of<T> : IPeer<T>
    {
        public byte[] Serialize(T value) => default(SpanJsonPeer).Serialize(value);
        public void Write(PeerBuffer buffer, T value) => default(SpanJsonPeer).Write(buffer, value);
        public T Deserialize(byte[] payload) => default(SpanJsonPeer).Deserialize<T>(payload);
        public byte[] Written(PeerBuffer buffer) => default(SpanJsonPeer).Written(buffer);
    }
}

/// <summary>The row of SpanJson. It wants an attribute on a constructor with arguments, so for ImmutablePoco it gets a copy of the type, converted outside of the timed part.</summary>
internal sealed class SpanJsonRow() : PeerRow("SpanJson")
{
    private readonly AnyPeerRow<SpanJsonPeer> _own = new("SpanJson");

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<SpanJsonPeer.Of<SpanJsonImmutablePoco>, SpanJsonImmutablePoco>(Name, SpanJsonImmutablePoco.From(input), read => check(read.To())),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => new Cell<SpanJsonPeer.Of<List<SpanJsonImmutablePoco>>, List<SpanJsonImmutablePoco>>(Name, input.ConvertAll(SpanJsonImmutablePoco.From), read => check(read.ConvertAll(r => r.To()))),
        _ => _own.CellFor(value, verify),
    };
}

/// <summary>ImmutablePoco as SpanJson can read it.</summary>
[method: JsonConstructor]
public sealed class SpanJsonImmutablePoco(string text, int number, Guid key, DateTime when)
{
    public string Text { get; } = text;
    public int Number { get; } = number;
    public Guid Key { get; } = key;
    public DateTime When { get; } = when;

    public static SpanJsonImmutablePoco From(ImmutablePoco value) => new(value.Text, value.Number, value.Key, value.When);

    public ImmutablePoco To() => new(Text, Number, Key, When);
}
