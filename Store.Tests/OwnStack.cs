namespace Store.Tests;

/// <summary>Runs code on a thread with a stack of its own.</summary>
internal static class OwnStack
{
    /// <summary>Runs to the end.</summary>
    /// <param name="bytes">The size of the stack, of which the runtime keeps 128 KiB for itself.</param>
    /// <param name="run">What is run.</param>
    /// <returns>What it threw; null where it threw nothing.</returns>
    public static Exception? Run(int bytes, Action run)
    {
        Exception? error = null;
        var thread = new Thread(() => error = Record.Exception(run), bytes);
        thread.Start();
        thread.Join();
        return error;
    }
}
