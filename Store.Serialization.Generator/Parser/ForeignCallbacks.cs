// The callbacks of other serializers: attributes on methods, and interfaces. Which of them a type has called is what its own serializer would call: docs/models-of-others.md.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ForeignCallbacks
{
    private const string Runtime = "System.Runtime.Serialization";
    private const string Json = "System.Text.Json.Serialization";
    private const string MessagePackReceiver = "MessagePack.IMessagePackSerializationCallbackReceiver";
    private const string DeserializationCallback = Runtime + ".IDeserializationCallback";
    private const string StreamingContext = "System.Runtime.Serialization.StreamingContext";

    // By the serializer's name; namespaces with a dot are the framework's.
    private static readonly Dictionary<string, CallbackTime> s_attributes = new()
    {
        [Runtime + ".OnSerializingAttribute"] = CallbackTime.Serializing,
        [Runtime + ".OnSerializedAttribute"] = CallbackTime.Serialized,
        [Runtime + ".OnDeserializingAttribute"] = CallbackTime.Deserializing,
        [Runtime + ".OnDeserializedAttribute"] = CallbackTime.Deserialized,
        ["ProtoBuf.ProtoBeforeSerializationAttribute"] = CallbackTime.Serializing,
        ["ProtoBuf.ProtoAfterSerializationAttribute"] = CallbackTime.Serialized,
        ["ProtoBuf.ProtoBeforeDeserializationAttribute"] = CallbackTime.Deserializing,
        ["ProtoBuf.ProtoAfterDeserializationAttribute"] = CallbackTime.Deserialized,
        ["MemoryPack.MemoryPackOnSerializingAttribute"] = CallbackTime.Serializing,
        ["MemoryPack.MemoryPackOnSerializedAttribute"] = CallbackTime.Serialized,
        ["MemoryPack.MemoryPackOnDeserializingAttribute"] = CallbackTime.Deserializing,
        ["MemoryPack.MemoryPackOnDeserializedAttribute"] = CallbackTime.Deserialized,
    };

    private static readonly Dictionary<string, CallbackTime> s_interfaceMethods = new()
    {
        [MessagePackReceiver + ".OnBeforeSerialize"] = CallbackTime.Serializing,
        [MessagePackReceiver + ".OnAfterDeserialize"] = CallbackTime.Deserialized,
        [Json + ".IJsonOnSerializing.OnSerializing"] = CallbackTime.Serializing,
        [Json + ".IJsonOnSerialized.OnSerialized"] = CallbackTime.Serialized,
        [Json + ".IJsonOnDeserializing.OnDeserializing"] = CallbackTime.Deserializing,
        [Json + ".IJsonOnDeserialized.OnDeserialized"] = CallbackTime.Deserialized,
    };

    /// <summary>The namespaces whose attributes on methods count for a type: none for a [NinoType].</summary>
    public static IReadOnlyList<string> Spaces(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return [];
        return ForeignContract.Of(type)?.Space switch
        {
            null => [Runtime],
            // protobuf-net takes each of the two marks on a class, and calls what either marks.
            "System.Runtime.Serialization" or "ProtoBuf" => ["ProtoBuf", Runtime],
            "MemoryPack" => ["MemoryPack"],
            _ => [],
        };
    }

    /// <summary>The times at which another serializer calls a method for its attributes, with the name of each.</summary>
    public static IEnumerable<(CallbackTime Time, string Mark)> Marks(IMethodSymbol method, IReadOnlyList<string> spaces)
    {
        if (spaces.Count == 0) yield break;
        foreach (AttributeData attribute in method.GetAttributes())
        {
            if (attribute.AttributeClass is not { ContainingNamespace: { IsGlobalNamespace: false } space } mark) continue;
            string name = TypeNames.Space(space);
            if (spaces.Contains(name) && s_attributes.TryGetValue(name + "." + mark.Name, out CallbackTime time)) yield return (time, mark.Name.Substring(0, mark.Name.Length - "Attribute".Length));
        }
    }

    /// <summary>The one parameter that such a method may have is a StreamingContext.</summary>
    public static bool TakesContext(IMethodSymbol method) =>
        method.Parameters.Length == 1 && method.Parameters[0] is { RefKind: RefKind.None, Type: { } type } && TypeNames.Metadata(type) == StreamingContext;

    /// <summary>The methods of the interfaces by which the type's serializer calls it.</summary>
    public static IEnumerable<(IMethodSymbol Declared, CallbackTime Time)> ByInterface(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) yield break;
        // System.Text.Json needs no attribute on a type, nor does MessagePack where it goes by names; and that takes the contracts of DataContract for its own.
        string? space = ForeignContract.Of(type)?.Space;
        string owner = space is null or Runtime && type.AllInterfaces.Any(static one => TypeNames.Metadata(one) == MessagePackReceiver) ? "MessagePack" : space ?? Json;
        foreach (INamedTypeSymbol declared in type.AllInterfaces)
        {
            foreach (IMethodSymbol method in declared.GetMembers().OfType<IMethodSymbol>())
            {
                string name = TypeNames.Metadata(declared);
                if (method.Parameters.IsEmpty && name.StartsWith(owner + ".", System.StringComparison.Ordinal) && s_interfaceMethods.TryGetValue(name + "." + method.Name, out CallbackTime time)) yield return (method, time);
            }
        }
    }

    /// <summary>The method of IDeserializationCallback, by which DataContractSerializer and the formatters call whatever has it once its members are set, beside those of attributes.</summary>
    public static IEnumerable<(IMethodSymbol Declared, CallbackTime Time)> OfRuntime(INamedTypeSymbol type) =>
        // One that writes itself unpacks there what its constructor was given, which is not called.
        NinoAttributes.IsNinoType(type) || ForeignContract.Of(type) is { Space: not Runtime } || (UnaskedCode.WriterOf(type) == UnaskedCode.RuntimeWriter && UnaskedCode.WritesItself(type)) ? [] :
            from declared in type.AllInterfaces
            where TypeNames.Metadata(declared) == DeserializationCallback
            from method in declared.GetMembers().OfType<IMethodSymbol>()
            // That of a base of the framework makes its own state.
            where type.FindImplementationForInterfaceMember(method) is not { } implementing || !Framework.Has(implementing.ContainingType)
            select (method, CallbackTime.Deserialized);

    /// <summary>The methods of ISupportInitialize, by which MongoDB.Bson calls a class around setting its members.</summary>
    public static IEnumerable<(IMethodSymbol Declared, CallbackTime Time)> OfMongo(INamedTypeSymbol type) =>
        NinoAttributes.IsNinoType(type) || ForeignContract.Of(type) is not (null or { IsJson: true }) ? [] :
            from declared in type.AllInterfaces
            where TypeNames.Metadata(declared) == "System.ComponentModel.ISupportInitialize" && MarksOfOthers.IsOfMongo(type)
            from method in declared.GetMembers().OfType<IMethodSymbol>()
            select (method, method.Name == "BeginInit" ? CallbackTime.Deserializing : CallbackTime.Deserialized);

    /// <summary>
    /// Types among a type and its bases whose private methods no compiler shows: they are looked for when the program runs. Not where the type has no mark of a serializer that
    /// would call them.
    /// </summary>
    public static bool MayHideSome(INamedTypeSymbol type, INamedTypeSymbol level) =>
        level.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && !Framework.Has(level) && !NinoAttributes.IsNinoType(level) && !FSharpTypes.IsRecord(level) && !level.IsTupleType
        && (ForeignContract.Of(type) is not null || level.IsSerializable);
}
