using System.Buffers;

namespace Store.Inspect.Rendering;

/// <summary>A buffer in memory that says so when more comes than it takes, before it asks for memory that is not there.</summary>
/// <param name="limitBytes">What it takes.</param>
internal sealed class LimitedBuffer(int limitBytes) : IBufferWriter<byte>
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    public ReadOnlySpan<byte> WrittenSpan => _bytes.WrittenSpan;

    public void ResetWrittenCount() => _bytes.ResetWrittenCount();

    public void Advance(int count)
    {
        _bytes.Advance(count);
        if (_bytes.WrittenCount > limitBytes) throw new ValueTooLongException();
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Check(sizeHint);
        return _bytes.GetMemory(sizeHint);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Check(sizeHint);
        return _bytes.GetSpan(sizeHint);
    }

    // A writer of JSON asks for six bytes a character before it knows what they become: that much above the limit is asked for and not used.
    private void Check(int sizeHint)
    {
        if ((long)_bytes.WrittenCount + sizeHint > Array.MaxLength) throw new ValueTooLongException();
    }
}

/// <summary>More came than the buffer takes.</summary>
internal sealed class ValueTooLongException() : Exception("The value is too long.");
