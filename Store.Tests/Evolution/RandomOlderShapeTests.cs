using Store.Serialization;
using Store.Tests.Fuzz;
using Store.Tests.Values;
using Store.Tests.Views;
using Xunit.Abstractions;
using static Store.Tests.Evolution.ReadByThePlan;

namespace Store.Tests.Evolution;

/// <summary>Types of every form against random older shapes of theirs, with random records, whole and hostile: read where they lie as by the plan.</summary>
public sealed class RandomOlderShapeTests(ITestOutputHelper output)
{
    private const int Seed = 20261128;
    private const int Shapes = 150;
    private const int RecordsOfEach = 8;

    // Each is read for some milliseconds.
    private const int ChangingShapes = 20;

    private GuardPage? _page;
    private ChangingBytes? _changing;
    private int _shapes;
    private int _flat;

    [Fact]
    public void RecordsOfRandomOlderShapesAreReadOrRefusedAsByThePlan()
    {
        using GuardPage? page = GuardPage.IsSupported ? new GuardPage() : null;
        _page = page;
        OfAll();
        output.WriteLine($"{_flat} of {_shapes} shapes read where they lie");
        Assert.True(_flat > _shapes / 2, $"{_flat} of {_shapes}");
    }

    [GuardPageFact]
    public void BytesThatChangeWhileTheyAreReadWhereTheyLieLeadNowhereElse()
    {
        using var bytes = new ChangingBytes(Seed);
        _changing = bytes;
        OfAll();
        Effort.Tell(output, "reads of bytes that change", bytes.Reads, $"SEED={Seed}", $"where they lie, {bytes.OtherExceptions} with another exception");
        Assert.True(bytes.Reads > ChangingShapes && bytes.Reads > bytes.OtherExceptions);
    }

    private void OfAll()
    {
        Of<OlderKinds.Mixed>();
        Of<OlderKinds.Alone>();
        Of<OlderKinds.Tagged>();
        Of<OlderKinds.Empty>();
        Of<OlderKinds.Wide>();
        Of<OlderKinds.Wider>();
        Of<OlderKinds.WiderFigures>();
        Of<OlderKinds.Texts>();
        Of<OlderKinds.Told>();
        Of<Shop.FSharp.Person>();
        Of<OlderShape.Item>();
        Of<OlderShape.Figures>();
    }

    private void Of<T>()
    {
        Records<T>();
        Records<List<T>>();
        Records<T[]>();
    }

    private void Records<T>()
    {
        NinoSchema own = NinoSerializer.SchemaOf<T>();
        for (int i = 0; i < Shapes; i++)
        {
            NinoRecordMapper mapper = NinoRecordMapper.Create(new OlderShapeMutation(new Random(Seed + i)).Of(own), own);
            if (mapper.IsIdentical) continue;
            _shapes++;
            if (!mapper.Flat.IsNone) _flat++;
            if (_changing is { } changing)
            {
                if (i < ChangingShapes) changing.Read(new RandomRecord(mapper.Stored, Seed + i).Bytes, bytes => NinoCodec<T>.Default.Decode(bytes, mapper.Stored));
                continue;
            }

            var random = new Random(Seed + i);
            for (int j = 0; j < RecordsOfEach; j++)
            {
                byte[] bytes = new RandomRecord(mapper.Stored, Seed + (1000 * i) + j, wrongOneIn: j % 2 * 12).Bytes;
                ReadsTheSame<T>(mapper, bytes, j % 4 < 2 ? null : new NinoLimits { MaxRecordBytes = Math.Max(bytes.Length + random.Next(-2, 80), 1), MaxGrowth = random.Next(1, 4) }, _page);
            }
        }
    }
}
