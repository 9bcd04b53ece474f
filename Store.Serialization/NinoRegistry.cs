// Which codec a type has. Module initializers of generated code announce their types, and what is announced is registered when it is looked up: for each
// registration three methods have to be compiled (0.23 ms; docs/performance.md, "The first call in a process"), and a program of a thousand types uses few of them in its first second. Primitives are
// registered by the engine itself on the first look-up.

using System.Collections.Concurrent;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Where generated code registers codecs. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoRegistry
{
    // By element type: what makes the codecs of its arrays and lists.
    private static readonly TypeTable<ICollectionFactory> Factories = new();
    private static readonly TypeTable<ICollectionFactory> WiderFactories = new();

    // Assemblies whose cases of a base came when its codec was in use, for messages.
    private static readonly TypeTable<string> Late = new();

    // What registers a type. Stays when it has: who comes second looks for it.
    private static readonly TypeTable<Action> Announced = new();

    // By the assembly that registers: every registration, also one that came second. They hold no assembly that nothing else holds.
    private static readonly ConditionalWeakTable<Assembly, ConcurrentDictionary<Type, Action>> AnnouncedBy = [];
    private static readonly ConditionalWeakTable<Assembly, ConcurrentDictionary<Type, ICollectionFactory>> ByAssembly = [];

    /// <summary>Registers a codec in the name of the assembly that it is of; see <see cref="Register{T, TCodec}(Assembly)"/>.</summary>
    /// <inheritdoc cref="Register{T, TCodec}(Assembly)" path="/exception"/>
    public static void Register<T, TCodec>() where TCodec : struct, INinoCodec<T> => Register<T, TCodec>(typeof(TCodec).Assembly);

    /// <summary>Registers the codec of a type, and with it those of its arrays and lists. The first registration of a type wins: several assemblies may write codecs of a generic type, a tuple or a registered type, and all write the same bytes (docs/formats/record.md, "objects"), but where one names another codec for a type, or knows other cases. What is registered stays as long as the type does (docs/trimming.md).</summary>
    /// <param name="assembly">The assembly that registers it, in whose schema file the type is: the codec of a collection, say, is the engine's.</param>
    /// <exception cref="PlatformNotSupportedException">The machine is big-endian.</exception>
    public static void Register<T, TCodec>(Assembly assembly) where TCodec : struct, INinoCodec<T>
    {
        RunAnnounced(typeof(T));
        RegisterAnnounced<T, TCodec>(assembly);
    }

    /// <summary>Announces the codec of a type: it is registered when the type is looked up for the first time. Of several assemblies that announce or register a type, the first has it.</summary>
    /// <param name="type">The type.</param>
    /// <param name="assembly">As in <see cref="Register{T, TCodec}(Assembly)"/>.</param>
    /// <param name="register">Calls <see cref="RegisterAnnounced{T, TCodec}(Assembly)"/>, and may be called more than once, by any thread.</param>
    /// <exception cref="PlatformNotSupportedException">The machine is big-endian.</exception>
    public static void Announce(Type type, Assembly assembly, Action register)
    {
        ArgumentNullException.ThrowIfNull(type);
        CheckMachine();
        // The delegate would keep what is to be unloaded for as long as a type that others have, too; the codec need not, which is the engine's for a collection of numbers.
        if (assembly.IsCollectible && (type.IsGenericType || type.Assembly != assembly))
        {
            RunAnnounced(type);
            register();
            return;
        }

        Announced.GetOrAdd(type, register);
        AnnouncedBy.GetOrCreateValue(assembly).TryAdd(type, register);
    }

    /// <summary>Registers what was announced: as <see cref="Register{T, TCodec}(Assembly)"/>, but that it does not look whether others announced the type before.</summary>
    /// <inheritdoc cref="Register{T, TCodec}(Assembly)" path="/param|/exception"/>
    public static void RegisterAnnounced<T, TCodec>(Assembly assembly) where TCodec : struct, INinoCodec<T>
    {
        CheckMachine();
        // The factory first: who finds the codec looks for it.
        var factory = new CollectionFactory<T, TCodec>();
        Factories.GetOrAdd(typeof(T), factory);
        NinoCodec<T>.SetOwned(new CodecAdapter<T, TCodec>());
        ByAssembly.GetOrCreateValue(assembly).TryAdd(typeof(T), factory);
    }

    /// <summary>Registers the codec of objects of exactly a type whose registered codec is that of a polymorphic base: for bases in other assemblies that have it as a case.</summary>
    /// <inheritdoc cref="Register{T, TCodec}()" path="/exception"/>
    public static void RegisterExact<T, TCodec>() where TCodec : struct, INinoCodec<T>
    {
        CheckMachine();
        NinoCodec<T>.SetExact(new CodecAdapter<T, TCodec>());
    }

    /// <summary>Registers a codec that knows cases of a base which the assembly of the base does not know, or of a construction of a generic base, for which other assemblies may have codecs too. At the root of records, and in arrays and lists there, the base has the cases of all codecs that were registered before its first use, in whatever order.</summary>
    /// <inheritdoc cref="Register{T, TCodec}()" path="/exception"/>
    public static void RegisterWider<T, TCodec>() where TCodec : struct, INinoCodec<T>
    {
        CheckMachine();
        var codec = new CodecAdapter<T, TCodec>();
        var factory = new CollectionFactory<T, TCodec>();
        // The factory first, as above.
        var all = (WiderFactory<T>)(WiderFactories.TryGetValue(typeof(T), out ICollectionFactory? known) ? known : WiderFactories.GetOrAdd(typeof(T), new WiderFactory<T>()));
        all.Add(codec, factory);
        ByAssembly.GetOrCreateValue(typeof(TCodec).Assembly).TryAdd(typeof(T), factory);
        if (NinoCodec<T>.AddWider(codec)) return;
        // Nobody will use it, so it is not kept, which may be unloaded.
        all.Remove(codec);
        lock (Late) Late.Set(typeof(T), Late.TryGetValue(typeof(T), out string? others) ? others + "', '" + codec.Origin : codec.Origin);
    }

    /// <summary>The assemblies, with quotes between them, that registered cases of a base after its first use; null when there are none.</summary>
    internal static string? LateFor(Type type) => Late.TryGetValue(type, out string? late) ? late : null;

    /// <summary>Makes sure that an enum of another assembly is as wide as when the generated code was compiled, which has put what is behind it at constant offsets.</summary>
    /// <typeparam name="TEnum">The enum.</typeparam>
    /// <typeparam name="TNumber">The number it was then.</typeparam>
    /// <exception cref="NotSupportedException">It has another width.</exception>
    public static void CheckEnum<TEnum, TNumber>() where TEnum : unmanaged, Enum where TNumber : unmanaged
    {
        if (Unsafe.SizeOf<TEnum>() != Unsafe.SizeOf<TNumber>())
            throw new NotSupportedException($"The enum '{typeof(TEnum)}' of '{typeof(TEnum).Assembly.GetName().Name}' has {Unsafe.SizeOf<TEnum>()} bytes; it had {Unsafe.SizeOf<TNumber>()} when code that stores it was compiled. Compile that code again.");
    }

    /// <summary>Makes sure that a type has registered its codec: a library's module initializer has not run when nothing of it was used yet.</summary>
    internal static void Prepare(Type type)
    {
        PrepareOne(type);
        if (ElementOf(type, out _) is { } element) PrepareOne(element);

        static void PrepareOne(Type type)
        {
            BuiltInCodecs.Register(type);
            RuntimeHelpers.RunModuleConstructor(type.Module.ModuleHandle);
            RunAnnounced(type);

            // What a generic type is closed over may be of another assembly, which registers it.
            foreach (Type argument in type.GetGenericArguments())
            {
                PrepareOne(argument);
                if (ElementOf(argument, out _) is { } element) PrepareOne(element);
            }
        }
    }

    // Whether it has run or not: what another thread has registered by half is no codec yet.
    private static void RunAnnounced(Type type)
    {
        if (Announced.TryGetValue(type, out Action? register)) register();
    }

    /// <summary>The codec of an array or list of a registered type, as an object; null for other types.</summary>
    internal static object? CreateForCollection(Type type)
    {
        if (ElementOf(type, out bool isArray) is not { } element || !(WiderFactories.TryGetValue(element, out ICollectionFactory? factory) || Factories.TryGetValue(element, out factory))) return null;
        return isArray ? factory.CreateArrayCodec() : factory.CreateListCodec();
    }

    /// <summary>The verbs of a type that is known at run time only; null when it is not registered.</summary>
    internal static UntypedRecord? VerbsOf(Type type)
    {
        Prepare(type);
        if (Factories.TryGetValue(type, out ICollectionFactory? own) || WiderFactories.TryGetValue(type, out own)) return own.Verbs;
        if (ElementOf(type, out bool isArray) is not { } element || !(Factories.TryGetValue(element, out ICollectionFactory? factory) || WiderFactories.TryGetValue(element, out factory))) return null;
        return isArray ? factory.ArrayVerbs : factory.ListVerbs;
    }

    /// <summary>The schemas of the record types that an assembly registers, as its codecs describe them, each once and by name: the same whichever assembly was the first to register a type.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="refused">Those that have none, in the order of their names.</param>
    internal static IReadOnlyList<NinoSchema> SchemasOf(Assembly assembly, out IReadOnlyList<RefusedSchema> refused)
    {
        RuntimeHelpers.RunModuleConstructor(assembly.ManifestModule.ModuleHandle);
        foreach ((Type type, Action register) in AnnouncedBy.TryGetValue(assembly, out ConcurrentDictionary<Type, Action>? announced) ? announced : [])
        {
            RunAnnounced(type);
            register();
        }

        // Several types may be one in files: an array and a list.
        Dictionary<(string Name, string Identity), NinoSchema> schemas = [];
        List<RefusedSchema> without = [];
        foreach (ICollectionFactory factory in ByAssembly.TryGetValue(assembly, out ConcurrentDictionary<Type, ICollectionFactory>? own) ? own.Values : [])
        {
            try
            {
                NinoSchema schema = factory.Schema;
                schemas.TryAdd((schema.Name, SchemaIdentity.Of(schema)), schema);
            }
            catch (NinoSerializationException error) when (error.IsOfHiddenMembers)
            {
                without.Add(new RefusedSchema(factory.Name, error.Message, IsOfHiddenMembers: true));
            }
            catch (InvalidOperationException error) when (Namesakes.IsContradiction(error))
            {
                without.Add(new RefusedSchema(factory.Name, error.Message, IsOfHiddenMembers: false));
            }
        }

        refused = [.. without.OrderBy(static one => one.Name, StringComparer.Ordinal)];
        return [.. schemas.OrderBy(static one => one.Key.Name, StringComparer.Ordinal).ThenBy(static one => one.Key.Identity, StringComparer.Ordinal).Select(static one => one.Value)];
    }

    private static void CheckMachine()
    {
        if (!BitConverter.IsLittleEndian) throw new PlatformNotSupportedException("NinoStore stores little-endian bytes by plain memory access and does not run on big-endian machines.");
    }

    private static Type? ElementOf(Type type, out bool isArray)
    {
        isArray = type.IsSZArray;
        if (isArray) return type.GetElementType();
        return type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>) ? type.GetGenericArguments()[0] : null;
    }

    private interface ICollectionFactory
    {
        /// <summary>What the type is called in schemas, also where it has none.</summary>
        string Name { get; }

        NinoSchema Schema { get; }

        UntypedRecord Verbs { get; }

        UntypedRecord ArrayVerbs { get; }

        UntypedRecord ListVerbs { get; }

        object CreateArrayCodec();

        object CreateListCodec();
    }

    // What the two kinds have in common: all but the codecs of the collections goes by the codec of the type.
    private abstract class CollectionFactory<T> : ICollectionFactory
    {
        public string Name => Codec.Describe(SchemaBuilder.ForNames()).Definition?.Name ?? SchemaNames.Of(typeof(T));

        public NinoSchema Schema => Codec.Schema;

        public UntypedRecord Verbs => new UntypedRecord<T>();

        public UntypedRecord ArrayVerbs => new UntypedRecord<T[]>();

        public UntypedRecord ListVerbs => new UntypedRecord<List<T>>();

        protected abstract NinoCodec<T> Codec { get; }

        public abstract object CreateArrayCodec();

        public abstract object CreateListCodec();
    }

    // Apart from the adapter on purpose: an adapter that made the adapter of its arrays would be a generic type without end for an AOT compiler.
    private sealed class CollectionFactory<T, TCodec> : CollectionFactory<T> where TCodec : struct, INinoCodec<T>
    {
        protected override NinoCodec<T> Codec => new CodecAdapter<T, TCodec>();

        public override object CreateArrayCodec() => new CodecAdapter<T[], ArrayCodec<T, TCodec>>();

        public override object CreateListCodec() => new CodecAdapter<List<T>, ListCodec<T, TCodec>>();
    }

    // The collections of a base with the cases that the base itself has at the root of records.
    private sealed class WiderFactory<T> : CollectionFactory<T>
    {
        private readonly ConcurrentDictionary<NinoCodec<T>, ICollectionFactory> _factories = new(ReferenceEqualityComparer.Instance);

        protected override NinoCodec<T> Codec => NinoCodec<T>.Default;

        public void Add(NinoCodec<T> codec, ICollectionFactory factory) => _factories.TryAdd(codec, factory);

        public void Remove(NinoCodec<T> codec) => _factories.TryRemove(codec, out _);

        public override object CreateArrayCodec() => Chosen().CreateArrayCodec();

        public override object CreateListCodec() => Chosen().CreateListCodec();

        private ICollectionFactory Chosen()
        {
            NinoCodec<T> codec = Codec;
            if (codec is CodecAdapter<T, MergedUnion<T>>) return new CollectionFactory<T, MergedUnion<T>>();
            return _factories.TryGetValue(codec, out ICollectionFactory? factory) || Factories.TryGetValue(typeof(T), out factory) ? factory : throw new NinoTypeNotRegisteredException(typeof(T));
        }
    }
}
