namespace Store.Faster.Engine;

/// <summary>There was no memory for a copy of a value that a read has found. The engine has completed the read by then, and is as well as before.</summary>
/// <param name="cause">What the copy failed with.</param>
internal sealed class ValueMemoryException(Exception cause) : OutOfMemoryException(cause.Message, cause);
