namespace Store.Serialization.Codecs;

/// <summary>Hash codes of numbers that come from the bytes of a schema or a log, for tables of the engine's own: other ones in each process, so that nobody can choose numbers that meet.</summary>
internal sealed class SeededHash : IEqualityComparer<int>, IEqualityComparer<uint>, IEqualityComparer<ulong>
{
    public static readonly SeededHash Instance = new();

    // Multiply and shift: for any two numbers it is by chance of the factor whether they meet.
    private readonly ulong _factor = (ulong)Random.Shared.NextInt64() << 1 | 1;

    private SeededHash() { }

    public bool Equals(int x, int y) => x == y;

    public bool Equals(uint x, uint y) => x == y;

    public bool Equals(ulong x, ulong y) => x == y;

    public int GetHashCode(int obj) => GetHashCode((ulong)obj);

    public int GetHashCode(uint obj) => GetHashCode((ulong)obj);

    public int GetHashCode(ulong obj) => (int)(obj * _factor >> 32);
}
