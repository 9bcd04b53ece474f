using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Two new objects are looked at to know which members reading can fill, until a look comes to an end; nothing else of a type is made or set while its objects are written.</summary>
public sealed class NewObjectTests
{
    [Fact]
    public void NothingOfATypeRunsWhileItsObjectIsWrittenButGettersAndCallbacks() => Programs.Run("""
        [NinoType] public sealed class Loud
        {
            public static string Heard = "";
            private IList<int> _values = new List<int>();
            private Child _child = new();
            public Loud(int id) { Heard += "constructor "; Id = id; }
            public int Id { get; }
            public Child Child { get { Heard += "getter "; return _child; } set { Heard += "setter "; _child = value; } }
            public IList<int> Values => _values;
            [NinoOnSerializing] private void Before() => Heard += "before ";
            [NinoOnSerialized] private void After() => Heard += "after ";
            [NinoOnDeserializing] private void Made() => Heard += "made ";
            [NinoOnDeserialized] private void Read() => Heard += "read ";
            public Loud Freeze() { _values = Array.AsReadOnly([Id]); return this; }
        }
        [NinoType] public sealed class Child { private Child(int id) => Id = id; public Child() { } [NinoConstructor] public static Child Of(int id) { Loud.Heard += "factory "; return new(id); } public int Id { get; } }
        """, """
        Loud value = new(1);
        Copy(value);
        Loud.Heard = "";
        NinoSerializer.Serialize(value);
        Equal("before getter after ", Loud.Heard);
        value.Freeze();
        Loud.Heard = "";
        bool isRefused = false;
        try { NinoSerializer.Serialize(value); }
        catch (NinoSerializationException) { isRefused = true; }
        Equal((true, "before getter "), (isRefused, Loud.Heard));
        """);

    [Fact]
    public void TwoNewObjectsAreAllThatIsMadeHoweverAnObjectIsWritten() => Programs.Run("""
        [NinoType] public sealed class Counted
        {
            public static int Made, Called;
            private IList<int> _values = new List<int>();
            public Counted() => Made++;
            public int Id { get; set; }
            public IList<int> Values => _values;
            [NinoOnDeserialized] private void Read() => Called++;
            public Counted Freeze() { _values = new int[] { Id }; return this; }
        }
        [NinoType] public sealed class Checked
        {
            public static int Made, Set, Called;
            public Checked() => Made++;
            public int Id { get => field; set { Set++; field = value; } }
            public IList<int> Values { get; } = new List<int>();
            [NinoOnDeserializing] private void Begin() => Called++;
            [NinoOnDeserialized] private void Read() => Called++;
        }
        """, """
        Counted open = new() { Id = 1, Values = { 2 } }, closed = new Counted { Id = 3 }.Freeze();
        Checked own = new() { Id = 4, Values = { 5 } };
        (Counted.Made, Checked.Made, Checked.Set) = (0, 0, 0);
        for (int i = 0; i < 3; i++)
        {
            Write(open);
            Write(closed);
            Write(own);
        }

        Equal((2, 0), (Counted.Made, Counted.Called));
        Equal((2, 0, 0), (Checked.Made, Checked.Set, Checked.Called));
        Equal((1, 3, 5), (Copy(open).Values.Count, Copy(closed).Values[0], Copy(own).Values[0]));
        static void Write<T>(T value)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            Equal(bytes.Length, NinoSerializer.GetSize(value));
            Equal(true, NinoSerializer.TrySerialize(value, new byte[bytes.Length], out int written));
            var output = new System.Buffers.ArrayBufferWriter<byte>();
            NinoSerializer.Serialize(output, value);
            Equal((bytes.Length, bytes.Length), (written, output.WrittenCount));
        }
        """);

    [Fact]
    public void WhileNoNewObjectCanBeLookedAtWhatCannotBeChangedIsRefusedAndAllElseIsWritten() => Programs.Run("""
        [NinoType] public sealed class Moody
        {
            public static Exception? Thrown;
            public static int Made;
            private IList<int> _values;
            public Moody() { Made++; if (Thrown is not null) throw Thrown; _values = new List<int>(); }
            public IList<int> Values => _values;
            public Moody Freeze(int value) { _values = Array.AsReadOnly([value]); return this; }
        }
        """, """
        Moody open = new() { Values = { 3 } }, closed = new Moody().Freeze(4);
        foreach (Exception thrown in new Exception[] { new System.IO.IOException("no disk"), new OperationCanceledException(), new MissingMethodException(), new TypeInitializationException("T", null), new BadImageFormatException() })
        {
            Moody.Thrown = thrown;
            byte[] bytes = NinoSerializer.Serialize(open);
            for (int i = 0; i < 9; i++)
            {
                // Each asks anew.
                Moody.Made = 0;
                Equal(true, IsRefused(closed, thrown));
                Equal(true, Moody.Made > 0);
            }

            Moody.Thrown = null;
            Equal(3, NinoSerializer.Deserialize<Moody>(bytes).Values[0]);
        }

        Equal(4, Copy(closed).Values[0]);
        static bool IsRefused(Moody value, Exception thrown)
        {
            try { NinoSerializer.Serialize(value); return false; }
            catch (NinoSerializationException error)
            {
                return error.MemberPath == "Moody.Values" && error.Message.Contains("its elements are in a 'System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]', which cannot be changed.")
                    && error.Message.Contains("making one failed with " + thrown.GetType().Name + ": " + thrown.Message) && ReferenceEquals(thrown, error.InnerException!.InnerException);
            }
        }
        """);

    [Fact]
    public void AConstructorThatFailsOnceAtTheFirstLookLeavesTheTypeAsItIs() => Programs.Run("""
        [NinoType] public sealed class Shallow
        {
            public static Exception? Thrown;
            public Shallow() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = new List<int>();
        }
        [NinoType] public sealed class Interrupted
        {
            public static Exception? Thrown;
            public Interrupted() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = new List<int>();
        }
        [NinoType] public sealed class Closed
        {
            public static Exception? Thrown;
            public Closed() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = new int[1];
        }
        [NinoType] public sealed class Fixed
        {
            public static Exception? Thrown;
            public static bool IsOpen = true;
            public Fixed() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = IsOpen ? new List<int>() : new int[1];
        }
        """, """
        Shallow shallow = new() { Values = { 4 } };
        Shallow.Thrown = new InsufficientExecutionStackException();
        Equal(true, Fails<InsufficientExecutionStackException>(() => NinoSerializer.Serialize(shallow)));
        Equal(4, Copy(shallow).Values[0]);
        Interrupted interrupted = new() { Values = { 5 } };
        Interrupted.Thrown = new System.Threading.ThreadInterruptedException();
        Equal(true, Fails<System.Threading.ThreadInterruptedException>(() => NinoSerializer.Serialize(interrupted)));
        Equal(5, Copy(interrupted).Values[0]);
        Fixed open = new() { Values = { 6 } };
        Fixed.IsOpen = false;
        Fixed.Thrown = new System.IO.IOException("no disk");
        NinoSerializer.Serialize(open);
        Equal(true, Fails<NinoSerializationException>(() => NinoSerializer.Serialize(open)));
        Closed closed = new();
        Closed.Thrown = new System.IO.IOException("no disk");
        Equal(true, Fails<NinoSerializationException>(() => NinoSerializer.Serialize(closed)));
        Equal(true, Fails<NinoSerializationException>(() => NinoSerializer.Serialize(closed)));
        static bool Fails<T>(Action write) where T : Exception
        {
            try { write(); return false; }
            catch (T) { return true; }
        }
        """);

    [Fact]
    public void AConstructorThatWritesAnObjectOfItsOwnTypeIsLookedAtOnce() => Programs.Run("""
        [NinoType] public sealed class Template
        {
            public static Template? Shared;
            public static int Made;
            public Template() { if (++Made > 100) throw new InvalidOperationException("made again and again"); if (Shared is not null) NinoSerializer.Serialize(Shared); }
            public IList<int> Values { get; } = new List<int>();
        }
        """, """
        Template.Shared = new Template { Values = { 4 } };
        Equal(4, Copy(Template.Shared).Values[0]);
        Equal(4, Template.Made);
        """);
}
