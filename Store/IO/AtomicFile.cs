// How does a whole file appear at once? Written aside under another name, synced, renamed, and the folder synced.

namespace Store.IO;

/// <summary>Publishes files that are either there completely or not at all, whatever happens.</summary>
internal static class AtomicFile
{
    /// <summary>Ending of a file that is still being written. Recovery may remove every file with it.</summary>
    public const string TemporarySuffix = ".tmp";

    /// <summary>
    /// Writes a file and gives it its name, replacing an older one. When this returns, the file and its name are durable. When it throws, the older file is
    /// still there, except that after a failed folder sync it is unknown which of the two a power failure leaves.
    /// </summary>
    /// <param name="directory">The folder.</param>
    /// <param name="name">The file's name. Meanwhile it is written as <paramref name="name"/> + <see cref="TemporarySuffix"/>; one left by a crash is replaced.</param>
    /// <param name="write">Writes the content. It need not sync and must not dispose.</param>
    /// <param name="replaces">False when there must be no older one: then it fails where there is.</param>
    /// <exception cref="IOException">A call failed; what was written aside is removed.</exception>
    public static void Publish(IStoreDirectory directory, string name, Action<IStoreFile> write, bool replaces = true)
    {
        ArgumentNullException.ThrowIfNull(write);
        ValueTask published = PublishAsync(directory, name, file =>
        {
            write(file);
            return default;
        }, replaces);

        // Nothing was waited for: it is done, or it has failed.
        published.GetAwaiter().GetResult();
    }

    /// <summary>As <see cref="Publish"/>, with a content that may have to be waited for. Completes on return when nothing was.</summary>
    /// <inheritdoc cref="Publish"/>
    public static async ValueTask PublishAsync(IStoreDirectory directory, string name, Func<IStoreFile, ValueTask> write, bool replaces = true)
    {
        ArgumentNullException.ThrowIfNull(directory);
        ArgumentNullException.ThrowIfNull(write);
        StoreFileName.Validate(name);

        var temporary = name + TemporarySuffix;
        DeleteIfThere(directory, temporary);
        var file = directory.Create(temporary);
        try
        {
            using (file)
            {
                await write(file).ConfigureAwait(false);
                file.SyncData();
            }
            if (replaces) directory.Rename(temporary, name);
            else directory.RenameNew(temporary, name);
        }
        catch (Exception failure)
        {
            RemoveAfter(failure, directory, temporary);
            throw;
        }
        directory.SyncDirectory();
    }

    private static void DeleteIfThere(IStoreDirectory directory, string name)
    {
        try
        {
            directory.Delete(name);
        }
        catch (FileNotFoundException)
        {
            // Nothing was left behind, which is the usual case.
        }
    }

    /// <summary>Removes what was written aside. The failure that led here is the one to report; one of the removal goes along as its data, and recovery removes the file later.</summary>
    private static void RemoveAfter(Exception failure, IStoreDirectory directory, string name)
    {
        try
        {
            directory.Delete(name);
        }
        catch (Exception second) when (second is IOException or ObjectDisposedException)
        {
            failure.Data[$"Could not remove '{name}'"] = second.Message;
        }
    }
}
