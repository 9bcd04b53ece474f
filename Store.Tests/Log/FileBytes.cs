using Store.IO;

namespace Store.Tests.Log;

/// <summary>Bytes of files, whole.</summary>
internal static class FileBytes
{
    public static byte[] Of(IStoreDirectory directory, string name)
    {
        using IStoreFile file = directory.OpenRead(name);
        byte[] bytes = new byte[file.LengthBytes];
        Assert.Equal(bytes.Length, file.Read(bytes, 0));
        return bytes;
    }

    public static void Put(IStoreDirectory directory, string name, ReadOnlySpan<byte> bytes)
    {
        using IStoreFile file = directory.List().Any(f => f.Name == name) ? directory.OpenWrite(name) : directory.Create(name);
        if (file.LengthBytes > bytes.Length) file.Truncate(bytes.Length);
        file.Write(bytes, 0);
        file.SyncData();
        directory.SyncDirectory();
    }
}
