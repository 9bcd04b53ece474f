using System.Diagnostics.CodeAnalysis;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>
/// An exception as it was stored, of a type that reading does not create (docs/types.md, "Exceptions"): one of a program's own, or one of the framework that holds more than is stored. It tells
/// what the one that was written told: its message, the trace of its stack, what caused it. Written again, it is stored as that one was.
/// </summary>
/// <remarks>Thrown, it has the place where that happened behind the stored trace, as any exception that is thrown again. Safe for any number of threads as long as nobody throws or changes it.</remarks>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only reading makes it.")]
public sealed class NinoStoredException : Exception
{
    private readonly string? _storedTrace;
    private readonly Exception[] _inner;

    internal NinoStoredException(ExceptionParts stored) : base(stored.Message, stored.Cause)
    {
        (TypeName, Argument, _storedTrace, _inner) = (stored.Type, stored.Argument, stored.StackTrace, stored.Inner);
        stored.Complete(this);
    }

    /// <summary>The name of the type it was, as <see cref="Exception.ToString"/> of that one prints it: <c>Shop.OutOfStockException</c>. Nothing is looked for by it.</summary>
    public string TypeName { get; }

    /// <summary>What caused it: of an <see cref="AggregateException"/> any number, of any other at most one, <see cref="Exception.InnerException"/>.</summary>
    public IReadOnlyList<Exception> InnerExceptions => Array.AsReadOnly(_inner);

    /// <summary>The stored trace, null for one that was never thrown; behind it that of this process, once it was thrown here.</summary>
    public override string? StackTrace => base.StackTrace is not { } thrown ? _storedTrace : _storedTrace is null ? thrown : _storedTrace + ExceptionParts.EndOfTrace + thrown;

    /// <summary>The name of the parameter, object or file that it is about, where its type has one: of an <see cref="ArgumentOutOfRangeException"/> that of the parameter; else null.</summary>
    public string? Argument { get; }

    /// <summary>What the one that was stored printed, unless its type prints more than exceptions do.</summary>
    public override string ToString() => string.Concat(TypeName, base.ToString().AsSpan(typeof(NinoStoredException).FullName!.Length));
}
