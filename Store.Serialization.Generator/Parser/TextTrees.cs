// Nodes of trees that stand for a text, whose state is links between nodes: what is stored of one is its text.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class TextTrees
{
    // Those of System.Text.Json have an encoding (docs/types.md).
    private static readonly (string Root, string Language, string Text)[] s_trees =
    [
        ("System.Xml.XmlNode", "XML", "OuterXml"),
        ("System.Xml.Linq.XObject", "XML", "ToString()"),
        ("Newtonsoft.Json.Linq.JToken", "JSON", "ToString(Formatting.None)"),
    ];

    /// <summary>Why such a type has no encoding, and what to do, for the middle of a sentence; null for any other type.</summary>
    public static string? AdviceFor(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            foreach ((string root, string language, string text) in s_trees)
            {
                if (TypeNames.Metadata(level) == root) return $"it is part of a tree of {language}: store its text ({text}) in a string, or write a codec of your own that does, and name it with [NinoCodec] or {TypeNames.CodecRegistration(type)}";
            }
        }

        return null;
    }
}
