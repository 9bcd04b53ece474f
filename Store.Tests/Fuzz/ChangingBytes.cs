using System.Diagnostics;
using Store.Serialization;
using Store.Tests.Views;

namespace Store.Tests.Fuzz;

/// <summary>
/// Bytes at the end of memory which another thread changes, as in a file that is mapped and that somebody writes to: any value may come of them, and any exception. Who trusts a length that he read twice ends the process, and with it the test run.
/// </summary>
internal sealed class ChangingBytes : IDisposable
{
    private const int MsARecord = 2;
    private const int ChangesALook = 100;

    private readonly GuardPage _page = new();
    private readonly Thread _thread;
    private volatile byte[] _record = [];
    private volatile bool _isDone;

    public ChangingBytes(int seed)
    {
        _thread = new Thread(() => Change(new Random(seed)));
        _thread.Start();
    }

    public delegate void Reading(ReadOnlySpan<byte> bytes);

    public long Reads { get; private set; }

    /// <summary>Reads that ended in another exception than that of damaged bytes.</summary>
    public long OtherExceptions { get; private set; }

    /// <summary>Puts a record there and reads it for a while.</summary>
    public void Read(byte[] record, Reading reading)
    {
        _page.AtEnd(record);
        _record = record;
        for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < MsARecord; Reads++)
        {
            try
            {
                reading(_page.Room(record.Length));
            }
            catch (NinoSerializationException)
            {
                // What damaged bytes are.
            }
            catch (Exception)
            {
                OtherExceptions++;
            }
        }
    }

    public void Dispose()
    {
        _isDone = true;
        _thread.Join();
        _page.Dispose();
    }

    private void Change(Random random)
    {
        while (!_isDone)
        {
            byte[] original = _record;
            Span<byte> bytes = _page.Room(original.Length);
            for (int i = 0; i < ChangesALook && bytes.Length > 0; i++)
            {
                int at = random.Next(bytes.Length);
                bytes[at] = random.Next(8) switch { 0 => 0, 1 => 1, 2 => 253, 3 => 254, 4 => 255, 5 => (byte)random.Next(256), _ => original[at] };
            }
        }
    }
}
