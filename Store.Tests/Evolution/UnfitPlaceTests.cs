using System.Buffers;
using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Evolution;

/// <summary>One value that does not fit, at a random place among many of a random shape: its path and its offset are told, exactly.</summary>
public sealed class UnfitPlaceTests(ITestOutputHelper output)
{
    private const int Seed = 20261126;

    [Fact]
    public void TheOneValueThatDoesNotFitIsNamedWhereverItIs()
    {
        output.WriteLine($"seed {Seed}");
        int tried = 0;
        for (int seed = Seed; tried < 4000; seed++)
        {
            var random = new Random(seed);
            var made = new Maker(random);
            Part root = made.Object(depth: 4, isReference: true, isRoot: true);
            var bytes = new RecordBytes();
            root.Body!(bytes, "");
            if (made.Narrowed.Count == 0) continue;

            NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(root.Stored), NinoSchema.Create(root.Own));
            mapper.Map(bytes.ToArray(), new ArrayBufferWriter<byte>());
            (string path, int offset) = made.Narrowed[random.Next(made.Narrowed.Count)];
            byte[] record = bytes.ToArray();
            BitConverter.TryWriteBytes(record.AsSpan(offset), 70_000);

            var error = Assert.Throws<NinoSerializationException>(() => mapper.Map(record, new ArrayBufferWriter<byte>()));
            Assert.True((path, offset) == (error.MemberPath, error.ByteOffset), $"seed {seed}: {path} at {offset} was told as {error.Message}");
            Assert.Contains("70000", error.Message, StringComparison.Ordinal);
            tried++;
        }
    }

    /// <summary>One value of both schemas, and how a record of the stored one is written.</summary>
    private sealed record Part(SchemaNode Stored, SchemaNode Own, Action<RecordBytes, string> Write, Action<RecordBytes, string>? Body = null);

    private sealed class Maker(Random random)
    {
        private static readonly SchemaKind[] Narrower = [SchemaKind.SByte, SchemaKind.Byte, SchemaKind.Int16, SchemaKind.UInt16];
        private int _names;

        /// <summary>The numbers that may be too large for what they are now: path and offset of each.</summary>
        public List<(string Path, int Offset)> Narrowed { get; } = [];

        public Part Object(int depth, bool isReference, bool isRoot = false)
        {
            Part[] parts = [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => Any(depth - 1))];
            var stored = new List<(string, SchemaNode)>();
            var own = new List<(string, SchemaNode)>();
            for (int i = 0; i < parts.Length; i++)
            {
                stored.Add(($"F{i}", parts[i].Stored));
                bool isWrapped = parts[i].Own.Kind is < SchemaKind.String && random.Next(8) == 0;
                own.Add(($"F{i}", isWrapped ? SchemaNode.List(parts[i].Own) : parts[i].Own));
            }

            if (random.Next(3) == 0) own.Insert(random.Next(own.Count + 1), ("Added", SchemaNode.Primitive(random.Next(2) == 0 ? SchemaKind.Int64 : SchemaKind.String)));
            (string, SchemaNode)[] order = [.. own];
            if (random.Next(2) == 0) random.Shuffle(order);
            string name = $"T{_names++}";
            SchemaNode from = isReference ? Shapes.Class(name, [.. stored]) : Shapes.Struct(name, [.. stored]), to = isReference ? Shapes.Class(name, order) : Shapes.Struct(name, order);
            return new Part(from, to, (bytes, path) =>
            {
                if (isReference) bytes.Raw(1);
                Body(bytes, path);
            }, Body);

            void Body(RecordBytes bytes, string path)
            {
                for (int i = 0; i < parts.Length; i++) parts[i].Write(bytes, path.Length == 0 ? $"F{i}" : $"{path}.F{i}");
            }
        }

        private Part Any(int depth) => random.Next(depth <= 0 ? 5 : 9) switch
        {
            0 or 1 => Number(SchemaNode.Primitive(SchemaKind.Int32), SchemaNode.Primitive(Narrower[random.Next(4)])),
            2 => Number(Shapes.Enum($"E{_names}", SchemaKind.Int32, false, []), Shapes.Enum($"E{_names++}", Narrower[random.Next(4)], false, [])),
            3 => random.Next(2) == 0 ? new(SchemaNode.Primitive(SchemaKind.Int64), SchemaNode.Primitive(SchemaKind.Int64), static (bytes, _) => bytes.Int64(5)) : Maybe(),
            4 => new(SchemaNode.Primitive(SchemaKind.String), SchemaNode.Primitive(SchemaKind.String), (bytes, _) => bytes.Text(new string('x', random.Next(5)))),
            5 or 6 => List(Any(depth - 1)),
            7 => Map(Any(depth - 1)),
            _ => Object(depth, random.Next(2) == 0),
        };

        private Part Number(SchemaNode stored, SchemaNode own) => new(stored, own, (bytes, path) =>
        {
            Narrowed.Add((path, bytes.Length));
            bytes.Int32(random.Next(100));
        });

        private Part Maybe()
        {
            Part number = Number(SchemaNode.Primitive(SchemaKind.Int32), SchemaNode.Primitive(Narrower[random.Next(4)]));
            return new(SchemaNode.Nullable(number.Stored), random.Next(2) == 0 ? number.Own : SchemaNode.Nullable(number.Own), (bytes, path) =>
            {
                bytes.Raw(1);
                number.Write(bytes, path);
            });
        }

        private Part List(Part element) => new(SchemaNode.List(element.Stored), SchemaNode.List(element.Own), (bytes, path) =>
        {
            int count = random.Next(4);
            bool isBare = element.Stored.HasPresenceByte;
            if (isBare) bytes.ObjectCount(count, hasNulls: false);
            else bytes.Count(count);
            for (int i = 0; i < count; i++) (isBare ? element.Body! : element.Write)(bytes, $"{path}[{i}]");
        });

        private Part Map(Part value) => new(SchemaNode.Map(SchemaNode.Primitive(SchemaKind.Int64), value.Stored), SchemaNode.Map(SchemaNode.Primitive(SchemaKind.Int64), value.Own), (bytes, path) =>
        {
            int count = random.Next(4);
            bytes.Count(count);
            for (int i = 0; i < count; i++) value.Write(bytes.Int64(i), $"{path}[{i}].Value");
        });
    }
}
