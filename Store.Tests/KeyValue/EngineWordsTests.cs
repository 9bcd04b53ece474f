// Is the face of NinoStore free of the words of the engine behind it, so that another can stand there? Names of types, members and parameters, and what their documentation says.

using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Store.Faster;

namespace Store.Tests.KeyValue;

public partial class EngineWordsTests
{
    // Of a name's words, and of runs of them: FasterKv, LogAddress. "Token" alone is CancellationToken's, "epoch" alone that of our segments.
    private static readonly string[] Banned =
    [
        "Faster", "FasterKv", "Tsavorite", "Garnet", "Hlog", "HybridLog", "SpanByte", "Rmw", "ReadModifyWrite", "Upsert", "Session", "ObjectLog", "HashBucket", "MutableFraction", "CheckpointToken", "CommitCookie",
        "TailAddress", "HeadAddress", "BeginAddress", "ReadOnlyAddress", "LogicalAddress", "LightEpoch", "CopyToTail", "ReadCache", "FoldOver", "InPlaceUpdater", "SingleWriter", "AddressInfo", "RecordInfo",
    ];

    [Fact]
    public void NoPublicNameOfNinoStoreIsAWordOfTheEngine()
    {
        string[] names = [.. Names(typeof(NinoStore).Assembly)];
        Assert.True(names.Length > 1000, $"{names.Length} names");
        Assert.DoesNotContain(names, name => Banned.Any(word => HasWord(name, word)));
    }

    [Fact]
    public void NothingThatNinoStoreSaysOfItselfNamesTheEngine()
    {
        string[] texts = [.. Texts(typeof(NinoStore).Assembly)];
        Assert.True(texts.Length > 500, $"{texts.Length} texts");
        Assert.DoesNotContain(texts, IsTheEnginesOwn);
    }

    /// <summary>The conformance cases are for any engine.</summary>
    [Fact]
    public void NeitherDoTheCasesForAnyEngine()
    {
        Assembly cases = typeof(Store.Conformance.KeyValueConformance).Assembly;
        Assert.DoesNotContain(Names(cases), name => Banned.Any(word => HasWord(name, word)));
        Assert.DoesNotContain(Texts(cases), IsTheEnginesOwn);
        Assert.DoesNotContain(Store.Conformance.KeyValueConformance.Cases.Select(one => one.Name), IsTheEnginesOwn);
    }

    /// <summary>The same look at the adapter, which may say all of it, finds it.</summary>
    [Fact]
    public void TheWordsAreFoundWhereTheyAre()
    {
        string[] names = [.. Names(typeof(FasterOptions).Assembly)];
        Assert.Contains(names, name => HasWord(name, "Faster"));
        Assert.Contains(names, name => HasWord(name, "Session"));
        Assert.Contains(Texts(typeof(FasterOptions).Assembly), IsTheEnginesOwn);
        Assert.True(HasWord("GetTailAddress", "TailAddress") && HasWord("upsertCount", "Upsert") && HasWord("Sessions", "Session") && HasWord("RMWAsync", "Rmw") && HasWord("M:Store.X.get_HlogBytes", "Hlog"));
        Assert.False(HasWord("FastererThan", "Fast") || HasWord("Obsession", "Session") || HasWord("InsertUps", "Upsert"));
        Assert.True(IsTheEnginesOwn("a FASTER log") && IsTheEnginesOwn("the FasterKV") && IsTheEnginesOwn("one session each") && IsTheEnginesOwn("an RMW") && !IsTheEnginesOwn("A faster way in"));
    }

    private static IEnumerable<string> Names(Assembly assembly)
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        foreach (Type type in assembly.GetExportedTypes())
        {
            yield return type.FullName!;
            foreach (Type argument in type.GetGenericArguments()) yield return argument.Name;
            foreach (MemberInfo member in type.GetMembers(all).Where(IsVisible))
            {
                yield return $"{type.Name}.{member.Name}";
                if (member is not MethodBase method) continue;
                foreach (ParameterInfo parameter in method.GetParameters()) yield return $"{type.Name}.{member.Name}({parameter.Name})";
                foreach (Type argument in method.IsGenericMethod ? method.GetGenericArguments() : []) yield return argument.Name;
            }
        }
    }

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors().Length > 0,
        EventInfo @event => @event.AddMethod is { IsPublic: true },
        Type nested => nested.IsNestedPublic,
        _ => false,
    };

    private static IEnumerable<string> Texts(Assembly assembly) => XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member").Select(member => $"{(string?)member.Attribute("name")}: {member.Value}");

    // In a name: at the beginning of one of its words, to the end of one, a plural counted.
    private static bool HasWord(string name, string word) => Regex.IsMatch(string.Concat(Words().Matches(name).Select(part => part.Value.ToLowerInvariant() + " ")), "(^| )" + string.Concat(Words().Matches(word).Select(part => part.Value.ToLowerInvariant() + " ?")).TrimEnd('?').TrimEnd() + "s?( |$)");

    // In a text "faster" is an English word, and so are others in their parts: the product's name as it is spelt, and the words that are nothing else.
    private static bool IsTheEnginesOwn(string text) => OwnWords().IsMatch(text);

    [GeneratedRegex("[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|[0-9]+")]
    private static partial Regex Words();

    [GeneratedRegex(@"\bFASTER|Faster[A-Z]|\bFasterKv|(?i:tsavorite|\bgarnet|\bhlog|hybrid.?log|spanbyte|\brmw\b|read-modify-write|\bupsert|\bsessions?\b|checkpoint token|commit cookie|(tail|head|begin|read-?only|logical).?address)")]
    private static partial Regex OwnWords();
}
