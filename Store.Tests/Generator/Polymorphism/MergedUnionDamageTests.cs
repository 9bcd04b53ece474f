// Damaged records of bases whose cases several assemblies know, none of them all: the codec is put together at run time (MergedUnion), so no assembly of the tests has one (FuzzedCodecsTests).

using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Fuzz;
using Xunit.Abstractions;

namespace Store.Tests.Generator.Polymorphism;

public sealed class MergedUnionDamageTests(ITestOutputHelper output)
{
    private static readonly (string, string, int)[] Libraries =
    [
        ("Base", """
            namespace Lib;
            [NinoType] public abstract class Animal { public int Id; }
            [NinoType] public class Dog : Animal { public string? Name; public Animal? Friend; }
            [NinoType(References = true)] public abstract class Node { public Node? Next; }
            [NinoType] public class End : Node;
            [NinoType(SkipUnknownCases = true)] public abstract class Mark { public int Id; }
            [NinoType] public class Own : Mark;
            [NinoType] public interface IShape;
            """, 0),
        ("P1", """
            namespace P1;
            [NinoType] public class A1 : Lib.Animal { public int One; }
            [NinoType(References = true)] public class N1 : Lib.Node { public Lib.Node? Other; public Thing? Thing; }
            [NinoType(References = true)] public class Thing { public int X; }
            [NinoType] public class M1 : Lib.Mark { public int One; }
            [NinoType] public struct S1 : Lib.IShape { public int One; }
            """, 1),
        ("P2", """
            namespace P2;
            [NinoType] public class A2 : Lib.Animal { public string? Two; public List<Lib.Animal?>? All; }
            [NinoType(References = true)] public class N2 : Lib.Node { public string? Two; }
            [NinoType] public class M2 : Lib.Mark { public string? Two; }
            [NinoType] public class C2 : Lib.IShape { public string? Two; }
            """, 1),
    ];

    // Each base alone, in a list and in an array.
    private const string Values = """
        new P1.A1(); new P2.A2();
        Dog dog = new() { Id = 3, Name = "d", Friend = new Dog() };
        Add<Animal>(new P1.A1 { Id = 1, One = 2 }); Add<Animal>(new P2.A2 { Two = "2", All = [dog, null] }); Add<Animal>(dog);
        Add(new List<Animal?> { new P2.A2 { Two = "2" }, null, dog, new P1.A1 { One = 1 } }); Add(new Animal?[] { new P1.A1(), null, new P2.A2() });
        P1.N1 node = new() { Thing = new P1.Thing { X = 4 } };
        node.Other = node;
        P2.N2 two = new() { Two = "t", Next = new End() };
        Add<Node>(node); Add<Node>(two); Add<Node>(new End { Next = new End() });
        Add(new List<Node?> { two, node, null, two, new End() }); Add(new Node?[] { node, null, node });
        Add<Mark>(new P1.M1 { One = 1 }); Add<Mark>(new P2.M2 { Two = "2" }); Add<Mark>(new Own { Id = 3 });
        Add(new List<Mark?> { new P2.M2 { Two = "2" }, null, new Own(), new P1.M1() }); Add(new Mark?[] { new P1.M1(), new P2.M2() });
        Add<IShape>(new P1.S1 { One = 1 }); Add<IShape>(new P2.C2 { Two = "2" });
        Add(new List<IShape?> { new P2.C2(), new P1.S1(), null }); Add(new IShape?[] { new P1.S1 { One = 5 } });
        void Add<T>(T value)
        {
            Copy(value);
            All.Values.Add((typeof(T), NinoSerializer.Serialize(value)));
        }
        """;

    [Fact]
    public void DamagedRecordsOfABaseWhoseCasesArePutTogetherAreRefusedOrAreWhatTheirBytesSay() => Programs.RunWith(
        Libraries,
        "using Lib; public static class All { public static List<(Type Type, byte[] Bytes)> Values = []; }",
        Values,
        then: program =>
        {
            var values = (List<(Type Type, byte[] Bytes)>)program.Assembly.GetType("All")!.GetField("Values")!.GetValue(null)!;
            int seed = Effort.DrawnSeed(quick: 20261130);
            var random = new Random(seed);
            Damage[] all = [.. values.Select(value => new Damage(value.Type, value.Bytes, seed))];
            Assert.Equal(4, all.Select(static one => one.Base).Distinct().Count());
            foreach (Damage one in all)
            {
                one.Whole();
                one.Cut();
                one.Flip();
                one.OtherTags();
                one.Mutate(all[random.Next(all.Length)].Bytes, random, Effort.Mutations(20_000) / all.Length);
            }

            long tried = all.Sum(static one => one.Tried), accepted = all.Sum(static one => one.Accepted);
            Effort.Tell(output, "mutated inputs", tried, $"SEED={seed}", $"of bases whose cases are put together, {accepted} of them other records");
            Assert.InRange(accepted, all.Length, tried - 1);
        });

    /// <summary>One record, and what becomes of it.</summary>
    private sealed class Damage(Type type, byte[] bytes, int seed)
    {
        private readonly FuzzTarget _target = (FuzzTarget)Activator.CreateInstance(typeof(FuzzTarget<>).MakeGenericType(type))!;

        public byte[] Bytes => bytes;

        public Type Base { get; } = type.GetElementType() ?? (type.IsGenericType ? type.GetGenericArguments()[0] : type);

        public long Tried { get; private set; }

        public long Accepted { get; private set; }

        private UnionDefinition Union => _target.Schema.Definitions.OfType<UnionDefinition>().First(union => union.Name == Base.FullName);

        public void Whole()
        {
            object codec = typeof(NinoCodec<>).MakeGenericType(Base).GetProperty("Default")!.GetValue(null)!;
            Assert.Equal(typeof(MergedUnion<>), codec.GetType().GetGenericArguments()[1].GetGenericTypeDefinition());
            Assert.True(Union.Cases.Count >= 2);
            Assert.True(Try(bytes, FuzzDepth.Everything));
        }

        public void Cut()
        {
            for (int length = 0; length < bytes.Length; length++) Assert.False(Try(bytes[..length], FuzzDepth.Everything), $"The first {length} bytes of {Convert.ToHexString(bytes)} are read as '{type}'");
            Assert.False(Try([.. bytes, 0], FuzzDepth.Everything));
        }

        public void Flip()
        {
            for (int bit = 0; bit < bytes.Length * 8; bit++)
            {
                byte[] flipped = [.. bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                Try(flipped, FuzzDepth.Everything);
            }
        }

        /// <summary>The tag of another case, of none, of null; no tag, and one twice.</summary>
        public void OtherTags()
        {
            byte[][] tags = [.. Union.Cases.Select(static one => BitConverter.GetBytes(one.Tag))];
            for (int at = 0; at + 4 <= bytes.Length; at++)
            {
                if (!tags.Any(tag => tag.AsSpan().SequenceEqual(bytes.AsSpan(at, 4)))) continue;
                byte[] tag = bytes[at..(at + 4)], before = bytes[..at], behind = bytes[(at + 4)..];
                foreach (byte[] other in (byte[][])[.. tags, [0, 0, 0, 0], [.. Enumerable.Reverse(tag)], [(byte)(tag[0] + 1), .. tag[1..]], [], [.. tag, .. tag], [.. tags[0], .. tag]]) Try([.. before, .. other, .. behind], FuzzDepth.Everything);
            }
        }

        public void Mutate(byte[] other, Random random, int count)
        {
            for (int i = 0; i < count; i++) Try(Mutation.Of(bytes, other, random), i % 8 == 0 ? FuzzDepth.Everything : FuzzDepth.Codec);
        }

        private bool Try(byte[] input, FuzzDepth depth)
        {
            Tried++;
            if (!SerializerFuzzTests.Run(_target, input, depth, seed)) return false;

            // Every value of these types has one encoding: what is written again is the input, or a case was put in the place of another.
            byte[] again = _target.WriteAgain(_target.Schema, input)!;
            Assert.Equal(Convert.ToHexString(Union.SkipsUnknown ? WithoutUnknown(input) : input), Convert.ToHexString(again));
            Accepted++;
            return true;
        }

        /// <summary>The record with null in the place of each case that is skipped.</summary>
        private byte[] WithoutUnknown(byte[] input)
        {
            HashSet<uint> known = [.. Union.Cases.Select(static one => one.Tag)];
            var reader = new NinoReader(input);
            if (type != Base) reader.ReadCompact();
            List<byte> kept = [.. input[..reader.Position]];
            while (reader.Remaining > 0)
            {
                int start = reader.Position;
                uint tag = NinoGenerated.ReadTag(ref reader);
                if (tag != 0) reader.TakeSpan((int)reader.ReadCompact());
                kept.AddRange(tag != 0 && !known.Contains(tag) ? new byte[4] : input[start..reader.Position]);
            }

            return [.. kept];
        }
    }
}
