namespace Store.Recovery;

/// <summary>
/// Frames of a segment that no later frame has said to be durable yet. Of very many only every second one is remembered, and so on: then a little more of the segment than need be is held for not durable,
/// which costs writing it again. So a log that was never synced, however long, takes 64 KiB here.
/// </summary>
internal sealed class UnprovenFrames
{
    internal const int Max = 4096;

    private readonly Queue<(long End, long LastSequence)> _frames = new();

    /// <summary>End of the last frame that is known to be durable.</summary>
    public long DurableOffset { get; private set; } = Log.SegmentFormat.HeaderSize;

    /// <summary>Remembers a frame, behind all before.</summary>
    public void Add(long end, long lastSequence)
    {
        if (_frames.Count == Max)
        {
            for (int i = 0; i < Max; i++)
            {
                (long End, long LastSequence) frame = _frames.Dequeue();
                if (i % 2 == 1) _frames.Enqueue(frame);
            }
        }

        _frames.Enqueue((end, lastSequence));
    }

    /// <summary>A frame says that everything up to a sequence was durable.</summary>
    public void Prove(long syncedThrough)
    {
        while (_frames.TryPeek(out (long End, long LastSequence) oldest) && oldest.LastSequence <= syncedThrough) DurableOffset = _frames.Dequeue().End;
    }
}
