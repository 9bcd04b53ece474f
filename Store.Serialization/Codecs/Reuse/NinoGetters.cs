// What getters of the user's give when collections are filled (docs/types.md, "Collections without a setter"): where that is not what their setters were given, these are given it once more.

using System.ComponentModel;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate TMember NinoGetter<T, TMember>(ref T value);

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoGetters
{
    /// <summary>
    /// A getter of the user's gives something else than its setter was given: another text, other bits, or what is encoded otherwise. Also where it throws. Of what is declared as an object only texts and structs are
    /// looked at.
    /// </summary>
    /// <param name="reader">The record.</param>
    /// <param name="value">The object.</param>
    /// <param name="get">The getter.</param>
    /// <param name="stored">What its setter was given.</param>
    public static bool GivesOther<T, TMember, TCodec>(ref readonly NinoReader reader, ref T value, NinoGetter<T, TMember> get, TMember stored) where TCodec : struct, INinoCodec<TMember>
    {
        if (typeof(TMember) == typeof(object) && stored is not (null or string or ValueType)) return false;
        TMember now;
        try
        {
            now = get(ref value);
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            return true;
        }

        if (now is string text && stored is string other) return text != other;
        if (SameBits.Of(in now, in stored)) return false;
        if (now is null || stored is null) return now is not null || stored is not null;
        // What cannot be written again tells nothing.
        return DefaultFields.TryEncode<TMember, TCodec>(now, reader.Limits) is { } encoding && DefaultFields.TryEncode<TMember, TCodec>(stored, reader.Limits) is { } given && !encoding.AsSpan().SequenceEqual(given);
    }

    /// <summary>A getter of the user's gives an object and its setter was given none, or the other way around. Not where it throws.</summary>
    /// <param name="value">The object.</param>
    /// <param name="get">The getter.</param>
    /// <param name="stored">What its setter was given.</param>
    public static bool IsThereOtherwise<T, TMember>(ref T value, NinoGetter<T, TMember> get, TMember stored)
    {
        try
        {
            return get(ref value) is null != stored is null;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            return false;
        }
    }
}
