// A diagnostic as a value: the id of its descriptor, where, and the arguments of its message.

using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.Generator.Model;

/// <param name="Told">What an editor is told beside the message, by which it offers what helps: see FixProperties.</param>
internal sealed record DiagnosticModel(string Id, LocationModel? Location, EquatableArray<string> Told, EquatableArray<string> Arguments);

/// <summary>A place in a source file, without the syntax tree that a Roslyn location would keep alive.</summary>
internal sealed record LocationModel(string Path, TextSpan Span, LinePositionSpan Lines);
