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

    /// <exception cref="InvalidOperationException">This thread is inside a callback of this keyed state.</exception>
    internal static void ThrowIfChanging(object owner, string name)
    {
        if (IsInside(owner)) throw new InvalidOperationException($"A callback of '{name}' changes the keyed state that it is called by. Return the change instead; nothing was appended.");
    }

    /// <exception cref="InvalidOperationException">This thread is inside a callback of this keyed state.</exception>
    internal static void ThrowIfWaiting(object owner, string name, string what)
    {
        if (IsInside(owner)) throw new InvalidOperationException($"A callback of '{name}' {what} the keyed state that it is called by: that would wait for the callback to end. Do it afterwards.");
    }

    /// <summary>True while this thread is inside a callback of any keyed state.</summary>
    internal static bool IsInsideAny => t_owners is { Count: > 0 };

    internal static bool IsInside(object owner) => t_owners is { Count: > 0 } owners && owners.Contains(owner);
}
