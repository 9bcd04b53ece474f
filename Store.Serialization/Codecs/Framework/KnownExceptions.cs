// The exceptions of the framework that reading makes again: those that hold nothing but what every exception does, or besides it only the name of what they are about.
// By a table of constructors: no type is ever looked for by a name that bytes have. ArgumentOutOfRangeException is not among them, because of the value that it holds.

using System.Collections.Frozen;
using System.Reflection;

namespace Store.Serialization.Codecs;

internal static class KnownExceptions
{
    // An aggregate makes its message anew from those of all that it holds, each time that it is asked: who nests them by the thousand makes reading slow.
    private const int NestedAggregatesMax = 8;

    private static readonly FrozenDictionary<string, Func<ExceptionParts, Exception?>> s_makers = new Dictionary<Type, Func<ExceptionParts, Exception?>>
    {
        [typeof(Exception)] = static parts => new Exception(parts.Message, parts.Cause),
        [typeof(SystemException)] = static parts => new SystemException(parts.Message, parts.Cause),
        [typeof(ApplicationException)] = static parts => new ApplicationException(parts.Message, parts.Cause),
        [typeof(AccessViolationException)] = static parts => new AccessViolationException(parts.Message, parts.Cause),
        [typeof(AggregateException)] = static parts => Array.Exists(parts.Inner, static inner => NestsDeep(inner, NestedAggregatesMax)) ? null : new AggregateException(Without(parts.Message, string.Concat(parts.Inner.Select(static inner => $" ({inner.Message})"))), parts.Inner),
        [typeof(AmbiguousMatchException)] = static parts => new AmbiguousMatchException(parts.Message, parts.Cause),
        [typeof(ArgumentException)] = static parts => new ArgumentException(WithoutParameter(parts), parts.Argument, parts.Cause),
        [typeof(ArgumentNullException)] = static parts => parts.Cause is null ? new ArgumentNullException(parts.Argument, WithoutParameter(parts)) : new ArgumentNullException(parts.Message, parts.Cause),
        [typeof(ArithmeticException)] = static parts => new ArithmeticException(parts.Message, parts.Cause),
        [typeof(ArrayTypeMismatchException)] = static parts => new ArrayTypeMismatchException(parts.Message, parts.Cause),
        [typeof(DirectoryNotFoundException)] = static parts => new DirectoryNotFoundException(parts.Message, parts.Cause),
        [typeof(DivideByZeroException)] = static parts => new DivideByZeroException(parts.Message, parts.Cause),
        [typeof(EndOfStreamException)] = static parts => new EndOfStreamException(parts.Message, parts.Cause),
        [typeof(FileNotFoundException)] = static parts => new FileNotFoundException(parts.Message, parts.Argument, parts.Cause),
        [typeof(FormatException)] = static parts => new FormatException(parts.Message, parts.Cause),
        [typeof(IndexOutOfRangeException)] = static parts => new IndexOutOfRangeException(parts.Message, parts.Cause),
        [typeof(InvalidCastException)] = static parts => new InvalidCastException(parts.Message, parts.Cause),
        [typeof(InvalidDataException)] = static parts => new InvalidDataException(parts.Message, parts.Cause),
        [typeof(InvalidOperationException)] = static parts => new InvalidOperationException(parts.Message, parts.Cause),
        [typeof(InvalidTimeZoneException)] = static parts => new InvalidTimeZoneException(parts.Message, parts.Cause),
        [typeof(IOException)] = static parts => new IOException(parts.Message, parts.Cause),
        [typeof(KeyNotFoundException)] = static parts => new KeyNotFoundException(parts.Message, parts.Cause),
        [typeof(MemberAccessException)] = static parts => new MemberAccessException(parts.Message, parts.Cause),
        [typeof(NotImplementedException)] = static parts => new NotImplementedException(parts.Message, parts.Cause),
        [typeof(NotSupportedException)] = static parts => new NotSupportedException(parts.Message, parts.Cause),
        [typeof(NullReferenceException)] = static parts => new NullReferenceException(parts.Message, parts.Cause),
        [typeof(ObjectDisposedException)] = static parts => parts.Cause is null ? new ObjectDisposedException(parts.Argument, Without(parts.Message, new ObjectDisposedException(parts.Argument, "").Message)) : new ObjectDisposedException(parts.Message, parts.Cause),
        [typeof(OperationCanceledException)] = static parts => new OperationCanceledException(parts.Message, parts.Cause),
        [typeof(OutOfMemoryException)] = static parts => new OutOfMemoryException(parts.Message, parts.Cause),
        [typeof(OverflowException)] = static parts => new OverflowException(parts.Message, parts.Cause),
        [typeof(PathTooLongException)] = static parts => new PathTooLongException(parts.Message, parts.Cause),
        [typeof(PlatformNotSupportedException)] = static parts => new PlatformNotSupportedException(parts.Message, parts.Cause),
        [typeof(RankException)] = static parts => new RankException(parts.Message, parts.Cause),
        [typeof(SemaphoreFullException)] = static parts => new SemaphoreFullException(parts.Message, parts.Cause),
        [typeof(SynchronizationLockException)] = static parts => new SynchronizationLockException(parts.Message, parts.Cause),
        [typeof(TargetInvocationException)] = static parts => new TargetInvocationException(parts.Message, parts.Cause),
        [typeof(TaskCanceledException)] = static parts => new TaskCanceledException(parts.Message, parts.Cause),
        [typeof(TimeoutException)] = static parts => new TimeoutException(parts.Message, parts.Cause),
        [typeof(TimeZoneNotFoundException)] = static parts => new TimeZoneNotFoundException(parts.Message, parts.Cause),
        [typeof(UnauthorizedAccessException)] = static parts => new UnauthorizedAccessException(parts.Message, parts.Cause),
    }.ToFrozenDictionary(static maker => maker.Key.ToString(), static maker => maker.Value, StringComparer.Ordinal);

    /// <summary>The types that are made, by name; for the test that holds docs/types.md against them.</summary>
    public static IEnumerable<string> Names => s_makers.Keys;

    /// <summary>A new exception of the type that it was, or null where that is none of these.</summary>
    public static Exception? TryMake(ExceptionParts parts) => s_makers.TryGetValue(parts.Type, out Func<ExceptionParts, Exception?>? make) ? make(parts) : null;

    /// <summary>The name of what an exception is about, of the types that have one; else null.</summary>
    public static string? ArgumentOf(Exception exception) => exception switch
    {
        ArgumentException argument => argument.ParamName,
        ObjectDisposedException disposed => disposed.ObjectName.Length == 0 ? null : disposed.ObjectName,
        FileNotFoundException file => file.FileName,
        FileLoadException file => file.FileName,
        BadImageFormatException file => file.FileName,
        _ => null,
    };

    private static bool NestsDeep(Exception exception, int max) => exception is AggregateException aggregate && (max == 0 || aggregate.InnerExceptions.Any(inner => NestsDeep(inner, max - 1)));

    // What these types print behind a message is theirs to print.
    private static string WithoutParameter(ExceptionParts parts) => Without(parts.Message, new ArgumentException("", parts.Argument).Message);

    private static string Without(string message, string end) => message.EndsWith(end, StringComparison.Ordinal) ? message[..^end.Length] : message;
}
