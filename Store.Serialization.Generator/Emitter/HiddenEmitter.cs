// Prints what the types of the assembly keep from compilers of others, for the generator to find there.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class HiddenEmitter
{
    public const string HintName = "NinoHidden.g.cs";

    public static string Emit(EquatableArray<HiddenModel> members)
    {
        SourceWriter source = Names.NewFile();
        foreach (HiddenModel member in members)
            source.Line($"[assembly: {Names.Serialization}NinoHidden({Names.Literal(member.TypeName)}, {Names.Literal(member.Member)}, {Names.Serialization}NinoHiddenKind.{member.Kind})]");
        return source.ToString();
    }
}
