// Ctrl+C and SIGTERM. The verbs do not ask whether they are to end: they may be inside one write that takes for ever, or one value of a gigabyte. So the process ends as it would without a handler, at once and by the signal itself, and what it would leave
// behind is removed before.

using System.Runtime.InteropServices;
using Store.Inspect.Rendering;

namespace Store.Inspect;

/// <summary>Watches for the signals that end the process, from its making to its disposal.</summary>
internal sealed class Ending : IDisposable
{
    // A terminal that takes nothing and a server that is gone keep nobody.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly ToolConsole _console;
    private readonly PosixSignalRegistration[] _signals;

    public Ending(ToolConsole console)
    {
        _console = console;
        _signals = [PosixSignalRegistration.Create(PosixSignal.SIGINT, Clear), PosixSignalRegistration.Create(PosixSignal.SIGTERM, Clear)];
    }

    public void Dispose()
    {
        foreach (PosixSignalRegistration signal in _signals) signal.Dispose();
    }

    // Not cancelled: when this returns the system does what it does with the signal, and the shell says 130 or 143.
    private void Clear(PosixSignalContext context)
    {
        var clearing = new Thread(Clear) { IsBackground = true };
        clearing.Start();
        clearing.Join(Patience);
    }

    private void Clear()
    {
        foreach (Exception failure in _console.Leftovers.Clear()) _console.Complain($"ended, and could not tidy up: {failure.Message}");
    }
}
