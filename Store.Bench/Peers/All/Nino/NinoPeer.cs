// Nino, the package whose name is close to ours: no relation. Its attribute on the workloads' types, its own buffer writer for the reused rows.

using System.Runtime.CompilerServices;
using Nino.Core;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Nino.</summary>
internal readonly struct NinoPeer : IAnyPeer
{
    private static readonly NinoArrayBufferWriter Buffer = new(4096);

    /// <summary>What the last <see cref="Write"/> left.</summary>
    public static ReadOnlySpan<byte> LastWritten => Buffer.WrittenSpan;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new NinoRow());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize<T>(T value) => NinoSerializer.Serialize(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(PeerBuffer buffer, T value)
    {
        Buffer.ResetWrittenCount();
        NinoSerializer.Serialize(value, Buffer);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize<T>(byte[] payload) => NinoDeserializer.Deserialize<T>(payload);

    public byte[] Written(PeerBuffer buffer) => Buffer.WrittenSpan.ToArray();

    internal readonly struct OfRecord : IPeer<NinoImmutablePoco>
    {
        public byte[] Serialize(NinoImmutablePoco value) => default(NinoPeer).Serialize(value);
        public void Write(PeerBuffer buffer, NinoImmutablePoco value) => default(NinoPeer).Write(buffer, value);
        public NinoImmutablePoco Deserialize(byte[] payload) => default(NinoPeer).Deserialize<NinoImmutablePoco>(payload);
        public byte[] Written(PeerBuffer buffer) => default(NinoPeer).Written(buffer);
    }

    internal readonly struct OfRecordList : IPeer<List<NinoImmutablePoco>>
    {
        public byte[] Serialize(List<NinoImmutablePoco> value) => default(NinoPeer).Serialize(value);
        public void Write(PeerBuffer buffer, List<NinoImmutablePoco> value) => default(NinoPeer).Write(buffer, value);
        public List<NinoImmutablePoco> Deserialize(byte[] payload) => default(NinoPeer).Deserialize<List<NinoImmutablePoco>>(payload);
        public byte[] Written(PeerBuffer buffer) => default(NinoPeer).Written(buffer);
    }
}

/// <summary>The row of Nino. It ignores get-only properties, so for ImmutablePoco it gets a positional record with the same members, converted outside of the timed part.</summary>
internal sealed class NinoRow() : PeerRow("Nino")
{
    private readonly AnyPeerRow<NinoPeer> _own = new("Nino");

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<NinoPeer.OfRecord, NinoImmutablePoco>(Name, NinoImmutablePoco.From(input), read => check(read.To())),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => new Cell<NinoPeer.OfRecordList, List<NinoImmutablePoco>>(Name, input.ConvertAll(NinoImmutablePoco.From), read => check(read.ConvertAll(r => r.To()))),
        _ => _own.CellFor(value, verify),
    };
}

/// <summary>ImmutablePoco as Nino can read it.</summary>
[NinoType]
public sealed partial record NinoImmutablePoco(string Text, int Number, Guid Key, DateTime When)
{
    public static NinoImmutablePoco From(ImmutablePoco value) => new(value.Text, value.Number, value.Key, value.When);

    public ImmutablePoco To() => new(Text, Number, Key, When);
}
