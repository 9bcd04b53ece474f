// The cases of a polymorphic base, as schemas hold them. Layout of values and of the definition: docs/formats/record.md, "Unions".

using System.Security.Cryptography;
using System.Text;

namespace Store.Serialization;

/// <summary>How the values of a <see cref="UnionDefinition"/> are encoded. Flags.</summary>
[Flags]
public enum UnionForm
{
    /// <summary>Tags are hashes of the cases' names, four bytes each; a case follows its tag directly.</summary>
    Hashed = 0,

    /// <summary>Tags are numbers given by <see cref="NinoUnionAttribute"/>, stored as compact numbers.</summary>
    ExplicitTags = 1,

    /// <summary>The length of a case stands between tag and case, so that a case that is not known can be skipped and read as null.</summary>
    SkipsUnknown = 2,

    /// <summary>Objects are numbered, and one that occurs again is a number (<see cref="NinoTypeAttribute.References"/>).</summary>
    KeepsReferences = 4,
}

/// <summary>A polymorphic base: a value is null or an object of one of the cases. It may have the name of one of them, when the base is a class of its own.</summary>
/// <param name="name">Its name.</param>
/// <param name="form">How values are encoded.</param>
public sealed class UnionDefinition(string name, UnionForm form) : SchemaDefinition(name)
{
    private const int MaxCasesShown = 32;

    private readonly List<UnionCase> _cases = [];
    private HashSet<SchemaDefinition>? _types;

    /// <summary>How values are encoded.</summary>
    public UnionForm Form { get; } = form;

    /// <summary>The cases, by tag.</summary>
    public IReadOnlyList<UnionCase> Cases => _cases;

    /// <summary>True when tags are given by <see cref="NinoUnionAttribute"/>.</summary>
    public bool HasExplicitTags => (Form & UnionForm.ExplicitTags) != 0;

    /// <summary>True when the length of a case stands in front of it.</summary>
    public bool SkipsUnknown => (Form & UnionForm.SkipsUnknown) != 0;

    /// <summary>True when objects are numbered.</summary>
    public bool KeepsReferences => (Form & UnionForm.KeepsReferences) != 0;

    /// <summary>The case of a tag, or null.</summary>
    public UnionCase? Find(uint tag)
    {
        int low = 0;
        int high = _cases.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            uint found = _cases[middle].Tag;
            if (found == tag) return _cases[middle];
            if (found < tag) low = middle + 1;
            else high = middle - 1;
        }

        return null;
    }

    /// <summary>The tag of a case without one of its own: the first four bytes, as a little-endian number, of SHA-256 over the name in UTF-8. 0 stands for null, so no case may have it.</summary>
    public static uint HashOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return BitConverter.ToUInt32(SHA256.HashData(Encoding.UTF8.GetBytes(name)));
    }

    // True where object is declared: the cases are all types that an assembly knows.
    internal bool IsOfObjects => Name.StartsWith(NinoObjectCases.NamePrefix, StringComparison.Ordinal);

    // True for the type of a case.
    internal bool Has(ObjectDefinition type)
    {
        HashSet<SchemaDefinition> types = _types ??= new HashSet<SchemaDefinition>(_cases.Select(static one => one.Node.Definition!), ReferenceEqualityComparer.Instance);
        return types.Contains(type);
    }

    // Least bytes of a value: of null.
    internal int MinSize => HasExplicitTags || KeepsReferences ? 1 : 4;

    internal void Add(UnionCase one) => _cases.Add(one);

    internal void Sort() => _cases.Sort(static (a, b) => a.Tag.CompareTo(b.Tag));

    internal string Describe(uint tag) => HasExplicitTags ? tag.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"0x{tag:X8}";

    internal string KnownCases() => string.Join(", ", _cases.Take(MaxCasesShown).Select(one => $"{Describe(one.Tag)} {one.Node.Definition!.Name}")) + (_cases.Count > MaxCasesShown ? ", ..." : "");
}

/// <summary>One case of a <see cref="UnionDefinition"/>.</summary>
/// <param name="Tag">What tells it from the others: a number of its own, or the hash of its name.</param>
/// <param name="Node">An <see cref="SchemaKind.Object"/>.</param>
public sealed record UnionCase(uint Tag, SchemaNode Node);
