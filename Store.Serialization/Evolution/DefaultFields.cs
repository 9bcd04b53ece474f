namespace Store.Serialization.Evolution;

/// <summary>The values that a new object of a type has before any member is set: what members get that older records lack.</summary>
internal static class DefaultFields
{
    /// <summary>By field: its bytes; null where the zero of its type is meant.</summary>
    public static byte[]?[] Of(ObjectDefinition type) => type.NewFields?.Invoke() ?? new byte[]?[type.Fields.Count];

    /// <summary>Makes an object and encodes its members one by one: those that have no encoding are left to the zero of their type, and the others keep what they have.</summary>
    public static byte[]?[] Encode<T>(Func<T> create, Func<T, int, byte[]> encode, int count)
    {
        byte[]?[] fields = new byte[]?[count];
        if (!TryCreate(create, out T? value)) return fields;
        for (int i = 0; i < count; i++)
        {
            int field = i;
            fields[i] = TryEncode(() => encode(value!, field));
        }

        return fields;
    }

    /// <summary>The bytes of a value, or null where it has no encoding.</summary>
    public static byte[]? TryEncode<T, TCodec>(T value, NinoLimits? limits = null) where TCodec : struct, INinoCodec<T> => TryEncode(() => NinoGenerated.Encode<T, TCodec>(value, limits));

    /// <summary>Calls code of the user's that may refuse to make what nobody asked for. False when it throws.</summary>
    private static bool TryCreate<T>(Func<T> create, out T? value)
    {
        try
        {
            value = create();
            return true;
        }
        catch (Exception error) when (!IsOfTheProcess(error))
        {
            // A constructor may refuse null or 0, with whatever it throws, where a record would have given it something: that is no reason to refuse the records (docs/evolution.md, "defaults").
            value = default;
            return false;
        }
    }

    private static byte[]? TryEncode(Func<byte[]> encode)
    {
        try
        {
            return NinoGenerated.Unasked(encode);
        }
        catch (Exception error) when (IsRefusal(error))
        {
            return null;
        }
    }

    // What says nothing of the arguments.
    private static bool IsOfTheProcess(Exception error) =>
        error is OutOfMemoryException or InsufficientExecutionStackException or MemberAccessException or TypeLoadException or TypeInitializationException or BadImageFormatException
            or ThreadInterruptedException or OperationCanceledException or IOException;

    // What a codec or a getter throws at a value that it cannot encode: null, or the zero of a struct.
    private static bool IsRefusal(Exception error) =>
        error is NinoSerializationException or NullReferenceException or ArgumentException or NotSupportedException or FormatException or ArithmeticException or IndexOutOfRangeException or InvalidCastException or KeyNotFoundException
        || (error is InvalidOperationException and not NinoTypeNotRegisteredException);
}
