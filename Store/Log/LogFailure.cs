// What stopped the log? The first failure of a file, or of the caller's clock where the flusher reads it. It stays: nothing is retried, because after a failed sync the
// kernel may call lost pages clean.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Log;

/// <summary>The sticky failure of one log. Members are called under the log's gate, except as said.</summary>
/// <param name="name">The folder.</param>
internal sealed class LogFailure(string name)
{
    private Exception? _first;

    /// <summary>The first failure; null while all is well. At any time.</summary>
    public Exception? First => Volatile.Read(ref _first);

    /// <summary>True when somebody has been told, who need not hear of it again. At any time.</summary>
    public bool WasTold { get; set; }

    /// <summary>What a failure means from now on, while every record is on the disk and the log is being closed: a sentence without its end; null before, when records are at stake.</summary>
    public string? WhileClosing { get; set; }

    /// <summary>True from when the log is being closed on: nothing is appended any more.</summary>
    public bool IsClosing { get; set; }

    /// <summary>Says that what was thrown reached a logger, or nobody: closing tells it, also where somebody else was told before. At any time.</summary>
    public void WasOnlyLogged() => WasTold = false;

    /// <summary>Keeps a failure, unless there is one.</summary>
    public void Keep(Exception? failure)
    {
        if (_first is null) Volatile.Write(ref _first, failure);
    }

    /// <summary>Throws when there was a failure.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfAny()
    {
        if (_first is not null) Throw(_first);
    }

    /// <summary>Throws when there was a failure, or the log is being closed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfUnusable()
    {
        ThrowIfAny();
        ObjectDisposedException.ThrowIf(IsClosing, typeof(NinoStore));
    }

    [DoesNotReturn]
    private void Throw(Exception failure)
    {
        WasTold = true;
        throw new StoreFailedException(WhileClosing is { } meaning
            ? $"{name}: every record is on the disk, but closing the log failed ({failure.Message}): {meaning}. No record is lost; open the store again to go on."
            : $"{name}: a write to the log failed earlier ({failure.Message}). Nothing more is accepted, because what reached the disk is unknown. Dispose the store and open it again: opening verifies what is there.", name, failure);
    }

    /// <summary>What those are told who waited for what failed. At any time.</summary>
    public StoreFailedException ToWaiters(Exception failure) =>
        new($"{name}: a write to the log failed: {failure.Message}. What was not yet acknowledged may be lost. Dispose the store and open it again: opening verifies what is there.", name, failure);

    /// <summary>Does something and returns what it threw: the one place where failures are caught. At any time.</summary>
    public static Exception? Of<T>(T target, Action<T> work)
    {
        try
        {
            work(target);
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }
}
