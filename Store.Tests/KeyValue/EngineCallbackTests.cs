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

    /// <summary>Of other keys of the stripe, too: there are more keys than stripes.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public unsafe void AReaderIsNotKeptWaitingByWhoeverOverwritesAllTheTime(bool isConcurrent)
    {
        byte[] keyBytes = GC.AllocateArray<byte>(8, pinned: true), valueBytes = GC.AllocateArray<byte>(20_000_000, pinned: true), otherBytes = GC.AllocateArray<byte>(1_000_000, pinned: true);

        // The stripe of the hash 0, which is that of a change without an address.
        for (long i = 0; KeyStripe.Of(KeyHash.Compute(keyBytes)) != 0; i++) BitConverter.TryWriteBytes(keyBytes, i);
        fixed (byte* keyStart = keyBytes, valueStart = valueBytes, otherStart = otherBytes)
        {
            SpanByte key = SpanByte.FromPointer(keyStart, keyBytes.Length), value = SpanByte.FromPointer(valueStart, valueBytes.Length), other = SpanByte.FromPointer(otherStart, otherBytes.Length);
            var callbacks = new SpanByteCallbacks(new Overwrites(), null!);
            EngineInput asked = new(ReadMode.Value), change = new(otherStart, otherBytes.Length, keyBytes.Length);
            ReadResult result = default;
            bool isRead = false, isOverwriting = false;
            var writer = new Thread(() =>
            {
                RMWInfo info = default;
                ReadResult unused = default;
                while (!Volatile.Read(ref isRead))
                {
                    callbacks.InPlaceUpdater(ref key, ref change, ref other, ref unused, ref info);
                    Volatile.Write(ref isOverwriting, true);
                }
            }) { IsBackground = true };
            var reader = new Thread(() =>
            {
                ReadInfo info = default;
                if (isConcurrent) callbacks.ConcurrentReader(ref key, ref asked, ref value, ref result, ref info);
                else callbacks.SingleReader(ref key, ref asked, ref value, ref result, ref info);
            }) { IsBackground = true };
            writer.Start();
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref isOverwriting), Patience));
            reader.Start();
            bool ends = reader.Join(Patience);
            Volatile.Write(ref isRead, true);
            Assert.True(writer.Join(Patience) && reader.Join(Patience));

            Assert.True(ends, "The reader waits for ever.");
            Assert.Null(result.Failure);
            Assert.Equal(20_000_000, result.LengthBytes);
            result.Release();
        }
    }

    [Fact]
    public unsafe void NothingIsOverwrittenInItsPlaceWhileAReaderHoldsChangesBack()
    {
        byte[] bytes = GC.AllocateArray<byte>(100, pinned: true), keyBytes = GC.AllocateArray<byte>(8, pinned: true), newBytes = GC.AllocateArray<byte>(50, pinned: true);
        newBytes.AsSpan().Fill(1);
        fixed (byte* keyStart = keyBytes, start = bytes, newStart = newBytes)
        {
            SpanByte key = SpanByte.FromPointer(keyStart, keyBytes.Length), value = SpanByte.FromPointer(start, bytes.Length), source = SpanByte.FromPointer(newStart, newBytes.Length);
            var overwrites = new Overwrites();
            var callbacks = new SpanByteCallbacks(overwrites, null!);
            EngineInput change = new(newStart, newBytes.Length, keyBytes.Length);
            ReadResult unused = default;
            RMWInfo put = default;
            UpsertInfo upsert = default;

            overwrites.HoldBack(0);
            overwrites.HoldBack(0);
            overwrites.LetGo(0);
            Assert.False(callbacks.InPlaceUpdater(ref key, ref change, ref value, ref unused, ref put));
            Assert.False(callbacks.ConcurrentWriter(ref key, ref change, ref source, ref value, ref unused, ref upsert));
            Assert.False(bytes.AsSpan().ContainsAnyExcept((byte)0));
            Assert.Equal(100, value.Length);

            overwrites.LetGo(0);
            Assert.True(callbacks.InPlaceUpdater(ref key, ref change, ref value, ref unused, ref put));
            Assert.Equal(50, value.Length);
        }
    }
}
