// Prints the list of what may stand where object is declared. The engine's ObjectCodec does the rest.

using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class ObjectsEmitter
{
    public const string HintName = "ObjectCases.g.cs";

    public static string Emit(ObjectsModel objects)
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () =>
        {
            source.Line("/// <summary>What may stand where object is declared.</summary>");
            source.Line(Names.GeneratedCode);
            if (objects.UsesObsolete) source.Line(Names.MayUseObsolete);
            source.Line(Names.Unseen);
            source.FixedBlock($"internal readonly struct {ObjectCases.StructName} : {Names.Serialization}INinoObjectCases", () =>
            {
                source.Line($"public static {Names.Serialization}NinoObjectCases Cases {{ get; }} = new {Names.Serialization}NinoObjectCases(typeof({ObjectCases.StructName}), {Names.Literal(objects.Assembly)}, {Names.Literal(objects.SkipsUnknown)}, Fill);");
                source.Line();
                source.Block($"private static void Fill({Names.Serialization}NinoObjectCases cases)", () =>
                {
                    foreach (ObjectCaseModel one in objects.Cases) source.Line($"cases.{(one.IsUnion ? "AddUnion" : "Add")}<{one.Codec.TypeName}, {one.Codec.Expression}>({string.Join(", ", one.Names.Select(Names.Literal))});");
                    foreach (ObjectBaseModel one in objects.Bases) source.Line($"cases.AddBase(typeof({one.TypeName}), {string.Join(", ", one.Names.Select(Names.Literal))});");
                });
            });
        });
        return source.ToString();
    }
}
