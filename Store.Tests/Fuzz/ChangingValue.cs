using System.Diagnostics;
using Store.Serialization;

namespace Store.Tests.Fuzz;

/// <summary>
/// A value that another thread changes, by reading other records into it, while it is written into room: what comes of it may be no record, and any exception. A writer that
/// measures a part and trusts that it stays so stores behind its room and ends the process, and with it the test run.
/// </summary>
internal sealed class ChangingValue<T>(T value, byte[][] records, RoomOf roomOf)
{
    private const int MsAValue = 1;

    private T _value = value;
    private long _changes;
    private volatile bool _isChanging;
    private volatile bool _isDone;

    /// <summary>Writes that came to an end, those that ended in an exception, and the records that were read into the value meanwhile.</summary>
    public (long Done, long Refused, long Changes) Write(int seed)
    {
        var thread = new Thread(() => Change(new Random(seed)));
        thread.Start();
        SpinWait.SpinUntil(() => _isChanging);
        var random = new Random(seed + 1);
        int most = records.Max(static record => record.Length);
        long done = 0, refused = 0;
        for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < MsAValue;)
        {
            int room = random.Next(2) == 0 ? most : random.Next((2 * most) + 64);
            try
            {
                if (random.Next(2) == 0)
                {
                    NinoSerializer.TrySerialize(_value, roomOf(room), out _);
                }
                else
                {
                    var writer = new NinoWriter(roomOf(room));
                    NinoCodec<T>.Default.WriteRecord(ref writer, in _value!);
                }

                NinoSerializer.Serialize(_value);
                done++;
            }
            catch (Exception)
            {
                refused++;
            }
        }

        _isDone = true;
        thread.Join();
        return (done, refused, _changes);
    }

    private void Change(Random random)
    {
        _isChanging = true;
        do
        {
            try
            {
                NinoSerializer.Deserialize(records[random.Next(records.Length)], ref _value!);
                _changes++;
            }
            catch (Exception)
            {
                // A collection that is looked at while it changes.
            }
        }
        while (!_isDone);
    }
}
