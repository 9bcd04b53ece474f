// The attribute of .NET that NetSerializer asks for. No other peer of this project looks at it.

namespace Store.Bench.Workloads;

[Serializable] public sealed partial class SimpleClass;
[Serializable] public partial struct SimpleStruct;
[Serializable] public partial class Poco;
[Serializable] public sealed partial class ImmutablePoco;
[Serializable] public partial class SimpleModel;
[Serializable] public partial class NineInts;
