// A diagnostic as a value: the id of its descriptor, where, and the arguments of its message.

using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.Generator.Model;

/// <param name="Models">Names of the types of which it is said, and that are to be registered and not marked.</param>
internal sealed record DiagnosticModel(string Id, LocationModel? Location, EquatableArray<string> Models, EquatableArray<string> Arguments);

/// <summary>A place in a source file, without the syntax tree that a Roslyn location would keep alive.</summary>
internal sealed record LocationModel(string Path, TextSpan Span, LinePositionSpan Lines);
