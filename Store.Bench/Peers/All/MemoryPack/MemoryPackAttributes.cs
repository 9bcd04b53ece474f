// MemoryPack's attribute on the workloads' types.

using MemoryPack;

namespace Store.Bench.Workloads;

[MemoryPackable] public sealed partial class SimpleClass;
[MemoryPackable] public partial struct SimpleStruct;
[MemoryPackable] public partial class Poco;
[MemoryPackable] public sealed partial class ImmutablePoco;
[MemoryPackable] public partial class SimpleModel;
[MemoryPackable] public partial class NineInts;
