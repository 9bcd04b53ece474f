// What two new objects show of the members without a setter: looked at when the first object is written or read, and again until the look comes to an end.
// While it has not, nothing is known, and elements in a collection that cannot be changed are not written.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Used by generated code: which members of new objects reading could not fill. Users do not use it.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="create">Makes an object as reading does.</param>
/// <param name="look">What is wrong with each member that has no setter, or null: see <see cref="NinoFillable.Problem(object, object, object)"/>.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoUnfillable<T>(Func<T> create, Func<T, T, string?[]> look)
{
    private const int MaxDoublings = 20;

    // A constructor may write an object of its own type.
    [ThreadStatic]
    private static bool t_isLooking;

    // Null: not known yet. Empty: nothing is wrong.
    private volatile string?[]? _problems;
    private int _failures;
    private int _passed;

    /// <summary>
    /// True where something is wrong with a member. Not known, and so false, while the constructor or a getter throws. It is called inside writing and reading and not for a static field, which an exception would make useless for good.
    /// </summary>
    public bool Exists
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _problems is not { Length: 0 } && Look();
    }

    /// <summary>Refuses a member that could not be filled, before it is written and before it is read.</summary>
    /// <exception cref="NinoSerializationException">Something is wrong with the member. Null is read where new objects have null, and nowhere else.</exception>
    public void Check(int index, object? value, string member)
    {
        if (_problems is { Length: > 0 } problems) NinoFillable.Check(problems, index, value, member);
    }

    /// <summary>Before a member is written: while no look has come to an end, elements in a collection that cannot be changed make it look again, and are refused if that fails, too.</summary>
    /// <exception cref="NinoSerializationException">Nothing is known of new objects, and the collection has elements and is read-only.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CheckChangeable<TElement>(ICollection<TElement>? value, string member)
    {
        if (_problems is null && value is { IsReadOnly: true, Count: > 0 }) LookFor(value.GetType(), member);
    }

    private void LookFor(Type collection, string member)
    {
        // What the constructor of a new object writes meanwhile is not known to be refused.
        if (_problems is null && !t_isLooking && !TryLook(out Exception? error)) throw NinoFillable.IsUntold(collection, member, error);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Look()
    {
        if (_problems is { } problems) return problems.Length > 0;
        // An exception costs a thousand times what is asked for: from one look that ends with one to the next the distance doubles. Threads that meet here may look both, and see the same.
        return !t_isLooking && (_failures == 0 || _passed++ >= (1 << Math.Min(_failures - 1, MaxDoublings)) - 1) && TryLook(out _) && _problems is { Length: > 0 };
    }

    /// <summary>Makes two new objects and keeps what they show. False where the constructor or a getter throws.</summary>
    private bool TryLook([NotNullWhen(false)] out Exception? failure)
    {
        t_isLooking = true;
        try
        {
            string?[] problems = look(create(), create());
            _problems = Array.Exists(problems, static problem => problem is not null) ? problems : [];
            failure = null;
            return true;
        }
        catch (Exception error) when (error is not (OutOfMemoryException or InsufficientExecutionStackException or ThreadInterruptedException))
        {
            // It says nothing of the next object: a file that the constructor reads may be there then.
            _failures++;
            _passed = 0;
            failure = error;
            return false;
        }
        finally
        {
            t_isLooking = false;
        }
    }
}
