namespace Store.KeyValue;

/// <summary>That a thread is inside a callback of a keyed state: <see cref="KeyValueLog{TKey, TValue}.EnterCallback"/>. Disposed by the same thread, when the callback has returned.</summary>
public readonly ref struct KeyValueCallback
{
    // Of this thread, the outermost first: a callback may look at another keyed state, whose callback may look at a third.
    [ThreadStatic] private static Stack<object>? t_owners;

    private KeyValueCallback(object owner) => (t_owners ??= new Stack<object>()).Push(owner);

    /// <summary>Ends it.</summary>
    public void Dispose() => t_owners!.Pop();

    internal static KeyValueCallback Enter(object owner) => new(owner);

    internal static bool IsInside(object owner) => t_owners is { Count: > 0 } owners && owners.Contains(owner);
}
