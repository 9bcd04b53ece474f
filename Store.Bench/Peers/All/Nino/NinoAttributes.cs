// Nino's attribute on the workloads' types.

using Nino.Core;

namespace Store.Bench.Workloads;

[NinoType] public sealed partial class SimpleClass;
[NinoType] public partial struct SimpleStruct;
[NinoType] public partial class Poco;
[NinoType] public partial class SimpleModel;
[NinoType] public partial class NineInts;
