using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>
/// Backs the depth limit: how many nested objects fit on the stack depends on the thread and on how large the frames of generated code are. The look at
/// the stack is taken at every sixteenth level only; what the runtime keeps in reserve (at least 64 KiB) is enough for the levels between.
/// </summary>
internal static class StackGuard
{
    public const int Mask = 15;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Check()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack()) Throw.StackTooShort();
    }
}
