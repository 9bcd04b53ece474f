// What does a program get from a record that was written to the disk, and is damaged there while the state is open? The value or an exception: never other bytes, never "not there", and nothing that rests on them.

using Store.Faster;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueColdDamageTests(ITestOutputHelper output)
{
    private const int Keys = 400;
    private const string Name = "cold";

    private static readonly Dictionary<string, Func<IKeyValueStore<int, string>, Task>> Ways = new()
    {
        ["get"] = static kv =>
        {
            for (int key = 0; key < Keys; key++) AssertIsRight(key, kv.TryGet(key, out string? value), value);
            return Task.CompletedTask;
        },
        ["get asynchronously"] = static async kv =>
        {
            for (int key = 0; key < Keys; key++)
            {
                KeyValueResult<string> result = await kv.TryGetAsync(key);
                AssertIsRight(key, result.IsThere, result.Value);
            }
        },
        ["get a batch"] = static async kv =>
        {
            KeyValueResult<string>[] results = await kv.TryGetBatchAsync(Enumerable.Range(0, Keys).ToArray());
            for (int key = 0; key < Keys; key++) AssertIsRight(key, results[key].IsThere, results[key].Value);
        },
        ["update"] = static kv =>
        {
            for (int key = 0; key < Keys; key++)
            {
                kv.Update(key, old =>
                {
                    AssertIsRight(key, old is not null, old);
                    return old!;
                });
            }

            return Task.CompletedTask;
        },
        ["scan"] = static kv =>
        {
            int seen = 0;
            foreach ((int key, string value) in kv.Scan())
            {
                AssertIsRight(key, true, value);
                seen++;
            }

            Assert.Equal(Keys, seen);
            return Task.CompletedTask;
        },
        ["compact"] = static async kv =>
        {
            // One key, changed until what is behind all others has made compaction due.
            for (int i = 0; i < 1500; i++)
            {
                kv.Delete(0);
                kv.Put(0, KeyValueBed.ValueOf(0));
            }

            await kv.CheckpointAsync();
            await Ways!["get"](kv);
        },
    };

    [Theory]
    [InlineData("get")]
    [InlineData("get asynchronously")]
    [InlineData("get a batch")]
    [InlineData("update")]
    [InlineData("scan")]
    [InlineData("compact")]
    public async Task ABitThatIsFlippedOnTheDiskWhileTheStateIsOpenIsNoticedWhereverItIsNeeded(string way)
    {
        int seed = Effort.Seed(31);
        var random = new Random(seed);
        int trials = 10 * Effort.FlipScale;
        for (int trial = 0; trial < trials; trial++)
        {
            var files = new SimDirectory();
            var disk = new FlippingDirectory(files);
            using (NinoStore store = Simulated.Open(disk))
            {
                IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
                for (int key = 0; key < Keys; key++) kv.Put(key, KeyValueBed.ValueOf(key));
                await kv.CheckpointAsync();

                // Half the time it is another process that reads what this one has written.
                if (trial % 2 == 1)
                {
                    kv.Dispose();
                    kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
                }

                FasterEngine engine = ((FasterKeyValueStore<int, string>)kv).State.Engine;
                disk.Flip(disk.List().First(static file => file.Name.Contains("records-", StringComparison.Ordinal)).Name, random.NextInt64(engine.BeginAddress, engine.HeadAddress), random.Next(8));
                StoreFailedException told = await Assert.ThrowsAsync<StoreFailedException>(() => Ways[way](kv));
                Assert.Contains("not those that were written", told.Message, StringComparison.Ordinal);

                // Opening it again is no help where the log is not whole: then it says what is.
                Assert.Contains("where retention removed some, opening says so and changes nothing", told.Message, StringComparison.Ordinal);
                kv.Dispose();
            }

            // The damage is still there: opened again, the checkpoint that has it is given up, and everything comes from the log.
            using NinoStore again = Simulated.Open(disk);
            using IKeyValueStore<int, string> whole = again.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
            await Ways["get"](whole);
            Assert.Equal(Keys, whole.Count);
        }

        Effort.Tell(output, "bit flips", trials, $"SEED={seed}", $"records on the disk of an open keyed state, '{way}': all told");
    }

    [Fact]
    public void PiecesAreToldApartFromWhatTheyWereAndPartsOfThemAreNotJudged()
    {
        byte[] bytes = new byte[5 * PieceChecksums.PieceBytes];
        new Random(1).NextBytes(bytes);
        var pieces = new PieceChecksums();
        const long Offset = 1023L * PieceChecksums.PieceBytes;
        pieces.Record(Offset, bytes);
        Assert.Equal(-1, pieces.FindDifferent(Offset, bytes));
        for (int piece = 0; piece < 5; piece++)
        {
            byte[] damaged = [.. bytes];
            damaged[(piece * PieceChecksums.PieceBytes) + 77] ^= 4;
            Assert.Equal(Offset + (piece * PieceChecksums.PieceBytes), pieces.FindDifferent(Offset, damaged));
            Assert.Equal(-1, pieces.FindDifferent(Offset, damaged.AsSpan(0, ((piece + 1) * PieceChecksums.PieceBytes) - 1)));
        }

        // Written over in part: what is there now nobody has the checksum of.
        pieces.Record(Offset + 100, bytes.AsSpan(0, PieceChecksums.PieceBytes));
        byte[] other = new byte[5 * PieceChecksums.PieceBytes];
        Assert.Equal(Offset + (2 * PieceChecksums.PieceBytes), pieces.FindDifferent(Offset, other));
        pieces.Forget(Offset);
        Assert.Equal(Offset + (2 * PieceChecksums.PieceBytes), pieces.FindDifferent(Offset, other));
        pieces.Forget(Offset + (1024 * 2 * PieceChecksums.PieceBytes));
        Assert.Equal(-1, pieces.FindDifferent(Offset, other));
    }

    private static void AssertIsRight(int key, bool isThere, string? value)
    {
        Assert.True(isThere, $"{key} is missing");
        Assert.Equal(KeyValueBed.ValueOf(key), value);
    }

    /// <summary>A disk that gives bits back flipped.</summary>
    private sealed class FlippingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private readonly List<(string Name, long Offset, int Bit)> _flipped = [];

        public void Flip(string name, long offset, int bit) => _flipped.Add((name, offset, bit));

        public override void Delete(string name)
        {
            base.Delete(name);
            _flipped.RemoveAll(flip => flip.Name == name);
        }

        public override IStoreFile Create(string name) => new FlippingFile(this, base.Create(name));

        public override IStoreFile OpenWrite(string name) => new FlippingFile(this, base.OpenWrite(name));

        public override IStoreFile OpenRead(string name) => new FlippingFile(this, base.OpenRead(name));

        private sealed class FlippingFile(FlippingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                int read = base.Read(destination, offset);
                foreach ((string name, long at, int bit) in directory._flipped)
                    if (name == Name && at >= offset && at < offset + read) destination[(int)(at - offset)] ^= (byte)(1 << bit);
                return read;
            }
        }
    }
}
