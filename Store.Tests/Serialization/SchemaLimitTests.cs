using System.Text;
using Store.Serialization;
using Store.Tests.Generator;

namespace Store.Tests.Serialization;

/// <summary>Schemas that nest, grow or name themselves without end are refused before they cost memory or stack.</summary>
public sealed class SchemaLimitTests
{
    [Fact]
    public void ARootWhoseNameWouldBeThousandsOfTimesItsBytesIsRefusedBeforeTheNameIsMade()
    {
        // A tree of maps over one struct with the longest name: three bytes a leaf, and 4,096 characters of the root's name.
        byte[] name = Encoding.UTF8.GetBytes(new string('n', 4096));
        List<byte> bytes = [1, 1, (byte)SchemaKind.Object, 0xFD, 0x00, 0x10, .. name, 0, 0];
        Tree(2_000);
        byte[] schema = [.. bytes];
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(schema));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Contains("has a name of up to", Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(schema)).Message, StringComparison.Ordinal);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 512 * schema.Length);

        void Tree(int leaves)
        {
            bytes.Add((byte)(leaves == 1 ? SchemaKind.Object : SchemaKind.Map));
            if (leaves == 1)
            {
                bytes.Add(0);
                return;
            }

            Tree(leaves / 2);
            Tree(leaves - (leaves / 2));
        }
    }

    [Fact]
    public void ASchemaThatNestsWithoutEndIsRefused()
    {
        byte[] lists = [1, 0, .. Enumerable.Repeat((byte)SchemaKind.List, 100_000), (byte)SchemaKind.Int32];
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(lists));
    }

    [Fact]
    public void CollectionsNestedDeeperThanASchemaMayAreRefusedWhereOneIsNeeded()
    {
        string deepest = string.Concat(Enumerable.Repeat("[]", 32));
        Programs.Run($$"""[NinoType] public sealed class Deep { public int{{deepest}}? Arrays; } [NinoType] public sealed class Deeper { public int{{deepest}}[]? Arrays; }""", """
            Copy(new Deep());
            try { NinoSerializer.Serialize(new Deeper(), NinoHeader.Fingerprint); }
            catch (ArgumentException error) when (error.Message.Contains("nests collections deeper than 32")) { return; }
            throw new InvalidOperationException("It was written.");
            """);
    }

    [Fact]
    public void AStructThatWouldTakeGigabytesIsRefused()
    {
        // Each of the structs has two of the next one.
        const int Types = 40;
        List<byte> bytes = [1, Types];
        for (byte i = 0; i < Types; i++)
        {
            byte[] node = i == Types - 1 ? [(byte)SchemaKind.Int64] : [(byte)SchemaKind.Object, (byte)(i + 1)];
            bytes.AddRange([(byte)SchemaKind.Object, 1, (byte)('0' + i), 0, 2, 1, (byte)'A', 0, .. node, 1, (byte)'B', 0, .. node]);
        }

        bytes.AddRange([(byte)SchemaKind.Object, 0]);
        Assert.Contains("takes more than 1073741824 bytes", Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse([.. bytes])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AVeryLongChainOfTypesIsReadWithoutHarmToTheStack()
    {
        const int Types = 20_000;
        List<byte> bytes = [1];
        Compact(bytes, Types);
        for (int i = 0; i < Types; i++)
        {
            string name = i.ToString();
            bytes.AddRange([0x60, (byte)name.Length, .. Encoding.ASCII.GetBytes(name), 1, 1, 1, (byte)'F', 0]);
            if (i == Types - 1)
            {
                bytes.Add((byte)SchemaKind.Byte);
                continue;
            }

            bytes.Add((byte)SchemaKind.Object);
            Compact(bytes, i + 1);
        }

        bytes.AddRange([(byte)SchemaKind.Object, 0]);
        NinoSchema schema = NinoSchema.Parse(bytes.ToArray());
        Assert.Equal(Types, schema.Definitions.Count);

        // Records of it nest as deep: refused before the stack ends, however small it is.
        Assert.IsType<NinoSerializationException>(OwnStack.Run(256 << 10, () =>
        {
            var reader = new NinoReader(Enumerable.Repeat((byte)1, Types).ToArray());
            RecordWalker.SkipRecord(ref reader, schema.Root);
        }));

        static void Compact(List<byte> bytes, int value)
        {
            if (value < 253) bytes.Add((byte)value);
            else bytes.AddRange([253, (byte)value, (byte)(value >> 8)]);
        }
    }
}
