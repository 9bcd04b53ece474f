// What getters of the user's give around the filling of collections (docs/types.md, "Collections without a setter"): where filling has changed that, the setter is given once more what was stored.

using System.ComponentModel;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate TMember NinoGetter<T, TMember>(ref T value);

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoGetters
{
    /// <summary>Asks a getter of the user's for the value of a member that its setter was given. False when it throws: the value may be computed of a collection that is not filled yet.</summary>
    /// <param name="value">The object.</param>
    /// <param name="get">The getter.</param>
    /// <param name="got">The value.</param>
    public static bool TryGet<T, TMember>(ref T value, NinoGetter<T, TMember> get, out TMember? got)
    {
        try
        {
            got = get(ref value);
            return true;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            got = default;
            return false;
        }
    }

    /// <summary>Filling has changed what a getter of the user's gives.</summary>
    /// <param name="value">The object.</param>
    /// <param name="get">The getter.</param>
    /// <param name="had">It gave something before that.</param>
    /// <param name="got">What.</param>
    public static bool IsChanged<T, TMember>(ref T value, NinoGetter<T, TMember> get, bool had, TMember? got) =>
        had && TryGet(ref value, get, out TMember? now) && !EqualityComparer<TMember>.Default.Equals(now, got);
}
