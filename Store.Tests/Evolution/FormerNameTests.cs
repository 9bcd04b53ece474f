using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

#pragma warning disable CA1814 // Grids are what is tested.
using static Store.Tests.Evolution.FormerNameTests;

[assembly: NinoSerializable(typeof(Was.Removed<Was.Invoice>)), NinoSerializable(typeof(Was.Deleted<Was.Invoice>)), NinoSerializable(typeof(Now.Deleted<Now.Bill>))]
[assembly: NinoSerializable(typeof(Was.Removed<Was.Color>)), NinoSerializable(typeof(Now.Deleted<Now.Colour>)), NinoSerializable(typeof(Was.Color)), NinoSerializable(typeof(Now.Colour))]
[assembly: NinoSerializable(typeof(Was.Removed<List<Was.Invoice>[]>)), NinoSerializable(typeof(Now.Deleted<List<Now.Bill>[]>))]
[assembly: NinoSerializable(typeof((Was.Invoice, int))), NinoSerializable(typeof((Now.Bill, int)))]
[assembly: NinoSerializable(typeof(Was.Invoice[,])), NinoSerializable(typeof(Now.Bill[,])), NinoSerializable(typeof(Lazy<Was.Invoice>)), NinoSerializable(typeof(Lazy<Now.Bill>))]
[assembly: NinoSerializable(typeof(PriorityQueue<Was.Invoice, int>)), NinoSerializable(typeof(PriorityQueue<Now.Bill, int>))]
[assembly: NinoSerializable(typeof(Was.Outer<Was.Invoice>.Inner)), NinoSerializable(typeof(Now.Outer<Now.Bill>.Inside)), NinoSerializable(typeof(Now.Lifted<Now.Bill>)), NinoSerializable(typeof(Was.Lone<Was.Invoice>)), NinoSerializable(typeof(Now.Outer<Now.Bill>.Lowered))]
[assembly: NinoSerializable(typeof(Now.Much<Now.Twice, Now.Twice, Now.Twice, Now.Twice>))]

namespace Store.Tests.Evolution;

/// <summary>Bases, unions and generic types under other names: their records, snapshots and states go on.</summary>
public class FormerNameTests
{
    [Fact]
    public void RecordsOfABaseThatWasRenamedAreRead()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append<Was.Happening>(new Was.Opened(1));
        store.Append<Was.Happening>(new Was.Closed("late"));
        Assert.Equal<Now.Incident>([new Now.Opened(1), new Now.Closed("late")], store.Read<Now.Incident>().Select(static record => record.Value));
        Assert.All(store.ReadRecords(1), static record => Assert.True(record.Is<Now.Incident>()));
        Assert.Equal([1, 2], store.Read<Now.Incident>().Select(static record => record.Sequence));
    }

    [Fact]
    public void RecordsOfAClassThatWasRenamedAndHasDerivedTypesNowAreRead()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(new Was.Animal("Rex"));
        Assert.Equal(new Now.Creature("Rex"), Assert.Single(store.Read<Now.Creature>()).Value);
    }

    [Fact]
    public async Task AStateThatIsARenamedBaseAndItsRenamedEventsGoOn()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            await store.CheckpointAsync<Was.Happening>(new Was.Opened(5));
            store.Append<Was.Happening>(new Was.Opened(2));
        }

        await using NinoStore again = Simulated.Open(directory, 2);
        Assert.Equal(new Now.Opened(5), again.OpenSnapshot<Now.Incident>()!.Read<Now.Incident>());
        await using StateStore<Now.Total> total = await again.OpenStateAsync<Now.Total>(static on => on.On<Now.Incident>(static (state, one) => state.Sum += ((Now.Opened)one).Id));
        Assert.Equal(2, total.Read(static state => state.Sum));
    }

    [Fact]
    public void TheSchemaFileFollowsABaseUnderItsFormerName()
    {
        string committed = NinoSchemaFile.Describe("Shop", [NinoSerializer.SchemaOf<Was.Happening>()]);
        NinoSchemaChanges changes = NinoSchemaFile.Compare(committed, "Shop", [NinoSerializer.SchemaOf<Now.Incident>()]);
        Assert.Empty(changes.Breaking);
    }

    [Fact]
    public void RecordsWhoseNameHoldsARenamedTypeAreFound()
    {
        var was = new Was.Invoice(7);
        var now = new Now.Bill(7);
        Assert.Equal(new Now.Deleted<Now.Bill>(now, 1), Moved<Was.Removed<Was.Invoice>, Now.Deleted<Now.Bill>>(new(was, 1)));
        Assert.Equal(new Now.Deleted<Now.Bill>(now, 1), Moved<Was.Deleted<Was.Invoice>, Now.Deleted<Now.Bill>>(new(was, 1)));
        Assert.Equal(new Now.Deleted<Now.Colour>(Now.Colour.Blue, 1), Moved<Was.Removed<Was.Color>, Now.Deleted<Now.Colour>>(new(Was.Color.Blue, 1)));
        Assert.Equal(new Now.Deleted<List<Now.Bill>[]>([[now]], 1).What[0], Moved<Was.Removed<List<Was.Invoice>[]>, Now.Deleted<List<Now.Bill>[]>>(new([[was]], 1)).What[0]);
        Assert.Equal((now, 3), Moved<(Was.Invoice, int), (Now.Bill, int)>((was, 3)));
        Assert.Equal([(now, 3)], Moved<List<(Was.Invoice, int)>, List<(Now.Bill, int)>>([(was, 3)]));
        Assert.Equal([Now.Colour.Blue], Moved<List<Was.Color>, List<Now.Colour>>([Was.Color.Blue]));
        Assert.Equal(now, Moved<Was.Invoice[,], Now.Bill[,]>(new[,] { { was } })[0, 0]);
        Assert.Equal(now, Moved<Lazy<Was.Invoice>, Lazy<Now.Bill>>(new(was)).Value);
        Assert.Equal(now, Moved<PriorityQueue<Was.Invoice, int>, PriorityQueue<Now.Bill, int>>(new([(was, 1)])).Dequeue());
        Assert.Equal(new Now.Outer<Now.Bill>.Inside(now), Moved<Was.Outer<Was.Invoice>.Inner, Now.Outer<Now.Bill>.Inside>(new(was)));
    }

    [Fact]
    public void AGenericTypeIsFoundThatWasNestedInAnotherPlace()
    {
        Assert.Equal(new Now.Lifted<Now.Bill>(new(7)), Moved<Was.Outer<Was.Invoice>.Inner, Now.Lifted<Now.Bill>>(new(new(7))));
        Assert.Equal(new Now.Outer<Now.Bill>.Lowered(new(7)), Moved<Was.Lone<Was.Invoice>, Now.Outer<Now.Bill>.Lowered>(new(new(7))));
    }

    [Fact]
    public void AGridOfARenamedTypeIsTheSameMember() =>
        Assert.Equal(new Now.Bill(7), NinoCodec<Now.Table>.Default.Decode(NinoSerializer.Serialize(new Was.Table(new[,] { { new Was.Invoice(7) } })), NinoSerializer.SchemaOf<Was.Table>()).Cells[0, 0]);

    [Fact]
    public void TheNamesOfAGenericTypeAreSoManyAndNoMore()
    {
        string name = typeof(Now.Much<,,,>).FullName!.Replace("`4", "");
        IReadOnlyList<string> names = NinoSerializer.SchemaOf<Now.Much<Now.Twice, Now.Twice, Now.Twice, Now.Twice>>().Names;
        Assert.Equal(65, names.Count);
        Assert.Equal(65, names.Distinct().Count());
        Assert.All(names, one => Assert.StartsWith(name + "<", one, StringComparison.Ordinal));
    }

    private static TNow Moved<TWas, TNow>(TWas value)
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(value);
        return Assert.Single(store.Read<TNow>()).Value;
    }

    [Fact]
    public void RecordsOfAnFSharpUnionThatWasRenamedAreFound()
    {
        NinoSchema now = NinoSerializer.SchemaOf<Shop.FSharp.V2.Kind>();
        Assert.True(now.IsNamed(NinoSerializer.SchemaOf<Shop.FSharp.V1.Kind>().Name));
    }

    public static class Was
    {
        [NinoType]
        public abstract record Happening;

        [NinoType]
        public sealed record Opened(int Id) : Happening;

        [NinoType]
        public sealed record Closed(string Why) : Happening;

        [NinoType]
        public sealed record Animal(string Name);

        [NinoType]
        public sealed record Invoice(int Id);

        public enum Color
        {
            Red,
            Blue,
        }

        [NinoType]
        public sealed record Removed<T>(T What, int Times);

        [NinoType(Name = "Store.Tests.Evolution.FormerNameTests+Now+Deleted")]
        public sealed record Deleted<T>(T What, int Times);

        [NinoType]
        public sealed record Table(Invoice[,] Cells);

        [NinoType]
        public sealed record Lone<T>(T What);

        public static class Outer<T>
        {
            [NinoType]
            public sealed record Inner(T What);
        }
    }

    public static class Now
    {
        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Happening")]
        public abstract record Incident;

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Opened")]
        public sealed record Opened(int Id) : Incident;

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Closed")]
        public sealed record Closed(string Why) : Incident;

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Animal")]
        public record Creature(string Name);

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Invoice")]
        public sealed record Bill(int Id);

        [NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Color")]
        public enum Colour
        {
            Red,
            Blue,
        }

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Removed")]
        public sealed record Deleted<T>(T What, int Times);

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Table")]
        public sealed record Table(Bill[,] Cells);

        public static class Outer<T>
        {
            [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Outer+Inner")]
            public sealed record Inside(T What);

            [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Lone")]
            public sealed record Lowered(T What);
        }

        [NinoType, NinoFormerName("Store.Tests.Evolution.FormerNameTests+Was+Outer+Inner")]
        public sealed record Lifted<T>(T What);

        [NinoType, NinoFormerName("Was.A"), NinoFormerName("Was.B"), NinoFormerName("Was.C")]
        public sealed record Twice(int Id);

        [NinoType]
        public sealed record Much<T1, T2, T3, T4>(T1 First, T2 Second, T3 Third, T4 Fourth);

        [NinoType]
        public sealed record Dog(string Name, int Bones) : Creature(Name);

        [NinoType]
        public sealed class Total
        {
            public int Sum { get; set; }
        }
    }
}
