// The list of files by which a folder of keyed state is exchanged for another. Finished, refused, or cleared away; never a file that the list does not name.

using System.Buffers.Binary;
using System.Text;
using Store.Framing;
using Store.Fuzz.Driver;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Fuzz.Targets;

internal sealed class ExchangeLane() : FuzzLane("")
{
    private static readonly string[] Names = ["records-00000000", "checkpoint-0000000000000001.index", "checkpoint-0000000000000001.manifest"];

    public override IReadOnlyList<byte[]> Words { get; } = [.. Names.Select(Encoding.UTF8.GetBytes)];

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        for (int count = 0; count <= Names.Length; count++)
        {
            List<byte> list = [.. "NINOEXC1"u8, .. BitConverter.GetBytes(count == Names.Length ? 0L : count), .. BitConverter.GetBytes(count)];
            foreach (string name in Names.Take(count)) list.AddRange([.. BitConverter.GetBytes(name.Length), .. Encoding.UTF8.GetBytes(name)]);
            yield return [.. list, 0, 0, 0, 0];
        }
    }

    public override void Run(byte[] input)
    {
        byte[] list = [.. input];
        if (list.Length >= 4) BinaryPrimitives.WriteUInt32LittleEndian(list.AsSpan(list.Length - 4), Crc32C.Compute(list.AsSpan(0, list.Length - 4)));
        var folder = new SimDirectory();
        foreach (string name in Names) FileBytes.Put(folder, name, [1]);
        FileBytes.Put(folder, Names[0] + ".nino-staged", [2]);
        FileBytes.Put(folder, "nino-exchange", list);
        folder.SyncDirectory();
        try
        {
            FolderExchange.Finish(folder, since: 1);
        }
        catch (StoreCorruptException)
        {
            if (folder.List().Count != Names.Length + 2) throw new LaneException("the list was refused, and the folder changed");
            return;
        }

        foreach (StoreFileEntry file in folder.List())
        {
            if (FolderExchange.IsItsOwn(file.Name)) throw new LaneException($"'{file.Name}' was left behind");
        }

        FolderExchange.Finish(folder, since: 1);
    }
}
