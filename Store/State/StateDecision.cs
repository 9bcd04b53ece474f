// One way to decide on a command, whether its event is an object or a struct: neither boxes and neither allocates.

using System.Diagnostics.CodeAnalysis;

namespace Store.State;

/// <summary>Decides whether a command becomes an event.</summary>
internal interface IStateDecision<in TState, in TCommand, TEvent>
{
    bool TryDecide(TState state, TCommand command, [NotNullWhen(true)] out TEvent? e);
}

/// <summary>Null is no event.</summary>
internal readonly struct ObjectDecision<TState, TCommand, TEvent>(Func<TState, TCommand, TEvent?> decide) : IStateDecision<TState, TCommand, TEvent> where TEvent : class
{
    public bool TryDecide(TState state, TCommand command, [NotNullWhen(true)] out TEvent? e) => (e = decide(state, command)) is not null;
}

/// <summary>A nullable without a value is no event.</summary>
internal readonly struct ValueDecision<TState, TCommand, TEvent>(Func<TState, TCommand, TEvent?> decide) : IStateDecision<TState, TCommand, TEvent> where TEvent : struct
{
    public bool TryDecide(TState state, TCommand command, out TEvent e)
    {
        TEvent? decided = decide(state, command);
        e = decided.GetValueOrDefault();
        return decided.HasValue;
    }
}
