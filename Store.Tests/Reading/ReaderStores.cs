using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Values;

namespace Store.Tests.Reading;

/// <summary>Stores for the tests of reading from outside, and readers of them.</summary>
internal static class ReaderStores
{
    public static readonly NinoSchema Line = NinoSchema.Create(Shapes.Class("Line", ("N", Shapes.Of(SchemaKind.Int32))));
    public static readonly NinoSchema Note = NinoSchema.Create(Shapes.Class("Note", ("Text", Shapes.Of(SchemaKind.String))));

    // Readers of a simulated folder are not disposed: that would close the folder, which the test still needs.
    public static StoreReader Open(SimDirectory directory, string? fileName = null) => StoreReader.Open(directory, "sim", fileName, static _ => false);

    public static void AppendLine(NinoStore store, int n) => store.AppendRecord(Line, new RecordBytes().Int32(n).ToArray());

    /// <summary>Several segments of single committed records of two types.</summary>
    public static SimDirectory StoreOf(int records, bool close = true, int seed = 1)
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory, seed);
        for (int i = 1; i <= records; i++)
        {
            if (i % 5 == 0) store.AppendRecord(Note, new RecordBytes().Text($"note {i}").ToArray());
            else AppendLine(store, i);
            if (i % 4 == 0) store.Commit();
        }

        store.Commit();
        if (close) store.Dispose();
        return directory;
    }

    public static SimDirectory Copy(SimDirectory directory, Func<string, byte[], byte[]?>? change = null)
    {
        var copy = new SimDirectory();
        foreach (StoreFileEntry entry in directory.List().Where(static f => f.Name != SegmentFormat.LockName))
        {
            byte[] bytes = FileBytes.Of(directory, entry.Name);
            if ((change is null ? bytes : change(entry.Name, bytes)) is { } kept) FileBytes.Put(copy, entry.Name, kept);
        }

        return copy;
    }
}
