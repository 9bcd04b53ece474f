// Can a backup copy a checkpoint while the engine goes on? What is held stays as it is, is all that is needed, and says so of a copy.

using Store.IO;
using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases for engines that give the files of their checkpoints.</summary>
internal static class HeldCheckpointCases
{
    private const string Prefix = "kv-state.";

    /// <summary>
    /// A checkpoint is held while others are written, values are replaced and the state is closed: its bytes are compared each time. What was read at first is put into a copy of the store that ends where the checkpoint does, and
    /// into one that has no file of the engine's: opened, it is the state of then, of the checkpoint alone. Before that the engine is asked what it thinks of the copy, and of copies with a fault.
    /// </summary>
    public static async Task StaysAsItIs(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        var then = new Dictionary<int, string>();
        CaseFiles? cut = null;
        Held? held = null;
        IKeyValueCheckpointHold? first = null;
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            if (kv is not IKeyValueCheckpointFiles giving) return;
            Check.True(giving.HoldCheckpoint() is null, "HoldCheckpoint gave one before any was written");
            Change(kv, round: 0);
            await kv.CheckpointAsync();
            Change(kv, round: 1);
            await kv.CheckpointAsync();
            foreach ((int key, string value) in kv.Scan()) then.Add(key, value);
            cut = files.Copy();
            first = giving.HoldCheckpoint();
            if (first is null) throw new ConformanceException("HoldCheckpoint gave none, and one is in force.");
            Check.Equal(store.LastSequence, first.Sequence, "The sequence of the checkpoint that is held");
            held = new Held(files, first);
            for (int round = 2; round < 7; round++)
            {
                Change(kv, round);
                await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint beside one that is held");
                held.HasStayed(files, $"after {round - 1} more checkpoints were written");

                // Another one, held and let go, lets go of nothing else.
                using IKeyValueCheckpointHold? later = giving.HoldCheckpoint();
                Check.Equal(store.LastSequence, later?.Sequence, "The sequence of a later checkpoint that is held");
            }
        });
        if (held is null || first is null || cut is null) return;
        held.HasStayed(files, "after the state was closed");
        AsksWhatItThinks(first, held);
        first.Dispose();
        foreach (string name in cut.EnginesFiles().Keys) cut.Lose(name);
        held.PutInto(cut, Prefix);
        await With<int, string>(engine, folder, cut, (store, kv) =>
        {
            Check.Equal(0, kv.Recovery.Rejected.Count, $"Checkpoints rejected where only the files are that a held one named ({string.Join(' ', kv.Recovery.Rejected.Select(static one => one.Message))})");
            Check.Equal((store.LastSequence, 0L), (kv.Recovery.CheckpointSequence, kv.Recovery.ChangesReplayed), "How it was opened from the files that a held checkpoint named");
            Check.Holds(kv, then);
        });
    }

    private static void AsksWhatItThinks(IKeyValueCheckpointHold hold, Held held)
    {
        using var whole = new CaseFiles();
        held.PutInto(whole, "");
        if (hold.FindDamage(whole) is { } damage) throw new ConformanceException($"A copy of just the bytes that a held checkpoint named has damage, FindDamage says: {damage}");
        foreach (StoreFileEntry entry in hold.Files)
        {
            CaseFiles changed = whole.Copy(), cut = whole.Copy();
            changed.Damage(entry.Name, bytes =>
            {
                byte[] last = new byte[1];
                bytes.Read(last, entry.LengthBytes - 1);
                last[0] ^= 1;
                bytes.Write(last, entry.LengthBytes - 1);
            });
            cut.Damage(entry.Name, bytes => bytes.Truncate(entry.LengthBytes - 1));
            Check.True(hold.FindDamage(changed) is not null, $"FindDamage finds nothing wrong with a copy whose last byte of '{entry.Name}' is another");
            Check.True(hold.FindDamage(cut) is not null, $"FindDamage finds nothing wrong with a copy whose '{entry.Name}' lacks its last byte");
        }
    }

    private static void Change(IKeyValueStore<int, string> kv, int round)
    {
        for (int i = 0; i < 150; i++) kv.Put((i * 7) % 100, $"{round}.{i} {new string((char)('a' + round), (i * 13) % 300)}");
        for (int i = 0; i < 10; i++) kv.Delete((round * 10) + i);
    }

    /// <summary>The bytes of a held checkpoint, as they were when it was held.</summary>
    private sealed class Held
    {
        private readonly List<(string Name, byte[] Bytes)> _files = [];

        public Held(CaseFiles files, IKeyValueCheckpointHold hold)
        {
            Check.True(hold.Files.Count > 0, "A checkpoint that is held names no file");
            foreach (StoreFileEntry entry in hold.Files)
            {
                Check.True(entry.LengthBytes > 0, $"A checkpoint that is held names '{entry.Name}', and no byte of it");
                _files.Add((entry.Name, Read(files, entry.Name, entry.LengthBytes, "when it was held")));
            }
        }

        public void HasStayed(CaseFiles files, string when)
        {
            foreach ((string name, byte[] bytes) in _files)
            {
                int same = bytes.AsSpan().CommonPrefixLength(Read(files, name, bytes.Length, when));
                Check.True(same == bytes.Length, $"Byte {same} of '{name}', a file of a checkpoint that is held, is another {when}");
            }
        }

        public void PutInto(CaseFiles files, string prefix)
        {
            foreach ((string name, byte[] bytes) in _files)
            {
                using IStoreFile file = files.Create(prefix + name);
                file.Write(bytes, 0);
            }
        }

        private static byte[] Read(CaseFiles files, string name, long lengthBytes, string when)
        {
            Check.True(files.List().Any(file => file.Name == Prefix + name), $"'{name}', a file of a checkpoint that is held, is not there {when}");
            using IStoreFile file = files.OpenRead(Prefix + name);
            byte[] bytes = new byte[lengthBytes];
            Check.Equal(bytes.Length, file.Read(bytes, 0), $"The bytes of '{name}', a file of a checkpoint that is held, that are there {when}, of those it named,");
            return bytes;
        }
    }
}
