using System.CommandLine;
using System.Text.Json;
using Store.Inspect.Rendering;
using Store.Serialization;

namespace Store.Inspect.Commands;

/// <summary><c>inspect schema PATH</c>: the types that the files declare.</summary>
internal static class SchemaCommand
{
    public static Command Create(ToolConsole console, SharedOptions options)
    {
        var path = SharedOptions.Path();
        var json = new Option<bool>("--json") { Description = "One JSON object a line, one line a schema." };
        var command = new Command("schema", "Prints the types that are stored: fields with kind, id and offset, enums, fingerprints.") { path, json };
        command.SetAction(parse =>
        {
            using StoreReader reader = console.OpenReader(parse.GetValue(path)!);
            VerifyReport report = console.WithProgress("reading", reader.LengthBytes, options.ColorOf(parse), progress => reader.Verify(progress));
            console.Show(() =>
            {
                if (parse.GetValue(json)) Json(report.Schemas, console);
                else Declarations(report.Schemas, console.OpenScreen(options.ColorOf(parse)));
            });
            foreach (StoreDamage damage in report.Damage) console.Complain(DamageView.Line(damage));
            return ExitCode.Of(report);
        });
        return command;
    }

    private static void Declarations(IReadOnlyList<NinoSchema> schemas, Screen screen)
    {
        foreach (NinoSchema schema in schemas) SchemaView.Write(screen, schema);
    }

    private static void Json(IReadOnlyList<NinoSchema> schemas, ToolConsole console)
    {
        Stream output = console.Bytes;
        using var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = ShownJsonEncoder.Instance });
        foreach (NinoSchema schema in schemas)
        {
            SchemaView.WriteJson(writer, schema);
            writer.Flush();
            writer.Reset();
            output.WriteByte((byte)'\n');
        }
    }
}
