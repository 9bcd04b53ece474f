// What the verb "shapes" writes and reads beside the objects of ShapeModels.cs: each alone in a struct of its own. A struct, because generic code is compiled for
// each of them: one line here, one in each peer's list of attributes and one in the catalogue are all that a shape takes. Partial only because some peers of
// Peers/All cannot do without an attribute on it.

using Store.Serialization;

namespace Store.Bench.Shapes;

[NinoType] public partial struct Decimals { public decimal[] Values; }
[NinoType] public partial struct AbsentNumbers { public int?[] Values; }
[NinoType] public partial struct Flags { public bool[] Values; }
[NinoType] public partial struct Dates { public DateTime[] Values; }
[NinoType] public partial struct Levels { public Level[] Values; }
[NinoType] public partial struct Points { public Point[] Values; }
[NinoType] public partial struct Octets { public byte[] Values; }
[NinoType] public partial struct LongText { public string Value; }
[NinoType] public partial struct Words { public string[] Values; }
[NinoType] public partial struct Grid { public long[,] Values; }
[NinoType] public partial struct Jagged { public int[][] Values; }
[NinoType] public partial struct NumbersByGuid { public Dictionary<Guid, int> Pairs; }
[NinoType] public partial struct TextsByText { public Dictionary<string, string> Pairs; }
[NinoType] public partial struct Waiting { public Queue<int> Values; }
[NinoType] public partial struct DifferentWords { public HashSet<string> Values; }
[NinoType] public partial struct OnePlain { public Plain Value; }
[NinoType] public partial struct OneForm { public Form Value; }
[NinoType] public partial struct OneOrder { public Order Value; }
[NinoType] public partial struct OneTree { public Branch Root; }
[NinoType] public partial struct Figures { public Figure[] Values; }
[NinoType] public partial struct Team { public List<Person> Members; }
[NinoType] public partial struct Mixed { public object[] Values; }
