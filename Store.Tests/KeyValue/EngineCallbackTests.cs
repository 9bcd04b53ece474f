// What does FASTER get when it calls a reader while a value is overwritten in its place? The one before or the one after, whichever of the two readers it calls.

using FASTER.core;
using Store.Faster.Engine;

namespace Store.Tests.KeyValue;

public class EngineCallbackTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>FASTER calls the reader of records that nobody changes also for records that others still change: behind a read from the disk, below the read-only address.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public unsafe void AReaderWaitsForTheValueThatIsBeingWritten(bool isConcurrent)
    {
        byte[] keyBytes = GC.AllocateArray<byte>(8, pinned: true), valueBytes = GC.AllocateArray<byte>(1000, pinned: true);
        fixed (byte* keyStart = keyBytes, valueStart = valueBytes)
        {
            SpanByte key = SpanByte.FromPointer(keyStart, keyBytes.Length), value = SpanByte.FromPointer(valueStart, valueBytes.Length);
            var overwrites = new Overwrites();
            var callbacks = new SpanByteCallbacks(overwrites, null!);
            var input = new EngineInput(ReadMode.Value);
            ReadResult result = default;
            ulong hash = KeyHash.Compute(keyBytes);
            valueBytes.AsSpan().Fill(1);

            overwrites.Begin(hash);
            valueBytes.AsSpan(0, 500).Fill(2);
            var reader = new Thread(() =>
            {
                ReadInfo info = default;
                if (isConcurrent) callbacks.ConcurrentReader(ref key, ref input, ref value, ref result, ref info);
                else callbacks.SingleReader(ref key, ref input, ref value, ref result, ref info);
            });
            reader.Start();
            bool hasRead = reader.Join(TimeSpan.FromMilliseconds(100));
            valueBytes.AsSpan(500).Fill(2);
            overwrites.End(hash);

            Assert.True(reader.Join(Patience), "The reader waits for ever.");
            Assert.False(hasRead, "The reader did not wait for the writer.");
            Assert.Equal(1000, result.LengthBytes);
            Assert.False(result.Value.ContainsAnyExcept((byte)2), "The value is of two.");
            result.Release();
        }
    }
}
