// The input at hand, in a file that two processes map: when the one that runs it dies or hangs, the other still has it.
//
//   offset  size  field
//        0     8  runs so far
//        8     4  number of the target
//       12     4  number of the lane
//       16     4  length of the input
//       20     …  the input

using System.IO.MemoryMappedFiles;

namespace Store.Fuzz.Driver;

internal sealed class Heartbeat : IDisposable
{
    private const int HeadBytes = 20;
    private const int MaxInputBytes = 4 * 1024 * 1024;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private long _runs;

    public Heartbeat(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, HeadBytes + MaxInputBytes);
        _view = _file.CreateViewAccessor();
        _runs = Runs;
    }

    public long Runs => _view.ReadInt64(0);

    public int Target => _view.ReadInt32(8);

    public int Lane => _view.ReadInt32(12);

    public byte[] Input
    {
        get
        {
            byte[] input = new byte[Math.Clamp(_view.ReadInt32(16), 0, MaxInputBytes)];
            _view.ReadArray(HeadBytes, input, 0, input.Length);
            return input;
        }
    }

    public void Enter(int target, int lane)
    {
        _view.Write(8, target);
        _view.Write(12, lane);
    }

    /// <summary>An input is about to be run.</summary>
    public void Beat(ReadOnlySpan<byte> input)
    {
        int length = Math.Min(input.Length, MaxInputBytes);
        _view.Write(16, length);
        _view.SafeMemoryMappedViewHandle.WriteSpan(HeadBytes, input[..length]);
        _view.Write(0, ++_runs);
    }

    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
