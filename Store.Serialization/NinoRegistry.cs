using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Where generated code registers codecs. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoRegistry
{
    /// <summary>Registers the codec of a type whose values are never null. The first registration of a type wins.</summary>
    public static void Register<T, TCodec>() where TCodec : struct, INinoCodec<T> => NinoCodec<T>.SetDefault(new ValueAdapter<T, TCodec>());

    /// <summary>Registers the codec of a reference type with a body.</summary>
    public static void RegisterBody<T, TCodec>() where T : class where TCodec : struct, INinoBodyCodec<T> => NinoCodec<T>.SetDefault(new BodyAdapter<T, TCodec>());

    /// <summary>Registers the codec of a fixed-width value.</summary>
    public static void RegisterFixed<T, TCodec>() where T : struct where TCodec : struct, INinoFixedCodec<T> => NinoCodec<T>.SetDefault(new FixedAdapter<T, TCodec>());

    /// <summary>Makes sure the module of a type has registered its codecs: a library's module initializer has not run when nothing of it was used yet.</summary>
    internal static void Prepare(Type type) => RuntimeHelpers.RunModuleConstructor(type.Module.ModuleHandle);

    private sealed class ValueAdapter<T, TCodec> : NinoCodec<T> where TCodec : struct, INinoCodec<T>
    {
        public override int FixedSize => 0;

        public override void WriteRecord(ref NinoWriter writer, in T value)
        {
            if (value is null) throw new ArgumentNullException(nameof(value), $"A record of type '{typeof(T)}' cannot be null.");
            TCodec.Write(ref writer, in value);
        }

        public override T ReadRecord(ref NinoReader reader) =>
            TCodec.Read(ref reader) ?? throw new NinoSerializationException($"A record of type '{typeof(T)}' is null: it is damaged.");

        private protected override SchemaNode Describe() => TCodec.Describe(new SchemaBuilder());
    }

    private sealed class BodyAdapter<T, TCodec> : NinoCodec<T> where T : class where TCodec : struct, INinoBodyCodec<T>
    {
        public override int FixedSize => 0;

        public override void WriteRecord(ref NinoWriter writer, in T value)
        {
            if (value is null) throw new ArgumentNullException(nameof(value), $"A record of type '{typeof(T)}' cannot be null.");
            TCodec.WriteBody(ref writer, in value);
        }

        public override T ReadRecord(ref NinoReader reader) => TCodec.ReadBody(ref reader);

        private protected override SchemaNode Describe() => TCodec.Describe(new SchemaBuilder());
    }

    private sealed class FixedAdapter<T, TCodec> : NinoCodec<T> where T : struct where TCodec : struct, INinoFixedCodec<T>
    {
        public override int FixedSize => TCodec.Size;

        public override void WriteRecord(ref NinoWriter writer, in T value) => TCodec.WriteFixed(ref writer.Take(TCodec.Size), in value);

        public override T ReadRecord(ref NinoReader reader) => TCodec.ReadFixed(in reader.Take(TCodec.Size));

        private protected override SchemaNode Describe() => TCodec.Describe(new SchemaBuilder());
    }
}
