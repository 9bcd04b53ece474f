using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.FSharp.Core;
using Store.Serialization;
using Store.Serialization.Generator.Parser;
using Store.Tests.FSharp;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Holds what the trimmed program runs (Store.TrimTest) against docs/types.md: a row of which no value is in it would be a promise that nobody tries.</summary>
public sealed partial class EveryRowTests
{
    /// <summary>Types of the page of which the trimmed program runs no value, each with the reason.</summary>
    private static readonly Dictionary<string, string> s_notRun = [];

    /// <summary>Rows that name no type of the framework, and how a type of such a row is known.</summary>
    private static readonly Dictionary<string, Func<Type, bool>[]> s_kinds = new()
    {
        ["structs with `[InlineArray]`"] = [static type => type.IsDefined(typeof(InlineArrayAttribute))],
        ["records, struct records, classes with a primary constructor"] =
        [
            static type => Is(type, SourceConstructFlags.RecordType) && !type.IsValueType, static type => Is(type, SourceConstructFlags.RecordType) && type.IsValueType,
            static type => Is(type, SourceConstructFlags.ObjectType) && !type.IsValueType,
        ],
        ["unions, struct unions"] = [static type => Is(type, SourceConstructFlags.SumType) && !type.IsValueType, static type => Is(type, SourceConstructFlags.SumType) && type.IsValueType],
    };

    [Fact]
    public void TheTrimmedProgramRunsAValueOfEveryTypeOfThePage()
    {
        string[] spelled = TypesPageTests.Stored();
        Compilation compilation = GeneratorHarness.Compile(string.Concat(spelled.Select(static (type, i) => $"public class C{i} {{ public {type} X = default!; }}\n")));
        Walk walk = All();
        List<string> missing = [];
        for (int i = 0; i < spelled.Length; i++)
        {
            if (!walk.Rows.Contains(Row(((IFieldSymbol)compilation.GetTypeByMetadataName($"C{i}")!.GetMembers("X").Single()).Type)) && !s_notRun.ContainsKey(spelled[i])) missing.Add(spelled[i]);
        }

        Assert.True(missing.Count == 0, $"No value of these is in EveryRow or FSharpRows, so the trimmed program does not try them: {string.Join(", ", missing)}");
        Assert.Empty(s_notRun.Keys.Except(spelled));
        Assert.Equal(s_kinds.Keys.Order(), TypesPageTests.KindsOfTypes().Order());
        foreach ((string row, Func<Type, bool>[] kinds) in s_kinds) Assert.All(kinds, kind => Assert.True(walk.Types.Any(kind), $"No value of a type of the row '{row}' is in EveryRow or FSharpRows."));
    }

    /// <summary>A row that is null, or that only a type argument names, is not taken for one that is run.</summary>
    [Fact]
    public void AMemberWithoutAValueIsNoRowThatIsRun()
    {
        var walk = new Walk();
        walk.Run(new ManyMore { C = [1] });
        Assert.Contains("System.Collections.Generic.List`1", walk.Rows);
        Assert.DoesNotContain("System.Collections.Generic.HashSet`1", walk.Rows);
        Assert.DoesNotContain("System.Text.Json.Nodes.JsonArray", walk.Rows);
    }

    /// <summary>What a program that was trimmed, or compiled ahead of time, printed: it ran the same records, and wrote the same bytes of each.</summary>
    internal static void RanAll(string printed) => Assert.Equal(All().Printed, Printed().Matches(printed.ReplaceLineEndings("\n")).Select(static match => match.Value));

    private static Walk All()
    {
        var walk = new Walk();
        EveryRow.Run(walk);
        FSharpRows.Run(walk);
        return walk;
    }

    // Of the F# library: the lists and options of FSharp.Core are unions, too.
    private static bool Is(Type type, SourceConstructFlags kind) => type.Assembly == typeof(Shop.FSharp.Payment).Assembly && type.GetCustomAttribute<CompilationMappingAttribute>() is { } mapping && (mapping.SourceConstructFlags & SourceConstructFlags.KindMask) == kind;

    private static string Row(ITypeSymbol type) => type is IArrayTypeSymbol array ? Grid(array.Rank) : TypeNames.Metadata(type.OriginalDefinition);

    private static string Row(Type type) => type.IsArray ? Grid(type.GetArrayRank()) : (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!;

    private static string Grid(int rank) => $"[{new string(',', rank - 1)}]";

    [GeneratedRegex("^row .*$", RegexOptions.Multiline)]
    private static partial Regex Printed();

    /// <summary>The types that members and elements of which there is a value are declared as, and what is printed of each record.</summary>
    private sealed class Walk : IRowRun
    {
        private readonly HashSet<object> _seen = new(ReferenceEqualityComparer.Instance);

        public HashSet<string> Rows { get; } = [];

        public HashSet<Type> Types { get; } = [];

        public List<string> Printed { get; } = [];

        public void Run<T>(T value)
        {
            Printed.Add($"row {typeof(T)} {Convert.ToHexString(SHA256.HashData(NinoSerializer.Serialize(value)))}");
            Visit(typeof(T), value);
        }

        private void Visit(Type declared, object? value)
        {
            // The one value of Unit is null.
            if (value is null && declared != typeof(Unit)) return;
            declared = Nullable.GetUnderlyingType(declared) ?? declared;
            Types.Add(declared);
            Rows.Add(Row(declared));
            if (value is null || (!value.GetType().IsValueType && !_seen.Add(value))) return;
            if (IsOurs(declared) && value is not IEnumerable)
            {
                for (Type? type = value.GetType(); type is not null && type != typeof(object); type = type.BaseType)
                    foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)) Visit(field.FieldType, field.GetValue(value));
            }
            else if (Element(declared) is { } element)
            {
                foreach (object? one in (IEnumerable)value) Visit(element, one);
            }
        }

        private static bool IsOurs(Type type) => type.Namespace is { } space && (space.StartsWith("Store.Tests", StringComparison.Ordinal) || space.StartsWith("Shop.FSharp", StringComparison.Ordinal));

        private static Type? Element(Type type) => type.IsArray ? type.GetElementType() : type.IsGenericType && type.GetGenericArguments() is [Type one] && typeof(IEnumerable).IsAssignableFrom(type) ? one : null;
    }
}
