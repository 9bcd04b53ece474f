// What can a power failure take away? The operations that no sync covered yet, each described here.

using System.Diagnostics.CodeAnalysis;

namespace Store.Tests.Simulation;

/// <summary>An unsynced change of a file: a write, or a cut when <see cref="Bytes"/> is null.</summary>
/// <param name="Offset">Where it was written; of a cut, the new length.</param>
/// <param name="Bytes">What was written.</param>
/// <param name="LengthBefore">The file's length before it, as the running program saw it.</param>
internal sealed record SimChange(long Offset, byte[]? Bytes, long LengthBefore)
{
    /// <summary>The atomic unit of a disk.</summary>
    public const int SectorSize = 512;

    /// <summary>The unit of many newer disks, and of a page cache.</summary>
    public const int BlockSize = 4096;

    [MemberNotNullWhen(false, nameof(Bytes))]
    public bool IsCut => Bytes is null;

    public long End => Offset + (Bytes?.Length ?? 0);

    public bool Extends => !IsCut && End > LengthBefore;

    /// <summary>How many aligned units of the disk it touches; 0 for a cut.</summary>
    public int UnitsOf(int unitSize) => IsCut ? 0 : (int)(((End + unitSize - 1) / unitSize) - (Offset / unitSize));

    /// <summary>Puts onto the disk's content what the fate lets through.</summary>
    public void ApplyTo(SimContent content, SimFate fate)
    {
        if (fate.Kind == SimFateKind.Lost)
            return;
        if (IsCut)
        {
            if (content.LengthBytes > Offset)
                content.SetLength(Offset);
            return;
        }
        if (fate.Kind == SimFateKind.Whole)
            content.Write(Bytes, Offset);
        else if (fate.Kind is SimFateKind.Prefix or SimFateKind.Scattered)
            WriteUnits(content, fate, Bytes);
        if ((fate.Kind == SimFateKind.LengthOnly || fate.KeepsLength) && content.LengthBytes < End)
            content.SetLength(End);
    }

    private void WriteUnits(SimContent content, SimFate fate, byte[] bytes)
    {
        var units = UnitsOf(fate.UnitSize);
        var start = Offset;
        for (var unit = 0; unit < units; unit++)
        {
            var end = Math.Min(End, ((start / fate.UnitSize) + 1) * fate.UnitSize);
            if (fate.Keeps(unit, units))
                content.Write(bytes.AsSpan((int)(start - Offset), (int)(end - start)), start);
            start = end;
        }
    }
}

internal enum SimEntryKind
{
    Create,
    Rename,
    Delete,
}

/// <summary>An unsynced change of the folder's entries. It names the file itself, as a journal would, so that any subset of them makes sense.</summary>
internal sealed record SimEntryChange(SimEntryKind Kind, string Name, string? NewName, SimNode Node)
{
    /// <summary>Applies it to entries that may lack some of the changes before it. A file never gets two names, and a name is only taken from the file that was meant.</summary>
    public void ApplyTo(Dictionary<string, SimNode> entries)
    {
        switch (Kind)
        {
            case SimEntryKind.Create:
                entries[Name] = Node;
                break;
            case SimEntryKind.Rename:
                // Under another name than the one it was renamed from when an earlier rename is lost.
                foreach (var (name, node) in entries)
                {
                    if (node == Node)
                        entries.Remove(name);
                }
                entries[NewName!] = Node;
                break;
            case SimEntryKind.Delete when entries.TryGetValue(Name, out var present) && present == Node:
                entries.Remove(Name);
                break;
        }
    }
}

/// <summary>A file without its name: what the running program sees, what is on the disk, and the changes between the two.</summary>
internal sealed class SimNode(SimContent durable)
{
    private bool _hasLost;

    /// <summary>What the disk has. Never written to: crash states share it.</summary>
    public SimContent Durable { get; private set; } = durable;

    /// <summary>What the program sees: the same object as <see cref="Durable"/> while nothing is unsynced.</summary>
    public SimContent Cached { get; private set; } = durable;

    public List<SimChange> Unsynced { get; } = [];

    public void Write(byte[] bytes, long offset)
    {
        var change = new SimChange(offset, bytes, Cached.LengthBytes);
        Detach();
        Cached.Write(bytes, offset);
        Unsynced.Add(change);
    }

    public void Cut(long lengthBytes)
    {
        var change = new SimChange(lengthBytes, null, Cached.LengthBytes);
        Detach();
        Cached.SetLength(lengthBytes);
        Unsynced.Add(change);
    }

    public void Sync()
    {
        if (_hasLost)
        {
            // Only what was written since the failed sync; the rest counts as written already.
            Durable = Durable.Clone();
            foreach (var change in Unsynced)
                change.ApplyTo(Durable, SimFate.Whole);
        }
        else
        {
            Durable = Cached;
        }
        Unsynced.Clear();
    }

    /// <summary>
    /// A sync failed: as on Linux, the pages count as clean from now on. Each unsynced change has reached the disk or never will, the program still sees
    /// all of them, and the next sync reports success without writing them.
    /// </summary>
    public void FailSync(Random random)
    {
        Durable = Durable.Clone();
        foreach (var change in Unsynced)
        {
            if (random.Next(2) == 0)
                change.ApplyTo(Durable, SimFate.Whole);
        }
        _hasLost |= Unsynced.Count > 0;
        Unsynced.Clear();
    }

    public SimNode Clone()
    {
        var clone = new SimNode(Durable) { _hasLost = _hasLost };
        if (Cached != Durable)
            clone.Cached = Cached.Clone();
        clone.Unsynced.AddRange(Unsynced);
        return clone;
    }

    private void Detach()
    {
        if (Cached == Durable)
            Cached = Durable.Clone();
    }
}

/// <summary>The power is off: the operation did not happen, and none will until the files are opened anew from a crash state.</summary>
public sealed class SimulatedPowerFailure(string operation) : IOException($"The power failed before '{operation}'.");
