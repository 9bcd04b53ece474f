// Which events change a state, and how? Asked by type when an event is applied, by schema when the log is replayed.

using System.ComponentModel;
using System.Runtime.CompilerServices;
using Store.Log;
using Store.Reading;
using Store.Serialization;

namespace Store.State;

/// <summary>
/// The events of a state and what each does to it. A handler depends on nothing but the state and the event (no clock, no random numbers, no other store), because
/// replaying the log must give the same state; and it does not throw: what may be refused is refused before, with <see cref="StateStore{TState}.Decide{TCommand, TEvent}(TCommand, Func{TState, TCommand, TEvent})"/>.
/// </summary>
/// <typeparam name="TState">The state.</typeparam>
public sealed class StateHandlers<TState> where TState : class
{
    private const string NotAwaited = "A handler is not awaited: the event is applied when it returns, and the next one is applied then. Await before, and give what came of it in the event.";

    private readonly Dictionary<Type, StateHandler<TState>> _byType = [];
    private readonly Dictionary<string, StateHandler<TState>> _byName = [];
    private Type? _inPlace;
    private bool _isComplete;

    internal StateHandlers() { }

    /// <summary>Adds an event that changes the state in place.</summary>
    /// <exception cref="ArgumentException">The event has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The callback that names the events has returned: the log is replayed to those that were named.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the event.</exception>
    public StateHandlers<TState> On<TEvent>(Action<TState, TEvent> apply)
    {
        ArgumentNullException.ThrowIfNull(apply);
        StateHandlers<TState> added = On<TEvent>((state, e) =>
        {
            apply(state, e);
            return state;
        });
        _inPlace ??= typeof(TEvent);
        return added;
    }

    /// <summary>Not for handlers that await. Does not compile. Without it such a handler would be an <c>async void</c>: the next event would be applied before it has ended, and its exception ends the process.</summary>
    /// <param name="apply">A handler that awaits.</param>
    /// <exception cref="NotSupportedException">Always.</exception>
    [Obsolete(NotAwaited, error: true)]
    [OverloadResolutionPriority(1)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public StateHandlers<TState> On<TEvent>(Func<TState, TEvent, Task> apply) => throw new NotSupportedException(NotAwaited);

    /// <inheritdoc cref="On{TEvent}(Func{TState, TEvent, Task})"/>
    [Obsolete(NotAwaited, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public StateHandlers<TState> On<TEvent>(Func<TState, TEvent, ValueTask> apply) => throw new NotSupportedException(NotAwaited);

    /// <summary>Adds an event that gives another state: for immutable ones.</summary>
    /// <inheritdoc cref="On{TEvent}(Action{TState, TEvent})"/>
    [OverloadResolutionPriority(2)]
    public StateHandlers<TState> On<TEvent>(Func<TState, TEvent, TState> apply)
    {
        ArgumentNullException.ThrowIfNull(apply);
        if (_isComplete) throw new InvalidOperationException($"The events of the state '{typeof(TState).Name}' are those that were named when it was opened: one that comes later would miss its records that were read by then. Name '{typeof(TEvent).Name}' in the callback of OpenStateAsync, before that returns.");
        var handler = new StateHandler<TState, TEvent>(apply);
        if (_byType.ContainsKey(typeof(TEvent)) || handler.Schema.Names.Any(_byName.ContainsKey))
            throw new ArgumentException($"The event '{handler.Schema.Name}' has a handler already, under this name or a former one.", nameof(apply));
        _byType.Add(typeof(TEvent), handler);
        foreach (string name in handler.Schema.Names) _byName.Add(name, handler);
        return this;
    }

    /// <summary>All events were named: from here on none is added.</summary>
    internal void Complete() => _isComplete = true;

    internal bool IsEmpty => _byType.Count == 0;

    /// <exception cref="ArgumentException">One of the handlers changes the state in place.</exception>
    internal void ThrowIfInPlace()
    {
        if (_inPlace is { } e)
            throw new ArgumentException($"The handler of '{e}' changes the state in place, which {nameof(StateOptions)}.{nameof(StateOptions.StateIsImmutable)} rules out: give another state, .On<{e.Name}>((state, e) => …), or leave the option out.");
    }

    /// <summary>Names of the events, former ones included.</summary>
    internal IReadOnlyCollection<string> Names => _byName.Keys;

    /// <exception cref="ArgumentException">The event has no handler.</exception>
    internal StateHandler<TState, TEvent> Of<TEvent>() => _byType.TryGetValue(typeof(TEvent), out StateHandler<TState>? handler)
        ? (StateHandler<TState, TEvent>)handler
        : throw new ArgumentException($"'{typeof(TEvent)}' is no event of this state. {(_byType.Keys.FirstOrDefault(static type => type.IsAssignableFrom(typeof(TEvent))) is { } known
            ? $"Its base '{known}' is: give it as that, with <{known.Name}> behind the name of the method."
            : $"Add it where the state is opened: .On<{typeof(TEvent).Name}>((state, e) => …).")}");

    /// <summary>Replays the log. One at a time.</summary>
    internal IRecordReplay<TState> Replay() => new Replayer(_byName);

    private sealed class Replayer(Dictionary<string, StateHandler<TState>> handlers) : IRecordReplay<TState>
    {
        // Of the last record: records of one type come in runs.
        private NinoSchema? _run;
        private StateHandler<TState>? _handler;

        public TState Apply(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload)
        {
            if (!ReferenceEquals(schema, _run)) (_run, _handler) = (schema, handlers.GetValueOrDefault(schema.Name));
            return _handler is null ? state : _handler.Replay(state, sequence, schema, payload);
        }

        public TState Apply(TState state, ref PlainRecords records, CancellationToken cancellationToken)
        {
            NinoSchema schema = records.Schema;
            if (!ReferenceEquals(schema, _run)) (_run, _handler) = (schema, handlers.GetValueOrDefault(schema.Name));
            if (_handler is not null) return _handler.Replay(state, schema, ref records, cancellationToken);
            while (records.MoveNext()) cancellationToken.ThrowIfCancellationRequested();
            return state;
        }
    }
}

/// <summary>What one event does.</summary>
internal abstract class StateHandler<TState>
{
    public abstract TState Replay(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload);

    public abstract TState Replay(TState state, NinoSchema schema, ref PlainRecords records, CancellationToken cancellationToken);
}

/// <inheritdoc/>
internal sealed class StateHandler<TState, TEvent>(Func<TState, TEvent, TState> apply) : StateHandler<TState>
{
    private readonly RunDecoder<TEvent> _stored = new();

    public NinoCodec<TEvent> Codec { get; } = NinoCodec<TEvent>.Default;

    public NinoSchema Schema => Codec.Schema;

    public TState Apply(TState state, TEvent e) => apply(state, e) ?? throw new InvalidOperationException($"The handler of '{Schema.Name}' gave no state.");

    public override TState Replay(TState state, long sequence, NinoSchema schema, ReadOnlySpan<byte> payload) => Apply(state, _stored.Decode(sequence, schema, payload));

    public override TState Replay(TState state, NinoSchema schema, ref PlainRecords records, CancellationToken cancellationToken)
    {
        while (records.MoveNext())
        {
            cancellationToken.ThrowIfCancellationRequested();
            TEvent e;
            try
            {
                e = _stored.DecodeUnplaced(records.Sequence, schema, records.Current);
            }
            catch (NinoSerializationException error)
            {
                throw LogRecord.At(records.Sequence, error);
            }

            state = Apply(state, e);
        }

        return state;
    }
}
