// Which files a parse has looked into, beyond what their declarations say: an edit inside a method of any other file changes nothing (LastParse).

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>Every syntax node of a declaration is read by way of this class.</summary>
internal static class SourceReading
{
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

    /// <summary>What a type or a base of it is made of counts: whether a property has a field is said by its accessors (the keyword <c>field</c>), and whether a struct has references by the structs in it.</summary>
    public static void Touch(ITypeSymbol type)
    {
        if (s_trees is null || s_touched!.Contains(type)) return;
        // Once each: structs in structs are as many as the leaves of a tree. Of generic ones the definitions: half-written, one may hold ever larger ones of itself.
        Stack<ITypeSymbol> left = new([type]);
        while (left.Count > 0)
        {
            ITypeSymbol one = left.Pop();
            if (!s_touched.Add(one)) continue;
            for (INamedTypeSymbol? around = one as INamedTypeSymbol; around is not null; around = around.ContainingType) Push(around.TypeArguments);
            ITypeSymbol definition = one.OriginalDefinition;
            if (!SymbolEqualityComparer.Default.Equals(definition, one))
            {
                left.Push(definition);
                continue;
            }

            if (one.IsValueType && !one.DeclaringSyntaxReferences.IsEmpty) Push(one.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic).Select(static field => field.Type));
            for (ITypeSymbol? level = one; level is not null; level = level.BaseType)
            {
                foreach (SyntaxReference part in level.OriginalDefinition.DeclaringSyntaxReferences) s_trees.Add(part.SyntaxTree);
            }
        }

        void Push(IEnumerable<ITypeSymbol> types)
        {
            foreach (ITypeSymbol one in types)
            {
                if (one.IsValueType) left.Push(one);
            }
        }
    }
}
