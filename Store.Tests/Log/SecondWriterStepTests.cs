// A writer's whole life, and at every single one of its file calls another opens the same store, whose lock nobody keeps. Who wins, and is anything lost that somebody was promised?

using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>A second writer at every call of the first. What each acknowledged is there, the first stops at its next commit, and the log is whole; but for the calls between a look at the mark and the write after it.</summary>
public class SecondWriterStepTests(ITestOutputHelper output)
{
    /// <summary>What lies in the folder when the first writer opens it.</summary>
    public enum Before
    {
        Nothing,
        Closed,
        Killed,
        ClosedWithoutMark,
        KilledWithDamagedMark,
    }

    [Theory]
    [InlineData(Before.Nothing)]
    [InlineData(Before.Closed)]
    [InlineData(Before.Killed)]
    [InlineData(Before.ClosedWithoutMark)]
    [InlineData(Before.KilledWithDamagedMark)]
    public void WhateverCallOfTheFirstWriterTheSecondComesAtNothingAcknowledgedIsLost(Before before)
    {
        int calls = 0, stopped = 0, refused = 0;
        SortedDictionary<string, int> held = new(StringComparer.Ordinal);
        foreach (bool closes in (bool[])[true, false])
        {
            for (int at = 1; ; at++)
            {
                using var life = new Life(Prepared(before), before != Before.Nothing, at, closes);
                life.Run();
                if (life.At is not { } call) break;
                calls++;
                if (life.IsFirstStopped) stopped++;
                if (life.IsSecondRefused) refused++;
                if (life.Lost() is not { } lost) continue;

                // Between a look and the write after it no file tells the first writer that it has become the second.
                Assert.True(call.StartsWith("write segment-0", StringComparison.Ordinal), $"{before}, call {at} ({call}), the second writer {(closes ? "closes" : "stays")}: {lost}");
                held[call] = held.GetValueOrDefault(call) + 1;
            }
        }

        output.WriteLine($"counted {calls} second writers, 0 violations where the first one's look came before its write at once, {held.Values.Sum()} where it was held up in between, which no look keeps out (docs/durability.md) (no chance in it): {before}: {stopped} first writers stopped, {refused} second ones refused; held up {string.Join(", ", held.Select(static h => $"{h.Value} at '{h.Key}'"))}");
        Assert.True(calls > 100, $"{calls} calls");
        Assert.True(stopped > calls / 2, $"{stopped} of {calls} stopped");
        Assert.True(held.Values.Sum() < calls / 8, $"{held.Values.Sum()} of {calls} calls are open");
    }

    private static SimDirectory Prepared(Before before)
    {
        var directory = new SimDirectory();
        if (before == Before.Nothing) return directory;
        NinoStore store = Simulated.Open(directory, seed: 9);
        for (int i = 0; i < 5; i++) store.Append($"before {i}");
        Simulated.Commit(store);
        if (before is Before.Killed or Before.KilledWithDamagedMark)
        {
            // Also in the file and not synced, and a torn tail behind it.
            store.Append("before, in the file");
            Assert.Equal(6, store.Read<string>().Count());
            directory = directory.KillProcess();
            byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
            bytes.AsSpan(bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 20, 40).Fill(0xAB);
            FileBytes.Put(directory, SegmentFormat.Name(1), bytes);
        }
        else
        {
            store.Dispose();
        }

        if (before == Before.ClosedWithoutMark) directory.Delete(LogEnd.FileName);
        if (before == Before.KilledWithDamagedMark) FileBytes.Put(directory, LogEnd.FileName, [1, 2, 3]);
        return directory;
    }

    /// <summary>The life of a first writer, with a second one at one of its calls.</summary>
    private sealed class Life : IDisposable
    {
        private readonly SimDirectory _directory;
        private readonly bool _closes;
        private readonly Dictionary<long, string> _acknowledged = [];
        private readonly int _at;
        private NinoStore? _second;
        private string? _wrong;
        private bool _hasFirstCommittedBeside;
        private int _calls;

        public Life(SimDirectory directory, bool isThere, int at, bool closes)
        {
            (_directory, _at, _closes) = (directory, at, closes);
            for (int i = 0; isThere && i < 5; i++) _acknowledged[i + 1] = $"before {i}";
        }

        /// <summary>The call that the second writer came at; null when there are not so many.</summary>
        public string? At { get; private set; }

        public bool IsFirstStopped { get; private set; }

        public bool IsSecondRefused { get; private set; }

        public void Run()
        {
            RunFirst();
            try
            {
                if (_second is not null)
                {
                    Write(_second, "second again", 3);
                    if (_hasFirstCommittedBeside) _wrong ??= "both writers go on";
                    _second.Dispose();
                }
            }
            catch (StoreException e)
            {
                // It may be taken for the one that came later. What it promised before holds.
                if (!IsStopped(e)) _wrong ??= $"the second writer failed with {e.GetType().Name}: {e.Message}";
            }
        }

        /// <summary>What is not as it was promised; null when all is.</summary>
        public string? Lost()
        {
            if (_wrong is not null) return _wrong;
            VerifyReport verified = RetentionTests.Look(_directory).Verify();
            if (verified.IsCorrupt) return $"verify: {string.Join("; ", verified.Damage)}";
            try
            {
                using NinoStore again = Simulated.Open(_directory, seed: 5);
                if (again.Recovery.Damage.FirstOrDefault(static d => d.Kind != StoreDamageKind.TornTail) is { } damage) return $"damage: {damage}";
                Dictionary<long, string> read = again.Read<string>().ToDictionary(static r => r.Sequence, static r => r.Value);
                foreach ((long sequence, string value) in _acknowledged)
                {
                    if (read.GetValueOrDefault(sequence) != value) return $"record {sequence} should be '{value}' and is '{read.GetValueOrDefault(sequence)}'";
                }

                if (read.Count != again.LastSequence) return $"{read.Count} records of {again.LastSequence}";
                again.Append("after");
            }
            catch (StoreException e)
            {
                return $"opening again: {e.Message}";
            }

            // And once more: what was closed is whole.
            using NinoStore strict = Simulated.Open(_directory, seed: 6, static o => o with { Recovery = RecoveryMode.Strict });
            return strict.Recovery.Damage.Count == 0 ? null : $"damage at the second opening: {strict.Recovery.Damage[0]}";
        }

        public void Dispose() => _directory.Dispose();

        private static bool IsStopped(StoreException e) => e is StoreInUseException || e.InnerException is StoreInUseException;

        private void RunFirst()
        {
            NinoStore? first = null;
            try
            {
                first = Simulated.Open(new SteppedDirectory(_directory, BeforeCall), seed: 2);

                // Who came while this one was opening may have been first, and this one the second.
                bool wasFirst = At is null;
                for (int i = 0; i < 6; i++)
                {
                    bool isLate = At is not null && !IsSecondRefused;
                    Write(first, $"first {i}", 20);
                    if (isLate && wasFirst) _wrong ??= $"the first writer committed '{first.LastSequence}' after the second one had opened the log";
                    _hasFirstCommittedBeside |= isLate;
                }
            }
            catch (StoreException e)
            {
                Stopped(e);
            }

            try
            {
                first?.Dispose();
            }
            catch (StoreException e)
            {
                Stopped(e);
            }
        }

        private void Stopped(StoreException e)
        {
            IsFirstStopped = true;
            if (!IsStopped(e)) _wrong ??= $"the first writer failed with {e.GetType().Name}: {e.Message}";
            else if (At is null) _wrong ??= $"the first writer was stopped by nobody: {e.Message}";
        }

        private void Write(NinoStore store, string what, int records)
        {
            Dictionary<long, string> written = [];
            for (int i = 0; i < records; i++)
            {
                string value = $"{what}.{i} {new string('.', 40)}";
                written[store.Append(value)] = value;
            }

            Simulated.Commit(store);
            foreach ((long sequence, string value) in written)
            {
                if (!_acknowledged.TryAdd(sequence, value)) _wrong ??= $"record {sequence} was acknowledged twice: '{_acknowledged[sequence]}' and '{value}'";
            }
        }

        private void BeforeCall(string call)
        {
            if (++_calls != _at) return;
            At = call;
            try
            {
                _second = Simulated.Open(new SteppedDirectory(_directory, static _ => { }), seed: 3);
                Write(_second, "second", 3);
                if (!_closes) return;
                _second.Dispose();
                _second = null;
            }
            catch (StoreException e)
            {
                // The first one was at work: nothing was changed that matters, and nothing promised.
                IsSecondRefused = true;
                if (!IsStopped(e)) _wrong ??= $"the second writer failed with {e.GetType().Name}: {e.Message}";
            }
        }
    }

    /// <summary>A folder on which everybody gets the lock, and that tells of each call before it happens.</summary>
    private sealed class SteppedDirectory(SimDirectory inner, Action<string> before) : PassThroughDirectory(inner)
    {
        public override IReadOnlyList<StoreFileEntry> List() => Step("list", "the folder", base.List);

        public override IStoreFile Create(string name) => Step("create", name, () => new SteppedFile(this, base.Create(name)));

        public override IStoreFile OpenWrite(string name) => Step("open to write", name, () => new SteppedFile(this, base.OpenWrite(name)));

        public override IStoreFile OpenRead(string name) => Step("open", name, () => new SteppedFile(this, base.OpenRead(name)));

        public override void Rename(string name, string newName) => Step("rename to", newName, () => base.Rename(name, newName));

        public override void RenameNew(string name, string newName) => Step("rename to new", newName, () => base.RenameNew(name, newName));

        public override void Delete(string name) => Step("remove", name, () => base.Delete(name));

        public override void SyncDirectory() => Step("sync", "the folder", base.SyncDirectory);

        public override void SyncDirectory(string prefix) => Step("sync", prefix, () => base.SyncDirectory(prefix));

        public override IDisposable? TryLock(string name) => Step<IDisposable>("lock", name, static () => new MemoryStream());

        // The folder is the test's.
        public override void Dispose()
        {
        }

        private T Step<T>(string call, string name, Func<T> work)
        {
            before($"{call} {name}");
            return work();
        }

        private void Step(string call, string name, Action work)
        {
            before($"{call} {name}");
            work();
        }

        private sealed class SteppedFile(SteppedDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                directory.Step("read", Name, static () => { });
                return base.Read(destination, offset);
            }

            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                directory.Step("write", Name, static () => { });
                base.Write(source, offset);
            }

            public override void SyncData() => directory.Step("sync", Name, base.SyncData);

            public override void Truncate(long lengthBytes) => directory.Step("cut", Name, () => base.Truncate(lengthBytes));
        }
    }
}
