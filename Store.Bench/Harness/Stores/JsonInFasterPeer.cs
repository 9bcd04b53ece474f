// Objects in the bare engine as JSON: what is quickly done with FASTER and the framework alone. No log: a change that no checkpoint has is lost with the process.

using System.Buffers;
using System.Text.Json;
using Store.Bench.Peers;
using Store.Bench.Workloads;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV with System.Text.Json, source generated, into and from buffers that are reused.</summary>
public sealed class JsonInFasterPeer : IKeyedPeer
{
    private readonly BareFasterKv _kv;
    private readonly ArrayBufferWriter<byte> _written = new(256);
    private readonly Utf8JsonWriter _json;
    private byte[] _read = new byte[256];

    public JsonInFasterPeer(string directory)
    {
        _kv = new BareFasterKv(directory);
        _json = new Utf8JsonWriter(_written, new JsonWriterOptions { SkipValidation = true });
    }

    public string Name => "FasterKV, System.Text.Json";

    public void Put(long key, object value)
    {
        _written.ResetWrittenCount();
        _json.Reset();
        JsonSerializer.Serialize(_json, (Poco)value, BenchJsonContext.Default.Poco);
        _json.Flush();
        _kv.Put(key, _written.WrittenSpan);
    }

    // The length first: reading may put another buffer in the place of this one.
    public Poco? Get(long key)
    {
        int length = _kv.Read(key, ref _read);
        return JsonSerializer.Deserialize(_read.AsSpan(0, length), BenchJsonContext.Default.Poco);
    }

    public void Dispose()
    {
        _json.Dispose();
        _kv.Dispose();
    }
}
