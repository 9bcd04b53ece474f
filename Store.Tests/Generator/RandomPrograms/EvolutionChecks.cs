// Records of a program, read by its next version: each member has what docs/evolution.md says.

using Store.Serialization;

namespace Store.Tests.Generator.RandomPrograms;

internal static class EvolutionChecks
{
    public static void Run(LoadedProgram old, Evolution evolution, LoadedProgram next, int seed, int values)
    {
        foreach (Type type in old.Roots)
        {
            Type now = old.ModelOf(type) is { Arity: 0 } model ? next.TypeOf(evolution.Next.Types.Single(one => one.Index == model.Index))! : next.Registered[old.Registered.ToList().IndexOf(type)];
            // Of types of the framework alone there is no next version.
            if (type == now) continue;
            if (type.IsAbstract && old.CasesOf(type).Count == 0) continue;
            IRecordChecks was = ProgramChecks.ChecksOf(old, type), reads = ProgramChecks.ChecksOf(next, now);
            for (int i = 0; i < values; i++)
            {
                var random = new Random(ProgramChecks.Seed(seed + 1, type, i));
                if (new RandomValues(old, random).Root(type) is { } value) Read(old, evolution, next, was, reads, value, random, now);
            }
        }
    }

    private static void Read(LoadedProgram old, Evolution evolution, LoadedProgram next, IRecordChecks was, IRecordChecks reads, object value, Random random, Type now)
    {
        Shape shape = Shapes.Of(old, value);
        try
        {
            Shape? promised = evolution.Expect(shape, old, next, now);
            if (promised is null) return;
            string? expected = promised is Shape.Refused ? null : promised.ToString();
            byte[] record = was.Serialize(value);
            NinoSchema stored = NinoSchema.Parse(was.Schema.CanonicalBytes.Span);
            Same("reads", () => reads.Decode(record, stored));
            Same("reads over another one", () => reads.DecodeInto(record, stored, new RandomValues(next, random).Root(now)));
            Same("reads behind its schema", () => reads.DecodeWithHeader(was.SerializeWithSchema(value)));
            reads.DamageOf(record, stored, random, 3);
            if (expected is not null) was.TryDecode(reads.Serialize(reads.Decode(record, stored)), reads.Schema);
            if (new RandomValues(next, random).Root(now) is { } later) was.TryDecode(reads.Serialize(later), NinoSchema.Parse(reads.Schema.CanonicalBytes.Span));

            void Same(string how, Func<object> read)
            {
                object? found;
                try
                {
                    found = read();
                }
                catch (NinoSerializationException) when (expected is null)
                {
                    return;
                }

                string actual = Shapes.Of(next, found).ToString();
                if (expected is null) throw new ProgramFailure("evolution takes", $"the next version {how} {now} though it should refuse it, {promised}: {actual}\n  stored {shape}");
                if (actual != expected) throw new ProgramFailure("evolution " + how, $"the next version {how} another value of {now}:{ProgramFailure.Difference(expected, actual)}");
            }
        }
        catch (Exception error) when (error is not ProgramFailure)
        {
            throw new ProgramFailure("evolution " + error.GetType().Name, $"the next version of {now}: {error.GetType().Name} {error.Message}\n  stored {shape}", error);
        }
    }
}
