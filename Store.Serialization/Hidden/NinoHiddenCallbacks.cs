// Callbacks of models of other assemblies that are private there: compilers read no private methods, and reference assemblies have none, so nobody knows of them before the
// program runs. Looked for once a type, by the attributes of the model's own serializer. The trimmer keeps them because of the annotation.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;

namespace Store.Serialization;

/// <summary>What a type and its bases have called so far. Used by generated code. Users do not use it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class NinoHiddenCallbacks
{
    /// <summary>By the method that overrides go back to, and the time: a call of it is a call of the last override.</summary>
    internal HashSet<(MethodInfo First, int Time)> Called { get; } = [];

    /// <summary>Some method is called for an attribute, so that none is for an interface of another serializer.</summary>
    public bool CallsAny => Called.Count > 0;
}

/// <summary>Used by generated code. Users do not use it.</summary>
/// <typeparam name="T">The type that declares the methods.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoHiddenCallbacks<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicMethods)] T> : NinoHiddenCallbacks
{
    private readonly List<Action<T>>[] _calls = [[], [], [], []];
    private readonly string? _problem;

    /// <summary>Looks for the methods.</summary>
    /// <param name="namespaces">Attributes of these namespaces count.</param>
    /// <param name="known">Names of methods that generated code calls itself.</param>
    /// <param name="above">What was found in the bases: what overrides a method that is called there is not called again. Null where there is none.</param>
    public NinoHiddenCallbacks(string[] namespaces, string[] known, NinoHiddenCallbacks? above = null)
    {
        if (above is not null) Called.UnionWith(above.Called);
        foreach (MethodInfo method in typeof(T).GetMethods(BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
        {
            if (!(method.IsPrivate || method.IsAssembly || method.IsFamilyAndAssembly)) continue;
            bool isKnown = Array.IndexOf(known, method.Name) >= 0;
            foreach (CustomAttributeData attribute in method.CustomAttributes)
            {
                int time = Array.IndexOf(namespaces, attribute.AttributeType.Namespace) < 0 ? -1 : TimeOf(attribute.AttributeType.Name);
                if (time < 0 || !Called.Add((method.IsVirtual ? method.GetBaseDefinition() : method, time)) || isKnown) continue;
                if (Make(method) is { } call) _calls[time].Add(call);
                else _problem = $"The method '{typeof(T)}.{method.Name}' is marked with [{attribute.AttributeType.Name.Replace("Attribute", "", StringComparison.Ordinal)}] and cannot be called: a callback is an instance method of a class, without parameters or with a StreamingContext, that returns nothing; of a struct of another assembly it has to be public. Change it, or give the type a codec with [NinoSerializable(..., Codec = ...)].";
            }
        }
    }

    /// <summary>Before an object is written.</summary>
    /// <exception cref="NinoSerializationException">A method has a shape that cannot be called.</exception>
    public void Serializing(T item) => Call(0, item);

    /// <summary>After it was written.</summary>
    /// <inheritdoc cref="Serializing" path="/exception"/>
    public void Serialized(T item) => Call(1, item);

    /// <summary>When it was made and before its members are set.</summary>
    /// <inheritdoc cref="Serializing" path="/exception"/>
    public void Deserializing(T item) => Call(2, item);

    /// <summary>When all its members are set.</summary>
    /// <inheritdoc cref="Serializing" path="/exception"/>
    public void Deserialized(T item) => Call(3, item);

    private void Call(int time, T item)
    {
        if (_problem is not null) throw new NinoSerializationException(_problem) { TypeName = typeof(T).FullName };
        foreach (Action<T> call in _calls[time]) call(item);
    }

    // As ForeignCallbacks of the generator.
    private static int TimeOf(string attribute) => attribute switch
    {
        "OnSerializingAttribute" or "ProtoBeforeSerializationAttribute" or "MemoryPackOnSerializingAttribute" => 0,
        "OnSerializedAttribute" or "ProtoAfterSerializationAttribute" or "MemoryPackOnSerializedAttribute" => 1,
        "OnDeserializingAttribute" or "ProtoBeforeDeserializationAttribute" or "MemoryPackOnDeserializingAttribute" => 2,
        "OnDeserializedAttribute" or "ProtoAfterDeserializationAttribute" or "MemoryPackOnDeserializedAttribute" => 3,
        _ => -1,
    };

    // A delegate over a struct would change a copy.
    private static Action<T>? Make(MethodInfo method)
    {
        if (typeof(T).IsValueType || method.IsStatic || method.IsGenericMethod || method.ReturnType != typeof(void)) return null;
        ParameterInfo[] parameters = method.GetParameters();
        if (parameters.Length == 0) return method.CreateDelegate<Action<T>>();
        if (parameters.Length != 1 || parameters[0].ParameterType != typeof(StreamingContext)) return null;
        Action<T, StreamingContext> call = method.CreateDelegate<Action<T, StreamingContext>>();
        return item => call(item, default);
    }
}
