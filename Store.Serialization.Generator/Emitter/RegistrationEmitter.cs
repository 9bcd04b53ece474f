// Prints the module initializer that registers the codecs of an assembly before any of its code runs except other module initializers: generated files are compiled last.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Emitter;

internal static class RegistrationEmitter
{
    public const string HintName = "NinoRegistration.g.cs";

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
                    // A codec need not be of the assembly that registers it: that of a collection is the engine's.
                    foreach (RegistrationModel registration in registrations)
                        source.Line($"{Names.Serialization}NinoRegistry.{registration.Kind}<{registration.TypeName}, {registration.Codec}>({(registration.Kind == RegistrationKind.Register ? "typeof(NinoRegistration).Assembly" : "")});");
                });
            });
        });
        return source.ToString();
    }
}
