using System.Buffers;
using System.Runtime.InteropServices;

namespace Store.Tests.Inspect;

/// <summary>Very many bytes, of which the system gives memory for those only that are looked at.</summary>
internal sealed unsafe class UntouchedBytes(int lengthBytes) : MemoryManager<byte>
{
    private byte* _bytes = (byte*)NativeMemory.Alloc((nuint)lengthBytes);

    public override Span<byte> GetSpan() => new(_bytes, lengthBytes);

    public override MemoryHandle Pin(int elementIndex = 0) => new(_bytes + elementIndex);

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
        NativeMemory.Free(_bytes);
        _bytes = null;
    }
}
