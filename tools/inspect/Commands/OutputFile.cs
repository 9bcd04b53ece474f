using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary>A file that is there under its name when all of it is, and not before: it is written under another one beside it. Disposing one that was not finished removes it.</summary>
internal sealed class OutputFile : IDisposable
{
    private readonly string _target;
    private readonly string _temporary;
    private readonly FileStream _stream;
    private bool _isFinished;

    /// <param name="target">Its path.</param>
    /// <exception cref="UsageException">There is a file, or there can be none.</exception>
    public OutputFile(string target)
    {
        ThrowIfThere(target);
        _target = target;
        _temporary = $"{Path.GetFullPath(target)}.{Guid.NewGuid():N}.unfinished";
        try
        {
            _stream = new FileStream(_temporary, FileMode.CreateNew, FileAccess.Write, FileShare.Read);
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

    /// <summary>Gives the file its name.</summary>
    /// <exception cref="UsageException">Somebody has made a file of the name meanwhile. It is his.</exception>
    public void Finish()
    {
        try
        {
            _stream.Dispose();
            File.Move(_temporary, _target, overwrite: false);
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
            File.Delete(_temporary);
        }
    }
}
