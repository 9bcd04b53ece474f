// What models of other assemblies keep private, as their own serializer's attributes say: compilers read no private members, and reference assemblies have none, so nobody knows before
// the program runs whether a model has some. Looked for once a type; the trimmer keeps what is looked at because of the annotation.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Store.Serialization;

/// <summary>What a type and its bases mark to be stored and generated code cannot reach, or reaches without having seen it. Used by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class NinoHiddenMembers
{
    private protected NinoHiddenMembers() { }

    /// <summary>Names every such member, and says what to do; null where there is none.</summary>
    internal string? Problem { get; private protected set; }

    private protected string TypeName { get; set; } = "";

    /// <summary>Before an object is described, written or read.</summary>
    /// <exception cref="NinoSerializationException">A member would be lost, or no object could be made.</exception>
    public void Check()
    {
        if (Problem is not null) Refuse();
    }

    /// <summary>A type has a constructor without parameters, of whatever access.</summary>
    public static bool HasConstructor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.NonPublicConstructors)] T>() =>
        typeof(T).GetConstructor(Type.EmptyTypes) is not null || typeof(T).GetConstructor(BindingFlags.Instance | BindingFlags.NonPublic, Type.EmptyTypes) is not null;

    private void Refuse() => throw new NinoSerializationException(Problem!) { TypeName = TypeName, IsOfHiddenMembers = true };
}

/// <summary>Used by generated code. Users do not use it.</summary>
/// <typeparam name="T">The type that declares the members.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoHiddenMembers<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields | DynamicallyAccessedMemberTypes.NonPublicProperties | DynamicallyAccessedMemberTypes.PublicProperties)] T> : NinoHiddenMembers
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const string OrCodec = "or give the type a codec with [NinoSerializable(typeof(...), Codec = ...)]";

    /// <summary>Looks for the members.</summary>
    /// <param name="marks">Those of each serializer that stores members of the type, that of the type whose objects are stored first. One at least.</param>
    /// <param name="seen">What generated code sees of the type.</param>
    /// <param name="above">What was found in the bases. Null where there is none.</param>
    public NinoHiddenMembers(NinoHiddenMarks[] marks, NinoSeenMembers seen, NinoHiddenMembers? above = null)
    {
        List<string> problems = above?.Problem is { } inherited ? [inherited] : [];
        AddMarked(problems, marks, seen);
        AddWithoutSetter(problems, marks, seen);
        if (!seen.CanBeMade) problems.Add($"'{typeof(T)}': it has no constructor without parameters, and none that the assembly that has the codec sees and could call, so it could not be read. Give it one (a private one is enough), {OrCodec}.");
        if (seen.IsEmpty) AddState(problems);
        Problem = problems.Count > 0 ? string.Join(" ", problems) : null;
        TypeName = typeof(T).FullName!;
    }

    /// <summary>A property has a setter, of whatever access.</summary>
    /// <param name="name">Its name.</param>
    public static bool HasSetter(string name) => typeof(T).GetProperty(name, Declared | BindingFlags.Public) is { SetMethod: not null };

    /// <summary>The type declares a field that is not public.</summary>
    /// <param name="name">Its name.</param>
    public static bool HasField(string name) => typeof(T).GetField(name, Declared) is not null;

    private static void AddMarked(List<string> problems, NinoHiddenMarks[] marks, NinoSeenMembers seen)
    {
        List<(string Name, string Mark)> hidden = [];
        List<string> unknown = [];
        foreach (MemberInfo declared in (MemberInfo[])[.. typeof(T).GetFields(Declared), .. typeof(T).GetProperties(Declared)])
        {
            if (Array.IndexOf(seen.Known, declared.Name) >= 0) continue;
            try
            {
                var member = new HiddenMember(declared, HasBackingField(declared.Name));
                if (NinoHiddenMarks.Find(marks, member) is { } mark && !member.IsIgnored) hidden.Add((Named(declared.Name), mark));
            }
            catch (Exception error) when (error is IOException or BadImageFormatException or TypeLoadException)
            {
                unknown.Add($"{Named(declared.Name)} ({error.Message})");
            }
        }

        foreach (IGrouping<string, string> same in hidden.GroupBy(static one => one.Mark, static one => one.Name)) problems.Add($"{string.Join(", ", same)}: marked with {same.Key} to be stored, and hidden from the assembly that has the codec, so it would be lost. Make it public, or internal with [InternalsVisibleTo] for that assembly, {OrCodec}.");
        if (unknown.Count > 0) problems.Add($"{string.Join(", ", unknown)}: hidden from the assembly that has the codec, and has an attribute that cannot be loaded, so whether it is marked with {string.Join(" or ", marks.Select(static one => NinoHiddenMarks.Short(one.Stores)))} to be stored is not known. Deploy the assembly of the attribute, {OrCodec}.");
    }

    // No lambda over the type: the trimmer goes by the annotation of this class.
    private static void AddWithoutSetter(List<string> problems, NinoHiddenMarks[] marks, NinoSeenMembers seen)
    {
        List<string> readOnly = [];
        foreach (string name in seen.SetUnseen)
        {
            if (!HasSetter(name)) readOnly.Add(Named(name));
        }

        foreach (string name in seen.SetUnseenOrBacked)
        {
            if (!HasSetter(name) && !HasBackingField(name)) readOnly.Add(Named(name));
        }

        // The last are those of the class itself, where it has some.
        if (readOnly.Count > 0) problems.Add($"{string.Join(", ", readOnly)}: marked with {NinoHiddenMarks.Short(marks[^1].Stores)} to be stored, and has no setter, so it could not be read. Give it one (a private one is enough), take the mark off, {OrCodec}.");
    }

    private static void AddState(List<string> problems)
    {
        string[] state = [.. typeof(T).GetFields(Declared).Select(static field => Named(field.Name))];
        if (state.Length > 0) problems.Add($"{string.Join(", ", state)}: hidden from the assembly that has the codec, which sees nothing of the type that could be stored, so it would be lost. Convert it to a type of your own, {OrCodec}.");
    }

    private static bool HasBackingField(string property) => HasField($"<{property}>k__BackingField");

    private static string Named(string member) => $"'{typeof(T)}.{member}'";
}
