// A parse of all marked types reads the compilation, of which there is a new one with every key stroke. Most of these change the inside of a method that no stored type has: then the result is the last one.

using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>The result of the last parse of one project. Holds syntax trees and references, and not the compilation. May be used by several threads.</summary>
/// <typeparam name="TInput">What the parse is given beside the compilation; compared by value.</typeparam>
/// <typeparam name="TResult">What it makes of it, and of nothing else.</typeparam>
internal sealed class LastParse<TInput, TResult>
{
    private Entry? _last;

    /// <summary>The last result where it would be the same again, else a new one.</summary>
    /// <param name="input">What it is given.</param>
    /// <param name="compilation">The compilation.</param>
    /// <param name="parse">Reads declarations by <see cref="SourceReading"/>.</param>
    public TResult Of(TInput input, Compilation compilation, Func<TInput, Compilation, TResult> parse)
    {
        if (Volatile.Read(ref _last) is { } last && EqualityComparer<TInput>.Default.Equals(last.Input, input) && last.HoldsFor(compilation))
        {
            // Files may be edited for hours: what is held of them is what they are now.
            Volatile.Write(ref _last, last with { Trees = [.. compilation.SyntaxTrees] });
            return last.Result;
        }

        (TResult result, HashSet<SyntaxTree> read) = SourceReading.Recorded(() => parse(input, compilation));
        Volatile.Write(ref _last, new Entry(input, result, [.. compilation.SyntaxTrees], read, compilation.ExternalReferences, compilation.Options, compilation.AssemblyName));
        return result;
    }

    /// <param name="Input">What the parse was given.</param>
    /// <param name="Result">What it made.</param>
    /// <param name="Trees">All files.</param>
    /// <param name="Read">Those that it has looked into.</param>
    /// <param name="References">Other assemblies.</param>
    /// <param name="Options">The project's.</param>
    /// <param name="AssemblyName">Its name.</param>
    private sealed record Entry(TInput Input, TResult Result, ImmutableArray<SyntaxTree> Trees, HashSet<SyntaxTree> Read, ImmutableArray<MetadataReference> References, CompilationOptions Options, string? AssemblyName)
    {
        public bool HoldsFor(Compilation compilation)
        {
            if (AssemblyName != compilation.AssemblyName || !Options.Equals(compilation.Options) || !References.SequenceEqual(compilation.ExternalReferences)) return false;
            int count = 0;
            foreach (SyntaxTree tree in compilation.SyntaxTrees)
            {
                if (count == Trees.Length || !IsSame(Trees[count], tree)) return false;
                count++;
            }

            return count == Trees.Length;
        }

        // The compiler's own notion of what other files see of one: heads, members, attributes and constants, but nothing inside of methods.
        private bool IsSame(SyntaxTree before, SyntaxTree now) =>
            before == now || (!Read.Contains(before) && before.FilePath == now.FilePath && before.Options.Equals(now.Options) && SyntaxFactory.AreEquivalent(before, now, topLevel: true) && IsWellFormed(before) && IsWellFormed(now));

        // That notion knows nothing of what the compiler passes over. What is half written inside of a method is there, too, and changes nothing.
        private static bool IsWellFormed(SyntaxTree tree)
        {
            SyntaxNode root = tree.GetRoot();
            return !root.ContainsDiagnostics || tree.GetDiagnostics().Where(static one => one.Severity == DiagnosticSeverity.Error).All(error => root.FindToken(error.Location.SourceSpan.Start).Parent?.AncestorsAndSelf().Any(static around => around is BlockSyntax or ArrowExpressionClauseSyntax) == true);
        }
    }
}
