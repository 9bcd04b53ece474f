// NINO060: NinoSerializer.Serialize(new Plain()) compiles and throws. Known by the names of the verbs; nothing of them is referenced.

using System.Collections.Immutable;
using System.Globalization;
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
    // What the fix is told: which of the type arguments it is, that it is what an array or a list is of, and that it is a model of another serializer.
    private const string ArgumentProperty = "argument";
    private const string ElementProperty = "element";
    private const string ModelProperty = "model";

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
            start.RegisterOperationAction(context => Check(context, verbs, records), OperationKind.Invocation, OperationKind.PropertyReference);
        });
    }

    private static void Check(OperationAnalysisContext context, RecordVerbs verbs, RecordTypes records)
    {
        (ISymbol verb, ImmutableArray<ITypeSymbol> types) = context.Operation switch
        {
            IInvocationOperation call => ((ISymbol)call.TargetMethod, verbs.RecordsOf(call.TargetMethod)),
            var other => (((IPropertyReferenceOperation)other).Property, verbs.RecordsOf(((IPropertyReferenceOperation)other).Property)),
        };
        for (int i = 0; i < types.Length; i++)
        {
            // A collection of records that is appended is most likely meant as a batch, which NINO080 says.
            if (verb.Name is "Append" or "AppendAsync" && records.RecordIn(types[i]) is not null) continue;
            if (records.UnregisteredIn(types[i], out bool isElement) is not { } record) continue;
            ImmutableDictionary<string, string?> place = ImmutableDictionary<string, string?>.Empty.Add(ArgumentProperty, i.ToString(CultureInfo.InvariantCulture));
            if (isElement) place = place.Add(ElementProperty, "");
            if (record is INamedTypeSymbol model && ForeignContract.IsModel(model)) place = place.Add(ModelProperty, "");
            context.ReportDiagnostic(Diagnostic.Create(NinoDiagnostics.UnregisteredRecord, CallPlace.Of(context.Operation.Syntax), place, TypeNames.Message(record), verb.Name, Advice(record)));
        }
    }

    private static string Advice(ITypeSymbol record)
    {
        if (record.IsAnonymousType) return "declare a type with [NinoType], an anonymous one has no name that a record could have";
        string registered = TypeNames.Registration(record);
        return record is INamedTypeSymbol { IsGenericType: false, TypeKind: not TypeKind.Enum } own && !ForeignContract.IsModel(own) ? $"put [NinoType] on it, or add {registered}"
            : record is INamedTypeSymbol { IsGenericType: true } named && NinoAttributes.IsNinoType(named) ? $"add {registered}, for each of its closed forms is a type of its own"
            : $"add {registered}";
    }
}
