// MemoryPack's attribute on the shapes.

using System.Runtime.CompilerServices;
using MemoryPack;
using Store.Bench.Peers;

namespace Store.Bench.Shapes;

[MemoryPackable] public partial struct Decimals;
[MemoryPackable] public partial struct AbsentNumbers;
[MemoryPackable] public partial struct Flags;
[MemoryPackable] public partial struct Dates;
[MemoryPackable] public partial struct Levels;
[MemoryPackable] public partial struct Points;
[MemoryPackable] public partial struct Octets;
[MemoryPackable] public partial struct LongText;
[MemoryPackable] public partial struct Words;
[MemoryPackable] public partial struct Grid;
[MemoryPackable] public partial struct Jagged;
[MemoryPackable] public partial struct NumbersByGuid;
[MemoryPackable] public partial struct TextsByText;
[MemoryPackable] public partial struct Waiting;
[MemoryPackable] public partial struct DifferentWords;
[MemoryPackable] public partial struct OnePlain;
[MemoryPackable] public partial struct OneForm;
[MemoryPackable] public partial struct OneOrder;
[MemoryPackable] public partial struct OneTree;
[MemoryPackable] public partial struct Figures;
[MemoryPackable] public partial struct Point;
[MemoryPackable] public sealed partial record Plain;
[MemoryPackable] public sealed partial record Form;
[MemoryPackable] public sealed partial class Order;
[MemoryPackable] public sealed partial record OrderLine;
[MemoryPackable] public sealed partial record Branch;
[MemoryPackable, MemoryPackUnion(0, typeof(Circle)), MemoryPackUnion(1, typeof(Box)), MemoryPackUnion(2, typeof(Label))] public abstract partial record Figure;
[MemoryPackable] public sealed partial record Circle;
[MemoryPackable] public sealed partial record Box;
[MemoryPackable] public sealed partial record Label;

internal static class MemoryPackShapes
{
    // For references it wants an attribute on each member, and it has no object.
    [ModuleInitializer]
    internal static void Register() => ShapeRows.Add(new ShapeRow<MemoryPackPeer>("MemoryPack", typeof(Team), typeof(Mixed)));
}
