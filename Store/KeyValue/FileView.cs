using Store.IO;

namespace Store.KeyValue;

/// <summary>A file under another name than its own.</summary>
/// <param name="file">The file; disposed with this.</param>
/// <param name="name">The name.</param>
/// <param name="reading">Called before each read; what it throws reaches the reader.</param>
internal sealed class FileView(IStoreFile file, string name, Action? reading = null) : IStoreFile
{
    public string Name => name;

    public long LengthBytes => file.LengthBytes;

    public int Read(Span<byte> destination, long offset)
    {
        reading?.Invoke();
        return file.Read(destination, offset);
    }

    public void Write(ReadOnlySpan<byte> source, long offset) => file.Write(source, offset);

    public void SyncData() => file.SyncData();

    public void StartWriteback(long offset, long lengthBytes) => file.StartWriteback(offset, lengthBytes);

    public void Truncate(long lengthBytes) => file.Truncate(lengthBytes);

    public IStoreMapping Map() => file.Map();

    public void Dispose() => file.Dispose();
}
