// What happens when the disk cannot read some sectors? Wraps a folder: reading such a sector is EIO, and touching it through a mapping is what ends a process, which a test sees as a failure.
// It goes further: of a mapping only what has been read by position, or populated, since the file was opened may be touched, for nothing else is known to be readable.

using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>A folder on a disk with bad sectors. Thread-safe as the wrapped one is.</summary>
/// <param name="inner">The folder.</param>
/// <param name="sectorBytes">What is unreadable as a whole. Smaller than a real one, a small file has more of them.</param>
/// <param name="fail">What the system answers; EIO when null.</param>
internal sealed class BadSectorDirectory(IStoreDirectory inner, int sectorBytes = 64, Action? fail = null) : PassThroughDirectory(inner)
{
    private readonly HashSet<(string Name, long Sector)> _bad = [];
    private readonly List<string> _deaths = [];
    private readonly Lock _gate = new();
    private readonly int _sectorBytes = sectorBytes;
    private readonly Action? _fail = fail;

    /// <summary>Touches of a mapping that would have ended the process, or might have.</summary>
    public IReadOnlyList<string> Deaths
    {
        get { lock (_gate) return [.. _deaths]; }
    }

    /// <summary>Reads that failed.</summary>
    public int FailedReads { get; private set; }

    /// <summary>Makes the sectors of a range unreadable.</summary>
    public void Spoil(string name, long offset, long lengthBytes = 1)
    {
        lock (_gate)
        {
            for (long sector = offset / _sectorBytes; sector * _sectorBytes < offset + lengthBytes; sector++) _bad.Add((name, sector));
        }
    }

    /// <summary>Makes everything readable again.</summary>
    public void Mend()
    {
        lock (_gate) _bad.Clear();
    }

    /// <summary>Another file of the name lies elsewhere on the disk.</summary>
    public override void Delete(string name)
    {
        base.Delete(name);
        lock (_gate) _bad.RemoveWhere(bad => bad.Name == name);
    }

    public override void Rename(string name, string newName)
    {
        base.Rename(name, newName);
        Move(name, newName);
    }

    public override void RenameNew(string name, string newName)
    {
        base.RenameNew(name, newName);
        Move(name, newName);
    }

    // The sectors are those of a file, not of its name.
    private void Move(string name, string newName)
    {
        lock (_gate)
        {
            _bad.RemoveWhere(bad => bad.Name == newName);
            foreach ((_, long sector) in _bad.Where(bad => bad.Name == name).ToList())
            {
                _bad.Remove((name, sector));
                _bad.Add((newName, sector));
            }
        }
    }

    public override IStoreFile Create(string name) => new BadFile(this, base.Create(name));

    public override IStoreFile OpenWrite(string name) => new BadFile(this, base.OpenWrite(name));

    public override IStoreFile OpenRead(string name) => new BadFile(this, base.OpenRead(name));

    private sealed class BadFile(BadSectorDirectory directory, IStoreFile inner) : PassThroughFile(inner)
    {
        private readonly HashSet<long> _read = [];

        public override int Read(Span<byte> destination, long offset)
        {
            int read = base.Read(destination, offset);
            try
            {
                Bring(offset, read);
            }
            catch (InjectedFault)
            {
                destination.Clear();
                throw;
            }

            return read;
        }

        /// <summary>Throws when a sector of a range cannot be read; else the range is known to be readable.</summary>
        public void Bring(long offset, long lengthBytes)
        {
            lock (directory._gate)
            {
                for (long sector = offset / directory._sectorBytes; sector * directory._sectorBytes < offset + lengthBytes; sector++)
                {
                    if (!directory._bad.Contains((Name, sector))) continue;
                    directory.FailedReads++;
                    directory._fail?.Invoke();
                    throw new InjectedFault($"Input/output error : '{Name}', sector at {sector * directory._sectorBytes}", IoFailure.IoError);
                }

                for (long sector = offset / directory._sectorBytes; sector * directory._sectorBytes < offset + lengthBytes; sector++) _read.Add(sector);
            }
        }

        /// <summary>A disk puts a sector that is written elsewhere when it is bad.</summary>
        public override void Write(ReadOnlySpan<byte> source, long offset)
        {
            base.Write(source, offset);
            long end = offset + source.Length;
            lock (directory._gate)
            {
                for (long sector = (offset + directory._sectorBytes - 1) / directory._sectorBytes; (sector + 1) * directory._sectorBytes <= end; sector++) directory._bad.Remove((Name, sector));
            }
        }

        public override IStoreMapping Map() => new BadMapping(this, base.Map());

        /// <summary>Throws where a touch could end the process.</summary>
        public void Touch(long offset, int lengthBytes)
        {
            lock (directory._gate)
            {
                for (long sector = offset / directory._sectorBytes; sector * directory._sectorBytes < offset + lengthBytes; sector++)
                {
                    bool isBad = directory._bad.Contains((Name, sector));
                    if (!isBad && _read.Contains(sector)) continue;
                    string death = $"'{Name}': {lengthBytes} bytes from {offset} were touched through the mapping; the sector at {sector * directory._sectorBytes} {(isBad ? "cannot be read" : "was never read")}";
                    directory._deaths.Add(death);
                    throw new ProcessDiedException(death);
                }
            }
        }
    }

    private sealed class BadMapping(BadFile file, IStoreMapping inner) : IStoreMapping
    {
        public long LengthBytes => inner.LengthBytes;

        public ReadOnlySpan<byte> Span(long offset, int lengthBytes)
        {
            file.Touch(offset, lengthBytes);
            return inner.Span(offset, lengthBytes);
        }

        public void Dispose() => inner.Dispose();
    }
}

/// <summary>On a disk, the process would be dead by now.</summary>
public sealed class ProcessDiedException(string message) : Exception(message);
