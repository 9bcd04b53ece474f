// A diagnostic as a value: the id of its descriptor, where, and the arguments of its message.

using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.Generator.Model;

internal sealed record DiagnosticModel(string Id, LocationModel? Location, EquatableArray<string> Arguments);

/// <summary>A place in a source file, without the syntax tree that a Roslyn location would keep alive.</summary>
internal sealed record LocationModel(string Path, TextSpan Span, LinePositionSpan Lines);
