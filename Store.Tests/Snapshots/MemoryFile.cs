using Store.IO;

namespace Store.Tests.Snapshots;

/// <summary>One file to write into: keeps the bytes, or only counts them.</summary>
internal sealed class MemoryFile(bool keepsBytes) : IStoreFile
{
    private readonly MemoryStream _bytes = new();

    public string Name => "memory";

    public long LengthBytes { get; private set; }

    public long LargestWriteBytes { get; private set; }

    public int Writes { get; private set; }

    public byte[] ToArray() => _bytes.ToArray();

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        Writes++;
        LargestWriteBytes = Math.Max(LargestWriteBytes, source.Length);
        LengthBytes = Math.Max(LengthBytes, offset + source.Length);
        if (!keepsBytes) return;
        _bytes.Position = offset;
        _bytes.Write(source);
    }

    public void StartWriteback(long offset, long lengthBytes) { }

    public void SyncData() { }

    public int Read(Span<byte> destination, long offset) => throw new NotSupportedException();

    public void Truncate(long lengthBytes) => throw new NotSupportedException();

    public IStoreMapping Map() => throw new NotSupportedException();

    public void Dispose() { }
}
