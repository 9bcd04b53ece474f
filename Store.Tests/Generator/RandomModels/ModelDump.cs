// What an object holds, as one line a place: every field and property of the program's types, whoever may see it, elements in order, entries and sets by what they say.

using System.Collections;
using System.Globalization;
using System.Reflection;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Takes objects apart.</summary>
internal sealed class ModelDump
{
    private const int DepthLimit = 14;
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly Assembly _assembly;
    private readonly List<object> _open = [];
    private readonly Dictionary<object, string> _known = new(ReferenceEqualityComparer.Instance);

    private ModelDump(Assembly assembly) => _assembly = assembly;

    /// <summary>Places and what is there; a place comes before those inside of it.</summary>
    public Dictionary<string, string> Lines { get; } = [];

    /// <summary>Takes an object apart.</summary>
    /// <param name="value">The object.</param>
    /// <param name="assembly">The program, whose types are taken apart by their members.</param>
    public static Dictionary<string, string> Of(object? value, Assembly assembly)
    {
        var dump = new ModelDump(assembly);
        dump.Take(value, "", 0);
        return dump.Lines;
    }

    private void Take(object? value, string path, int depth)
    {
        if (value is null)
        {
            Lines[path] = "null";
            return;
        }

        Type type = value.GetType();
        if (Scalar(value) is { } text)
        {
            Lines[path] = $"{type.Name} {text}";
            return;
        }

        bool isOwn = type.Assembly == _assembly;
        // Which collection of the framework stands behind an interface is nobody's value.
        Lines[path] = isOwn ? type.ToString() : value is IEnumerable ? "collection" : type.Name;
        if (depth > DepthLimit) return;
        if (!type.IsValueType)
        {
            if (_open.Exists(one => ReferenceEquals(one, value)))
            {
                Lines[path] = "cycle";
                return;
            }

            if (isOwn && !_known.TryAdd(value, path)) Lines[path + "#is"] = _known[value];
        }

        _open.Add(value);
        if (value is IEnumerable elements) TakeElements(elements, type, path, depth);
        Type[] levels = [.. Levels(type, value is IEnumerable)];
        // What a getter makes when it is first asked for is made before the fields are looked at.
        foreach (Type level in levels.Where(one => one.Assembly == _assembly)) TakeProperties(value, level, path, depth);
        foreach (Type level in levels) foreach (FieldInfo field in level.GetFields(All)) Take(field.FieldType.IsAssignableTo(typeof(Delegate)) ? null : field.GetValue(value), $"{path}/{level.Name}.{field.Name}", depth + 1);
        _open.RemoveAt(_open.Count - 1);
    }

    // What a collection of the framework keeps its elements in is none of anybody's business.
    private IEnumerable<Type> Levels(Type type, bool isCollection)
    {
        for (Type? one = type; one is not null && (one.Assembly == _assembly || (!isCollection && one != typeof(object) && one != typeof(ValueType))); one = one.BaseType) yield return one;
    }

    private void TakeProperties(object value, Type level, string path, int depth)
    {
        foreach (PropertyInfo property in level.GetProperties(All).Where(static one => one.CanRead && one.GetIndexParameters().Length == 0 && one.Name != "EqualityContract"))
        {
            object? held;
            try
            {
                held = property.GetValue(value);
            }
            catch (TargetInvocationException error)
            {
                Lines[$"{path}/{level.Name}.{property.Name}"] = "throws " + error.InnerException!.GetType().Name;
                continue;
            }

            Take(held, $"{path}/{level.Name}.{property.Name}", depth + 1);
        }
    }

    private void TakeElements(IEnumerable elements, Type type, string path, int depth)
    {
        object?[] all;
        try
        {
            all = [.. elements.Cast<object?>()];
        }
        catch (InvalidOperationException)
        {
            // An immutable array that was never made.
            Lines[path] = "no array";
            return;
        }

        Lines[path + "#count"] = all.Length.ToString(CultureInfo.InvariantCulture);
        bool isMap = type.GetInterfaces().Any(static one => one.IsGenericType && one.GetGenericTypeDefinition() is var of && (of == typeof(IDictionary<,>) || of == typeof(IReadOnlyDictionary<,>)));
        bool isSet = type.GetInterfaces().Any(static one => one.IsGenericType && one.GetGenericTypeDefinition() is var of && (of == typeof(ISet<>) || of == typeof(IReadOnlySet<>)));
        for (int i = 0; i < all.Length; i++)
        {
            if (isMap && all[i] is { } entry) Take(entry.GetType().GetProperty("Value")!.GetValue(entry), $"{path}/{{{Scalar(entry.GetType().GetProperty("Key")!.GetValue(entry)!) ?? "?"}}}", depth + 1);
            else Take(all[i], isSet ? $"{path}/[{(all[i] is { } one ? Scalar(one) : "null")}]" : $"{path}/[{i}]", depth + 1);
        }
    }

    private static string? Scalar(object value) => value switch
    {
        string or bool or char or Enum or Guid or Uri or Version => value.ToString(),
        byte[] bytes => Convert.ToHexString(bytes),
        DateTime time => $"{time.Ticks} {time.Kind}",
        DateTimeOffset time => $"{time.Ticks} {time.Offset}",
        System.Text.Json.JsonElement element => element.ValueKind == System.Text.Json.JsonValueKind.Undefined ? "undefined" : element.GetRawText(),
        IFormattable formattable when value.GetType().Namespace == "System" && value.GetType().IsValueType && !value.GetType().IsGenericType => formattable.ToString(null, CultureInfo.InvariantCulture),
        _ => null,
    };
}
