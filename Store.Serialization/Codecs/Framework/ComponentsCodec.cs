// Vectors, matrices, complex numbers, points, sizes and rectangles: their components in order, bits kept as they are.
//
//   components  of Shape.Kind: 4 bytes each (float or int), of Complex 8 (double), in the order of Shape.Names
//
// They are structs of fields in that order without padding; that their memory is the components in order is checked
// once for each type, before the first record or schema of it exists. Bound of the Unsafe stores and loads: FixedSize bytes.

using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>What a struct of numbers of one kind is called and made of.</summary>
/// <typeparam name="T">The struct.</typeparam>
public interface IComponentsShape<T>
{
    /// <summary>Name of the type in schemas.</summary>
    static abstract string TypeName { get; }

    /// <summary>What the components are: Single, Double or Int32.</summary>
    static virtual SchemaKind Kind => SchemaKind.Single;

    /// <summary>Names of the components in the order of the encoding.</summary>
    static abstract ReadOnlySpan<string> Names { get; }

    /// <summary>The value whose components are 1, 2, 3 and so on, made by the public constructor.</summary>
    static abstract T Probe { get; }
}

/// <summary>A struct of numbers of one kind as fields of a value type.</summary>
/// <typeparam name="T">The struct.</typeparam>
/// <typeparam name="TShape">Its names.</typeparam>
public readonly struct ComponentsCodec<T, TShape> : INinoCodec<T> where T : unmanaged where TShape : struct, IComponentsShape<T>
{
    private static readonly bool IsProven = Prove();

    /// <inheritdoc/>
    public static CodecForm Form => IsProven ? CodecForm.Blittable : throw Unproven();

    /// <inheritdoc/>
    public static int FixedSize => Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static int MinSize => Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(T), TShape.TypeName, isReference: false, static fields =>
    {
        if (!IsProven) throw Unproven();
        foreach (string name in TShape.Names) fields.Add(name, 0, SchemaNode.Primitive(TShape.Kind));
    });

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in T value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<T>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in T value) => WriteFixed(ref writer.Take(FixedSize), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read(ref NinoReader reader) => ReadFixed(in reader.Take(FixedSize));

    private static bool Prove()
    {
        T probe = TShape.Probe;
        ReadOnlySpan<byte> memory = MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in probe));
        return TShape.Kind switch
        {
            SchemaKind.Double => InOrder<double>(memory),
            SchemaKind.Int32 => InOrder<int>(memory),
            _ => InOrder<float>(memory),
        };
    }

    private static bool InOrder<TNumber>(ReadOnlySpan<byte> memory) where TNumber : unmanaged, INumber<TNumber>
    {
        if (memory.Length != TShape.Names.Length * Unsafe.SizeOf<TNumber>()) return false;
        ReadOnlySpan<TNumber> components = MemoryMarshal.Cast<byte, TNumber>(memory);
        for (int i = 0; i < components.Length; i++)
        {
            if (components[i] != TNumber.CreateChecked(i + 1)) return false;
        }

        return true;
    }

    private static PlatformNotSupportedException Unproven() => new($"The memory of '{typeof(T)}' is not its components in order on this runtime.");
}

/// <summary>Names of <see cref="Vector2"/>.</summary>
public readonly struct Vector2Shape : IComponentsShape<Vector2>
{
    private static readonly string[] Components = ["X", "Y"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Vector2";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Vector2 Probe => new(1, 2);
}

/// <summary>Names of <see cref="Vector3"/>.</summary>
public readonly struct Vector3Shape : IComponentsShape<Vector3>
{
    private static readonly string[] Components = ["X", "Y", "Z"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Vector3";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Vector3 Probe => new(1, 2, 3);
}

/// <summary>Names of <see cref="Vector4"/>.</summary>
public readonly struct Vector4Shape : IComponentsShape<Vector4>
{
    private static readonly string[] Components = ["X", "Y", "Z", "W"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Vector4";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Vector4 Probe => new(1, 2, 3, 4);
}

/// <summary>Names of <see cref="Quaternion"/>.</summary>
public readonly struct QuaternionShape : IComponentsShape<Quaternion>
{
    private static readonly string[] Components = ["X", "Y", "Z", "W"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Quaternion";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Quaternion Probe => new(1, 2, 3, 4);
}

/// <summary>Names of <see cref="Plane"/>: its normal's components, then the distance.</summary>
public readonly struct PlaneShape : IComponentsShape<Plane>
{
    private static readonly string[] Components = ["X", "Y", "Z", "D"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Plane";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Plane Probe => new(1, 2, 3, 4);
}

/// <summary>Names of <see cref="Matrix3x2"/>.</summary>
public readonly struct Matrix3x2Shape : IComponentsShape<Matrix3x2>
{
    private static readonly string[] Components = ["M11", "M12", "M21", "M22", "M31", "M32"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Matrix3x2";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Matrix3x2 Probe => new(1, 2, 3, 4, 5, 6);
}

/// <summary>Names of <see cref="Matrix4x4"/>.</summary>
public readonly struct Matrix4x4Shape : IComponentsShape<Matrix4x4>
{
    private static readonly string[] Components = ["M11", "M12", "M13", "M14", "M21", "M22", "M23", "M24", "M31", "M32", "M33", "M34", "M41", "M42", "M43", "M44"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Matrix4x4";

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Matrix4x4 Probe => new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/// <summary>Names of <see cref="Complex"/>.</summary>
public readonly struct ComplexShape : IComponentsShape<Complex>
{
    private static readonly string[] Components = ["Real", "Imaginary"];

    /// <inheritdoc/>
    public static string TypeName => "System.Numerics.Complex";

    /// <inheritdoc/>
    public static SchemaKind Kind => SchemaKind.Double;

    /// <inheritdoc/>
    public static ReadOnlySpan<string> Names => Components;

    /// <inheritdoc/>
    public static Complex Probe => new(1, 2);
}
