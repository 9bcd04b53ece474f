// Prints the look at the private methods of types of other assemblies, which no compiler sees.

using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Emitter;

internal static class HiddenCallbackEmitter
{
    private const string Type = Names.Serialization + "NinoHiddenCallbacks";

    public static void Emit(SourceWriter source, TypeModel type)
    {
        List<CallbackModel> levels = Levels(type);
        foreach (CallbackModel level in levels)
        {
            HiddenCallbacks hidden = level.Hidden!;
            int number = levels.IndexOf(level);
            source.Line($"private static readonly {Type}<{level.DeclaringType}> {Field(type, level)} = new {Type}<{level.DeclaringType}>({Array(hidden.Spaces)}, {Array(hidden.Known)}{(number == 0 ? "" : $", Hidden{number - 1}")});");
        }

        if (levels.Count > 0) source.Line();
    }

    public static string Field(TypeModel type, CallbackModel callback) => "Hidden" + Levels(type).FindIndex(level => level.DeclaringType == callback.DeclaringType);

    /// <summary>What stands in front of a call of one that is an alternative to those that are hidden.</summary>
    public static string Unless(TypeModel type, CallbackModel callback) => callback.IsAlternative && Levels(type) is { Count: > 0 and var count } ? $"if (!Hidden{count - 1}.CallsAny) " : "";

    private static List<CallbackModel> Levels(TypeModel type) => [.. type.Callbacks.Where(static callback => callback is { Hidden: not null, Time: CallbackTime.Serializing })];

    public static string Array(EquatableArray<string> texts) => $"new string[] {{ {string.Join(", ", texts.Select(Names.Literal))} }}";
}
