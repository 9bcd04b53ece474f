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
        Durable = Cached;
        Unsynced.Clear();
    }

    public SimNode Clone()
    {
        var clone = new SimNode(Durable);
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
