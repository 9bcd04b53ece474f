// System.Text.Json's metadata for the shapes, source generated as those of the workloads are.

using System.Text.Json.Serialization;

namespace Store.Bench.Shapes;

[JsonSerializable(typeof(Decimals))]
[JsonSerializable(typeof(AbsentNumbers))]
[JsonSerializable(typeof(Flags))]
[JsonSerializable(typeof(Dates))]
[JsonSerializable(typeof(Levels))]
[JsonSerializable(typeof(Points))]
[JsonSerializable(typeof(Octets))]
[JsonSerializable(typeof(LongText))]
[JsonSerializable(typeof(Words))]
[JsonSerializable(typeof(Jagged))]
[JsonSerializable(typeof(NumbersByGuid))]
[JsonSerializable(typeof(TextsByText))]
[JsonSerializable(typeof(Waiting))]
[JsonSerializable(typeof(DifferentWords))]
[JsonSerializable(typeof(OnePlain))]
[JsonSerializable(typeof(OneForm))]
[JsonSerializable(typeof(OneOrder))]
[JsonSerializable(typeof(OneTree))]
[JsonSerializable(typeof(Figures))]
[JsonSourceGenerationOptions(IncludeFields = true)]
internal sealed partial class ShapeJsonContext : JsonSerializerContext;

/// <summary>With <c>$id</c> and <c>$ref</c>, for objects that refer to one another.</summary>
[JsonSerializable(typeof(Team))]
[JsonSourceGenerationOptions(IncludeFields = true, ReferenceHandler = JsonKnownReferenceHandler.Preserve)]
internal sealed partial class ReferenceJsonContext : JsonSerializerContext;
