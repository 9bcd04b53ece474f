// Reads at the end of memory: through views, by the generated readers, into what is there, by schema. A byte too far is no failed assertion but the end of the run.

using Store.Serialization;
using Store.Tests.Fuzz;
using Store.Tests.Serialization;
using Xunit.Abstractions;

namespace Store.Tests.Views;

public class GuardPageTests(ITestOutputHelper output)
{
    private readonly int _seed = Effort.Seed(20261121);

    [GuardPageFact]
    public void ThePageIsThere()
    {
        using var page = new GuardPage();
        ReadOnlySpan<byte> bytes = page.AtEnd([1, 2, 3]);
        Assert.Equal([1, 2, 3], bytes.ToArray());
        string end = End(bytes);
        Assert.Contains(File.ReadLines("/proc/self/maps"), line => line.Contains("---p") && line.StartsWith(end, StringComparison.Ordinal));

        static unsafe string End(ReadOnlySpan<byte> bytes)
        {
            fixed (byte* start = bytes) return ((nint)start + bytes.Length).ToString("x");
        }
    }

    [GuardPageFact]
    public void NoViewLooksBehindTheBytes()
    {
        output.WriteLine($"seed {_seed}");
        using var page = new GuardPage();
        var tests = new ViewTests(output);
        foreach (ViewCheck check in ViewCatalog.All)
        {
            foreach (byte[] record in tests.Records(check, 3))
            {
                check.Compare(page.AtEnd(record));
                for (int length = 0; length < record.Length; length++) check.Compare(page.AtEnd(record.AsSpan(0, length)));
                Flip(record, damaged => check.Compare(page.AtEnd(damaged)));
            }
        }
    }

    [GuardPageFact]
    public void BytesThatChangeWhileAViewIsReadLeadNowhereElse()
    {
        using var bytes = new ChangingBytes(_seed);
        var tests = new ViewTests(output);
        foreach (ViewCheck check in ViewCatalog.All)
        {
            foreach (byte[] record in tests.Records(check, 8)) bytes.Read(record, check.Touch);
        }

        Effort.Tell(output, "reads of bytes that change", bytes.Reads, $"SEED={_seed}", $"through views, {bytes.OtherExceptions} with another exception");
        Assert.True(bytes.Reads > bytes.OtherExceptions);
    }

    [GuardPageFact]
    public void NoReaderLooksBehindTheBytes()
    {
        using var page = new GuardPage();
        foreach (Sample sample in Samples.All)
        {
            byte[] golden = sample.Golden;
            Read(golden);
            for (int length = 0; length < golden.Length; length++) Read(golden[..length]);
            Flip(golden, Read);

            void Read(byte[] bytes)
            {
                Try(() => sample.Recode(page.AtEnd(bytes)));
                Try(() => sample.RecodeBare(page.AtEnd(bytes)));
                Try(() => NinoValue.Decode(sample.Schema, page.AtEnd(bytes)));
            }
        }
    }

    [GuardPageFact]
    public void ReadingIntoWhatIsThereDoesNotLookBehindTheBytes()
    {
        using var page = new GuardPage();
        byte[] record = NinoSerializer.Serialize(new Reuse.Whole { Utf8 = "nine char", Words = new List<string?> { "eight ch", "1234567", null, "€" }, Tags = ["a"], Parts = [new() { Label = "l" }], ByName = new() { ["k"] = new() } });
        Reuse.Whole? value = null;
        Read(record);
        for (int length = 0; length < record.Length; length++) Read(record[..length]);
        Flip(record, Read);
        Read(record);
        Assert.Equal(record, NinoSerializer.Serialize(value!));

        void Read(byte[] bytes) => Try(() => NinoSerializer.Deserialize(page.AtEnd(bytes), ref value));
    }

    private static void Flip(byte[] record, Action<byte[]> use)
    {
        for (int bit = 0; bit < record.Length * 8; bit++)
        {
            byte[] damaged = [.. record];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            use(damaged);
        }
    }

    private static void Try(Action read)
    {
        try
        {
            read();
        }
        catch (NinoSerializationException)
        {
        }
    }
}
