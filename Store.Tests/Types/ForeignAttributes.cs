namespace Store.Tests.Types;

/// <summary>Attributes of other serializers as their packages declare them, as far as models of tests carry them.</summary>
internal static class ForeignAttributes
{
    /// <summary>In front of models whose private members nobody uses.</summary>
    public const string Quiet = "#pragma warning disable CS0169, CS0649, CS0414\n";

    /// <summary>The namespaces of all of them.</summary>
    public const string Usings = "using System.Runtime.Serialization; using System.Xml.Serialization; using ProtoBuf; using MessagePack; using MemoryPack; using System.Text.Json.Serialization;\n";

    public const string Source = """
        namespace MemoryPack
        {
            public enum GenerateType { Object, VersionTolerant, CircularReference, Collection, NoGenerate } public sealed class MemoryPackableAttribute(GenerateType type = GenerateType.Object) : Attribute { public GenerateType Type => type; } public sealed class MemoryPackOrderAttribute(int order) : Attribute { public int Order => order; } public sealed class MemoryPackIncludeAttribute : Attribute; public sealed class MemoryPackIgnoreAttribute : Attribute;
            public abstract class MemoryPackCustomFormatterAttribute<T> : Attribute; public sealed class OrdinalIgnoreCaseStringDictionaryFormatterAttribute<T> : MemoryPackCustomFormatterAttribute<Dictionary<string, T>>;
        }
        namespace MessagePack
        {
            public sealed class MessagePackObjectAttribute(bool keyAsPropertyName = false) : Attribute { public bool K => keyAsPropertyName; public bool AllowPrivate { get; set; } } public sealed class KeyAttribute : Attribute { public KeyAttribute(int x) { } public KeyAttribute(string x) { } } public sealed class IgnoreMemberAttribute : Attribute;
            [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)] public sealed class UnionAttribute(int key, Type type) : Attribute { public int Key => key; public Type Type => type; } public sealed class MessagePackFormatterAttribute(Type type) : Attribute { public Type Type => type; }
        }
        namespace ProtoBuf
        {
            public sealed class ProtoContractAttribute : Attribute { public bool AsReferenceDefault { get; set; } public int DataMemberOffset { get; set; } public bool UseProtoMembersOnly { get; set; } public Type? Surrogate { get; set; } public bool IgnoreListHandling { get; set; } public bool InferTagFromName { get; set; } public bool SkipConstructor { get; set; } public ImplicitFields ImplicitFields { get; set; } }
            public enum ImplicitFields { None, AllPublic, AllFields }
            public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } public sealed class ProtoIgnoreAttribute : Attribute; [AttributeUsage(AttributeTargets.Class)] public sealed class ProtoPartialIgnoreAttribute(string memberName) : Attribute { public string MemberName => memberName; } [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)] public sealed class ProtoPartialMemberAttribute(int tag, string memberName) : Attribute { public (int, string) Member => (tag, memberName); }
        }

        """;
}
