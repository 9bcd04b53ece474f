using Spectre.Console;

namespace Store.Inspect.Rendering;

/// <summary>The few colours, by meaning.</summary>
internal static class Theme
{
    public static Style Title { get; } = new(decoration: Decoration.Bold);

    public static Style Quiet { get; } = new(Color.Grey);

    public static Style Name { get; } = new(Color.Teal);

    public static Style Text { get; } = new(Color.Olive);

    public static Style Good { get; } = new(Color.Green);

    public static Style Warning { get; } = new(Color.Yellow, decoration: Decoration.Bold);

    public static Style Bad { get; } = new(Color.Red, decoration: Decoration.Bold);
}
