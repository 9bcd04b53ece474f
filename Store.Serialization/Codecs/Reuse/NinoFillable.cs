// Can reading fill a member again that has no setter? Seen on two new objects (NinoUnfillable) before the first record is written, so that none is written that could not be read; where they do
// not tell, elements in a collection that cannot be changed are refused.

using System.Collections;
using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoFillable
{
    private const string IsNull = "is null in a new object";

    /// <summary>Why reading could not fill what a new object has, or null.</summary>
    /// <param name="first">What the getter gives.</param>
    /// <param name="again">What it gives then.</param>
    /// <param name="ofAnother">What it gives of another new object.</param>
    public static string? Problem(object? first, object? again, object? ofAnother) =>
        first is null ? IsNull
        : !ReferenceEquals(first, again) ? "gives another collection each time"
        : ReferenceEquals(first, ofAnother) ? "is one collection in all new objects"
        : null;

    /// <summary>As <see cref="Problem(object, object, object)"/>; the collection must also take elements.</summary>
    /// <inheritdoc cref="Problem(object, object, object)"/>
    public static string? Problem<T>(ICollection<T>? first, ICollection<T>? again, ICollection<T>? ofAnother) =>
        Problem(first, again, (object?)ofAnother) ?? (first!.IsReadOnly ? $"is a '{first.GetType()}' in a new object, which cannot be changed" : null);

    /// <summary>As <see cref="Problem(object, object, object)"/>, of a collection without type arguments, which must also take elements.</summary>
    /// <inheritdoc cref="Problem(object, object, object)"/>
    public static string? LooseProblem(ICollection? first, ICollection? again, ICollection? ofAnother) =>
        Problem(first, again, (object?)ofAnother) ?? (IsFixed(first!) ? $"is a '{first!.GetType()}' in a new object, which cannot be changed" : null);

    /// <summary>As <see cref="CheckChangeable"/>, of a collection without type arguments.</summary>
    /// <exception cref="NinoSerializationException">The collection has elements and cannot be changed.</exception>
    public static void CheckLoose(ICollection? value, string member)
    {
        if (value is { Count: > 0 } && IsFixed(value)) ThrowFixed(value.GetType(), member);
    }

    /// <summary>A collection without type arguments says that it does not take elements.</summary>
    internal static bool IsFixed(ICollection collection) => collection is IList { IsReadOnly: true } or IList { IsFixedSize: true } or IDictionary { IsReadOnly: true } or IDictionary { IsFixedSize: true };

    /// <summary>As <see cref="Problem(object, object, object)"/>; it must also be open for adding.</summary>
    /// <inheritdoc cref="Problem(object, object, object)"/>
    public static string? Problem<T>(BlockingCollection<T>? first, BlockingCollection<T>? again, BlockingCollection<T>? ofAnother) =>
        Problem(first, again, (object?)ofAnother) ?? (first!.IsAddingCompleted ? "is completed for adding in a new object" : null);

    /// <summary>Refuses a member that could not be filled, before it is written and before it is read.</summary>
    /// <exception cref="NinoSerializationException">Something is wrong with the member. Null is read where new objects have null, and nowhere else.</exception>
    internal static void Check(string?[] problems, int index, object? value, string member)
    {
        if (problems[index] is { } problem && (value is not null || problem != IsNull)) throw CannotFill(problem, member);
    }

    /// <summary>
    /// Refuses elements in a collection that cannot be changed, where new objects do not tell whether reading could put them into the one that the object has then: what is stored decides that, or code of the user's.
    /// </summary>
    /// <exception cref="NinoSerializationException">The collection has elements and is read-only.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckChangeable<T>(ICollection<T>? value, string member)
    {
        if (value is { IsReadOnly: true, Count: > 0 }) ThrowFixed(value.GetType(), member);
    }

    /// <summary>Refuses a getter that makes a collection each time it is called: what reading put into one would be lost.</summary>
    /// <exception cref="NinoSerializationException">It does.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckSame(object? first, object? again, string member)
    {
        if (!ReferenceEquals(first, again)) ThrowOther(member);
    }

    internal static bool IsRefusal(Exception error) => error is ArgumentException or InvalidOperationException or NotSupportedException;

    /// <summary>Takes everything out of a collection that is filled.</summary>
    /// <exception cref="NinoSerializationException">It cannot be emptied.</exception>
    internal static void Empty<T>(ICollection<T> target, string member)
    {
        if (TryEmpty(target) is { } error) throw CannotBeEmptied(target.GetType(), member, error);
    }

    internal static NinoSerializationException CannotBeEmptied(Type type, string member, Exception error) =>
        new($"The member '{member}' has no setter, and holds a '{type}', which cannot be emptied ({error.Message}), so the stored elements have no place. Let its Clear work, or give the member a setter or init.", error);

    /// <summary>Takes everything out of a collection.</summary>
    /// <returns>Why it cannot be emptied, or null.</returns>
    internal static Exception? TryEmpty<T>(ICollection<T> target)
    {
        try
        {
            target.Clear();
            return null;
        }
        catch (Exception error) when (IsRefusal(error))
        {
            return error;
        }
    }

    /// <summary>Refuses a collection that has made something else of the elements that were put into it: one derived from that of the framework which the member is declared as, or behind its interface.</summary>
    /// <exception cref="NinoSerializationException">It shows others, or, being a list, in another order.</exception>
    internal static void CheckKept<T>(ICollection<T> target, ICollection<T> source, string member)
    {
        if (OwnCollections.IsOfFramework(target.GetType())) return;
        bool isList = target is IList<T> or IReadOnlyList<T>;
        T[] elements = Enumerated.Of(source), found = Enumerated.Of(target);
        if (!isList)
        {
            if (OwnCollections.AreTold<T>()) OwnCollections.CheckSame(elements, found, target.GetType());
            return;
        }

        HashSet<object?>? all = null;
        for (int i = 0; i < elements.Length && i < found.Length; i++)
        {
            // Objects of which not all has been read are not asked for their equality. One that an Add has made of another may be right; one of the others is not.
            bool isKept = OwnCollections.AreTold<T>() ? EqualityComparer<T>.Default.Equals(found[i], elements[i])
                : typeof(T).IsValueType || ReferenceEquals(found[i], elements[i]) || !(all ??= new(elements.Cast<object?>(), ReferenceEqualityComparer.Instance)).Contains(found[i]);
            if (!isKept) throw Reordered(target.GetType(), member);
        }
    }

    internal static NinoSerializationException NothingThere(int count, string member) =>
        new($"The member '{member}' has no setter, and is null in the object that was made, so the {count} stored elements have no place. Make the collection in the constructor or an initializer, or give the member a setter or init.");

    internal static NinoSerializationException IsFixed(Type type, string member) =>
        new($"The member '{member}' has no setter, and holds a '{type}', which cannot be changed, so the stored elements have no place. Make a collection that can in the constructor or an initializer, or give the member a setter or init.");

    internal static NinoSerializationException Changed(string type, string other) =>
        new($"Putting the stored elements into collections of '{type}' that have no setter changed '{other}', which shares one of them or is changed by code that observes them. Give those members setters or init, leave one of them out with [NinoIgnore], or let the type copy what it is given.");

    internal static NinoSerializationException Refused(Type type, int index, string member, Exception error) =>
        new($"Element {index} was refused by the '{type}' that the member '{member}' holds: {error.Message} The record is damaged, or it was written from one with another comparer.", error);

    internal static NinoSerializationException Reordered(Type type, string member) =>
        new($"The '{type}' that the member '{member}' holds shows its elements in an order of its own, and not in the one that is stored, or has made others of them: give the member a setter or init, or another collection.");

    internal static NinoSerializationException Lost(Type type, int stored, int kept, string member) =>
        new($"The '{type}' that the member '{member}' holds has {kept} elements after {stored} were put into it: some are equal under its comparer, or it keeps some of its own. The record is damaged, or it was written from one with another comparer.");

    internal static NinoSerializationException IsUntold(Type type, string member, Exception error) =>
        new($"The member '{member}' has no setter, and its elements are in a '{type}', which cannot be changed. Whether reading could put them back is seen on new objects, and making one failed with {error.GetType().Name}: {error.Message}", error) { MemberPath = member };

    private static NinoSerializationException CannotFill(string problem, string member) =>
        new($"The member '{member}' has no setter, and it {problem}, so reading could not fill it. Make a collection of its own in the constructor or an initializer, give the member a setter or init, or leave it out with [NinoIgnore].") { MemberPath = member };

    [DoesNotReturn]
    private static void ThrowFixed(Type type, string member) =>
        throw new NinoSerializationException($"The member '{member}' has no setter, and its elements are in a '{type}', which cannot be changed. Which collection an object has that reading makes is decided by what its constructor is given or by code that runs then, so reading might not be able to put them back. Give the member a setter or init, or a constructor parameter of its name, or let it keep a collection that can be changed.") { MemberPath = member };

    [DoesNotReturn]
    private static void ThrowOther(string member) =>
        throw new NinoSerializationException($"The member '{member}' has no setter, and its getter gives another collection each time it is called, so what is read could not be put there. Leave the member out, or let the getter give the same one.") { MemberPath = member };
}
