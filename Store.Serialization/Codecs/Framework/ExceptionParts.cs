using System.Runtime.ExceptionServices;

namespace Store.Serialization.Codecs;

/// <summary>What is stored of an exception, but for <see cref="Exception.Data"/>; there and back.</summary>
/// <param name="Type">The name of its type, as a type's <see cref="object.ToString"/> has it.</param>
/// <param name="HResult">Its number.</param>
/// <param name="Message">All of it: with the parameter, object or exceptions that some types print behind theirs.</param>
/// <param name="StackTrace">Null before it was thrown.</param>
/// <param name="Source">Null before it was thrown.</param>
/// <param name="HelpLink">May be null.</param>
/// <param name="Argument">The name of the parameter, object or file of the types that have one; else null.</param>
/// <param name="Inner">What caused it: more than one only of an <see cref="AggregateException"/>.</param>
internal sealed record ExceptionParts(string Type, int HResult, string Message, string? StackTrace, string? Source, string? HelpLink, string? Argument, Exception[] Inner)
{
    /// <summary>What the runtime puts behind a trace that an exception brought along.</summary>
    public static string EndOfTrace { get; } = FindEndOfTrace();

    /// <summary>The first of what caused it, or null.</summary>
    public Exception? Cause => Inner.Length == 0 ? null : Inner[0];

    /// <summary>What is stored of an exception.</summary>
    public static ExceptionParts Of(Exception exception) => exception is NinoStoredException stored
        ? new(stored.TypeName, stored.HResult, stored.Message, stored.StackTrace, stored.Source, stored.HelpLink, stored.Argument, [.. stored.InnerExceptions])
        : new(exception.GetType().ToString(), exception.HResult, exception.Message ?? "", WithoutEnd(exception.StackTrace), exception.Source, exception.HelpLink, KnownExceptions.ArgumentOf(exception), InnerOf(exception));

    /// <summary>
    /// An exception that tells this: of the type it was, where that is one that reading makes (<see cref="KnownExceptions"/>). What a constructor made has to tell all of it, whatever it does with a message: else, and of any other type, it is a <see cref="NinoStoredException"/>.
    /// So what is read and written again is the same bytes.
    /// </summary>
    public Exception Create()
    {
        if (KnownExceptions.TryMake(this) is { } made)
        {
            if (StackTrace is not null) ExceptionDispatchInfo.SetRemoteStackTrace(made, StackTrace);
            Complete(made);
            if (Of(made).IsSame(this)) return made;
        }

        return new NinoStoredException(this);
    }

    /// <summary>Sets what every exception lets be set.</summary>
    public void Complete(Exception made) => (made.HResult, made.Source, made.HelpLink) = (HResult, Source, HelpLink);

    private bool IsSame(ExceptionParts other) => this == (other with { Inner = Inner }) && Inner.AsSpan().SequenceEqual(other.Inner);

    private static Exception[] InnerOf(Exception exception) => exception is AggregateException aggregate ? [.. aggregate.InnerExceptions] : exception.InnerException is { } inner ? [inner] : [];

    // Of one that was read, and not thrown since.
    private static string? WithoutEnd(string? trace) => trace is not null && trace.EndsWith(EndOfTrace, StringComparison.Ordinal) ? trace[..^EndOfTrace.Length] : trace;

    private static string FindEndOfTrace()
    {
        var traced = new InvalidOperationException();
        ExceptionDispatchInfo.SetRemoteStackTrace(traced, "");
        return traced.StackTrace!;
    }
}
