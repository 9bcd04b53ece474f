// How does a command become events? Decided on the state that they will change, appended and applied before anything else comes in between.

using System.ComponentModel;
using System.Runtime.CompilerServices;
using Store.Buffers;
using Store.Log;

namespace Store.State;

public sealed partial class StateStore<TState>
{
    private const string NotAwaited = "Decide takes no callback that awaits: the state stands still while it is decided, and no longer. Await before, and give what came of it as the command. (A lambda that throws whatever happens is taken for one that awaits: let it call a method that throws.)";

    /// <summary>
    /// Decides on the present state whether a command becomes an event, and appends and applies that: nothing changes in between. This is where a command is refused: by
    /// returning null, or by throwing, which reaches the caller and changes nothing.
    /// </summary>
    /// <param name="command">Handed to <paramref name="decide"/>, so that it need not capture anything.</param>
    /// <param name="decide">Looks at the state, which it must not change, and gives the event, or null for none.</param>
    /// <returns>Sequence of the event, or 0 when there was none.</returns>
    /// <inheritdoc cref="Apply" path="/exception"/>
    public long Decide<TCommand, TEvent>(TCommand command, Func<TState, TCommand, TEvent?> decide) where TEvent : class
    {
        ArgumentNullException.ThrowIfNull(decide);
        return Decide<TCommand, TEvent, ObjectDecision<TState, TCommand, TEvent>>(command, new ObjectDecision<TState, TCommand, TEvent>(decide));
    }

    /// <summary>As the other form, for events that are structs. Nothing is boxed.</summary>
    /// <param name="command">Handed to <paramref name="decide"/>, so that it need not capture anything.</param>
    /// <param name="decide">Looks at the state, which it must not change, and gives the event, or null for none.</param>
    /// <returns>Sequence of the event, or 0 when there was none.</returns>
    /// <inheritdoc cref="Apply" path="/exception"/>
    public long Decide<TCommand, TEvent>(TCommand command, Func<TState, TCommand, TEvent?> decide) where TEvent : struct
    {
        ArgumentNullException.ThrowIfNull(decide);
        return Decide<TCommand, TEvent, ValueDecision<TState, TCommand, TEvent>>(command, new ValueDecision<TState, TCommand, TEvent>(decide));
    }

    /// <summary>
    /// As the other forms, for a command that becomes any number of events, of one type or several: they are appended as one frame and applied one after the other as one step. After a crash all of them are there, or none, and no reader
    /// sees a part of them. All are decided on the state as it is: <paramref name="decide"/> sees the effect of none. What it throws reaches the caller, and nothing is appended or applied.
    /// </summary>
    /// <param name="command">Handed to <paramref name="decide"/>, so that it need not capture anything.</param>
    /// <param name="decide">Looks at the state, which it must not change, and adds the events, if there are any, before it returns.</param>
    /// <returns>Sequence of the first event, or 0 when there was none. The others follow it without a gap.</returns>
    /// <exception cref="RecordTooLargeException">An event is too large, by itself or with the others: thrown by <see cref="DecidedEvents{TState}.Add{TEvent}"/>, as whatever else is wrong with one is. Where <paramref name="decide"/> does not catch it, nothing was appended.</exception>
    /// <exception cref="StoreFailedException">As of <see cref="Apply"/>. When the handler of one of the events throws, all of them are in the log, and opening the store again replays all.</exception>
    /// <exception cref="LockRecursionException">As of <see cref="Apply"/>.</exception>
    public long Decide<TCommand>(TCommand command, Action<TState, TCommand, DecidedEvents<TState>> decide)
    {
        ArgumentNullException.ThrowIfNull(decide);
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        long first;
        try
        {
            using (Exclusively())
            {
                ThrowIfUnusable();
                var events = new DecidedEvents<TState>(_store, _handlers, buffer);
                try
                {
                    decide(_state, command, events);
                }
                finally
                {
                    events.Complete();
                }

                if (events.Count == 0) return 0;
                first = AppendAllLocked(events, buffer);
                for (int i = 0; i < events.Count; i++) events.All[i].ApplyTo(this, first + i);
                _checkpoints.Note(events.Count, buffer.Written.Length);
            }
        }
        finally
        {
            buffer.Return();
        }

        _checkpoints.StartIfDue();
        return first;
    }

    /// <summary>Not for callbacks that await: events are added before the callback returns, and the state stands still only for so long. Does not compile. Without it such a callback would be an <c>async void</c>, whose exception ends the process.</summary>
    /// <param name="command">As in the other form.</param>
    /// <param name="decide">A callback that awaits.</param>
    /// <exception cref="NotSupportedException">Always.</exception>
    [Obsolete(NotAwaited, error: true)]
    [OverloadResolutionPriority(1)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public long Decide<TCommand>(TCommand command, Func<TState, TCommand, DecidedEvents<TState>, Task> decide) => throw new NotSupportedException(NotAwaited);

    /// <inheritdoc cref="Decide{TCommand}(TCommand, Func{TState, TCommand, DecidedEvents{TState}, Task})"/>
    [Obsolete(NotAwaited, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public long Decide<TCommand>(TCommand command, Func<TState, TCommand, DecidedEvents<TState>, ValueTask> decide) => throw new NotSupportedException(NotAwaited);

    private long Decide<TCommand, TEvent, TDecision>(TCommand command, TDecision decision) where TDecision : struct, IStateDecision<TState, TCommand, TEvent>
    {
        StateHandler<TState, TEvent> handler = _handlers.Of<TEvent>();
        RecordBuffer buffer = RecordBuffer.Rent(_store.Options.MaxRecordSizeBytes, typeName: handler.Schema.Name);
        long sequence;
        try
        {
            using (Exclusively())
            {
                ThrowIfUnusable();
                if (!decision.TryDecide(_state, command, out TEvent? e)) return 0;
                handler.Codec.Encode(buffer, in e, _store.Options.RecordLimits);
                sequence = AppendLocked(handler, e, buffer);
            }
        }
        finally
        {
            buffer.Return();
        }

        _checkpoints.StartIfDue();
        return sequence;
    }

    // Of one type they are a batch as any other, without the number of a schema in front of each.
    private long AppendAllLocked(DecidedEvents<TState> events, RecordBuffer buffer)
    {
        MixedBatch batch = events.Batch;
        return batch.Schemas.Count == 1 ? _log.AppendBatch(batch.Schemas[0], buffer.WrittenWithinLimit, batch.RecordCount, by: _opening.Events) : _log.AppendBatch(batch, _opening.Events);
    }
}
