// Which files a parse has looked into, beyond what their declarations say: an edit inside a method of any other file changes nothing (LastParse).

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>Every syntax node of a declaration is read by way of this class.</summary>
internal static class SourceReading
{
    private const int StructsDeep = 64;

    // A parse stays on its thread.
    [ThreadStatic]
    private static HashSet<SyntaxTree>? s_trees;

    [ThreadStatic]
    private static HashSet<ITypeSymbol>? s_touched;

    /// <summary>Runs a parse, and tells what it has looked into.</summary>
    public static (T Result, HashSet<SyntaxTree> Trees) Recorded<T>(Func<T> parse)
    {
        (HashSet<SyntaxTree>? around, HashSet<ITypeSymbol>? touched) = (s_trees, s_touched);
        HashSet<SyntaxTree> trees = s_trees = [];
        s_touched = new(SymbolEqualityComparer.Default);
        try
        {
            return (parse(), trees);
        }
        finally
        {
            (s_trees, s_touched) = (around, touched);
        }
    }

    /// <summary>The declaration with all that is in it.</summary>
    public static SyntaxNode Read(this SyntaxReference reference)
    {
        s_trees?.Add(reference.SyntaxTree);
        return reference.GetSyntax();
    }

    /// <summary>A place in a file is remembered.</summary>
    public static void Touch(SyntaxTree tree) => s_trees?.Add(tree);

    /// <summary>What a type or a base of it is made of counts: whether a property has a field is said by its accessors (the keyword <c>field</c>).</summary>
    public static void Touch(ITypeSymbol type) => Touch(type, depth: 0);

    private static void Touch(ITypeSymbol type, int depth)
    {
        // Once each: structs in structs are as many as the leaves of a tree. Half-written, a generic one may hold ever larger ones of itself.
        if (s_trees is null || depth > StructsDeep || !s_touched!.Add(type)) return;
        // Whether a struct has references is said by the structs in it.
        if (type.IsValueType && !type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty)
        {
            foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>())
            {
                if (!field.IsStatic && field.Type is { IsValueType: true, SpecialType: SpecialType.None }) Touch(field.Type, depth + 1);
            }
        }

        for (ITypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            foreach (SyntaxReference part in level.OriginalDefinition.DeclaringSyntaxReferences) s_trees.Add(part.SyntaxTree);
        }
    }
}
