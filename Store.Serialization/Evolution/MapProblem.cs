// Why records of one schema cannot be read as another. Put in words only for who asks: of a list of cases most are never met.

namespace Store.Serialization.Evolution;

/// <summary>One reason, found where a pair of types was met first. Immutable.</summary>
internal sealed class MapProblem
{
    private readonly NinoSchema _stored;
    private readonly NinoSchema _own;
    private readonly MapPath? _storedPath;
    private readonly MapPath? _ownPath;
    private readonly Func<string, string, string> _words;

    private MapProblem(NinoSchema stored, NinoSchema own, MapPath? storedPath, MapPath? ownPath, Func<string, string, string> words)
    {
        _stored = stored;
        _own = own;
        _storedPath = storedPath;
        _ownPath = ownPath;
        _words = words;
    }

    public string Message => $"Records stored as '{_stored.Name}' (schema {_stored.Fingerprint:x16}) cannot be read as '{_own.Name}' (schema {_own.Fingerprint:x16}): {_words(MapPath.Text(_storedPath), MapPath.Text(_ownPath))}";

    public NinoSchemaMismatchException ToException()
    {
        string ownPath = MapPath.Text(_ownPath);
        return new(Message)
        {
            TypeName = _own.Name,
            MemberPath = ownPath.Length == 0 ? null : ownPath,
            StoredPath = MapPath.Text(_storedPath),
            OwnPath = ownPath,
        };
    }

    /// <summary>Makes the problems of one pair of schemas.</summary>
    public sealed class Source(NinoSchema stored, NinoSchema own)
    {
        private const string AsItWas = "Read it as the type that it was stored as.";
        private const string NewName = "Keep the stored type for this member and add another one beside it, or give the member a new name (its values are then left out).";

        private static string OtherPlace(MapPath? ownPath) => ownPath is null ? AsItWas : NewName;

        /// <param name="from">What is stored.</param>
        /// <param name="storedPath">Where.</param>
        /// <param name="to">What is there now.</param>
        /// <param name="ownPath">Where.</param>
        /// <param name="advice">What to do about it.</param>
        public MapProblem Mismatch(SchemaNode from, MapPath? storedPath, SchemaNode to, MapPath? ownPath, Func<string> advice) => new(stored, own, storedPath, ownPath, (storedText, ownText) =>
        {
            string place = storedText.Length == 0 ? "the record" : $"the member '{storedText}'", now = ownText.Length == 0 ? "the record" : $"the member '{ownText}'";
            return $"{place} is stored as {SchemaText.Shown(from)}, and {now} is {SchemaText.Shown(to)} now. {advice()}";
        });

        public MapProblem ReferencesChanged(SchemaNode from, MapPath? storedPath, SchemaNode to, MapPath? ownPath) =>
            Mismatch(from, storedPath, to, ownPath, () => from.Definition is UnionDefinition { IsOfObjects: true } || to.Definition is UnionDefinition { IsOfObjects: true }
                ? "Objects to which references are kept ([NinoType(References = true)]) are stored in another way where 'object' is declared. " + OtherPlace(ownPath)
                : "One of them keeps references ([NinoType(References = true)]) and the other does not: both must.");

        /// <summary>Two types with fields that are not the same one under any name.</summary>
        public MapProblem OtherType(SchemaNode from, ObjectDefinition stored, MapPath? storedPath, SchemaNode to, ObjectDefinition own, MapPath? ownPath) => Mismatch(from, storedPath, to, ownPath, () =>
            FieldMatch.IsGrid(stored.Name) || FieldMatch.IsGrid(own.Name) ? "An array keeps the number of its dimensions, and nothing else becomes one."
            : IsOfTheFramework(own.Name) ? OtherPlace(ownPath)
            : $"If it is the same type under a new name, put {FieldMatch.FormerNameMark(stored.Name)} on '{own.Name}'.");

        /// <summary>Two kinds that do not become each other.</summary>
        public MapProblem NoConversion(SchemaNode from, MapPath? storedPath, SchemaNode to, MapPath? ownPath) => Mismatch(from, storedPath, to, ownPath, () =>
        {
            SchemaNode stored = ValueMap.Inner(from), own = ValueMap.Inner(to);
            return ScalarConversions.IsScalar(stored) && ScalarConversions.IsScalar(own) && ScalarConversions.Find(own, stored) != ScalarConversion.None ? "Going back would lose digits. " + NewName : NewName;
        });

        /// <param name="field">The member now.</param>
        /// <param name="ownPath">Where it is.</param>
        /// <param name="type">The stored type, which lacks it.</param>
        /// <param name="storedPath">Where that is.</param>
        public MapProblem MissingRequired(SchemaField field, MapPath? ownPath, ObjectDefinition type, MapPath? storedPath) => new(stored, own, storedPath, ownPath, (_, ownText) =>
        {
            const int MaxShown = 12;
            IEnumerable<string> names = type.Fields.Take(MaxShown).Select(static f => f.Name);
            string members = type.Fields.Count == 0 ? "no members" : $"the members {string.Join(", ", names)}{(type.Fields.Count > MaxShown ? ", …" : "")}";
            return $"the member '{ownText}' ({SchemaText.Shown(field.Node)}) is required, and the stored type '{type.Name}' has {members} and not this one."
                + " Take 'required' from it, so that it gets its default value, or name what it was called with [NinoFormerName].";
        });

        // Nobody can put an attribute on those.
        private static bool IsOfTheFramework(string name) => name.StartsWith("System.", StringComparison.Ordinal);
    }
}
