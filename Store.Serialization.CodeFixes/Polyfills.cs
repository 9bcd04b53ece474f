// What the C# compiler asks of the framework for records and init accessors, and netstandard2.0 lacks.

namespace System.Runtime.CompilerServices;

internal static class IsExternalInit;
