using System.Buffers;
using System.IO.Pipelines;

namespace Store.Tests.Serialization;

/// <summary>How a buffer writer is odd.</summary>
public enum Oddity
{
    /// <summary>As much as was asked for, and one byte where nothing was.</summary>
    Exact,

    /// <summary>One byte more than was asked for.</summary>
    OneMore,

    /// <summary>Much more than was asked for.</summary>
    Generous,

    /// <summary>As much as was asked for, and nothing where nothing was: that breaks the contract.</summary>
    EmptyUnasked,

    /// <summary>One byte less than was asked for: that breaks the contract.</summary>
    OneLess,

    /// <summary>Never anything: that breaks the contract.</summary>
    Nothing,

    /// <summary>Another size every time, never too little.</summary>
    Changing,
}

/// <summary>
/// A buffer writer that gives another dirty array each time, with margins around what it gave, and knows when something was written outside of it. It may throw at a call, or run code there. Also a pipe whose flushes are completed.
/// </summary>
internal sealed class OddWriter(Oddity oddity) : PipeWriter, IBufferWriter<byte>
{
    private const int Margin = 32;
    private const byte Dirt = 0xCD;

    private readonly ArrayBufferWriter<byte> _written = new();
    private readonly List<(byte[] Bytes, int Given)> _all = [];
    private int _given = -1;

    /// <summary>At which call it throws, counted from 0; -1 never.</summary>
    public int ThrowsAt { get; init; } = -1;

    /// <summary>Runs whenever memory is asked for.</summary>
    public Action? Asked { get; init; }

    public FlushResult Flushed { get; init; }

    public int Calls { get; private set; }

    public byte[] Written => _written.WrittenSpan.ToArray();

    public override void Advance(int count)
    {
        Call();
        Assert.InRange(count, 0, Math.Max(_given, 0));
        if (count > 0) _written.Write(_all[^1].Bytes.AsSpan(Margin, count));
        _given = -1;
    }

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        Call();
        Asked?.Invoke();
        Assert.True(sizeHint >= 0);
        int size = oddity switch
        {
            Oddity.Exact => Math.Max(sizeHint, 1),
            Oddity.OneMore => sizeHint + 1,
            Oddity.Generous => sizeHint + 5000,
            Oddity.EmptyUnasked => sizeHint,
            Oddity.OneLess => Math.Max(sizeHint - 1, 0),
            Oddity.Nothing => 0,
            _ => Math.Max(sizeHint, 1) + (Calls * 7 % 40),
        };
        byte[] bytes = new byte[size + (2 * Margin)];
        bytes.AsSpan().Fill(Dirt);
        _all.Add((bytes, size));
        _given = size;
        return bytes.AsMemory(Margin, size);
    }

    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Fails where a byte around what was given is another one.</summary>
    public void AssertMarginsAreUntouched()
    {
        foreach ((byte[] bytes, int given) in _all)
        {
            Assert.Equal(-1, bytes.AsSpan(0, Margin).IndexOfAnyExcept(Dirt));
            Assert.Equal(-1, bytes.AsSpan(Margin + given).IndexOfAnyExcept(Dirt));
        }
    }

    public override void CancelPendingFlush() { }

    public override void Complete(Exception? exception = null) { }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        Call();
        return new ValueTask<FlushResult>(Flushed);
    }

    private void Call()
    {
        if (Calls++ == ThrowsAt) throw new OddWriterException();
    }
}

/// <summary>What an odd writer or stream throws.</summary>
internal sealed class OddWriterException() : Exception("It was told to.");
