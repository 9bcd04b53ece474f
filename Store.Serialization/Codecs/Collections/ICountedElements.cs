namespace Store.Serialization.Codecs;

/// <summary>A codec of collections that tell how many elements they have by an interface of their element's.</summary>
internal interface ICountedElements
{
    /// <summary>How many elements a collection has, or -1 where it does not tell.</summary>
    int Count(object collection);
}

/// <inheritdoc/>
/// <typeparam name="T">The element.</typeparam>
internal interface ICountedElements<T> : ICountedElements
{
    int ICountedElements.Count(object collection) => collection switch
    {
        ICollection<T> known => known.Count,
        IReadOnlyCollection<T> known => known.Count,
        _ => -1,
    };
}
