// Can reading fill a member again that has no setter? Seen on two new objects (NinoUnfillable) before the first record is written, so that none is written that could not be read; of an
// object whose collection cannot be changed, by reading what is written of it.

using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

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

    /// <summary>Refuses a member that could not be filled, before it is written and before it is read.</summary>
    /// <exception cref="NinoSerializationException">Something is wrong with the member. Null is read where new objects have null, and nowhere else.</exception>
    internal static void Check(string?[] problems, int index, object? value, string member)
    {
        if (problems[index] is { } problem && (value is not null || problem != IsNull)) throw CannotFill(problem, member);
    }

    /// <summary>The collection has elements and cannot be changed: it depends on the constructor whether reading can fill what it makes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool MayBeFixed<T>(ICollection<T>? value) => value is { IsReadOnly: true, Count: > 0 };

    /// <summary>
    /// In front of an object whose collection cannot be changed: it is written for itself and read again, for what is stored may decide which collection an object has that reading makes. Where reading fails
    /// otherwise (a constructor throws, whatever it is), nothing is known and it is written. No callback runs on what is written, and nobody is given anything of it: only what was read. Collections that
    /// have elements when their object is made may be everybody's and stay as they are.
    /// </summary>
    /// <typeparam name="T">The type of the object.</typeparam>
    /// <typeparam name="TCodec">Its codec.</typeparam>
    /// <param name="writer">Nothing of the object's members is written yet.</param>
    /// <param name="value">The object.</param>
    /// <param name="mayBeFixed">See <see cref="MayBeFixed"/>.</param>
    /// <param name="isEntered">The writer has entered the object (<see cref="NinoWriter.Enter"/>), which is done for what is tried, too.</param>
    /// <returns>What <see cref="EndTrial"/> is given.</returns>
    /// <exception cref="NinoSerializationException">What reading makes could not be filled.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool BeginTrial<T, TCodec>(ref NinoWriter writer, in T value, bool mayBeFixed, bool isEntered) where TCodec : struct, INinoCodec<T>
    {
        bool isTried = writer.IsTried;
        // What an object holds was read with it.
        if (mayBeFixed && !isTried) writer.IsTried = IsReadAgain<T, TCodec>(ref writer, in value, isEntered);
        return isTried;
    }

    /// <summary>Behind the object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndTrial(ref NinoWriter writer, bool isTried) => writer.IsTried = isTried;

    /// <summary>Refuses a getter that makes a collection each time it is called: what reading put into one would be lost.</summary>
    /// <exception cref="NinoSerializationException">It does.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckSame(object? first, object? again, string member)
    {
        if (!ReferenceEquals(first, again)) ThrowOther(member);
    }

    internal static bool IsRefusal(Exception error) => error is ArgumentException or InvalidOperationException or NotSupportedException;

    internal static NinoSerializationException NothingThere(int count, string member) =>
        new($"The member '{member}' has no setter, and is null in the object that was made, so the {count} stored elements have no place. Make the collection in the constructor or an initializer, or give the member a setter or init.") { IsUnfillable = true };

    internal static NinoSerializationException IsFixed(Type type, string member) =>
        new($"The member '{member}' has no setter, and holds a '{type}', which cannot be changed, so the stored elements have no place. Make a collection that can in the constructor or an initializer, or give the member a setter or init.") { IsUnfillable = true };

    internal static NinoSerializationException Refused(Type type, int index, string member, Exception error) =>
        new($"Element {index} was refused by the '{type}' that the member '{member}' holds: {error.Message} The record is damaged, or it was written from one with another comparer.", error);

    internal static NinoSerializationException Reordered(Type type, string member) =>
        new($"The '{type}' that the member '{member}' holds shows its elements in an order of its own, and not in the one that is stored: give the member a setter or init, or another collection.");

    internal static NinoSerializationException Lost(Type type, int stored, int kept, string member) =>
        new($"The '{type}' that the member '{member}' holds has {kept} elements after {stored} were put into it: some are equal under its comparer, or it keeps some of its own. The record is damaged, or it was written from one with another comparer.");

    private static bool IsReadAgain<T, TCodec>(ref NinoWriter writer, in T value, bool isEntered) where TCodec : struct, INinoCodec<T>
    {
        if (Written<T, TCodec>(ref writer, in value, isEntered) is not { } record) return false;
        try
        {
            var reader = new NinoReader(record.WrittenSpan, writer.Limits) { IsTrial = true };
            _ = TCodec.Form == CodecForm.Object ? default(TCodec).ReadBody(ref reader) : default(TCodec).Read(ref reader);
            return true;
        }
        catch (NinoSerializationException error) when (error.IsUnfillable)
        {
            throw new NinoSerializationException($"This '{typeof(T)}' is not written, because it could not be read again. {error.Message}", error);
        }
        catch (Exception error) when (!IsOfTheThread(error))
        {
            // A constructor or a setter may throw now, whatever it is, and not when the record is read.
            return false;
        }
    }

    internal static bool IsOfTheThread(Exception error) => error is OutOfMemoryException or InsufficientExecutionStackException or ThreadInterruptedException;

    // What fails here fails again when it is written in earnest.
    private static ArrayBufferWriter<byte>? Written<T, TCodec>(ref NinoWriter writer, in T value, bool isEntered) where TCodec : struct, INinoCodec<T>
    {
        var output = new ArrayBufferWriter<byte>();
        NinoWriter part = writer.Part(output);
        if (isEntered) part.Leave();
        part.IsTried = true;
        part.IsUnasked = true;
        bool before = NinoGenerated.BeginUnasked();
        try
        {
            if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref part, in value);
            else default(TCodec).Write(ref part, in value);
            part.Complete();
            return output;
        }
        catch (Exception error) when (!IsOfTheThread(error))
        {
            return null;
        }
        finally
        {
            NinoGenerated.EndUnasked(before);
        }
    }

    private static NinoSerializationException CannotFill(string problem, string member) =>
        new($"The member '{member}' has no setter, and it {problem}, so reading could not fill it. Make a collection of its own in the constructor or an initializer, give the member a setter or init, or leave it out with [NinoIgnore].") { IsUnfillable = true };

    [DoesNotReturn]
    private static void ThrowOther(string member) =>
        throw new NinoSerializationException($"The member '{member}' has no setter, and its getter gives another collection each time it is called, so what is read could not be put there. Leave the member out, or let the getter give the same one.");
}
