// Prints the module initializer that announces the codecs of an assembly before any of its code runs except other module initializers: generated files are
// compiled last. A method each registers them when they are looked up, so that the initializer has nothing compiled for types that are not used.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class RegistrationEmitter
{
    public const string HintName = "NinoRegistration.g.cs";

    private const string Registry = Names.Serialization + "NinoRegistry.";

    public static void AddTo(SourceProductionContext output, EquatableArray<RegistrationModel> registrations, EquatableArray<string> writtenCodecs)
    {
        // The constant alone where codecs are chosen at run time only.
        if (registrations.Count > 0 || writtenCodecs.Count > 0) output.AddSource(HintName, Emit(registrations, writtenCodecs));
    }

    public static string Emit(EquatableArray<RegistrationModel> registrations, EquatableArray<string> writtenCodecs)
    {
        SourceWriter source = Names.NewFile();
        source.Block("namespace " + GenerationParser.GeneratedNamespace, () =>
        {
            source.Line(Names.GeneratedCode);
            source.Line(Names.MayUseObsolete);
            source.FixedBlock("file static class NinoRegistration", () =>
            {
                // No generated code changes with them; the constant does.
                foreach (string codec in writtenCodecs) source.Line("// " + codec);
                if (registrations.Count == 0) return;
                source.Line("[global::System.Runtime.CompilerServices.ModuleInitializer]");
                source.Block("internal static void Register()", () =>
                {
                    for (int i = 0; i < registrations.Count; i++)
                    {
                        RegistrationModel one = registrations[i];
                        // Without new, C# keeps each in a field and looks whether it is there: twice the code to compile.
                        source.Line(one.Kind == RegistrationKind.Register ? $"{Registry}Announce(typeof({one.TypeName}), typeof(NinoRegistration).Assembly, new global::System.Action(Register{i}));" : $"{Registry}{one.Kind}<{one.TypeName}, {one.Codec}>();");
                    }
                });
                for (int i = 0; i < registrations.Count; i++)
                {
                    // A codec need not be of the assembly that registers it: that of a collection is the engine's.
                    RegistrationModel one = registrations[i];
                    if (one.Kind == RegistrationKind.Register) source.Line($"private static void Register{i}() => {Registry}RegisterAnnounced<{one.TypeName}, {one.Codec}>(typeof(NinoRegistration).Assembly);");
                }
            });
        });
        return source.ToString();
    }
}
