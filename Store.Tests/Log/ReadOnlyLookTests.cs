using Store.IO;
using Store.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Opening for reading what a crash, damage or a writer at work left: nothing that a writer may be about to finish is called damaged, and nothing is touched.</summary>
public class ReadOnlyLookTests
{
    private static NinoStoreOptions ReadOnly(NinoStoreOptions options) => options with { ReadOnly = true };

    [Fact]
    public async Task LookingBesideAWriterThatNeverRestsIsBounded()
    {
        SimDirectory directory = new();
        Simulated.Open(directory, 1).Dispose();
        using var restless = new RestlessDirectory(directory);

        await Assert.ThrowsAsync<StoreInUseException>(() => Task.Run(() => Simulated.Open(restless, 2, ReadOnly)).WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.True(restless.Looks > 10);
    }

    [Theory]
    [InlineData(RecoveryMode.Strict)]
    [InlineData(RecoveryMode.TruncateTorn)]
    [InlineData(RecoveryMode.Salvage)]
    public void AWriterThatIsAlwaysInTheMiddleOfAFrameIsNotTakenForDamage(RecoveryMode mode)
    {
        SimDirectory directory = new();
        using NinoStore writer = Simulated.Open(directory, 1, static o => o with { FirstSegmentSizeBytes = 64 * 1024 });
        using var halfWritten = new HalfWrittenDirectory(directory, () =>
        {
            writer.Append((int)writer.LastSequence + 1);
            Simulated.Commit(writer);
        });

        using NinoStore reader = Simulated.Open(halfWritten, 2, o => o with { ReadOnly = true, Recovery = mode });

        Assert.Empty(reader.Recovery.Damage);
        Assert.True(reader.LastSequence > 100);
        RetentionTests.IsWhole(reader);

        // Of a writer that is dead the same bytes stay as they are.
        halfWritten.Stop();
        if (mode == RecoveryMode.Strict) Assert.Throws<StoreCorruptException>(() => Simulated.Open(halfWritten, 3, o => o with { ReadOnly = true, Recovery = mode }));
        else Assert.Single(Simulated.Open(halfWritten, 3, o => o with { ReadOnly = true, Recovery = mode }).Recovery.Damage);
    }

    [Fact]
    public void ATornTailIsReportedAndStays()
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 1).Dispose();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
        bytes.AsSpan(end + 16, 9).Fill(0xAA);
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        using (NinoStore store = Simulated.Open(directory, 2, ReadOnly))
        {
            Assert.Equal(StoreDamageKind.TornTail, Assert.Single(store.Recovery.Damage).Kind);
            Assert.Equal((0L, null), (store.Recovery.BytesCut, store.Recovery.CutBytesFile));
            RetentionTests.IsWhole(store);
        }

        Assert.Equal(bytes, FileBytes.Of(directory, SegmentFormat.Name(1)));
        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 3, o => o with { ReadOnly = true, Recovery = RecoveryMode.Strict }));
    }

    [Fact]
    public void LostAcknowledgedRecordsAreRefusedAndSalvageReadsWhatIsBeforeThem()
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 3).Dispose();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(3));
        bytes.AsSpan(SegmentFormat.HeaderSize + 64, 64).Clear();
        FileBytes.Put(directory, SegmentFormat.Name(3), bytes);

        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 2, ReadOnly));
        using NinoStore store = Simulated.Open(directory, 3, o => o with { ReadOnly = true, Recovery = RecoveryMode.Salvage });

        Assert.Equal(StoreDamageKind.Corruption, Assert.Single(store.Recovery.Damage).Kind);
        Assert.True(store.LastSequence < RetentionTests.First(directory, 3) + 100);
        RetentionTests.IsWhole(store);
        Assert.Equal(bytes, FileBytes.Of(directory, SegmentFormat.Name(3)));
    }

    [Fact]
    public void WhicheverCallFailsOpeningForReadingTellsItOrReadsEverything()
    {
        SimDirectory directory = new();
        long last;
        using (NinoStore written = RetentionTests.Grown(directory, segments: 3)) last = written.LastSequence;
        int failed = 0, told = 0;
        for (long at = 1; ; at++)
        {
            var faulty = new FaultDirectory(directory) { Fault = new Fault(at, FaultKind.IoError, IsForever: at % 2 == 0) };
            try
            {
                using NinoStore store = Simulated.Open(faulty, 2, ReadOnly);
                RetentionTests.IsWhole(store);
                Assert.Equal((1, last), (store.FirstSequence, store.LastSequence));
            }
            catch (InjectedFault)
            {
                // The typed failure that was asked for; anything else fails the test.
                told++;
            }

            if (faulty.Failures == 0) break;
            failed++;
        }

        Assert.True(failed > 20 && told > 15, $"{failed} failing calls, {told} told");
    }

    /// <summary>A folder whose log goes on before each look at it, and whose last bytes are never written yet.</summary>
    private sealed class HalfWrittenDirectory(IStoreDirectory inner, Action goOn) : LookOnlyDirectory(inner)
    {
        private bool _stopped;

        public void Stop() => _stopped = true;

        public override IReadOnlyList<StoreFileEntry> List()
        {
            if (!_stopped) goOn();
            return base.List();
        }

        public override IStoreFile OpenRead(string name) => name == SegmentFormat.Name(1) ? new HalfWrittenFile(base.OpenRead(name)) : base.OpenRead(name);

        private sealed class HalfWrittenFile(IStoreFile inner) : PassThroughFile(inner)
        {
            private readonly long _end = Store.Recovery.TailScan.LastNonZero(inner, 0);

            // A frame has been begun behind the last one: some of its bytes are there.
            public override int Read(Span<byte> destination, long offset)
            {
                int read = base.Read(destination, offset);
                for (long at = (_end + 7) / 8 * 8; at < _end + 24; at++)
                    if (at >= offset && at < offset + read) destination[(int)(at - offset)] = 0xAA;
                return read;
            }

            // Bytes of a mapping would be without them.
            public override IStoreMapping Map() => throw new InvalidOperationException();
        }
    }

    /// <summary>A folder in which something else is missing whenever somebody looks.</summary>
    private sealed class RestlessDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public int Looks { get; private set; }

        public override bool IsReadOnly => true;

        public override IStoreFile OpenRead(string name) => throw new FileNotFoundException($"{name} is missing, look {++Looks}");
    }
}
