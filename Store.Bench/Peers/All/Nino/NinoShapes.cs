// Nino's attribute on the shapes.

using System.Runtime.CompilerServices;
using Nino.Core;
using Store.Bench.Peers;

namespace Store.Bench.Shapes;

[NinoType] public partial struct Decimals;
[NinoType] public partial struct AbsentNumbers;
[NinoType] public partial struct Flags;
[NinoType] public partial struct Dates;
[NinoType] public partial struct Levels;
[NinoType] public partial struct Points;
[NinoType] public partial struct Octets;
[NinoType] public partial struct LongText;
[NinoType] public partial struct Words;
[NinoType] public partial struct Grid;
[NinoType] public partial struct Jagged;
[NinoType] public partial struct NumbersByGuid;
[NinoType] public partial struct TextsByText;
[NinoType] public partial struct Waiting;
[NinoType] public partial struct DifferentWords;
[NinoType] public partial struct OnePlain;
[NinoType] public partial struct OneForm;
[NinoType] public partial struct OneOrder;
[NinoType] public partial struct OneTree;
[NinoType] public partial struct Figures;
[NinoType] public partial struct Point;
[NinoType] public sealed partial record Plain;
[NinoType] public sealed partial record Form;
[NinoType] public sealed partial class Order;
[NinoType] public sealed partial record OrderLine;
[NinoType] public sealed partial record Branch;
[NinoType] public abstract partial record Figure;
[NinoType] public sealed partial record Circle;
[NinoType] public sealed partial record Box;
[NinoType] public sealed partial record Label;

internal static class NinoShapes
{
    // It keeps no references and has no object.
    [ModuleInitializer]
    internal static void Register() => ShapeRows.Add(new ShapeRow<NinoPeer>("Nino", typeof(Team), typeof(Mixed)));
}
