// Structs without references that members of models of MemoryPack hold: it copies the memory of such a struct whole, private fields too, whatever marks that has or lacks. Which they are is known when all members are.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class CopiedStructs
{
    /// <summary>Tells what structs lose, where all types of a graph were visited.</summary>
    public static void Report(TypeGraph graph)
    {
        HashSet<ParsedType> seen = [];
        foreach (ParsedType model in graph.Types)
        {
            if (ForeignContract.Of(model.Symbol) is not { CopiesStructs: true }) continue;
            foreach (ParsedMember member in model.Members) Mark(member, $"MemoryPack stores all of the memory of such a struct, which '{TypeNames.Message(model.Symbol)}.{member.Name}' holds", seen);
        }

        foreach (ParsedType type in graph.Types)
        {
            type.TellLost?.Invoke();
            type.TellLost = null;
        }
    }

    private static void Mark(ParsedMember member, string why, HashSet<ParsedType> seen)
    {
        foreach (ParsedType held in member.Codec?.Reaches ?? [])
        {
            bool isCopied = CanBeCopied(held.Symbol);
            // What a tuple or pair holds is written as anything else.
            if (!(isCopied || BuiltInCodecs.IsPlainData(held.Symbol)) || !seen.Add(held)) continue;
            if (isCopied) held.CopiedBy = why;
            foreach (ParsedMember inner in held.Members) Mark(inner, why, seen);
        }
    }

    /// <summary>It has no references, and no mark of another serializer that says what of it counts. A mark of this library says how it is stored, and not that a model that holds it may lose the rest.</summary>
    public static bool CanBeCopied(INamedTypeSymbol type) => type is { TypeKind: TypeKind.Struct, IsUnmanagedType: true, IsTupleType: false } && ForeignContract.Of(type) is null or { IsJson: true };
}
