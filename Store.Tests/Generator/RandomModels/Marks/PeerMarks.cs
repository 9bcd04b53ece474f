// The marks of a serializer that no feed need carry: texts, which are drawn whether or not its package is there.

using System.Globalization;

namespace Store.Tests.Generator.RandomModels.Marks;

/// <summary>Draws the marks of one serializer. They hold nothing: the chance is handed to them.</summary>
internal abstract class PeerMarks
{
    /// <summary>The namespaces that its marks need.</summary>
    public abstract string Usings { get; }

    /// <summary>What leaves a member out.</summary>
    public abstract string Ignore { get; }

    /// <summary>Types of members that it does not know, by the beginnings of their names.</summary>
    protected abstract IReadOnlyList<string> Unknown { get; }

    /// <summary>Elements may be collections, and null.</summary>
    public virtual bool TakesAnyElement => true;

    /// <summary>It is told of what is derived from classes that are not abstract.</summary>
    public virtual bool TakesCasesOfConcrete => false;

    /// <summary>Those of a serializer, or null for one that is always there.</summary>
    public static PeerMarks? Of(OtherSerializer serializer) => serializer switch
    {
        OtherSerializer.MemoryPack => MemoryPackMarks.Instance,
        OtherSerializer.MessagePack => MessagePackMarks.Instance,
        OtherSerializer.ProtobufNet => ProtobufMarks.Instance,
        _ => null,
    };

    /// <summary>It knows a type of the framework.</summary>
    public bool Takes(string name) => !Unknown.Any(one => name.StartsWith(one, StringComparison.Ordinal));

    /// <summary>Draws the way in which all types of a program are marked.</summary>
    public abstract PeerStyle DrawStyle(Random random);

    /// <summary>Draws the attribute of a type.</summary>
    public abstract string OfType(ModelType type, Random random);

    /// <summary>Draws the marks of a member.</summary>
    /// <param name="type">The type that has it.</param>
    /// <param name="number">Its number, which no other has.</param>
    /// <param name="of">What it holds.</param>
    /// <param name="isOpen">It is public.</param>
    /// <param name="random">The chance.</param>
    public abstract string OfMember(ModelType type, int number, MemberType of, bool isOpen, Random random);

    /// <summary>What stores a member that is not public, or stands beside another.</summary>
    public abstract string Include(ModelType type, int number);

    /// <summary>What a private field that a property shows has to have.</summary>
    public virtual string OfHidden(ModelType type) => "";

    /// <summary>The mark on a constructor, or nothing.</summary>
    /// <param name="isChosen">It is the one that is to be called.</param>
    public virtual string OfConstructor(bool isChosen) => "";

    /// <summary>Names what may stand where a type is declared, and whatever else is said of its members there.</summary>
    public abstract IEnumerable<string> OfCases(ModelProgram program, ModelType type);

    /// <summary>Draws methods that the serializer calls.</summary>
    public virtual string Callbacks(ModelType type, Random random) => "";

    /// <summary>Interfaces that a type implements for the serializer.</summary>
    public virtual IEnumerable<string> Bases(ModelType type) => [];

    /// <summary>The marks on methods that are called before writing and after reading, or null where a mark says no such thing.</summary>
    public virtual (string Before, string After)? Around => null;

    protected static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>What is derived from a type, each with a number from 0 on.</summary>
    protected static IEnumerable<string> Cases(ModelProgram program, ModelType type, string format) => program.CasesOf(type).Where(one => one != type).Select((one, i) => string.Format(CultureInfo.InvariantCulture, format, i, one.Name));
}
