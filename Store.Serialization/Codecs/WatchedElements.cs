// Lists whose elements run code of the program when they are written: a getter, a callback, a codec of its own. Such code may have the list, and change it.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class WatchedElements<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    /// <summary>Code of the program may run when an element is written. Decided when it is compiled, but for structs of a fixed width.</summary>
    public static bool RunCode
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TCodec.Form switch
        {
            CodecForm.Blittable => false,
            CodecForm.Fixed => FixedCode.Runs,
            _ => !TCodec.IsSimple && typeof(TCodec) != typeof(StringCodec) && typeof(TCodec) != typeof(Utf8StringCodec),
        };
    }

    /// <summary>Writes a list that is not null. One that is changed meanwhile is refused: its span goes on over what was removed, and has there what was moved, or nothing.</summary>
    /// <exception cref="InvalidOperationException">It was changed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref NinoWriter writer, List<T> list)
    {
        if (RunCode) WriteWatched(ref writer, list);
        else ElementsCodec<T, TCodec>.Write(ref writer, CollectionsMarshal.AsSpan(list));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteWatched(ref NinoWriter writer, List<T> list)
    {
        List<T>.Enumerator unchanged = list.GetEnumerator();
        ElementsCodec<T, TCodec>.Write(ref writer, CollectionsMarshal.AsSpan(list));
        unchanged.MoveNext();
    }

    private static class FixedCode
    {
        // Codecs of the engine, and structs that are nothing but their memory, call nothing.
        public static readonly bool Runs = TCodec.Memory.IsEmpty && typeof(TCodec).Assembly != typeof(FixedCode).Assembly;
    }
}
