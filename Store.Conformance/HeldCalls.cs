// A gate in front of files: while it is closed, the calls it is for stand still, so that a case can do something in the middle of one.

namespace Store.Conformance;

/// <summary>Holds calls back until it is opened or disposed. Closed from the beginning. One at a time for the same files.</summary>
internal sealed class HeldCalls : IDisposable
{
    private readonly CaseFiles _files;
    private readonly Func<FileCall, bool> _isFor;
    private readonly ManualResetEventSlim _open = new();
    private readonly TaskCompletionSource<FileCall> _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="files">The files.</param>
    /// <param name="isFor">Which calls are held.</param>
    public HeldCalls(CaseFiles files, Func<FileCall, bool> isFor)
    {
        (_files, _isFor) = (files, isFor);
        files.Arrives = Pass;
    }

    /// <summary>Completes when a call stands at the gate.</summary>
    public Task<FileCall> Arrived => _arrived.Task;

    public void Open() => _open.Set();

    // The event is not disposed: who stands at it leaves in their own time.
    public void Dispose()
    {
        _files.Arrives = null;
        _open.Set();
    }

    private void Pass(FileCall call)
    {
        if (_open.IsSet || !_isFor(call)) return;
        _arrived.TrySetResult(call);
        _open.Wait();
    }
}
