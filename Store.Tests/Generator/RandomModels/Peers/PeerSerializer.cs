// Serializers of packages that not every feed carries: each is compiled in, and found, when the build names it (-p:Peers=...).

using System.Reflection;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator.RandomModels.Peers;

/// <summary>What a program with the attributes of such a serializer is compiled with, and the serializer's trips of one program.</summary>
internal abstract class PeerSerializer
{
    private static readonly Type[] s_all = [.. typeof(PeerSerializer).Assembly.GetTypes().Where(static one => one.IsSubclassOf(typeof(PeerSerializer)))];

    /// <summary>Those that the build named.</summary>
    public static IEnumerable<OtherSerializer> Named => s_all.Select(static one => ((PeerSerializer)Activator.CreateInstance(one)!).Serializer).Order();

    public abstract OtherSerializer Serializer { get; }

    /// <summary>What the program references.</summary>
    public abstract IEnumerable<Assembly> Assemblies { get; }

    /// <summary>What stands beside the generator under test.</summary>
    public virtual IEnumerable<ISourceGenerator> Generators => [];

    /// <summary>A new one, for one program.</summary>
    public static PeerSerializer? Of(OtherSerializer serializer) => s_all.Select(static one => (PeerSerializer)Activator.CreateInstance(one)!).FirstOrDefault(one => one.Serializer == serializer);

    /// <summary>What it reads of what it wrote.</summary>
    public abstract object? Copy(object value, Type type);
}
