using System.ComponentModel;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate TMember NinoGetter<T, TMember>(ref T value);

/// <summary>Made by generated code: a collection that reading fills. Users do not make it.</summary>
/// <param name="Name">Type and name, for messages.</param>
/// <param name="Get">Gives the collection.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record NinoFilledMember<T>(string Name, NinoGetter<T, object?> Get);

/// <summary>Made by generated code: a member whose value code of the type may have given to a collection that reading fills. Users do not make it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class NinoGivenMember<T>
{
    private protected NinoGivenMember(string name) => Name = name;

    internal string Name { get; }

    internal abstract NinoSchema Schema { get; }

    internal abstract byte[] Write(ref T value, NinoLimits limits);

    internal abstract bool Is(ref T value, object collection);
}

/// <inheritdoc/>
/// <param name="name">The member's name.</param>
/// <param name="get">Gives its value.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NinoGivenMember<T, TMember, TCodec>(string name, NinoGetter<T, TMember> get) : NinoGivenMember<T>(name) where TCodec : struct, INinoCodec<TMember>
{
    internal override NinoSchema Schema => NinoViews.SchemaOf<TMember, TCodec>();

    internal override byte[] Write(ref T value, NinoLimits limits) => NinoGiven.Write<TMember, TCodec>(get(ref value), limits);

    internal override bool Is(ref T value, object collection) => ReferenceEquals(get(ref value), collection);
}
