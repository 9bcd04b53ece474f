// The way into the log for one thread that appends much: as the log's own append, without entering the gate each time.

using System.Runtime.CompilerServices;
using Store.Serialization;

namespace Store.Log;

/// <summary>
/// Appends records of one schema from one thread. Records go straight into the open frame as long as it takes them and nobody else has entered the log's gate; every other
/// append goes through the gate and then asks for the bias again. Holds nothing: whoever wants in takes the bias away, and a lease that is forgotten is in nobody's way.
/// </summary>
internal sealed class LogLease
{
    // The bias is worth it from about so many appends on: taking it away costs as much as a few hundred of them.
    private const int FewAppends = 512;
    private const int FirstPause = 16;
    private const int LongestPause = 4096;

    private readonly AppendLog _log;
    private readonly LogHead _head;
    private readonly LogBias _bias = new();
    private readonly NinoSchema _schema;
    private SchemaSlot? _slot;
    private long _givenAt;
    private int _pause;
    private int _pauseLeft;
    private bool _ended;

    public LogLease(AppendLog log, LogHead head, NinoSchema schema) => (_log, _head, _schema) = (log, head, schema);

    /// <summary>Appends a record that is not too long and returns its sequence.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Append(ReadOnlySpan<byte> record)
    {
        if (_bias.TryGoIn())
        {
            // Nothing that the log checks of every append can have changed, and nobody needs to be told: the frame was open when the bias was given, and the flusher knew it.
            long sequence = _head.TryAppendSame(_slot!, record);
            _bias.GoOut();
            if (sequence != 0) return sequence;
        }

        return AppendSlowly(record);
    }

    /// <summary>Ends the lease.</summary>
    public void End()
    {
        _ended = true;
        _log.EndLease();
    }

    /// <summary>As <see cref="Append"/>, through the gate, where a record that is too long is refused.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public long AppendSlowly(ReadOnlySpan<byte> record)
    {
        ObjectDisposedException.ThrowIf(_ended, typeof(NinoStore));
        return _log.AppendLeased(this, record);
    }

    /// <summary>The schema of its records.</summary>
    public NinoSchema Schema => _schema;

    /// <summary>After an append through the gate, inside it: the bias to ask for; null while somebody else uses the log as much.</summary>
    public LogBias? AskLocked(SchemaSlot slot)
    {
        _slot = slot;
        if (_bias.WasTaken && _givenAt != 0)
        {
            _pause = _head.NextSequence - _givenAt < FewAppends ? Math.Min((_pause * 2) + FirstPause, LongestPause) : 0;
            _pauseLeft = _pause;
            _givenAt = 0;
        }

        if (_pauseLeft-- > 0) return null;
        _pauseLeft = 0;
        _givenAt = _head.NextSequence;
        return _bias;
    }
}
