// Two threads that append at once. The second one sleeps between turns, so that it takes no processor from anybody, and is awake before a turn is timed.

namespace Store.Bench.Harness;

/// <summary>The calling thread and another one, doing the same at the same time.</summary>
internal sealed class ProducerPair : IDisposable
{
    private readonly SemaphoreSlim _wake = new(0);
    private readonly Thread _second;
    private Action _work = static () => { };
    private Exception? _failure;
    private volatile bool _ready, _go, _done, _ended;

    public ProducerPair()
    {
        _second = new Thread(Second) { IsBackground = true, Name = "second producer" };
        _second.Start();
    }

    /// <summary>Wakes the second thread. Returns when it is ready.</summary>
    public void Prepare(Action work)
    {
        (_work, _ready, _go, _done) = (work, false, false, false);
        _wake.Release();
        Until(static pair => pair._ready);
    }

    /// <summary>Both do what was prepared; returns when both have.</summary>
    /// <exception cref="InvalidOperationException">The second one failed.</exception>
    public void Run()
    {
        _go = true;
        _work();
        Until(static pair => pair._done);
        if (_failure is { } failure) throw new InvalidOperationException("The second producer failed.", failure);
    }

    public void Dispose()
    {
        _ended = true;
        _wake.Release();
        _second.Join();
        _wake.Dispose();
    }

    private void Second()
    {
        while (true)
        {
            _wake.Wait();
            if (_ended) return;
            _ready = true;
            Until(static pair => pair._go);
            try
            {
                _work();
            }
            catch (Exception e)
            {
                _failure = e;
            }
            _done = true;
        }
    }

    private void Until(Func<ProducerPair, bool> condition)
    {
        var spinner = default(SpinWait);
        while (!condition(this)) spinner.SpinOnce(sleep1Threshold: -1);
    }
}
