// Everything that is checked of one program: that it compiles, that values of all its types come back, that damage is refused, and that its records are read by its next version.

using System.Reflection;
using System.Runtime.Loader;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Checks the program of a seed.</summary>
internal static class ProgramChecks
{
    /// <summary>Runs all checks.</summary>
    /// <exception cref="ProgramFailure">One of them failed.</exception>
    public static int Run(ProgramModel model, Evolution? evolution, int seed, int values)
    {
        var context = new AssemblyLoadContext("Random", isCollectible: true);
        int records = 0;
        try
        {
            LoadedProgram program = ProgramBuild.Load(model, "Random", context);
            foreach (Type root in program.Roots)
            {
                if (root.IsAbstract && program.CasesOf(root).Count == 0) continue;
                for (int i = 0; i < values; i++, records++) Check(program, root, Seed(seed, root, i));
            }

            if (evolution is not null) EvolutionChecks.Run(program, evolution, ProgramBuild.Load(evolution.Next, "Next", context), seed, values);
        }
        finally
        {
            context.Unload();
        }

        return records;
    }

    public static IRecordChecks ChecksOf(LoadedProgram program, Type type) => (IRecordChecks)Activator.CreateInstance(typeof(RecordChecks<>).MakeGenericType(type), program)!;

    /// <summary>The seed of a value: that of its type's name, so that other types may be left out.</summary>
    public static int Seed(int seed, Type root, int index) => ProgramDrawer.HashCode(ProgramDrawer.HashCode(seed, index), root.ToString().Aggregate(7, static (hash, one) => unchecked((hash * 31) + one)));

    private static void Check(LoadedProgram program, Type root, int seed)
    {
        var random = new Random(seed);
        object? value = new RandomValues(program, random).Root(root), other = new RandomValues(program, random).Root(root);
        if (value is null) return;
        IRecordChecks checks = ChecksOf(program, root);
        try
        {
            checks.RoundTrip(value, random.Next(3) == 0 ? null : other, random);
            byte[] record = checks.Serialize(value);
            if (program.ModelOf(root) is { } model && ViewProbePrinter.HasProbe(program.Model, model)) Views(program, model, value, record);
            checks.Damage(record, random, 6);
        }
        catch (Exception error) when (error is not ProgramFailure)
        {
            throw new ProgramFailure(error.GetType().Name, $"{root}: {error.GetType().Name} {error.Message}\n  value {Shapes.Of(program, value)}", error);
        }
    }

    private static void Views(LoadedProgram program, TypeModel model, object value, byte[] record)
    {
        MethodInfo probe = program.Assembly.GetType(ViewProbePrinter.ClassName)!.GetMethod("Probe" + model.Index)!;
        // A base's record begins with its case: the view of that is the base's, which Read() alone is asked of.
        var seen = (List<(string Name, object? Value)>)probe.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [record], null)!;
        foreach ((string name, object? shown) in seen)
        {
            object? expected = name.Length == 0 ? value : program.FieldsOf(value.GetType()).First(one => one.Member.State == name).Field.GetValue(value);
            string one = Shapes.Of(program, expected).ToString(), other = Shapes.Of(program, shown).ToString();
            if (one != other) throw new ProgramFailure("view", $"the view of {model.ReflectedName} shows another {(name.Length == 0 ? "value" : name)}:{ProgramFailure.Difference(one, other)}");
        }
    }
}
