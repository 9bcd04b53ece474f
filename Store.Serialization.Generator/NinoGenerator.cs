// How the generator is wired, and nothing else: marked types -> Parser (the only code that sees symbols) -> Model (strings and numbers that
// compare by value) -> Emitter (prints). Diagnostics leave by a pipeline of their own, so that moving a line regenerates no code.

using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Emitter;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator;

/// <summary>Writes the codecs of record types at compile time.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class NinoGenerator : IIncrementalGenerator
{
    /// <summary>Names of the steps that tests watch: on an unrelated edit every one is cached or unchanged.</summary>
    internal static class Steps
    {
        public const string MarkedTypes = nameof(MarkedTypes);
        public const string RegisteringTypes = nameof(RegisteringTypes);
        public const string HoldingTypes = nameof(HoldingTypes);
        public const string Hidden = nameof(Hidden);
        public const string Generation = nameof(Generation);
        public const string Types = nameof(Types);
        public const string Unions = nameof(Unions);
        public const string FSharpUnions = nameof(FSharpUnions);
        public const string FSharpForms = nameof(FSharpForms);
        public const string Views = nameof(Views);
        public const string UnionViews = nameof(UnionViews);
        public const string Objects = nameof(Objects);
        public const string ChosenCodecs = nameof(ChosenCodecs);
        public const string Registrations = nameof(Registrations);
        public const string Diagnostics = nameof(Diagnostics);
    }

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValueProvider<EquatableArray<string>> markedTypes = TypesWith(context, NinoAttributes.NinoTypeName, Steps.MarkedTypes);
        IncrementalValueProvider<EquatableArray<string>> registeringTypes = TypesWith(context, NinoAttributes.NinoSerializableName, Steps.RegisteringTypes);

        // Of this project alone: it is initialized once for each.
        var parses = new LastParse<(EquatableArray<string> Marked, EquatableArray<string> Registering), GenerationModel>();
        var hidden = new LastParse<(EquatableArray<string> Holders, EquatableArray<string> Marked), EquatableArray<HiddenModel>>();

        // One parse for all types: what a member costs depends on the types it reaches, and a shared parse visits each of them once.
        IncrementalValueProvider<GenerationModel> generation = markedTypes
            .Combine(registeringTypes)
            .Combine(context.CompilationProvider)
            .Select((input, cancellation) => parses.Of(input.Left, input.Right, (names, compilation) => GenerationParser.Parse(compilation, names.Marked, names.Registering, cancellation)))
            .WithTrackingName(Steps.Generation);

        // Other assemblies look for it while their users type.
        context.RegisterSourceOutput(
            HoldersOf(context, HiddenMembers.Attributes, Steps.HoldingTypes)
                .Combine(markedTypes)
                .Combine(context.CompilationProvider)
                .Select((input, _) => hidden.Of(input.Left, input.Right, static (names, compilation) => HiddenMembers.Of(names.Holders, names.Marked, compilation)))
                .WithTrackingName(Steps.Hidden),
            static (output, members) =>
            {
                if (members.Count > 0) output.AddSource(HiddenEmitter.HintName, HiddenEmitter.Emit(members));
            });

        context.RegisterImplementationSourceOutput(
            generation.SelectMany(static (model, _) => model.Types.AsImmutableArray()).WithTrackingName(Steps.Types),
            static (output, type) => output.AddSource(type.HintName, CodecEmitter.Emit(type)));

        context.RegisterImplementationSourceOutput(
            generation.SelectMany(static (model, _) => model.Unions.AsImmutableArray()).WithTrackingName(Steps.Unions),
            static (output, union) => output.AddSource(union.HintName, UnionEmitter.Emit(union)));

        context.RegisterImplementationSourceOutput(
            generation.SelectMany(static (model, _) => model.FSharpUnions.AsImmutableArray()).WithTrackingName(Steps.FSharpUnions),
            static (output, union) => output.AddSource(union.HintName, FSharpUnionEmitter.Emit(union)));

        context.RegisterImplementationSourceOutput(
            generation.Select(static (model, _) => model.UsesFSharp).WithTrackingName(Steps.FSharpForms),
            static (output, isUsed) =>
            {
                if (isUsed) output.AddSource(FSharpFormsEmitter.HintName, FSharpFormsEmitter.Emit());
            });

        // What users name is generated while they type, too.
        context.RegisterSourceOutput(
            generation.SelectMany(static (model, _) => model.Views.AsImmutableArray()).WithTrackingName(Steps.Views),
            static (output, view) => output.AddSource(view.Head.HintName, ViewEmitter.Emit(view)));

        context.RegisterSourceOutput(
            generation.SelectMany(static (model, _) => model.UnionViews.AsImmutableArray()).WithTrackingName(Steps.UnionViews),
            static (output, view) => output.AddSource(view.Head.HintName, UnionViewEmitter.Emit(view)));

        context.RegisterImplementationSourceOutput(
            generation.Select(static (model, _) => model.Objects).WithTrackingName(Steps.Objects),
            static (output, objects) =>
            {
                if (objects is not null) output.AddSource(ObjectsEmitter.HintName, ObjectsEmitter.Emit(objects));
            });

        IncrementalValueProvider<EquatableArray<string>> chosenCodecs = context.SyntaxProvider
            .CreateSyntaxProvider(static (node, _) => CustomCodecs.MayBeChosenBy(node), static (call, cancellation) => CustomCodecs.ChosenBy(call.Node, call.SemanticModel, cancellation))
            .Where(static codec => codec is not null)
            .Collect()
            .Select(static (codecs, _) => CustomCodecs.InOrder(codecs!))
            .WithTrackingName(Steps.ChosenCodecs);

        context.RegisterImplementationSourceOutput(
            generation.Select(static (model, _) => (model.Registrations, model.WrittenCodecs))
                .Combine(chosenCodecs)
                .Select(static (input, _) => (input.Left.Registrations, WrittenCodecs: CustomCodecs.InOrder(input.Left.WrittenCodecs.Concat(input.Right))))
                .WithTrackingName(Steps.Registrations),
            static (output, all) => RegistrationEmitter.AddTo(output, all.Registrations, all.WrittenCodecs));

        context.RegisterSourceOutput(
            generation.Select(static (model, _) => model.Diagnostics).WithTrackingName(Steps.Diagnostics)
                .Combine(context.CompilationProvider)
                .Select(static (input, _) => (input.Left, Compilation: input.Left.Count > 0 ? input.Right : null)),
            static (output, input) => NinoDiagnostics.Report(output, input.Left, input.Compilation));
    }

    private static IncrementalValueProvider<EquatableArray<string>> TypesWith(IncrementalGeneratorInitializationContext context, string attribute, string step) =>
        context.SyntaxProvider
            .ForAttributeWithMetadataName(attribute, static (_, _) => true, static (target, _) => TypeNames.Metadata(target.TargetSymbol))
            .Collect()
            .Select(static (names, _) => new EquatableArray<string>(names))
            .WithTrackingName(step);

    /// <summary>The types that have members with one of the attributes.</summary>
    private static IncrementalValueProvider<EquatableArray<string>> HoldersOf(IncrementalGeneratorInitializationContext context, IEnumerable<string> attributes, string step)
    {
        IncrementalValueProvider<ImmutableArray<string>>? all = null;
        foreach (string attribute in attributes)
        {
            IncrementalValueProvider<ImmutableArray<string>> some = context.SyntaxProvider
                .ForAttributeWithMetadataName(NinoAttributes.Namespace + attribute, static (_, _) => true, static (target, _) => TypeNames.Metadata(target.TargetSymbol.ContainingType))
                .Collect();
            all = all is { } others ? others.Combine(some).Select(static (pair, _) => pair.Left.AddRange(pair.Right)) : some;
        }

        return all!.Value.Select(static (names, _) => new EquatableArray<string>(names.Where(static name => name.Length > 0).Distinct().OrderBy(static name => name, StringComparer.Ordinal))).WithTrackingName(step);
    }
}
