using Store.Serialization;
using Store.Tests.Types;

[assembly: NinoSerializable(typeof(Party<Guest>))]
[assembly: NinoSerializable(typeof(Party<Called>))]
[assembly: NinoSerializable(typeof(Party<Plate>))]
[assembly: NinoSerializable(typeof(Party<Written>))]
[assembly: NinoSerializable(typeof(Party<Numbered>))]
[assembly: NinoSerializable(typeof(Party<Animal>))]
[assembly: NinoSerializable(typeof(Party<object>))]

namespace Store.Tests.Types;

/// <summary>A list that code of its own elements changes while it is written, be it a getter or a callback, and that is shorter or longer then, is refused: what would be stored is what lies behind its end.</summary>
public sealed class ChangedByElementsTests
{
    public static TheoryData<string> Changes => ["Clear", "RemoveLast", "RemoveFirst", "Add", "Insert"];

    [Theory]
    [MemberData(nameof(Changes))]
    public void AListThatCodeOfItsElementsChangesWhileItIsWrittenIsRefused(string change)
    {
        Check(change, static i => new Guest(i, "guest"));
        Check(change, static i => new Called { Id = i });
        Check(change, static i => new Plate(i, 5));
        Check(change, static i => new Written(i, "written"));
        Check(change, static i => new Numbered(i, 5));
        Check<Animal>(change, static i => i % 2 == 0 ? new Dog(i, "dog") : new Cat(i, 9));
        Check<object>(change, static i => new Guest(i, "guest"));
    }

    [Fact]
    public void ListsThatNobodyChangesAreWrittenAsEver()
    {
        var party = new Party<Guest?> { List = [new(1, "a"), null, new(3, null)], Interface = new List<Guest?> { new(4, "d") } };
        Party<Guest?> read = NinoSerializer.Deserialize<Party<Guest?>>(NinoSerializer.Serialize(party));
        Assert.Equal([1, null, 3], read.List!.Select(static guest => guest?.Id));
        Assert.Equal(4, Assert.Single(read.Interface!)!.Id);
    }

    /// <summary>Whether there is any, a list or array says in front of its elements.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ANullThatComesOrGoesMeanwhileIsRefused(bool comes)
    {
        var list = new List<Guest?> { new(1, "a"), comes ? new Guest(2, "b") : null };
        Refused(new Party<Guest?> { List = list }, () => list[1] = comes ? null : new Guest(2, "b"));
        Guest?[] array = [new(1, "a"), comes ? new Guest(2, "b") : null];
        Refused(new Party<Guest?> { Interface = array }, () => array[1] = comes ? null : new Guest(2, "b"));

        static void Refused(Party<Guest?> party, Action exchange)
        {
            Touched.Now = id =>
            {
                if (id == 1) exchange();
            };
            Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(party));
            Touched.Now = null;
        }
    }

    /// <summary>What a getter fails at is told as it is.</summary>
    [Fact]
    public void AGetterThatFailsIsNotTakenForAChange()
    {
        Touched.Now = static _ => throw new NullReferenceException("of the getter");
        Assert.Equal("of the getter", Assert.Throws<NullReferenceException>(static () => NinoSerializer.Serialize(new Party<Guest?> { List = [new(1, "a")] })).Message);
        Touched.Now = null;
    }

    private static void Check<T>(string change, Func<int, T> make)
    {
        foreach (bool isInterface in new[] { false, true })
        {
            // The last one is written when the list is changed: nothing is lost then, and it is refused all the same, as a loop over it would be.
            for (int at = 1; at <= 5; at++)
            {
                List<T> list = [.. Enumerable.Range(1, 5).Select(make)];
                Party<T> party = isInterface ? new Party<T> { Interface = list } : new Party<T> { List = list };
                foreach (Action write in new Action[] { () => NinoSerializer.Serialize(party), () => NinoSerializer.GetSize(party), () => NinoSerializer.Clone(party) })
                {
                    list.Clear();
                    list.AddRange(Enumerable.Range(1, 5).Select(make));
                    Touched.Now = id =>
                    {
                        if (id != at) return;
                        Touched.Now = null;
                        Change(change, list, make(99));
                    };
                    Assert.Throws<InvalidOperationException>(write);
                    Assert.Null(Touched.Now);
                }
            }
        }
    }

    private static void Change<T>(string change, List<T> list, T another)
    {
        switch (change)
        {
            case "Clear":
                list.Clear();
                break;
            case "RemoveLast":
                list.RemoveAt(list.Count - 1);
                break;
            case "RemoveFirst":
                list.RemoveAt(0);
                break;
            case "Add":
                list.Add(another);
                break;
            default:
                list.Insert(0, another);
                break;
        }
    }
}

internal static class Touched
{
    [ThreadStatic]
    private static Action<int>? t_now;

    /// <summary>What happens when an element is asked for its number.</summary>
    public static Action<int>? Now { get => t_now; set => t_now = value; }

    public static int By(int id)
    {
        t_now?.Invoke(id);
        return id;
    }
}

[NinoType]
public sealed class Party<T>
{
    public List<T>? List { get; set; }

    public IReadOnlyList<T>? Interface { get; set; }
}

[NinoType]
public sealed class Guest(int id, string? name)
{
    public int Id => Touched.By(id);

    public string? Name { get; } = name;
}

[NinoType]
public sealed class Called
{
    public int Id { get; set; }

    [NinoOnSerialized]
    private void After() => Touched.By(Id);
}

[NinoType]
public sealed class Plate(int id, long weight)
{
    public int Id => Touched.By(id);

    public long Weight { get; } = weight;
}

[NinoType]
public readonly struct Written(int id, string? name)
{
    public int Id => Touched.By(id);

    public string? Name { get; } = name;
}

[NinoType]
public readonly struct Numbered(int id, long weight)
{
    public int Id => Touched.By(id);

    public long Weight { get; } = weight;
}

[NinoType]
public abstract class Animal(int id)
{
    public int Id => Touched.By(id);
}

[NinoType]
public sealed class Dog(int id, string? name) : Animal(id)
{
    public string? Name { get; } = name;
}

[NinoType]
public sealed class Cat(int id, int lives) : Animal(id)
{
    public int Lives { get; } = lives;
}
