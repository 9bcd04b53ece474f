namespace Store.Log;

/// <summary>Records of some names are somebody's: nobody else appends them until it is disposed. Whoever replays the log behind having claimed them sees every one that it did not append itself.</summary>
/// <param name="log">The log.</param>
/// <param name="names">Names of the schemas.</param>
/// <param name="owner">Whose they are, for messages: "the state 'Bank'".</param>
/// <param name="instead">What others are to do, for messages.</param>
internal sealed class SchemaClaim(AppendLog log, IReadOnlyCollection<string> names, string owner, string instead) : IDisposable
{
    public IReadOnlyCollection<string> Names => names;

    public string Owner => owner;

    /// <summary>Says that records of a name are not anybody's.</summary>
    public InvalidOperationException Refusal(string name) => new($"Records of '{name}' are those of {owner}, which is open. {instead}");

    /// <summary>Gives the names free. Doing it again changes nothing.</summary>
    public void Dispose() => log.Release(this);
}
