using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Store.Serialization;

/// <summary>What tells schemas apart in a schema file: all that they say, and the rules of their nodes.</summary>
internal static class SchemaIdentity
{
    /// <summary>Equal for schemas that are the same, with the same rules.</summary>
    public static string Of(NinoSchema schema)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(schema.CanonicalBytes.Span);
        Span<byte> place = stackalloc byte[sizeof(int)];
        int number = 0;
        Add(schema.Root, place);
        foreach (ObjectDefinition type in schema.Definitions.OfType<ObjectDefinition>())
        {
            foreach (SchemaField field in type.Fields) Add(field.Node, place);
        }

        return Convert.ToHexString(hash.GetCurrentHash());

        // A node is called by its number, which all nodes have, and a rule ends where no text goes on.
        void Add(SchemaNode node, Span<byte> place)
        {
            BinaryPrimitives.WriteInt32LittleEndian(place, number++);
            foreach (string rule in node.Rules.Select(static rule => rule.Text).Order(StringComparer.Ordinal))
            {
                hash.AppendData(place);
                hash.AppendData(Encoding.UTF8.GetBytes(rule + "\0"));
            }

            if (node.Key is { } key) Add(key, place);
            if (node.Element is { } element) Add(element, place);
        }
    }
}
