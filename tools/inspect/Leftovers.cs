namespace Store.Inspect;

/// <summary>
/// What a process must not leave behind when it is told to end: a file that is half, a cursor that is hidden. It is put right beside whatever the process is at, for that may be a write to a pipe which nobody reads. Safe for any number of threads.
/// </summary>
internal sealed class Leftovers
{
    private readonly Lock _gate = new();
    private readonly List<Leftover> _all = [];
    private bool _isOver;

    /// <summary>Makes something that is not to stay as it is.</summary>
    /// <param name="make">Makes it, or throws. <see cref="Clear"/> waits for it.</param>
    /// <param name="undo">Puts it right; called by <see cref="Clear"/>, at most once.</param>
    /// <param name="leftover">To be settled, or forgotten, by who asked for it.</param>
    public T Make<T>(Func<T> make, Action undo, out Leftover leftover)
    {
        T made = default!;
        var one = new Leftover(this, undo);
        InTurn(() =>
        {
            made = make();
            _all.Add(one);
        });
        leftover = one;
        return made;
    }

    /// <summary>Puts everything right. For who ends the process then: whoever wants to make or settle something after it waits for that end.</summary>
    /// <returns>What could not be put right, and why.</returns>
    public IReadOnlyList<Exception> Clear()
    {
        List<Exception> failures = [];
        lock (_gate)
        {
            _isOver = true;
            foreach (Leftover one in _all)
            {
                try
                {
                    one.Undo();
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
                {
                    failures.Add(e);
                }
            }

            _all.Clear();
        }

        return failures;
    }

    internal void Settle(Leftover one, Action settle) => InTurn(() =>
    {
        settle();
        _all.Remove(one);
    });

    internal void Forget(Leftover one)
    {
        lock (_gate) _all.Remove(one);
    }

    // A file that is moved after it was removed would be a failure that is told, and one that is made would stay.
    private void InTurn(Action step)
    {
        lock (_gate)
        {
            if (!_isOver)
            {
                step();
                return;
            }
        }

        Thread.Sleep(Timeout.Infinite);
    }
}

/// <summary>One thing that is not to stay as it is.</summary>
internal sealed class Leftover(Leftovers all, Action undo)
{
    /// <summary>Does what makes it stay, or go: where that throws, it is left over still.</summary>
    public void Settle(Action settle) => all.Settle(this, settle);

    /// <summary>It was put right.</summary>
    public void Forget() => all.Forget(this);

    internal void Undo() => undo();
}
