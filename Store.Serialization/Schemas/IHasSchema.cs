namespace Store.Serialization;

/// <summary>Whose records are read: asked for its name where one is refused before anything of it was read.</summary>
internal interface IHasSchema
{
    /// <summary>The schema of the records.</summary>
    NinoSchema Schema { get; }
}
