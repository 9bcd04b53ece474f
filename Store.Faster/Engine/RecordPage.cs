// Which records does a page of FASTER's record log have that is on the disk only? FASTER's own walk passes over records with a seal: those that have got a newer version. That is true for the process that has set the
// seal. On the disk the seal outlives the newer version: a record below a checkpoint's line that is changed while the checkpoint is written, by a change that the log has lost when the power fails, or that a replay has
// not come to. So pages are read here, and seals of earlier processes are nothing.
//
//   8 bytes     RecordInfo, zeros where no record begins: the next word is looked at
//   4 + n       length of the key, key; padded to a multiple of 8
//   4 + m       length of the value, value; padded to a multiple of 8
//
// No record goes over the end of its page, and what a record had and needs no more is zeros. This is how FASTER 2.6 lays out records of bytes (VarLenBlittableAllocator).

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using FASTER.core;

namespace Store.Faster.Engine;

/// <summary>A page of the record log, read from the disk. Not thread-safe.</summary>
/// <param name="log">The device.</param>
/// <param name="sizeBytes">Length of a page.</param>
internal sealed class RecordPage(StoreDevice log, int sizeBytes) : IDisposable
{
    private const int Alignment = 8;

    private byte[]? _bytes;
    private long _start = -1;

    /// <summary>The next record at an address or behind it in its page, whatever its flags say; then the address is behind it, and at the end of the page when there is none.</summary>
    /// <param name="next">An address where a record may begin; the page is read when it is another one than before.</param>
    /// <param name="info">Its flags.</param>
    /// <param name="key">Its key, valid until the next call.</param>
    /// <param name="address">Its address.</param>
    /// <exception cref="IOException">The page cannot be read, or is not what was written.</exception>
    /// <exception cref="InvalidDataException">What is there is no record.</exception>
    public bool TryNext(ref long next, out RecordInfo info, out ReadOnlySpan<byte> key, out long address)
    {
        Load(next - (next % sizeBytes));
        ReadOnlySpan<byte> page = _bytes.AsSpan(0, sizeBytes);
        for (int offset = (int)(next - _start); offset < sizeBytes; offset += Alignment)
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(page[offset..]) == 0) continue;
            info = MemoryMarshal.Read<RecordInfo>(page[offset..]);
            address = _start + offset;
            int keyAt = offset + Alignment;
            key = Bytes(page, keyAt, address);
            int valueAt = keyAt + Padded(key.Length);
            next = _start + valueAt + Padded(Bytes(page, valueAt, address).Length);
            return true;
        }

        next = _start + sizeBytes;
        (info, address) = (default, 0);
        key = default;
        return false;
    }

    public void Dispose()
    {
        if (_bytes is not null) ArrayPool<byte>.Shared.Return(_bytes);
        (_bytes, _start) = (null, -1);
    }

    private void Load(long start)
    {
        if (_start == start) return;
        _start = -1;
        _bytes ??= ArrayPool<byte>.Shared.Rent(sizeBytes);
        log.Read(start, _bytes.AsSpan(0, sizeBytes));
        _start = start;
    }

    private static int Padded(int lengthBytes) => (sizeof(int) + lengthBytes + Alignment - 1) & -Alignment;

    private ReadOnlySpan<byte> Bytes(ReadOnlySpan<byte> page, int at, long address)
    {
        int length = page.Length - at >= sizeof(int) ? BinaryPrimitives.ReadInt32LittleEndian(page[at..]) : -1;
        if (length < 0 || length > page.Length - at - sizeof(int))
            throw new InvalidDataException($"At address {address} of the record log, {address - _start} bytes into a page of {sizeBytes}, is no record, although the page is what was written: a defect of this library or of FASTER, please report it. Nothing was given up for it; the log has every change.");
        return page.Slice(at + sizeof(int), length);
    }
}
