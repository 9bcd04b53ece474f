// What may stand where object is declared: a list per assembly, made by generated code when the first such value is met, with what NinoObjects adds.

using System.ComponentModel;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Names the list of an assembly. Implemented by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface INinoObjectCases
{
    /// <summary>The list.</summary>
    static abstract NinoObjectCases Cases { get; }
}

/// <summary>The types that values declared as <c>object</c> can have in one assembly. Filled by generated code; safe for any number of threads. Users do not call it.</summary>
/// <param name="owner">The generated type that holds the list.</param>
/// <param name="assembly">Name of the assembly.</param>
/// <param name="skipsUnknown">The length of a value is stored, so that one of an unknown type can be moved over.</param>
/// <param name="fill">Adds the types of the assembly. Called once, when the first value is met.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoObjectCases(Type owner, string assembly, bool skipsUnknown, Action<NinoObjectCases> fill)
{
    /// <summary>How records are called that are objects of whatever type.</summary>
    internal const string RecordName = "System.Object";

    /// <summary>How the unions of object members are called in schemas: the assembly follows.</summary>
    internal const string NamePrefix = RecordName + "@";

    private const int MaxShown = 32;

    private readonly string _name = NamePrefix + assembly;
    private readonly Lock _gate = new();
    private readonly List<ObjectCase> _added = [];
    private readonly List<(Type Type, string[] Names)> _bases = [];
    private readonly TypeTable<ObjectCase> _derived = new();
    private volatile CaseTable? _table;
    private volatile CaseTypes? _types;
    private volatile bool _isLaidOut;

    /// <summary>Adds a type.</summary>
    /// <param name="name">Its name in schemas.</param>
    /// <param name="formerNames">What it was called when types that it is made of had other names: of what is no object of the schema itself.</param>
    public void Add<T, TCodec>(string name, params string[] formerNames) where TCodec : struct, INinoCodec<T> => _added.Add(new ObjectCase<T, TCodec>(name) { FormerNames = formerNames });

    /// <summary>Adds a type whose codec writes objects of the classes nested in it, too: a union of F#.</summary>
    /// <param name="name">Its name in schemas.</param>
    public void AddUnion<T, TCodec>(string name) where TCodec : struct, INinoCodec<T> => _added.Add(new ObjectCase<T, TCodec>(name) { IsUnion = true });

    /// <summary>Adds a type of which there are no objects, an interface or abstract class: where <see cref="Type"/> is declared, it may be named.</summary>
    /// <param name="type">The type.</param>
    /// <param name="names">Its name in schemas, then its former ones.</param>
    public void AddBase(Type type, params string[] names) => _bases.Add((type, names));

    /// <summary>What a type is called where it is a value itself.</summary>
    internal string NameOf(Type type)
    {
        CaseTypes types = Types();
        if (types.NameOf(type) is { } name) return name;
        throw new NinoSerializationException($"The type '{type}' is a value that is declared as 'Type', and is none of the types that the assembly '{assembly}' knows ({types.Shown}). {CaseAdvice.NeverStored(type) ?? CaseAdvice.ForObject(type, assembly)}");
    }

    /// <summary>The type that a name stands for, where it is a value itself: one of the list, and never one that would have to be looked for. Null for an unknown one where those are passed over.</summary>
    internal Type? TypeOf(string name)
    {
        CaseTypes types = Types();
        if (types.Of(name) is { } type) return type;
        if (!skipsUnknown) Throw.UnknownType(name, assembly, types.Shown);
        return null;
    }

    internal SchemaNode Describe(SchemaBuilder builder)
    {
        // The table inside: a builder that wants no more than names comes while the table is made.
        return builder.Union(owner, _name, skipsUnknown ? UnionForm.SkipsUnknown : UnionForm.Hashed, cases =>
        {
            CaseTable table = _table ?? Fill();
            foreach (ObjectCase one in table.All.Where(static one => one.Refusal is null)) cases.Add(one.Tag, one.Describe(cases.Builder));
        });
    }

    internal void Write(ref NinoWriter writer, object? value, bool isKey = false)
    {
        if (value is null)
        {
            NinoGenerated.WriteTag(ref writer, 0);
            return;
        }

        ObjectCase one = Of(LaidOut(), value.GetType());
        if (one.Refusal is not null) Refuse(one);
        if ((isKey || writer.IsKey) && one.MayLeadToItself) Throw.LoopingKey(one.Type);
        NinoGenerated.WriteTag(ref writer, one.Tag);
        if (!skipsUnknown)
        {
            one.Write(ref writer, value);
            return;
        }

        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            NinoWriter part = writer.Part(buffer);
            one.Write(ref part, value);
            part.Flush();
            if (part.HasReferences) Throw.ReferencesInSkippable(one.Type);
            writer.WriteCompact((uint)buffer.Written.Length);
            writer.WriteBytes(buffer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    internal object? Read(ref NinoReader reader, bool isKey = false)
    {
        uint tag = NinoGenerated.ReadTag(ref reader);
        if (tag == 0) return null;
        CaseTable table = LaidOut();
        bool isKnown = table.ByTag.TryGetValue(tag, out ObjectCase? one);
        // Of a schema that had the type; what is passed over is not made.
        if (isKnown && one!.Refusal is not null)
        {
            if (!skipsUnknown) Refuse(one);
            isKnown = false;
        }

        if ((isKey || reader.IsKey) && isKnown && one!.MayLeadToItself) Throw.LoopingKey(one.Type);
        if (!skipsUnknown)
        {
            if (!isKnown) Throw.UnknownTag(_name, $"0x{tag:X8}", Known(table));
            return one!.Read(ref reader);
        }

        int end = NinoGenerated.ReadCaseEnd(ref reader);
        if (!isKnown)
        {
            reader.Take(reader.Remaining - end);
            return null;
        }

        object value = one!.Read(ref reader);
        NinoGenerated.CheckCaseEnd(in reader, end);
        return value;
    }

    private ObjectCase Of(CaseTable table, Type type)
    {
        if (table.ByType.TryGetValue(type, out ObjectCase? one) || _derived.TryGetValue(type, out one)) return one;
        foreach (Type shown in NinoObjects.ShownAs(type))
        {
            if (table.ByType.TryGetValue(shown, out one)) return _derived.GetOrAdd(type, one);
        }

        if (type.BaseType is { } union && table.ByType.TryGetValue(union, out one) && one.IsUnion) return _derived.GetOrAdd(type, one);

        throw new NinoSerializationException($"A value of type '{type}' stands where 'object' is declared, and is none of the types that the assembly '{assembly}' knows ({Known(table)}). {CaseAdvice.ForObject(type, assembly)}");
    }

    private static string Known(CaseTable table) => Shown([.. table.All.Select(static one => one.Name)]);

    internal static string Shown(IReadOnlyCollection<string> names) => string.Join(", ", names.Take(MaxShown)) + (names.Count > MaxShown ? ", ..." : "");

    private CaseTypes Types()
    {
        if (_types is { } known) return known;
        CaseTable table = _table ?? Fill();
        return _types = new CaseTypes(table.All, table.Bases);
    }

    private CaseTable LaidOut()
    {
        if (!_isLaidOut) LayOut();
        return _table!;
    }

    private CaseTable Fill()
    {
        // Before the lock: what is registered is looked up in other assemblies, whose lists may be filled at the same time.
        IReadOnlyList<ObjectCase> registered = NinoObjects.Seal();
        CaseTable made;
        lock (_gate)
        {
            if (_table is { } table) return table;
            _added.Clear();
            _bases.Clear();
            _added.AddRange(NinoObjects.BuiltIn());
            fill(this);
            made = new CaseTable([.. _added, .. registered], assembly) { Bases = [.. _bases] };
        }

        // Behind the lock for the same reason.
        FindRefused(made);
        return Interlocked.CompareExchange(ref _table, made, null) ?? made;
    }

    /// <summary>A type that hides what would be lost is refused where a value of it is met: the others have nothing to do with it.</summary>
    private static void FindRefused(CaseTable table)
    {
        SchemaBuilder builder = SchemaBuilder.WithoutObjects();
        foreach (ObjectCase one in table.All)
        {
            try
            {
                one.Names = [.. NinoSchema.NamesOf(one.Describe(builder))];
            }
            catch (NinoSerializationException error) when (error.IsOfHiddenMembers)
            {
                one.Refusal = builder.Reached(error).Message;
                // That one holds what is half described.
                builder = SchemaBuilder.WithoutObjects();
            }
        }
    }

    private static void Refuse(ObjectCase one) => throw new NinoSerializationException($"A value of type '{one.Type}' stands where 'object' is declared. {one.Refusal}") { TypeName = one.Name, IsOfHiddenMembers = true };

    // Which values have a type of the schema of their own, and which are boxed, the schema tells; so does it which count as nesting.
    private void LayOut()
    {
        CaseTable table = _table ?? Fill();
        var builder = new SchemaBuilder();
        SchemaNode root = Describe(builder);
        builder.Create(root);
        foreach (UnionCase one in ((UnionDefinition)root.Definition!).Cases) table.ByTag[one.Tag].LayOut((ObjectDefinition)one.Node.Definition!);
        _isLaidOut = true;
    }

    private sealed class CaseTable
    {
        public CaseTable(List<ObjectCase> cases, string assembly)
        {
            foreach (ObjectCase one in cases)
            {
                if (ByType.ContainsKey(one.Type)) continue;
                if (one.Tag == 0 || ByTag.TryGetValue(one.Tag, out ObjectCase? same) && same is not null)
                    throw one.Tag != 0 && ByTag[one.Tag] is var known && known.Name == one.Name
                        ? Namesakes.Contradiction($"Where the assembly '{assembly}' declares object, two types named '{one.Name}' may stand, {Namesakes.Both(known.Type, one.Type)}, and a value is told by the name of its type. {Namesakes.Advice(known.Type, one.Type)}")
                        : new InvalidOperationException($"Where the assembly '{assembly}' declares object, '{one.Name}' has the same hash as {(one.Tag == 0 ? "null" : $"'{ByTag[one.Tag].Name}'")}: give one of them another name.");
                ByType.Add(one.Type, one);
                ByTag.Add(one.Tag, one);
                All.Add(one);
            }
        }

        public List<ObjectCase> All { get; } = [];

        /// <summary>Types without objects of their own, each with its name and former ones.</summary>
        public IReadOnlyList<(Type Type, string[] Names)> Bases { get; init; } = [];

        public Dictionary<Type, ObjectCase> ByType { get; } = [];

        public Dictionary<uint, ObjectCase> ByTag { get; } = [];
    }
}
