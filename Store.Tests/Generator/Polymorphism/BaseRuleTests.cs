namespace Store.Tests.Generator.Polymorphism;

/// <summary>Which types are cases of a base without being named there, and which are not.</summary>
public class BaseRuleTests
{
    [Fact]
    public void WhatStandsBetweenABaseAndItsCasesNeedsNoMarkAndIsNoCase() => Programs.Run("""
        [NinoType] public abstract class Event { public int At { get; set; } }
        public abstract class OfOrder : Event { public string? Order { get; set; } }
        public class Shipped : OfOrder { public int Parcels { get; set; } }
        [NinoType] public sealed class Delivered : Shipped { public string? To { get; set; } }
        [NinoType] public sealed class Journal { public List<Event>? Events { get; set; } }
        """, """
        var copy = (Delivered)Copy(new Journal { Events = [new Delivered { At = 1, Order = "o", Parcels = 2, To = "t" }] }).Events![0];
        Equal((1, "o", 2, "t"), (copy.At, copy.Order, copy.Parcels, copy.To));
        Refused(() => NinoSerializer.Serialize(new Journal { Events = [new Shipped()] }), "member Events[0]", "'Shipped'", "Put [NinoType] on it");
        """);

    [Fact]
    public void AnOpenBaseIsACaseOfItselfAndOneThatNamesItsCasesWhereItNamesItself() => Programs.Run("""
        [NinoType] public class Cart { public int Wheels { get; set; } }
        [NinoType] public sealed class Wagon : Cart;
        [NinoType, NinoUnion(0, typeof(Boat)), NinoUnion(1, typeof(Yacht))] public class Boat { public int Masts { get; set; } }
        [NinoType] public sealed class Yacht : Boat;
        [NinoType, NinoUnion(1, typeof(Saloon))] public class Car { public int Doors { get; set; } }
        [NinoType] public sealed class Saloon : Car;
        [NinoType] public sealed class Garage { public Cart? Cart { get; set; } public Boat? Boat { get; set; } public Car? Car { get; set; } }
        """, """
        Garage copy = Copy(new Garage { Cart = new Cart { Wheels = 2 }, Boat = new Boat { Masts = 3 }, Car = new Saloon { Doors = 4 } });
        Equal((typeof(Cart), 2, typeof(Boat), 3, typeof(Saloon), 4), (copy.Cart!.GetType(), copy.Cart.Wheels, copy.Boat!.GetType(), copy.Boat.Masts, copy.Car!.GetType(), copy.Car.Doors));
        Refused(() => NinoSerializer.Serialize(new Garage { Car = new Car() }), "member Car", "add [NinoUnion(..., typeof(Car))] to it");
        """);

    [Fact]
    public void ATypeOfTheProgramIsACaseOfALibrarysBaseInWhatTheProgramDeclares() => Programs.Run("""
        [NinoType] public sealed class Stopped : Lib.Event { public int At { get; set; } }
        [NinoType] public sealed class Journal { public List<Lib.Event>? Events { get; set; } }
        """, """
        Journal copy = Copy(new Journal { Events = [new Lib.Started { Id = 1 }, new Stopped { Id = 2, At = 3 }] });
        Equal((1, 2, 3), (((Lib.Started)copy.Events![0]).Id, copy.Events[1].Id, ((Stopped)copy.Events[1]).At));
        Refused(() => NinoSerializer.Serialize(new Lib.Log { Last = new Stopped() }), "member Last", "It has [NinoType]", "declare the member, or the type, so that it has");
        """, """
        namespace Lib;
        [NinoType] public abstract class Event { public int Id { get; set; } }
        [NinoType] public sealed class Started : Event;
        [NinoType] public sealed class Log { public Event? Last { get; set; } }
        """);

    /// <summary>In a collection and as a value; a key is never null.</summary>
    [Fact]
    public void AnUnknownCaseThatIsSkippedIsNullInItsPlaceAndNothingBesideItIsLost() => Programs.Run("""
        [NinoType(SkipUnknownCases = true)] public abstract record Message(int Id);
        [NinoType] public sealed record Chat(int Id, string Text) : Message(Id);
        [NinoType] public sealed record Ping(int Id) : Message(Id);
        [NinoType] public sealed record Box(List<Message?> All, Dictionary<int, Message?> ById, int Behind);
        [NinoType] public sealed record Keyed(Dictionary<Message, int> Counts, int Behind);
        """, """
        Box copy = NinoSerializer.Deserialize<Box>(WithoutChat(new Box([new Ping(1), new Chat(2, "t"), null], new() { [5] = new Chat(3, "u"), [6] = new Ping(4) }, 7)));
        Equal((1, null, null, 3, null, 4, 7), (copy.All[0]!.Id, copy.All[1], copy.All[2], copy.All.Count, copy.ById[5], copy.ById[6]!.Id, copy.Behind));
        Equal(8, Copy(new Keyed(new() { [new Ping(1)] = 2, [new Chat(2, "t")] = 3 }, 8)).Behind);
        Refused(() => NinoSerializer.Deserialize<Keyed>(WithoutChat(new Keyed(new() { [new Ping(1)] = 2, [new Chat(2, "t")] = 3 }, 8))), "member Counts[1]");

        // What a program reads that does not know Chat: no case has its tag.
        static byte[] WithoutChat<T>(T value)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            Span<byte> tag = BitConverter.GetBytes(UnionDefinition.HashOf("Chat"));
            for (int at = bytes.AsSpan().IndexOf(tag); at >= 0; at = bytes.AsSpan().IndexOf(tag)) bytes[at] ^= 1;
            return bytes;
        }
        """);
}
