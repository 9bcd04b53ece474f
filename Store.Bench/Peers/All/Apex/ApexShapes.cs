// Apex on the shapes: it needs nothing on their types.

using System.Runtime.CompilerServices;
using Store.Bench.Shapes;

namespace Store.Bench.Peers;

internal static class ApexShapes
{
    // In tree mode it keeps no references.
    [ModuleInitializer]
    internal static void Register() => ShapeRows.Add(new ShapeRow<ApexPeer>("Apex", typeof(Team)));
}
