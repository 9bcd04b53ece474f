// Does the device tell FASTER only what it was given, and never that a loss is an absence?

using Store.Faster.Engine;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public unsafe class StoreDeviceTests
{
    [Fact]
    public void ReadingBackWhatWasWrittenWorksAndRoundingUpGivesZeros()
    {
        using var directory = new SimDirectory();
        StoreDevice device = StoreDevice.OneFile(directory, "x");
        Write(device, 0, Filled(1024, 7));
        Assert.Equal([.. Filled(512, 7), .. new byte[512]], Read(device, 512, 1024));
        device.ThrowIfFailed();
        device.Close();
    }

    [Fact]
    public void AHoleIsAFailureAndNotZeros()
    {
        using var directory = new SimDirectory();
        StoreDevice device = StoreDevice.OneFile(directory, "x");
        Write(device, 0, Filled(512, 1));
        Write(device, 1024, Filled(512, 2));
        Assert.Equal(Filled(512, 2), Read(device, 1024, 512));
        device.ThrowIfFailed();
        Assert.False(device.Covers(0, 1536));
        Assert.Equal(new byte[512], Read(device, 512, 512));
        IOException e = Assert.Throws<IOException>(device.ThrowIfFailed);
        Assert.Contains("not all of them were ever written", e.Message);
        device.Close();
    }

    [Fact]
    public void AReadBehindTheEndIsAFailure()
    {
        using var directory = new SimDirectory();
        StoreDevice device = StoreDevice.OneFile(directory, "x");
        Write(device, 0, Filled(512, 1));
        Read(device, 512, 512);
        Assert.Throws<IOException>(device.ThrowIfFailed);
        device.Close();
    }

    [Fact]
    public void CopyingWhatTheSourceWasNeverGivenIsAFailure()
    {
        using var directory = new SimDirectory();
        StoreDevice source = StoreDevice.OneFile(directory, "source"), target = StoreDevice.OneFile(directory, "target");
        Write(source, 0, Filled(1024, 3));
        target.CopyFrom(source, 512, 4096, 512);
        Assert.Equal(Filled(512, 3), Read(target, 4096, 512));
        Assert.Throws<InvalidDataException>(() => target.CopyFrom(source, 512, 8192, 1024));
        target.ThrowIfFailed();
        source.Close();
        target.Close();
    }

    [Fact]
    public void TheSetOfWrittenBytesIsTheSetOfWrittenBytes()
    {
        var random = new Random(7);
        for (int round = 0; round < 300; round++)
        {
            var extent = new WrittenExtent();
            bool[] model = new bool[64];
            for (int step = 0; step < 12; step++)
            {
                int start = random.Next(64), end = random.Next(start, 65);
                extent.Add(start, end);
                Array.Fill(model, true, start, end - start);
                Assert.Equal(Array.LastIndexOf(model, true) + 1, extent.EndOffset);
                for (int from = 0; from < 64; from++)
                {
                    for (int to = from; to <= 64; to++) Assert.Equal(!model.AsSpan(from, to - from).Contains(false), extent.Covers(from, to));
                }
            }
        }
    }

    private static byte[] Filled(int length, byte value)
    {
        byte[] bytes = new byte[length];
        Array.Fill(bytes, value);
        return bytes;
    }

    private static void Write(StoreDevice device, long offset, byte[] bytes)
    {
        fixed (byte* start = bytes) device.WriteAsync((IntPtr)start, 0, (ulong)offset, (uint)bytes.Length, (_, _, _) => { }, new object());
    }

    private static byte[] Read(StoreDevice device, long offset, int length)
    {
        byte[] bytes = new byte[length];
        fixed (byte* start = bytes) device.ReadAsync(0, (ulong)offset, (IntPtr)start, (uint)length, (_, _, _) => { }, new object());
        return bytes;
    }
}
