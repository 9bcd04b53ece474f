// NINO080: store.Append(orders) stores one record, the list, that reading orders never returns. Known by the names of the store's methods; nothing of the store is referenced.

using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Warns where a collection of records is appended as one record.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class CollectionAsRecordAnalyzer : DiagnosticAnalyzer
{
    internal const string StoreName = "Store.NinoStore";
    private const string AppenderName = "Store.LogAppender`1";

    private static readonly SymbolDisplayFormat s_format = SymbolDisplayFormat.CSharpShortErrorMessageFormat.WithMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.UseSpecialTypes);

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [NinoDiagnostics.CollectionAsRecord];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (PackageTypes.Find(StoreName, PackageTypes.Store, start.Compilation) is not { } store) return;
            INamedTypeSymbol? appender = PackageTypes.Find(AppenderName, PackageTypes.Store, start.Compilation);
            var records = new RecordTypes(start.Compilation);
            start.RegisterOperationAction(context => Check(context, store, appender, records), OperationKind.Invocation);
        });
    }

    private static void Check(OperationAnalysisContext context, INamedTypeSymbol store, INamedTypeSymbol? appender, RecordTypes records)
    {
        var call = (IInvocationOperation)context.Operation;
        IMethodSymbol method = call.TargetMethod;
        bool isAppender = SymbolEqualityComparer.Default.Equals(method.ContainingType.OriginalDefinition, appender);
        if (method.Name is not ("Append" or "AppendAsync") || !(isAppender || SymbolEqualityComparer.Default.Equals(method.ContainingType, store))) return;
        ImmutableArray<ITypeSymbol> arguments = isAppender ? method.ContainingType.TypeArguments : method.TypeArguments;
        if (arguments.Length != 1 || arguments[0] is not { } appended || records.RecordIn(appended) is not { } element) return;

        string shown = element.ToDisplayString(s_format);
        string advice = isAppender ? $"an appender of '{shown}'" : (method.Name == "Append" ? "AppendBatch" : "AppendBatchAsync") + (IsList(appended, context.Compilation) ? "" : ", which takes a list: [.. them]");
        context.ReportDiagnostic(Diagnostic.Create(NinoDiagnostics.CollectionAsRecord, CallPlace.Of(call.Syntax), appended.ToDisplayString(s_format), shown, advice));
    }

    /// <summary>What the batches of the store take: arrays are lists, too.</summary>
    private static bool IsList(ITypeSymbol type, Compilation compilation) =>
        compilation.GetTypeByMetadataName("System.Collections.Generic.IReadOnlyList`1") is { } list && type.AllInterfaces.Prepend(type).Any(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, list));
}
