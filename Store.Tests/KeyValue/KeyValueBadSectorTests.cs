// A sector of a checkpoint that the disk cannot read, each in turn: the state comes from the checkpoint before or from the log, whole, and the report names the file.

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueBadSectorTests(ITestOutputHelper output)
{
    private const int SectorBytes = 512;

    [Theory]
    [InlineData(".manifest")]
    [InlineData(".index")]
    [InlineData(".snapshot")]
    [InlineData("records-")]
    public async Task TheStateIsWholeWhicheverSectorCannotBeRead(string part)
    {
        using var intact = new SimDirectory();
        using (NinoStore store = Simulated.Open(intact))
        {
            using IKeyValueStore<int, string> kv = Open(store);
            for (int i = 0; i < 2; i++)
            {
                for (int key = 0; key < 40; key++) kv.Put(key, Value(i, key));
                await kv.CheckpointAsync();
            }
        }

        int sectors = 0, rejected = 0, rebuilt = 0;
        string[] files = [.. intact.List().Select(static f => f.Name).Where(name => name.StartsWith("kv-", StringComparison.Ordinal) && name.Contains(part, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        foreach (string file in files)
        {
            long length = FileBytes.Of(intact, file).Length;
            int step = Effort.FlipScale > 1 ? 1 : Math.Max(1, (int)(length / SectorBytes / 12));
            for (long sector = 0; sector * SectorBytes < length; sector += step, sectors++)
            {
                var disk = new BadSectorDirectory(intact.KillProcess(), SectorBytes);
                disk.Spoil(file, sector * SectorBytes);
                using NinoStore store = Simulated.Open(disk, 2);
                using IKeyValueStore<int, string> kv = Open(store);
                Assert.Equal(40, kv.Count);
                for (int key = 0; key < 40; key++) Assert.Equal(Value(1, key), kv.TryGet(key, out string? value) ? value : null);
                Assert.Empty(disk.Deaths);

                // Of the newest checkpoint everything is read; of the one before nothing, while the newest is good.
                if (part != "records-") Assert.Equal(file == files[^1], kv.Recovery.Rejected.Count > 0);
                if (kv.Recovery.Rejected.Count == 0) continue;
                rejected++;
                Assert.Contains("cannot be read", kv.Recovery.Rejected[0].Message, StringComparison.Ordinal);
                Assert.Contains(file["kv-state.".Length..], $"{kv.Recovery.Rejected[0].File} {kv.Recovery.Rejected[0].Message}", StringComparison.Ordinal);
                if (kv.Recovery.RebuiltFromLog) rebuilt++;
            }
        }

        Effort.Tell(output, "damaged sectors", sectors, "no chance in it", $"keyed state, '{part}': {rejected} rejected, {rebuilt} rebuilt from the log");
        Assert.True(rejected > 0, $"{sectors} sectors, none was missed");
    }

    // Larger than the engine's memory.
    private static string Value(int round, int key) => $"value {round} of {key} {new string('v', 900)}";

    private static IKeyValueStore<int, string> Open(NinoStore store) => store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
}
