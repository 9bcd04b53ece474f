// Where a value begins that is moved over and then copied.

using System.Runtime.InteropServices;

namespace Store.Serialization.Evolution;

/// <summary>A place in a reader. A copy of the reader would do, at several times the cost. Bound: what is behind the place was taken from the same reader since.</summary>
internal readonly ref struct Stretch(ref NinoReader reader)
{
    private readonly ref readonly byte _start = ref reader.Take(0);
    private readonly int _position = reader.Position;

    public ReadOnlySpan<byte> To(ref readonly NinoReader end) => MemoryMarshal.CreateReadOnlySpan(in _start, end.Position - _position);
}
