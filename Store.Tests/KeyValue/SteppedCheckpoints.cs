// How does the engine of steps write its checkpoints, and which faults lie there? Two are kept; the log is released up to the older one.

using System.Security.Cryptography;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

[assembly: NinoSerializable(typeof(KeyValueCut))]
[assembly: NinoSerializable(typeof(Dictionary<string, byte[]>))]

namespace Store.Tests.KeyValue;

/// <summary>A checkpoint: where it stands, and all keys and values.</summary>
internal sealed record SteppedCheckpoint(KeyValueCut Cut, Dictionary<string, byte[]> Values);

/// <summary>The checkpoints of one keyed state.</summary>
internal sealed class SteppedCheckpoints<TKey, TValue>(KeyValueLog<TKey, TValue> log, IStoreDirectory folder, EngineFault fault)
{
    private const string Newest = "checkpoint", Older = "checkpoint.before", Temporary = "checkpoint.tmp", Shape = "shape";

    private readonly SemaphoreSlim _turn = new(1);
    private KeyValueCut? _last;

    public Exception? Failure { get; private set; }

    public KeyValueRecovery Recover(Dictionary<string, byte[]> values, Func<KeyValueChange, bool> apply)
    {
        var rejected = new List<RejectedCheckpoint>();
        foreach (string name in new[] { Newest, Older })
        {
            if (_last is not null || !Exists(name)) continue;
            if (!TryRead(name, out SteppedCheckpoint? found))
            {
                rejected.Add(new(name, "Its checksum does not match."));
                continue;
            }

            KeyValueCut cut = found!.Cut;
            bool isTaken = fault != EngineFault.OpensAnEarlierShapeEmpty || cut.ValueShape == NinoCodec<TValue>.Default.Schema.Fingerprint;
            if (fault is EngineFault.UsesACheckpointOfAnEarlierShape or EngineFault.OpensAnEarlierShapeEmpty)
                cut = cut with { KeyShape = NinoCodec<TKey>.Default.Schema.Fingerprint, ValueShape = NinoCodec<TValue>.Default.Schema.Fingerprint };
            if (!log.CanStartFrom(cut, out string? problem))
            {
                rejected.Add(new(name, problem));
                continue;
            }

            _last = cut;
            foreach ((string key, byte[] value) in isTaken ? found.Values : []) values.Add(key, value);
        }

        if (fault == EngineFault.RemovesWhatItRejectsBeforeItHasRead) Remove(rejected);
        long replayed = 0;
        bool skips = fault == EngineFault.SkipsChangesOfAnEarlierShape && HasAnotherShape();
        foreach (KeyValueChange change in log.ReadChanges(_last))
        {
            if (!skips) apply(change);
            replayed++;
        }

        if (fault != EngineFault.RemovesWhatItRejectsBeforeItHasRead) Remove(rejected);
        return new KeyValueRecovery { CheckpointSequence = _last?.Sequence ?? 0, RebuiltFromLog = _last is null, ChangesReplayed = replayed, Rejected = rejected };
    }

    private void Remove(List<RejectedCheckpoint> rejected)
    {
        foreach (RejectedCheckpoint one in rejected) folder.Delete(one.File);
        if (rejected.Count > 0) folder.SyncDirectory();
    }

    public async ValueTask WriteAsync(Func<SteppedCheckpoint> capture, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        bool gives = true;
        try
        {
            await WriteInTurnAsync(capture, cancellationToken);
        }
        catch (OperationCanceledException) when (fault == EngineFault.KeepsItsTurnWhenItIsCancelled)
        {
            gives = false;
            throw;
        }
        finally
        {
            if (gives) _turn.Release();
        }
    }

    public async Task WriteQuietlyAsync(Func<SteppedCheckpoint> capture, Func<bool> isClosed)
    {
        await _turn.WaitAsync();
        try
        {
            if (!isClosed()) await WriteInTurnAsync(capture, CancellationToken.None);
        }
        catch (Exception e) when (fault != EngineFault.KnowsTwoKindsOfFailure || e is IOException or StoreException)
        {
            Failure = e;
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Without(Action action)
    {
        // Whoever kept its turn does not come back.
        bool isMine = _turn.Wait(fault == EngineFault.KeepsItsTurnWhenItIsCancelled ? 1000 : Timeout.Infinite);
        action();
        if (isMine) _turn.Release();
    }

    private async Task WriteInTurnAsync(Func<SteppedCheckpoint> capture, CancellationToken cancellationToken)
    {
        SteppedCheckpoint captured = capture();
        if (captured.Cut == _last) return;
        if (fault != EngineFault.CutsBeforeItCopies) await log.CommitAsync(cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        if (fault == EngineFault.ReleasesBeforeItsCheckpointIsInForce) log.KeepAfter(captured.Cut);
        Publish(captured);
        KeyValueCut? before = _last;
        _last = captured.Cut;
        Failure = null;
        if (fault == EngineFault.LeavesACancelledCheckpointInForce) cancellationToken.ThrowIfCancellationRequested();
        if (fault == EngineFault.ReleasesUpToTheNewestOfTwo) before = captured.Cut;
        if (before is not null) log.KeepAfter(before);
    }

    // sha-256 of what follows, then a cut, then keys and values.
    private void Publish(SteppedCheckpoint checkpoint)
    {
        if (Exists(Temporary)) folder.Delete(Temporary);
        byte[] body = [.. NinoSerializer.Serialize(checkpoint.Cut), .. NinoSerializer.Serialize(checkpoint.Values)];
        int cut = NinoSerializer.Serialize(checkpoint.Cut).Length;
        using (IStoreFile file = folder.Create(Temporary))
        {
            file.Write([.. SHA256.HashData(body), .. BitConverter.GetBytes(cut), .. body], 0);
            if (fault != EngineFault.RenamesWhatIsNotSynced) file.SyncData();
        }

        if (Exists(Newest)) folder.Rename(Newest, Older);
        folder.Rename(Temporary, Newest);
        if (fault != EngineFault.LeavesItsNamesUnsynced) folder.SyncDirectory();
    }

    private bool TryRead(string name, out SteppedCheckpoint? checkpoint)
    {
        const int head = SHA256.HashSizeInBytes + sizeof(int);
        using IStoreFile file = folder.OpenRead(name);
        byte[] bytes = new byte[file.LengthBytes];
        file.Read(bytes, 0);
        checkpoint = null;
        if (bytes.Length < head) return false;
        ReadOnlySpan<byte> body = bytes.AsSpan(head);
        if (fault != EngineFault.BelievesADamagedCheckpoint && !SHA256.HashData(body).AsSpan().SequenceEqual(bytes.AsSpan(0, SHA256.HashSizeInBytes))) return false;
        int cut = BitConverter.ToInt32(bytes, SHA256.HashSizeInBytes);
        var limits = new NinoLimits { MaxRecordBytes = Math.Max(1, bytes.Length) };
        checkpoint = new SteppedCheckpoint(NinoSerializer.Deserialize<KeyValueCut>(body[..cut])!, NinoSerializer.Deserialize<Dictionary<string, byte[]>>(body[cut..], limits)!);
        return true;
    }

    private bool HasAnotherShape()
    {
        byte[] now = BitConverter.GetBytes(NinoCodec<TValue>.Default.Schema.Fingerprint), stored = new byte[now.Length];
        bool isNew = !Exists(Shape);
        using IStoreFile file = isNew ? folder.Create(Shape) : folder.OpenWrite(Shape);
        file.Read(stored, 0);
        file.Write(now, 0);
        return !isNew && !stored.AsSpan().SequenceEqual(now);
    }

    private bool Exists(string name) => folder.List().Any(file => file.Name == name);
}
