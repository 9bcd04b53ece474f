using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>
/// Backs the depth limit: how many nested objects fit on the stack depends on the thread and on how large the frames of generated code are, in which structs lie whole. The look at the stack is taken
/// whenever so much more of it is used; what the runtime keeps in reserve (128 KiB in a process of 64 bits) is enough for that, for one object's frames, and for an exception on top.
/// </summary>
internal static class StackGuard
{
    private const int BytesALook = 4 << 10;

    /// <summary>Called for every object of a recursive type, by whoever counts its depth.</summary>
    /// <param name="looked">Down to which address nothing need be looked at, as one's complement, so that it is 0 before the first call.</param>
    /// <exception cref="NinoSerializationException">The stack of the thread does not go deeper.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Enter(ref nuint looked)
    {
        // Nothing is loaded through either of the references: the way from null to a local is where the stack is.
        Unsafe.SkipInit(out byte here);
        nuint place = (nuint)Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref here);
        if (place < ~looked) Look(ref looked, place);
    }

    // The first object only says where to count from: a shallow record is read by a thread with a short stack too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Look(ref nuint looked, nuint place)
    {
        if (looked != 0 && !RuntimeHelpers.TryEnsureSufficientExecutionStack()) Throw.StackTooShort();
        looked = ~(place - BytesALook);
    }
}
