// Can reading fill a member again that has no setter? Seen on two new objects before the first record is written, so that none is written that could not be read; of an object whose
// collection cannot be changed, on one that is made of its members.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoFillable
{
    private const string IsNull = "is null in a new object";

    /// <summary>Looks at two new objects.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="create">Makes one as reading does.</param>
    /// <param name="look">What is wrong with each member that has no setter, or null: see <see cref="Problem"/>.</param>
    /// <returns>Null where nothing is wrong, or where that is not known: its constructor or a getter throws.</returns>
    public static string?[]? Probe<T>(Func<T> create, Func<T, T, string?[]> look)
    {
        if (!DefaultFields.TryCreate(create, out T? one) || !DefaultFields.TryCreate(create, out T? other)) return null;
        return DefaultFields.TryCreate(() => look(one!, other!), out string?[]? problems) && Array.Exists(problems!, static problem => problem is not null) ? problems : null;
    }

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

    /// <summary>Refuses a member that could not be filled, before it is written and before it is read.</summary>
    /// <exception cref="NinoSerializationException">Something is wrong with the member. Null is read where new objects have null, and nowhere else.</exception>
    public static void Check(string?[] problems, int index, object? value, string member)
    {
        if (problems[index] is { } problem && (value is not null || problem != IsNull)) throw CannotFill(problem, member);
    }

    /// <summary>The collection has elements and cannot be changed: it depends on the constructor whether reading can fill what it makes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool MayBeFixed<T>(ICollection<T>? value) => value is { IsReadOnly: true, Count: > 0 };

    /// <summary>Refuses a member of an object whose collection cannot be changed, where that of an object which is made as reading makes it cannot either.</summary>
    /// <param name="remade">Makes such an object, and says what is wrong with its collection: see <see cref="RemadeProblem"/>. Where its constructor or a setter throws, nothing is known and the member is written.</param>
    /// <param name="member">The member, for messages.</param>
    /// <exception cref="NinoSerializationException">Something is wrong with it.</exception>
    public static void CheckRemade(Func<string?> remade, string member)
    {
        if (DefaultFields.TryCreate(remade, out string? problem) && problem is not null) throw CannotFill(problem, member);
    }

    /// <summary>Why reading could not fill what an object made of another one's members has, or null.</summary>
    public static string? RemadeProblem<T>(ICollection<T>? made) =>
        made is null ? "is null in an object that is made of this one's members"
        : made.IsReadOnly ? $"is a '{made.GetType()}', which cannot be changed, in an object that is made of this one's members"
        : null;

    /// <summary>Refuses a getter that makes a collection each time it is called: what reading put into one would be lost.</summary>
    /// <exception cref="NinoSerializationException">It does.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckSame(object? first, object? again, string member)
    {
        if (!ReferenceEquals(first, again)) ThrowOther(member);
    }

    internal static bool IsRefusal(Exception error) => error is ArgumentException or InvalidOperationException or NotSupportedException;

    internal static NinoSerializationException NothingThere(int count, string member) =>
        new($"The member '{member}' has no setter, and is null in the object that was made, so the {count} stored elements have no place. Make the collection in the constructor or an initializer, or give the member a setter or init.");

    internal static NinoSerializationException IsFixed(Type type, string member) =>
        new($"The member '{member}' has no setter, and holds a '{type}', which cannot be changed, so the stored elements have no place. Make a collection that can in the constructor or an initializer, or give the member a setter or init.");

    internal static NinoSerializationException Refused(Type type, int index, string member, Exception error) =>
        new($"Element {index} was refused by the '{type}' that the member '{member}' holds: {error.Message} The record is damaged, or it was written from one with another comparer.", error);

    internal static NinoSerializationException Lost(Type type, int stored, int kept, string member) =>
        new($"The '{type}' that the member '{member}' holds has {kept} elements after {stored} were put into it: some are equal under its comparer, or it keeps some of its own. The record is damaged, or it was written from one with another comparer.");

    private static NinoSerializationException CannotFill(string problem, string member) =>
        new($"The member '{member}' has no setter, and it {problem}, so reading could not fill it. Make a collection of its own in the constructor or an initializer, give the member a setter or init, or leave it out with [NinoIgnore].");

    [DoesNotReturn]
    private static void ThrowOther(string member) =>
        throw new NinoSerializationException($"The member '{member}' has no setter, and its getter gives another collection each time it is called, so what is read could not be put there. Leave the member out, or let the getter give the same one.");
}
