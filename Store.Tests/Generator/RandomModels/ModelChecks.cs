// What is checked of one model program: of whatever the other serializer keeps nothing is lost here in silence, and all ways to read a record here give the same.

using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using Store.Serialization;
using Store.Tests.Generator.RandomModels.Peers;
using Store.Tests.Generator.RandomPrograms;

namespace Store.Tests.Generator.RandomModels;

/// <summary>What was tried.</summary>
internal sealed class ModelCounts
{
    public long Programs { get; set; }

    public long Refused { get; set; }

    public long Values { get; set; }

    /// <summary>Values that the other serializer could not take there and back.</summary>
    public long NotTaken { get; set; }

    /// <summary>Values that this one refused, with the exception that tells.</summary>
    public long Told { get; set; }

    /// <summary>Places that the other serializer kept, and so did this one.</summary>
    public long Kept { get; set; }

    public Dictionary<string, int> Diagnostics { get; } = [];

    /// <summary>Why places were lost, and values refused, by how often.</summary>
    public Dictionary<string, int> Reasons { get; } = [];
}

/// <summary>Checks the program of a seed.</summary>
internal sealed class ModelChecks
{
    private readonly LoadedModels _loaded;
    private readonly ModelCounts _counts;
    private readonly Func<object, Type, object?> _copy;
    private readonly OtherSerializer _serializer;

    /// <summary>What a dump is made to say before it is compared: a test shows that a loss would be seen.</summary>
    private readonly Action<Dictionary<string, string>>? _harm;

    private ModelChecks(LoadedModels loaded, OtherSerializer serializer, ModelCounts counts, Action<Dictionary<string, string>>? harm)
    {
        (_loaded, _counts, _serializer, _harm) = (loaded, counts, serializer, harm);
        _copy = PeerSerializer.Of(serializer) is { } peer ? peer.Copy : new OtherTrip(serializer, loaded.Assembly.GetTypes().Where(type => loaded.Program.Types.Exists(one => one is { IsConcrete: true, IsGeneric: false } && one.SimpleName == type.Name))).Copy;
    }

    /// <summary>Runs all checks.</summary>
    /// <exception cref="ProgramFailure">One of them failed.</exception>
    public static void Run(int seed, OtherSerializer serializer, ModelCut cut, int values, ModelCounts counts, Action<Dictionary<string, string>>? harm = null)
    {
        // Serializers of packages keep what they made of a type.
        var context = new AssemblyLoadContext("Models", isCollectible: serializer is OtherSerializer.Json or OtherSerializer.DataContract);
        try
        {
            counts.Programs++;
            LoadedModels? loaded = ModelBuild.Load(seed, serializer, cut, context, id => counts.Diagnostics[id] = counts.Diagnostics.GetValueOrDefault(id) + 1);
            if (loaded is null) return;
            counts.Refused += loaded.Refused;
            var checks = new ModelChecks(loaded, serializer, counts, harm);
            foreach (MethodInfo make in loaded.Assembly.GetType("Make")!.GetMethods().Where(static one => one.Name.StartsWith("Root", StringComparison.Ordinal)))
                for (int i = 0; i < values; i++) checks.Check(make, (seed * 31) + i);
        }
        finally
        {
            if (context.IsCollectible) context.Unload();
        }
    }

    private Dictionary<string, string> Dump(object? value) => ModelDump.Of(value, _loaded.Assembly);

    private void Check(MethodInfo make, int seed)
    {
        Type type = make.DeclaringType!.GetMethod("Of" + make.Name[4..])!.ReturnType;
        type = Nullable.GetUnderlyingType(type) ?? type;
        _counts.Values++;
        object value = OwnTrip.Unwrapped(make, seed)!;
        Dictionary<string, string> expected = Dump(OwnTrip.Unwrapped(make, seed));
        Dictionary<string, string>? kept = Other(OwnTrip.Unwrapped(make, seed)!, type);
        IOwnTrip trip = OwnTrip.Of(type);
        byte[] record;
        object? read;
        try
        {
            record = trip.Serialize(value);
            read = trip.Deserialize(record);
        }
        catch (NinoSerializationException error)
        {
            _counts.Told++;
            Count("refused: " + Regex.Replace(error.Message, "[TMmI]\\d+|\\d+", "#"));
            return;
        }
        catch (Exception error)
        {
            throw new ProgramFailure("throws " + error.GetType().Name, $"{type}: {error}", error);
        }

        Dictionary<string, string> now = Dump(read), fresh = new(now);
        _harm?.Invoke(now);
        if (kept is not null) Compare(type, expected, kept, now);
        Ways(make, type, seed, trip, record, fresh);
    }

    // Null where it takes no such value.
    private Dictionary<string, string>? Other(object value, Type type)
    {
        try
        {
            return Dump(_copy(value, type));
        }
        catch (Exception error) when (error is not ProgramFailure)
        {
            _counts.NotTaken++;
            Exception inner = error.GetBaseException();
            Count($"{_serializer} refuses: {inner.GetType().Name} {Regex.Replace(inner.Message, "[TMmI]\\d+|\\d+", "#")}");
            return null;
        }
    }

    private void Compare(Type type, Dictionary<string, string> expected, Dictionary<string, string> kept, Dictionary<string, string> now)
    {
        List<string> told = [];
        foreach ((string place, string what) in expected)
        {
            if (kept.GetValueOrDefault(place) != what) continue;
            string? mine = now.GetValueOrDefault(place);
            if (mine == what)
            {
                _counts.Kept++;
                continue;
            }

            if (told.Exists(one => IsInside(place, one))) continue;
            if ((WhatTells(place) ?? (IsDocumented(place, what) ? "documented" : null)) is { } reason)
            {
                told.Add(place);
                Count("lost and " + reason);
                continue;
            }

            throw new ProgramFailure("lost", $"{type}: {_serializer} keeps what is lost here at {place}\n  was   {what}\n  here  {mine ?? "(nothing)"}\n  warnings: {string.Join("\n            ", _loaded.Warnings)}");
        }
    }

    private static bool IsInside(string place, string outer) => place.StartsWith(outer, StringComparison.Ordinal) && place[outer.Length..] is ['/' or '#', ..];

    // What holds it may be what is told to be lost.
    private string? WhatTells(string place) => Regex.Matches(place, "/([A-Za-z]\\w*)(`1)?\\.([^/#]+)").Select(one => _loaded.WhatTells(one.Groups[1].Value, one.Groups[3].Value)).FirstOrDefault(static one => one is not null) is { } warning ? "told by " + warning[..7] : null;

    private void Count(string what) => _counts.Reasons[what] = _counts.Reasons.GetValueOrDefault(what) + 1;

    // Differences that docs/types.md tells, each by its sentence.
    private bool IsDocumented(string place, string what)
    {
        // "Objects are always made by a constructor, also where DataContract makes them without": what was never given has what the constructor makes.
        if (_serializer == OtherSerializer.DataContract && IsAtDefault(what) && IsLeftOut(place)) return true;
        if (_serializer == OtherSerializer.ProtobufNet && IsAtDefault(what) && Regex.Match(place, "/(\\w+)(`1)?\\.[^/]*$") is { Success: true } holder && _loaded.Program.Types.Exists(one => one.SimpleName == holder.Groups[1].Value && one.Attributes.Contains("SkipConstructor", StringComparison.Ordinal))) return true;
        // "Called are, on models of": what a callback sets is another value than there was. The others call fewer: protobuf-net those of the class that its contract begins with.
        if (PeerSerializer.Of(_serializer) is not null && Regex.IsMatch(place, "\\.(Seen\\d+|[mM]\\d+Ticks)$")) return true;
        // "It may change other members, and the last setter has the last word".
        if (_serializer == OtherSerializer.ProtobufNet && what == "Boolean False" && Regex.IsMatch(place, "\\.HasM\\d+$")) return true;
        // "A parameter whose member is left out gets the default value of its type, also where MessagePack would pass it the member that has its place".
        if (_serializer == OtherSerializer.MessagePack && MemberAt(place) is { Assign: not null, Marks: var marks } && marks.Contains("Ignore", StringComparison.Ordinal)) return true;
        // NINO017: "Not reported: ... locks (an object that is readonly, made in its declaration, or a property without a setter)".
        return Regex.Match(place, "/(\\w+)\\.[^/]*([mM]\\d+)[^/]*$") is { Success: true } last && _loaded.Program.Types.Any(one => one.SimpleName == last.Groups[1].Value && one.Mode == ContractMode.Serializable && one.Members.Exists(member => string.Equals(member.Name, last.Groups[2].Value, StringComparison.OrdinalIgnoreCase) && member.Type.Name == "object" && (member.Declaration.Contains("readonly ", StringComparison.Ordinal) || !member.Declaration.Contains("set", StringComparison.Ordinal))));
    }

    // DataContractSerializer stores nothing of the member, or what stands there is no drawn one.
    private bool IsLeftOut(string place)
    {
        if (MemberAt(place) is not { } member) return true;
        ModelType type = _loaded.Program.Types.First(one => one.Members.Contains(member));
        string marks = member.Marks + member.Overrides?.Marks;
        return type.Mode == ContractMode.Contract ? !marks.Contains("DataMember", StringComparison.Ordinal) : marks.Contains("Ignore", StringComparison.Ordinal) || marks.Contains("NonSerialized", StringComparison.Ordinal);
    }

    private ModelMember? MemberAt(string place) =>
        Regex.Match(place, "/(\\w+)(`1)?\\.(M\\d+)$") is { Success: true } last ? _loaded.Program.Types.Where(one => one.SimpleName == last.Groups[1].Value).SelectMany(static one => one.Members).FirstOrDefault(one => one.Name == last.Groups[3].Value) : null;

    private static bool IsAtDefault(string what) => what is "null" or "0" or "Boolean False" or "no array" || Regex.IsMatch(what, "^\\w+ (0|\0|00:00:00|00000000-0000-0000-0000-000000000000|0 Unspecified|A)$");

    private void Ways(MethodInfo make, Type type, int seed, IOwnTrip trip, byte[] record, Dictionary<string, string> read)
    {
        try
        {
            byte[] second = trip.Serialize(trip.Deserialize(record)!);
            Same("the second trip", type, read, Dump(trip.Deserialize(second)));
            if (trip.GetSize(trip.Deserialize(record)!) != second.Length) throw new ProgramFailure("size", $"{type}: another size");
            if (Another(make, seed + 1_000_003, trip) is { } there) Same("reading into another", type, read, Dump(trip.DeserializeInto(record, there)));
            Same("the clone", type, read, Dump(trip.Clone(OwnTrip.Unwrapped(make, seed)!)));
            for (int at = 0; at < record.Length; at += Math.Max(1, record.Length / 7))
            {
                try
                {
                    trip.Deserialize(record.AsSpan(0, at));
                }
                catch (NinoSerializationException)
                {
                    continue;
                }

                throw new ProgramFailure("cut", $"{type}: a record of {record.Length} bytes that is cut at {at} is read");
            }
        }
        catch (Exception error) when (error is not ProgramFailure)
        {
            throw new ProgramFailure("then throws " + error.GetType().Name, $"{type}: {error}", error);
        }
    }

    // One that was read: what is not stored has what a new object has. None where it is one that is refused.
    private static object? Another(MethodInfo make, int seed, IOwnTrip trip)
    {
        try
        {
            return trip.Deserialize(trip.Serialize(OwnTrip.Unwrapped(make, seed)!));
        }
        catch (NinoSerializationException)
        {
            return null;
        }
    }

    private static void Same(string what, Type type, Dictionary<string, string> first, Dictionary<string, string> second)
    {
        foreach (string place in first.Keys.Union(second.Keys))
            if (first.GetValueOrDefault(place) != second.GetValueOrDefault(place)) throw new ProgramFailure(what, $"{type}: {what} differs at {place}\n  first  {first.GetValueOrDefault(place)}\n  second {second.GetValueOrDefault(place)}");
    }
}
