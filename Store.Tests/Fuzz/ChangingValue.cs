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
    private volatile bool _isDone;

    /// <summary>Writes that came to an end, and those that ended in an exception.</summary>
    public (long Done, long Refused) Write(int seed)
    {
        var thread = new Thread(() => Change(new Random(seed)));
        thread.Start();
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
        return (done, refused);
    }

    private void Change(Random random)
    {
        while (!_isDone)
        {
            try
            {
                NinoSerializer.Deserialize(records[random.Next(records.Length)], ref _value!);
            }
            catch (Exception)
            {
                // A collection that is looked at while it changes.
            }
        }
    }
}
