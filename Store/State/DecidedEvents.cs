// What does a decision consist of, when it is more than one event? They are encoded as they are added, so that whatever is wrong with one is told where it is added; they are appended and applied when all are there.

using Store.Buffers;
using Store.Log;

namespace Store.State;

/// <summary>
/// The events of one decision, none, one or several, in the order in which they will be applied. Given to the callback of <see cref="StateStore{TState}.Decide{TCommand}(TCommand, Action{TState, TCommand, DecidedEvents{TState}})"/>,
/// and of use only until that returns, on its thread: the memory behind it is that thread's own.
/// </summary>
/// <typeparam name="TState">The state.</typeparam>
public sealed class DecidedEvents<TState> where TState : class
{
    private readonly NinoStore _store;
    private readonly StateHandlers<TState> _handlers;
    private readonly RecordBuffer _buffer;
    private readonly List<DecidedEvent<TState>> _events = [];
    private readonly int _thread = Environment.CurrentManagedThreadId;
    private readonly int _limitBytes;
    private int _prefix = 1;
    private bool _isOver;

    /// <param name="store">The store.</param>
    /// <param name="handlers">The events that there are.</param>
    /// <param name="buffer">Where they are encoded; empty, and the caller's.</param>
    /// <param name="limitBytes">Most bytes of all of them together, as they will lie in a frame.</param>
    internal DecidedEvents(NinoStore store, StateHandlers<TState> handlers, RecordBuffer buffer, int limitBytes = NinoStore.MaxBatchBytes) =>
        (_store, _handlers, _buffer, _limitBytes) = (store, handlers, buffer, limitBytes);

    /// <summary>Events added so far.</summary>
    public int Count => _events.Count;

    internal IReadOnlyList<DecidedEvent<TState>> All => _events;

    internal MixedBatch Batch { get; } = new();

    /// <summary>
    /// Adds an event behind those that were added. It is encoded here, and must not change any more; the state does not change before the callback has returned. An event that is refused is not among them; whoever
    /// goes on all the same decides without it.
    /// </summary>
    /// <exception cref="ArgumentException">The event has no handler.</exception>
    /// <exception cref="ArgumentNullException">The event is null.</exception>
    /// <exception cref="RecordTooLargeException">The event is larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>, or with it all of them together would take more than the 256 MiB of a batch, what each takes in its frame included: what is not refused here is not refused for its size later.</exception>
    /// <exception cref="InvalidOperationException">The callback has returned: the decision is made. Or it is another thread than the callback's: that of a continuation, which may come when the callback has returned.</exception>
    public void Add<TEvent>(TEvent e)
    {
        // The thread first: on it the rest is as it was left, and on another the buffer may be somebody else's by now.
        if (_thread != Environment.CurrentManagedThreadId) throw new InvalidOperationException($"An event '{typeof(TEvent).Name}' is added to a decision on the state '{typeof(TState).Name}' by another thread than the one that decides. Add events on the callback's own thread.");
        if (_isOver) throw new InvalidOperationException($"An event '{typeof(TEvent).Name}' is added to a decision on the state '{typeof(TState).Name}' that is made already. Add events inside the callback of Decide, before it returns.");
        StateHandler<TState, TEvent> handler = _handlers.Of<TEvent>();
        int start = _buffer.Written.Length;
        try
        {
            int prefix = _store.AddToBatch(_buffer, handler.Codec, in e, _prefix);
            if (Batch.MostLengthWith(handler.Schema, _buffer.Written.Length) > _limitBytes) throw RecordTooLargeException.Batch(_limitBytes);
            _prefix = prefix;
        }
        catch
        {
            _buffer.TakeBack(start);
            throw;
        }

        Batch.Add(handler.Schema, start, _buffer.Written.Length - start);
        _events.Add(new DecidedEvent<TState, TEvent>(handler, e));
    }

    /// <summary>Nothing is added any more.</summary>
    internal void Complete()
    {
        _isOver = true;
        Batch.Complete(_buffer.WrittenMemory);
    }
}

/// <summary>One of them, of whatever type.</summary>
internal abstract class DecidedEvent<TState> where TState : class
{
    public abstract void ApplyTo(StateStore<TState> state, long sequence);
}

/// <inheritdoc/>
internal sealed class DecidedEvent<TState, TEvent>(StateHandler<TState, TEvent> handler, TEvent e) : DecidedEvent<TState> where TState : class
{
    public override void ApplyTo(StateStore<TState> state, long sequence) => state.ApplyLocked(handler, e, sequence);
}
