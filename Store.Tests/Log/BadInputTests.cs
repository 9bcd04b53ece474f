using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>What a caller or a disk can do wrong: each is a typed exception that names file or member and says what to do, and nothing committed is lost.</summary>
public class BadInputTests
{
    private sealed class NeverRegistered;

    [Fact]
    public void NullIsNoRecord()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append("kept");

        Assert.Throws<ArgumentNullException>(() => store.Append<string>(null!));
        Assert.Throws<ArgumentNullException>(() => store.AppendBatch<string>((IReadOnlyList<string>)["a", null!]));

        Assert.Equal("kept", Assert.Single(store.Read<string>()).Value);
    }

    [Fact]
    public void ARecordAboveTheLimitIsRefusedAndNamesTheOption()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: o => o with { MaxRecordSizeBytes = 1000 });
        store.Append(new string('a', 900));

        RecordTooLargeException e = Assert.Throws<RecordTooLargeException>(() => store.Append(new string('a', 1000)));
        Assert.Contains(nameof(NinoStoreOptions.MaxRecordSizeBytes), e.Message, StringComparison.Ordinal);
        Assert.Throws<RecordTooLargeException>(() => store.Append(new string('a', 1_000_000)));
        Assert.Throws<RecordTooLargeException>(() => store.AppendBatch<string>(["small", new('a', 1000)]));
        Assert.Throws<RecordTooLargeException>(() => store.AppendRecord(NinoCodec<string>.Default.Schema, new byte[1001]));

        Assert.Equal(1, store.LastSequence);
        Assert.Equal(2, store.Append("still works"));
    }

    [Fact]
    public void ATypeThatWasNeverRegisteredIsNamed()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());

#pragma warning disable NINO060 // Nobody registers it.
        NinoTypeNotRegisteredException e = Assert.Throws<NinoTypeNotRegisteredException>(() => store.Append(new NeverRegistered()));
#pragma warning restore NINO060
        Assert.Contains(nameof(NeverRegistered), e.Message, StringComparison.Ordinal);
        Assert.Contains("[NinoType]", e.Message, StringComparison.Ordinal);
        Assert.Equal(typeof(NeverRegistered), e.Type);
    }

    [Fact]
    public void AStoreThatIsOpenCannotBeOpenedAgain()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"]);
        store.Append(1);

        StoreInUseException e = Assert.Throws<StoreInUseException>(() => NinoStore.Open(folder["data"]));
        Assert.Contains(folder["data"], e.Message, StringComparison.Ordinal);

        store.Dispose();
        using NinoStore reopened = NinoStore.Open(folder["data"]);
        Assert.Equal(1, reopened.LastSequence);
    }

    [Fact]
    public void AFileThatIsNoLogIsRefusedAndLeftAlone()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["notes.txt"], "dear diary");

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => NinoStore.Open(folder["notes.txt"]));

        Assert.Contains("notes.txt", e.Message, StringComparison.Ordinal);
        Assert.Equal("dear diary", File.ReadAllText(folder["notes.txt"]));
    }

    [Fact]
    public void CreatingALogOverAnExistingFileIsRefused()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["log.bin"], "mine");

        Assert.Contains("exists already", Assert.Throws<IOException>(() => NinoLog.Create(folder["log.bin"])).Message, StringComparison.Ordinal);
        Assert.Equal("mine", File.ReadAllText(folder["log.bin"]));
    }

    [Fact]
    public void AOneFileLogHoldsNoSnapshots()
    {
        using var folder = new TemporaryFolder();
        using NinoStore log = NinoLog.Create(folder["log.bin"]);

        Assert.Contains("one-file", Assert.Throws<InvalidOperationException>(() => { log.CheckpointAsync("state").AsTask().GetAwaiter().GetResult(); }).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(NinoStoreOptions.SegmentSizeBytes))]
    [InlineData(nameof(NinoStoreOptions.BufferSizeBytes))]
    [InlineData(nameof(NinoStoreOptions.FlushIntervalMs))]
    [InlineData(nameof(NinoStoreOptions.SnapshotGenerations))]
    public void OptionsAreCheckedWhenTheyAreSet(string option)
    {
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => option switch
        {
            nameof(NinoStoreOptions.SegmentSizeBytes) => new NinoStoreOptions { SegmentSizeBytes = 1 },
            nameof(NinoStoreOptions.BufferSizeBytes) => new NinoStoreOptions { BufferSizeBytes = 1 },
            nameof(NinoStoreOptions.FlushIntervalMs) => new NinoStoreOptions { FlushIntervalMs = 0 },
            _ => new NinoStoreOptions { SnapshotGenerations = 1 },
        });
        Assert.Equal(option, e.ParamName);
    }

    [Fact]
    public void AfterDisposingEveryCallSaysSo()
    {
        NinoStore store = Simulated.Open(new SimDirectory());
        store.Dispose();
        store.Dispose();

        Assert.Throws<ObjectDisposedException>(() => store.Append(1));
        Assert.Throws<ObjectDisposedException>(() => store.AppendBatch<int>([1]));
        Assert.Throws<ObjectDisposedException>(() => { store.CommitAsync().AsTask().GetAwaiter().GetResult(); });
        Assert.Throws<ObjectDisposedException>(() => store.ReadRecords());
    }

    [Fact]
    public async Task ACancelledTokenGivesUpTheWaitAndNotTheWrite()
    {
        using var folder = new TemporaryFolder();
        await using (NinoStore store = NinoStore.Open(folder["data"]))
        {
            using var cancel = new CancellationTokenSource();
            ValueTask<long> pending = store.AppendAsync("written all the same", cancel.Token);
            cancel.Cancel();
            try
            {
                await pending;
            }
            catch (OperationCanceledException)
            {
                // Either outcome is right: the disk may have been faster.
            }

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => store.AppendAsync("never appended", cancel.Token).AsTask());
        }

        await using NinoStore reopened = NinoStore.Open(folder["data"]);
        Assert.Equal("written all the same", Assert.Single(reopened.Read<string>()).Value);
    }
}
