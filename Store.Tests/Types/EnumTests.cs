using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>An enum is stored as its number, whether that has a name or not.</summary>
public class EnumTests
{
    [Fact]
    public void AnyNumberIsAValueWhereverItStands() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Tiny))]
        public enum Tiny : sbyte { One = 1 }
        [Flags] public enum Wide : ulong { A = 1, B = 2, Top = 1UL << 63 }
        [NinoType] public record struct Point(Tiny Kind, int X);
        [NinoType] public sealed class Holder
        {
            public Tiny Tiny { get; set; }
            public Wide? Wide { get; set; }
            public Tiny[]? Array { get; set; }
            public Dictionary<Tiny, Wide>? Map { get; set; }
            public HashSet<Wide>? Set { get; set; }
            public Point[]? Points { get; set; }
            public object? Any { get; set; }
        }
        """, """
        var holder = new Holder { Tiny = (Tiny)(-7), Wide = (Wide)(ulong.MaxValue - 4), Array = [(Tiny)5, 0, Tiny.One], Map = new() { [(Tiny)9] = (Wide)12 }, Set = [(Wide)40], Points = [new((Tiny)(-1), 2)], Any = (Tiny)(-128) };
        Holder copy = Copy(holder);
        Equal((holder.Tiny, holder.Wide, holder.Any), (copy.Tiny, copy.Wide, copy.Any));
        Equal("5 0 One", string.Join(" ", copy.Array!));
        Equal(((Wide)12, true, holder.Points[0]), (copy.Map![(Tiny)9], copy.Set!.Contains((Wide)40), copy.Points![0]));
        """);

    [Fact]
    public void AnEnumOfTheFrameworkOrOfAnotherAssemblyNeedsNoMark() => Programs.Run("""
        [NinoType] public sealed record Holder(DayOfWeek Day, Lib.Color Color, List<Lib.Color?> Colors, IReadOnlyDictionary<DayOfWeek, Lib.Outer.Inner> Map);
        """, """
        Holder copy = Copy(new Holder(DayOfWeek.Friday, Lib.Color.Red, [Lib.Color.Red, null, (Lib.Color)(-5)], new Dictionary<DayOfWeek, Lib.Outer.Inner> { [DayOfWeek.Monday] = Lib.Outer.Inner.Deep }));
        Equal((DayOfWeek.Friday, Lib.Color.Red, (Lib.Color)(-5), Lib.Outer.Inner.Deep), (copy.Day, copy.Color, copy.Colors[2], copy.Map[DayOfWeek.Monday]));
        """, "namespace Lib; public enum Color : short { Red = 3 } public class Outer { public enum Inner : long { Deep = 1L << 40 } }");

    [Fact]
    public void ItsNamesAreShownWithoutTheTypeAndANumberWithoutANameIsThatNumber() => Programs.Run("""
        public enum Side : byte { Buy = 1, Sell = 2 }
        [Flags] public enum Days { None = 0, Monday = 1, Tuesday = 2 }
        [NinoType] public sealed record Plan(Side Side, Days Days);
        """, """
        Equal("Sell; Monday, Tuesday", Shown(new Plan(Side.Sell, Days.Monday | Days.Tuesday)));
        Equal("9; None", Shown(new Plan((Side)9, Days.None)));
        Equal("0; 5", Shown(new Plan(0, (Days)5)));
        static string Shown(Plan plan)
        {
            Copy(plan);
            NinoValue value = NinoValue.Decode(NinoSerializer.SchemaOf<Plan>(), NinoSerializer.Serialize(plan));
            return $"{value["Side"]}; {value["Days"]}";
        }
        """);
}
