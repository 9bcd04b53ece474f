// NINO060: NinoSerializer.Serialize(new Plain()) compiles and throws. Known by the names of the verbs; nothing of them is referenced.

using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Warns where a type of the project is stored or read, and nobody registers it as a record.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnregisteredRecordAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [NinoDiagnostics.UnregisteredRecord];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (RecordVerbs.Find(start.Compilation) is not { } verbs) return;
            var records = new RecordTypes(start.Compilation);
            start.RegisterOperationAction(context => Check(context, verbs, records), OperationKind.Invocation);
        });
    }

    private static void Check(OperationAnalysisContext context, RecordVerbs verbs, RecordTypes records)
    {
        var call = (IInvocationOperation)context.Operation;
        if (verbs.RecordOf(call.TargetMethod) is not { } record || !records.IsUnregistered(record)) return;
        context.ReportDiagnostic(Diagnostic.Create(NinoDiagnostics.UnregisteredRecord, CallPlace.Of(call.Syntax), TypeNames.Message(record), call.TargetMethod.Name, Advice(record)));
    }

    private static string Advice(INamedTypeSymbol record)
    {
        if (record.IsAnonymousType) return "declare a type with [NinoType], an anonymous one has no name that a record could have";
        string registered = TypeNames.Registration(record);
        return record.IsGenericType ? $"add {registered}, for each of its closed forms is a type of its own" : $"put [NinoType] on it, or add {registered}";
    }
}
