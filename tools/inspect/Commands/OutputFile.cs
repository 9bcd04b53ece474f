using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary>A file that is there under its name when all of it is on the disk, and not before: it is written under another one beside it. Disposing one that was not finished removes it, and so does the end of the process.</summary>
internal sealed class OutputFile : IDisposable
{
    private readonly string _target;
    private readonly string _temporary;
    private readonly FileStream _stream;
    private readonly Leftover _unfinished;
    private bool _isFinished;

    /// <param name="target">Its path.</param>
    /// <param name="leftovers">Knows of it while it is not finished.</param>
    /// <exception cref="UsageException">There is a file, or there can be none.</exception>
    public OutputFile(string target, Leftovers leftovers)
    {
        ThrowIfThere(target);
        _target = target;
        _temporary = $"{Path.GetFullPath(target)}.{Guid.NewGuid():N}.unfinished";
        try
        {
            // To be removed while it is open.
            _stream = leftovers.Make(() => new FileStream(_temporary, FileMode.CreateNew, FileAccess.Write, FileShare.Read | FileShare.Delete), () => File.Delete(_temporary), out _unfinished);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputFailedException($"--output {target} cannot be created", e);
        }

        Stream = StandardOutput.Over(_stream, $"--output {target} cannot be written");
    }

    /// <summary>Takes the content.</summary>
    public Stream Stream { get; }

    /// <exception cref="UsageException">Somebody has made a file of the name meanwhile. It is his.</exception>
    public static void ThrowIfThere(string target)
    {
        if (Path.Exists(target)) throw new UsageException($"--output {target}: the file exists. Remove it or choose another name; nothing is overwritten.");
    }

    /// <summary>Brings the file to the disk and gives it its name.</summary>
    /// <exception cref="UsageException">Somebody has made a file of the name meanwhile. It is his.</exception>
    public void Finish()
    {
        try
        {
            // Or a power failure could leave the name without what it stands for.
            _stream.Flush(flushToDisk: true);
            _stream.Dispose();
            _unfinished.Settle(() => File.Move(_temporary, _target, overwrite: false));
            _isFinished = true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            ThrowIfThere(_target);
            throw new OutputFailedException($"--output {_target} cannot be written", e);
        }
    }

    public void Dispose()
    {
        if (_isFinished) return;
        try
        {
            _stream.Dispose();
        }
        finally
        {
            _unfinished.Settle(() => File.Delete(_temporary));
        }
    }
}
