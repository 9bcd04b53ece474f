using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Where generated code registers codecs. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoRegistry
{
    /// <summary>Registers the codec of a type. The first registration of a type wins.</summary>
    public static void Register<T, TCodec>() where TCodec : struct, INinoCodec<T> => NinoCodec<T>.SetDefault(new Adapter<T, TCodec>());

    /// <summary>Makes sure the module of a type has registered its codecs: a library's module initializer has not run when nothing of it was used yet.</summary>
    internal static void Prepare(Type type) => RuntimeHelpers.RunModuleConstructor(type.Module.ModuleHandle);

    private sealed class Adapter<T, TCodec> : NinoCodec<T> where TCodec : struct, INinoCodec<T>
    {
        public override int FixedSize => TCodec.FixedSize;

        public override void WriteRecord(ref NinoWriter writer, in T value)
        {
            if (value is null) throw new ArgumentNullException(nameof(value), $"A record of type '{typeof(T)}' cannot be null.");
            if (TCodec.Form == CodecForm.Object) TCodec.WriteBody(ref writer, in value);
            else TCodec.Write(ref writer, in value);
        }

        public override T ReadRecord(ref NinoReader reader)
        {
            T value = TCodec.Form == CodecForm.Object ? TCodec.ReadBody(ref reader) : TCodec.Read(ref reader);
            return value is null ? throw new NinoSerializationException($"A record of type '{typeof(T)}' is null: it is damaged.") : value;
        }

        private protected override SchemaNode Describe() => TCodec.Describe(new SchemaBuilder());
    }
}
