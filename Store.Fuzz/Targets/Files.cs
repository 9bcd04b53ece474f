using Store.IO;

namespace Store.Fuzz.Targets;

/// <summary>Bytes of files, whole.</summary>
internal static class Files
{
    public static byte[] Of(IStoreDirectory directory, string name)
    {
        using IStoreFile file = directory.OpenRead(name);
        byte[] bytes = new byte[file.LengthBytes];
        file.Read(bytes, 0);
        return bytes;
    }

    public static void Put(IStoreDirectory directory, string name, ReadOnlySpan<byte> bytes)
    {
        using IStoreFile file = directory.Create(name);
        file.Write(bytes, 0);
        file.SyncData();
    }
}
