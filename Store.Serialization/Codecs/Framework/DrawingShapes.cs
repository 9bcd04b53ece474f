// What the points, sizes and rectangles of System.Drawing are called and made of (ComponentsCodec.cs).

using System.Drawing;

namespace Store.Serialization.Codecs;

/// <summary>Names of <see cref="Point"/>.</summary>
public readonly struct PointShape : IComponentsShape<Point>
{
    private static readonly string[] Components = ["X", "Y"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.Point";

    /// <inheritdoc/>
    public static SchemaKind Kind => SchemaKind.Int32;

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Point Probe => new(1, 2);
}

/// <summary>Names of <see cref="PointF"/>.</summary>
public readonly struct PointFShape : IComponentsShape<PointF>
{
    private static readonly string[] Components = ["X", "Y"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.PointF";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static PointF Probe => new(1, 2);
}

/// <summary>Names of <see cref="Size"/>.</summary>
public readonly struct SizeShape : IComponentsShape<Size>
{
    private static readonly string[] Components = ["Width", "Height"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.Size";

    /// <inheritdoc/>
    public static SchemaKind Kind => SchemaKind.Int32;

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Size Probe => new(1, 2);
}

/// <summary>Names of <see cref="SizeF"/>.</summary>
public readonly struct SizeFShape : IComponentsShape<SizeF>
{
    private static readonly string[] Components = ["Width", "Height"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.SizeF";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static SizeF Probe => new(1, 2);
}

/// <summary>Names of <see cref="Rectangle"/>.</summary>
public readonly struct RectangleShape : IComponentsShape<Rectangle>
{
    private static readonly string[] Components = ["X", "Y", "Width", "Height"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.Rectangle";

    /// <inheritdoc/>
    public static SchemaKind Kind => SchemaKind.Int32;

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Rectangle Probe => new(1, 2, 3, 4);
}

/// <summary>Names of <see cref="RectangleF"/>.</summary>
public readonly struct RectangleFShape : IComponentsShape<RectangleF>
{
    private static readonly string[] Components = ["X", "Y", "Width", "Height"];

    /// <inheritdoc/>
    public static string TypeName => "System.Drawing.RectangleF";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static RectangleF Probe => new(1, 2, 3, 4);
}
