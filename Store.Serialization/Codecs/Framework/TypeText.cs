namespace Store.Serialization.Codecs;

/// <summary>
/// A <see cref="Type"/> as its name in schemas: one of those that the assembly of the declaration knows, as where <c>object</c> is declared (docs/types.md, "object"). No type is ever looked for by a name that the bytes have: one that is not on the list is refused.
/// </summary>
/// <typeparam name="TCases">The generated list.</typeparam>
public readonly struct TypeText<TCases> : ITextForm<Type> where TCases : struct, INinoObjectCases
{
    /// <summary>Former names of a type are taken too.</summary>
    public static bool IsNormal => true;

    /// <inheritdoc/>
    public static string ToText(Type value) => TCases.Cases.NameOf(value);

    /// <inheritdoc/>
    public static bool TryParse(string text, out Type value)
    {
        value = TCases.Cases.TypeOf(text)!;
        return true;
    }
}
