// Verifying everything on opening finds what looking at every byte finds, wherever it is, and all processors do it at the same time.

using Store.IO;
using Store.Snapshots;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class SnapshotVerificationTests
{
    private const int PageSize = 4096;

    /// <summary>Three parts of which each is more than one processor takes at a time.</summary>
    private static readonly byte[] Whole = SnapshotPartTests.Write(new SnapshotParts()
        .Add("first", new Huge((3 * 1024 * 1024 / 8) + 1))
        .AddItems("items", SnapshotPartTests.Scores(300_000))
        .Add("last", new Huge(2 * 1024 * 1024 / 8)).Create(), PageSize);

    /// <summary>A byte of each section: of data in the first, a middle and the last page; of tables and the index at either end and in the middle.</summary>
    public static TheoryData<string, long> Places()
    {
        var places = new TheoryData<string, long>();
        using SnapshotFile file = SnapshotPartTests.Open(Whole);
        foreach (SnapshotSection section in file.Sections)
        {
            foreach ((string where, long offset) in new[] { ("first", 0), ("middle", section.LengthBytes / 2), ("last", section.LengthBytes - 1) })
                places.Add($"{where} byte of the {section.Kind} of part {section.Part}", section.Offset + offset);
        }

        return places;
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void VerifyingAllOnOpeningFindsWhatLookingAtEveryByteFinds(string where, long offset)
    {
        byte[] damaged = [.. Whole];
        damaged[offset] ^= 0x40;
        var folder = new BytesDirectory { ["file"] = damaged };
        SnapshotFailure? byTouch = Touch(folder);
        Assert.Null(SnapshotFile.TryOpen(folder, "file", SnapshotVerification.All, out SnapshotFailure? all));
        Assert.True(byTouch is not null, where);
        Assert.InRange(offset, byTouch.Offset, byTouch.Offset + byTouch.LengthBytes - 1);
        Assert.Equal(byTouch, all);
        Assert.Equal(0, folder.OpenMappings);
    }

    /// <summary>With several damaged places, the first one is named, however the processors come to it.</summary>
    [Fact]
    public void TheFirstOfSeveralDamagedPlacesIsNamed()
    {
        var random = new Random(7);
        SnapshotSection[] data;
        using (SnapshotFile file = SnapshotPartTests.Open(Whole)) data = [.. file.Sections.Where(static s => s.Kind == SnapshotSectionKind.Data)];
        for (int round = 0; round < 50; round++)
        {
            byte[] damaged = [.. Whole];
            long first = long.MaxValue;
            for (int i = 0; i < 10; i++)
            {
                SnapshotSection section = data[random.Next(data.Length)];
                long at = section.Offset + random.NextInt64(section.LengthBytes);
                damaged[at] ^= 1;
                first = Math.Min(first, at);
            }

            var folder = new BytesDirectory { ["file"] = damaged };
            Assert.Null(SnapshotFile.TryOpen(folder, "file", SnapshotVerification.All, out SnapshotFailure? all));
            Assert.Equal(Touch(folder), all);
            Assert.InRange(first, all!.Offset, all.Offset + all.LengthBytes - 1);
        }
    }

    /// <summary>The first thread that comes to pages of data waits there until another one is at some too.</summary>
    [Fact]
    public void SeveralThreadsVerifyAtTheSameTime()
    {
        if (Environment.ProcessorCount == 1) return;
        var folder = new MeetingDirectory(new BytesDirectory { ["file"] = Whole });
        using SnapshotFile file = SnapshotFile.Open(folder, "file", SnapshotVerification.All);
        Assert.True(folder.HaveMet, "one thread verified everything");
        Assert.Empty(file.Verify());
    }

    // What somebody who looks at everything in order is told: each part's index first, then the data.
    private static SnapshotFailure? Touch(BytesDirectory folder)
    {
        using SnapshotFile? file = SnapshotFile.TryOpen(folder, "file", SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
        if (file is null) return failure;
        using SnapshotFile.Lease lease = file.Use();
        return file.Parts.Where(static part => part.HasItems).Select(static part => part.FindIndexDamage()).FirstOrDefault(static f => f is not null)
            ?? file.Parts.Select(static part => part.FindDamage(0, part.DataLengthBytes)).FirstOrDefault(static f => f is not null);
    }

    private sealed class MeetingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private readonly CountdownEvent _arrived = new(2);
        private readonly HashSet<int> _threads = [];

        public bool HaveMet => _arrived.IsSet;

        public override IStoreFile OpenRead(string name) => new MeetingFile(this, base.OpenRead(name));

        private void Arrive()
        {
            lock (_threads)
            {
                if (_threads.Add(Environment.CurrentManagedThreadId) && !_arrived.IsSet) _arrived.Signal();
            }

            _arrived.Wait(TimeSpan.FromSeconds(30));
        }

        private sealed class MeetingFile(MeetingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                if (destination.Length > PageSize) directory.Arrive();
                return base.Read(destination, offset);
            }
        }
    }
}
